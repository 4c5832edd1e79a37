// The list of games, and the view of one.

const $ = (id) => document.getElementById(id);
const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 22: "⨀", 32: "⟳", 36: "→", 40: "↑", 132: "⇆", 138: "⊕", 140: "∆", 145: "RR", 146: "N", 220: "D" };

// Moves, written as UCI and SAN by turns.
function pairs(text) {
  const words = text ? text.split(" ") : [];
  return words.flatMap((uci, i) => i % 2 ? [] : [{ uci, san: words[i + 1] }]);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// A date as far as it is known: "2024", "Jun 2024" or "9 Jun 2024".
function dated(date = "") {
  const [year, month, day] = date.split(/[.\/-]/).map((part) => parseInt(part, 10));
  if (!year) return "";
  const name = MONTHS[month - 1] ?? "";
  return [name && day ? day : "", name, year].filter(Boolean).join(" ");
}

const known = (value = "") => /[^?.\s-]/.test(value) ? value : "";

class GameData {
  constructor(raw) {
    Object.assign(this, raw);
    this.tag = Object.fromEntries(raw.tags);
    this.moves = pairs(raw.moves);
    this.paths = raw.lines.map((line, ply) => ({ ply, moves: pairs(line) }));
    this.others = raw.others.map((others, ply) => others.map(([score, line]) => ({ score, path: { ply, moves: pairs(line) } })));
    this.said = Object.fromEntries(Object.entries(raw.notes).map(([ply, note]) => [ply, readComments(note.comments)]));
    this.date = dated(this.tag.Date ?? this.tag.UTCDate);
    this.event = known(this.tag.Event);
    this.offset = raw.states[0].startsWith("b") ? 1 : 0;
    this.firstMove = +raw.states[0].split(" ").pop();
    this.clocks = this.moves.map((_, i) => this.said[i + 1]?.clock ?? null);
    this.mistakes = Object.entries(raw.notes).filter(([, note]) => note.judgement).map(([ply, note]) => [+ply, note]);
    const [white, black] = this.sides.map(({ name }, i) => {
      const rating = known(this.tag[["WhiteElo", "BlackElo"][i]]);
      return rating ? `${name} (${rating})` : name;
    });
    this.heading = [white, this.result === "*" ? "–" : this.result.replace("1/2-1/2", "½–½").replace("-", "–"), black];
    this.searched = [white, black, this.event, known(this.tag.Site), this.date, this.opening, this.result].join(" ").toLowerCase();
  }

  // Made when the game is opened.
  get positions() {
    const positions = [placed(this.start)];
    this.moves.forEach(({ uci }, i) => positions.push(after(positions[i], uci)));
    Object.defineProperty(this, "positions", { value: positions });
    return positions;
  }

  whiteToMove(ply) { return (ply + this.offset) % 2 === 0; }
  moveNumber(ply) { return this.firstMove + Math.floor((ply + this.offset) / 2); }
  prefix(ply) { return this.moveNumber(ply) + (this.whiteToMove(ply) ? "." : "…"); }
  // The move that leads to a position: "12. Nf3".
  name(ply) { return ply ? `${this.prefix(ply - 1)} ${this.moves[ply - 1].san}` : "Start"; }
  fen(ply) { return placement(this.positions[ply]) + " " + this.states[ply]; }
  spot(ply) { return { position: this.positions[ply], state: stateOf(this.states[ply]) }; }

  // What a side's clock shows at a ply.
  clock(ply, white) {
    for (let i = ply - 1; i >= 0 && i > ply - 3; i--) {
      if (this.whiteToMove(i) === white) return this.clocks[i] ? shortClock(this.clocks[i]) : "";
    }
    return "";
  }
}

class View {
  constructor(games) {
    this.games = games;
    this.board = $("board");
    this.turned = false;
    for (const button of document.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step));
    }
    $("learn").addEventListener("click", () => this.learn());
    $("copy-fen").addEventListener("click", (event) => copy(this.game.fen(this.ply), event.target));
    $("copy-pgn").addEventListener("click", (event) => copy(this.game.pgn, event.target));
    $("link").addEventListener("click", (event) => copy(location.href, event.target));
    $("download").addEventListener("click", () => save(this.game.pgn, `game-${this.game.number}.pgn`));
    this.hand = new Hand(this);
    this.board.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.step(event.deltaY > 0 ? "on" : "back");
    }, { passive: false });
  }

  open(index, ply = 0) {
    const game = this.games[index];
    this.index = index;
    this.endLesson();
    if (game !== this.game) {
      this.game = game;
      this.turned = false;
      this.describe();
    }
    this.go(ply);
  }

  describe() {
    const { game } = this, { tag } = game;
    const [white, result, black] = game.heading;
    $("headline").replaceChildren(white, " ", make("span", {}, result), " ", black);
    document.title = game.heading.join(" ");
    const site = [tag.Site, tag.Link, tag.GameURL].find((place) => /^https?:\/\//.test(place ?? ""));
    const facts = [game.opening, game.event, !site && known(tag.Site), known(tag.Round) && "round " + tag.Round, game.date];
    $("facts").replaceChildren(facts.filter(Boolean).join(" · ") || `Game ${game.number}`,
      ...(site ? [" · ", make("a", { href: site, rel: "noreferrer" }, site.replace(/^https?:\/\/(www\.)?/, ""))] : []));
    for (const [id, index] of [["previous", this.index - 1], ["next", this.index + 1]]) {
      const there = this.games[index];
      $(id).hidden = !there;
      if (there) $(id).href = "#game-" + there.number;
    }
    $("all").hidden = this.games.length < 2;
    $("learn").hidden = !game.mistakes.length;
    this.graph();
    this.list();
    this.summarise();
    this.moments();
  }

  graph() { this.mark = drawGraph($("graph"), this.game, (ply) => this.go(ply)); }

  // Two columns of moves with their scores; what is said of a move stands below its row. Each part knows
  // the ply of its move.
  list() {
    const { game } = this, place = $("moves"), rows = [];
    const remark = (ply, ...parts) => rows.push(make("p", { class: "remark", "data-ply": ply }, ...parts));
    readComments(game.preface).words.forEach((text) => remark(0, text));
    this.buttons = [null];
    let open = false;
    game.moves.forEach(({ san }, i) => {
      const ply = i + 1, note = game.notes[ply] ?? {}, said = game.said[ply], white = game.whiteToMove(i);
      if (white || !open) {
        rows.push(make("span", { class: "number", "data-ply": ply }, String(game.moveNumber(i))));
        if (!white) rows.push(make("span", { class: "gap", "data-ply": ply }, "…"));
      }
      const signs = (note.nags ?? []).map((nag) => NAGS[nag] ?? "").join("");
      const own = note.nags?.some((nag) => nag <= 6) ? "" : note.sign ?? "";
      const button = make("button", { class: note.judgement ?? (note.praise ? "praise" : ""), "data-ply": ply },
        make("span", {}, san + own + signs), make("small", {}, game.scores[ply] ?? ""));
      button.addEventListener("click", () => this.go(ply));
      this.buttons.push(button);
      rows.push(button);
      open = white;
      if (note.judgement || note.praise || note.variations || said?.words.length) {
        if (open) rows.push(make("span", { class: "gap", "data-ply": ply }));
        open = false;
        if (note.judgement) {
          const best = note.best ? `; ${note.best} was best. ` : ". ";
          remark(ply, make("b", { class: note.judgement }, `${san}${note.sign}`), ` ${note.why}${best}`, this.row(game.paths[i]));
        }
        if (note.praise) remark(ply, make("b", { class: "praise" }, `${san}!`), ` ${note.praise}.`);
        (said?.words ?? []).forEach((text) => remark(ply, text));
        (note.variations ?? []).forEach((text) => remark(ply, this.variation(readVariation(text, game, i))));
      }
    });
    rows.push(make("p", { class: "remark", "data-ply": game.moves.length + 1 }, make("b", {}, game.result)));
    place.replaceChildren(...rows);
    place.scrollTop = 0;
  }

  // A move of a path as a button that shows it on the board.
  moveButton(path, count, numbered) {
    const { game } = this, at = path.ply + count - 1;
    const button = make("button", {}, (numbered ? game.prefix(at) + " " : "") + path.moves[count - 1].san);
    button.addEventListener("click", () => this.follow(path, count));
    button.place = [path, count];
    return button;
  }

  // The moves of a path.
  row(path) {
    const row = make("span", { class: "line" });
    path.moves.forEach((_, i) => {
      row.append(this.moveButton(path, i + 1, i === 0 || this.game.whiteToMove(path.ply + i)), " ");
    });
    return row;
  }

  // A line of the file, with the lines in it.
  variation(parts) {
    const row = make("span", { class: "line" }, "(");
    let numbered = true;
    for (const { path, count, words, isSign, inner } of parts) {
      if (row.childNodes.length > 1 && !isSign) row.append(" ");
      if (path) row.append(this.moveButton(path, count, numbered || this.game.whiteToMove(path.ply + count - 1)));
      else row.append(inner ? this.variation(inner) : words);
      numbered = !path && !isSign;
    }
    row.append(")");
    return row;
  }

  // Shows the first moves of a path that leaves the game.
  follow(path, count) {
    const { game } = this;
    this.ply = path.ply;
    this.path = path;
    this.aside = count;
    let spot = game.spot(path.ply), before = spot;
    for (const { uci } of path.moves.slice(0, count)) {
      before = spot;
      spot = { position: after(spot.position, uci), state: stateAfter(spot.position, spot.state, uci) };
    }
    const { uci } = path.moves[count - 1];
    this.paint(spot, { touched: [uci.slice(0, 2), target(before.position, uci)], ply: path.ply, hidden: true });
    if (path.isOwn) this.say(make("b", {}, "Your line"), path.ply ? ` after ${game.name(path.ply)}: ` : ": ", this.row(path));
    this.markMoves();
  }

  // Marks what is shown in the list and in lines.
  markMoves() {
    this.buttons.forEach((button, i) => button?.classList.toggle("now", !this.aside && i === this.ply));
    for (const button of document.querySelectorAll(".line button")) {
      const [path, count] = button.place;
      button.classList.toggle("now", path === this.path && count === this.aside);
    }
  }

  // A move was made on the board.
  play(move) {
    const { game } = this, { position, state } = this.spot;
    if (this.lesson) return this.lesson.attempt(move);
    if (!this.aside && game.moves[this.ply]?.uci === move) return this.go(this.ply + 1);
    const { moves } = this.aside ? this.path : game.paths[this.ply] ?? { moves: [] };
    if (this.aside && moves[this.aside]?.uci === move) return this.follow(this.path, this.aside + 1);
    const path = { ply: this.ply, isOwn: true, moves: [...moves.slice(0, this.aside), { uci: move, san: sanOf(position, state, move) }] };
    this.follow(path, path.moves.length);
  }

  // Asks for the piece of a promotion.
  promote(moves) {
    const names = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
    const buttons = moves.map((move) => {
      const button = make("button", {}, names[move[4]]);
      button.addEventListener("click", () => this.play(move));
      return button;
    });
    this.say("Promote to: ", make("div", { class: "answers" }, ...buttons));
  }

  go(to) {
    const { game } = this, ply = Math.min(Math.max(to, 0), game.moves.length);
    this.ply = ply;
    this.aside = 0;
    this.path = null;
    this.endLesson();
    const played = ply ? game.moves[ply - 1].uci : "", best = game.paths[ply]?.moves[0];
    const touched = ply ? [played.slice(0, 2), target(game.positions[ply - 1], played)] : [];
    const found = best ? [[best.uci.slice(0, 2), target(game.positions[ply], best.uci), "best"]] : [];
    const drawn = game.said[ply]?.drawn ?? [];
    this.paint(game.spot(ply), { touched, arrows: [...found, ...drawn], ply });
    this.explain();
    this.markMoves();
    const list = $("moves"), button = this.buttons[ply];
    const top = button ? button.offsetTop - list.offsetTop : 0;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - 60;
    history.replaceState(null, "", `#game-${game.number}` + (ply ? `-ply-${ply}` : ""));
  }

  explain() {
    const { game, ply } = this, note = game.notes[ply], score = game.scores[ply];
    const parts = [make("b", {}, game.name(ply)), " "];
    if (score === undefined) parts.push("This position was not analysed.");
    else parts.push(make("b", { class: "score" }, score), " ");
    if (note?.judgement) {
      parts.push(make("b", { class: note.judgement }, note.sign), ` ${note.why}${note.best ? `; ${note.best} was best` : ""}. `);
    }
    if (note?.praise) parts.push(make("b", { class: "praise" }, "!"), ` ${note.praise}. `);
    this.say(...parts, ...(game.paths[ply] ? [this.row(game.paths[ply])] : []));
    (game.others[ply] ?? []).forEach(({ score: other, path }) => {
      $("status").append(make("br"), make("b", { class: "score" }, other), " ", this.row(path));
    });
    const figures = game.said[ply]?.figures;
    if (figures) $("status").append(make("small", { class: "quiet figures" }, `The player's figures: ${figures}`));
  }

  say(...parts) { $("status").replaceChildren(...parts); }

  paint(spot, { touched = [], arrows = [], ply, hidden = false }) {
    const { game, turned } = this, { position } = spot;
    this.spot = spot;
    this.repaint = (dots = []) => {
      show(this.board, position, { touched, arrows: dots.length ? [] : arrows, dots, turned: this.turned, label: `Board, ${game.name(ply)}` });
    };
    this.hand.drop();
    this.repaint();
    const win = hidden ? 50 : game.wins[ply] ?? 50, score = hidden ? "" : game.scores[ply] ?? "";
    const bar = document.querySelector(".bar");
    bar.classList.toggle("turned", turned);
    bar.setAttribute("aria-label", `Evaluation ${score}`);
    bar.querySelector("i").style.height = win + "%";
    const number = bar.querySelector("span"), whiteBelow = !turned;
    number.textContent = /^[+-]?\d/.test(score) ? Math.abs(parseFloat(score)).toFixed(1) : score;
    number.className = (win >= 50) === whiteBelow ? "low" : "high";
    const [white, black] = game.sides;
    const player = ({ name, accuracy }, side) => [make("i", { class: "side " + side }), name, " ",
      make("span", { class: "quiet" }, accuracy === null || this.lesson ? "" : `${accuracy.toFixed(1)}% accuracy`),
      make("span", { class: "clock" }, game.clock(ply, side === "white"))];
    $("above").replaceChildren(...(turned ? player(white, "white") : player(black, "black")));
    $("below").replaceChildren(...(turned ? player(black, "black") : player(white, "white")));
    this.mark(ply);
  }

  turn() {
    this.turned = !this.turned;
    this.lesson ? this.lesson.again() : this.aside ? this.follow(this.path, this.aside) : this.go(this.ply);
  }

  step(name) {
    if (name === "turn") return this.turn();
    if (this.lesson) return;
    if (name === "on" && this.aside) return this.aside < this.path.moves.length && this.follow(this.path, this.aside + 1);
    if (name === "back" && this.aside > 1) return this.follow(this.path, this.aside - 1);
    this.go({ first: 0, back: this.ply - (this.aside ? 0 : 1), on: this.ply + 1, last: this.game.moves.length }[name]);
  }

  learn() {
    this.aside = 0;
    this.path = null;
    this.lesson = new Lesson(this, this.game);
    this.lesson.begin("");
    // Without mistakes it is over.
    if (this.lesson) history.replaceState(null, "", `#game-${this.game.number}-learn`);
  }

  // While a position is asked about, nothing tells the answer.
  hideFrom(ply) {
    $("game").classList.toggle("lesson", ply !== null);
    for (const part of $("moves").children) part.hidden = ply !== null && +part.dataset.ply >= ply;
  }

  endLesson() {
    if (!this.lesson) return;
    this.lesson = null;
    this.turned = false;
    this.hideFrom(null);
  }

  summarise() {
    const { game } = this, names = ["inaccuracy", "mistake", "blunder"], signs = ["?!", "?", "??"];
    const head = make("tr", {}, make("td"), make("th", {}, "accu\u00adracy"), ...names.map((name, i) => make("th", { title: name }, signs[i])));
    const parts = ["open\u00ading", "middle\u00adgame", "end\u00adgame"], has = parts.map((_, i) => game.sides.some(({ phases }) => phases[i] !== null));
    head.append(...parts.filter((_, i) => has[i]).map((part) => make("th", { title: "Accuracy in the " + part.replace("\u00ad", "") }, part)));
    const rows = game.sides.map(({ name, accuracy, counts, phases }) => make("tr", {}, make("th", {}, name),
      make("td", { class: "accuracy" }, accuracy === null ? "–" : accuracy.toFixed(1)),
      ...counts.map((count, i) => make("td", { class: names[i] }, String(count))),
      ...phases.filter((_, i) => has[i]).map((phase) => make("td", {}, phase === null ? "–" : phase.toFixed(1)))));
    $("summary").replaceChildren(head, ...rows);
  }

  // Diagrams of the moves that lost most.
  moments() {
    const { game } = this;
    const loss = ([ply]) => Math.abs(game.wins[ply] - game.wins[ply - 1]);
    const worst = [...game.mistakes].sort((a, b) => loss(b) - loss(a)).slice(0, 6).sort(([a], [b]) => a - b);
    const figures = worst.map(([ply, note]) => {
      const svg = draw("svg", { class: "board", role: "img" }), position = game.positions[ply - 1];
      const line = game.paths[ply - 1].moves[0], played = game.moves[ply - 1];
      const pointing = ({ uci }, kind) => [uci.slice(0, 2), target(position, uci), kind];
      const arrows = [...(line ? [pointing(line, "best")] : []), pointing(played, "played")];
      show(svg, position, { arrows, turned: !game.whiteToMove(ply - 1), label: game.name(ply) });
      const caption = make("figcaption", {}, make("b", { class: note.judgement }, game.name(ply) + note.sign),
        ` ${note.why}. ${game.scores[ply - 1]} → ${game.scores[ply]}. `, ...(note.best ? [make("b", {}, note.best), " was best."] : []));
      const figure = make("figure", { tabindex: "0" }, svg, caption);
      const open = () => { this.go(ply); this.board.scrollIntoView({ block: "center" }); };
      figure.addEventListener("click", open);
      figure.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
      return figure;
    });
    $("moments").replaceChildren(...(figures.length ? [make("h2", {}, "Critical moments"), make("div", { class: "moments" }, ...figures)] : []));
  }
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from a file may not use the clipboard.
    const area = make("textarea", {}, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const { textContent } = button;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = textContent; }, 1200);
}

function save(text, name) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The columns of the list: a heading, what a row shows, and what it is sorted by.
const COLUMNS = [
  ["#", (game) => game.number],
  ["White", (game) => game.sides[0].name],
  ["Black", (game) => game.sides[1].name],
  ["Result", (game) => game.result.replace("1/2-1/2", "½-½")],
  ["Opening", (game) => game.opening],
  ["Event", (game) => game.event],
  ["Date", (game) => game.date, (game) => game.tag.Date ?? ""],
  ["Moves", (game) => Math.ceil((game.moves.length + game.offset) / 2)],
  ["White's accu\u00adracy", (game) => game.sides[0].accuracy?.toFixed(1) ?? "", (game) => game.sides[0].accuracy ?? -1],
  ["Black's accu\u00adracy", (game) => game.sides[1].accuracy?.toFixed(1) ?? "", (game) => game.sides[1].accuracy ?? -1],
];

// What a phone has no room for.
const WIDE = new Set(["#", "Event", "Date", "Moves"]);

function listGames(games) {
  const used = COLUMNS.filter(([, value]) => games.some((game) => value(game) !== ""));
  const rows = new Map(games.map((game) => {
    const cells = used.map(([title, value]) => {
      const text = String(value(game));
      const cell = title === "White" || title === "Black" ? make("a", { href: "#game-" + game.number }, text) : text;
      const isFigure = typeof value(game) === "number" || title.includes("accu");
      const isLong = title === "Opening" || title === "Event";
      return make("td", { class: `${isFigure ? "figure" : isLong ? "long" : ""} ${WIDE.has(title) ? "wide" : ""}` }, cell);
    });
    const row = make("tr", {}, ...cells);
    row.addEventListener("click", () => { location.hash = "game-" + game.number; });
    return [game, row];
  }));
  const body = document.querySelector("#games tbody"), heads = document.querySelector("#games thead tr");
  let sorted = 0, down = false;
  const fill = () => {
    const words = $("search").value.toLowerCase().split(/\s+/);
    const found = games.filter((game) => words.every((word) => game.searched.includes(word)));
    const [, value, key = value] = used[sorted] ?? COLUMNS[0];
    const order = (a, b) => typeof key(a) === "number" ? key(a) - key(b) : String(key(a)).localeCompare(String(key(b)));
    found.sort((a, b) => (down ? -1 : 1) * (order(a, b) || a.number - b.number));
    body.replaceChildren(...found.map((game) => rows.get(game)));
    $("count").textContent = found.length === games.length ? `${games.length} games` : `${found.length} of ${games.length} games`;
    [...heads.children].forEach((head, i) => head.setAttribute("aria-sort", i !== sorted ? "none" : down ? "descending" : "ascending"));
  };
  used.forEach(([title], i) => {
    const button = make("button", {}, title);
    button.addEventListener("click", () => { down = sorted === i && !down; sorted = i; fill(); });
    heads.append(make("th", { class: WIDE.has(title) ? "wide" : "" }, button));
  });
  $("search").addEventListener("input", fill);
  $("download-all").addEventListener("click", () => save(games.map((game) => game.pgn).join(""), "games.pgn"));
  fill();
}

document.addEventListener("DOMContentLoaded", () => {
  const games = [...document.querySelectorAll("script.game")].map((script) => new GameData(JSON.parse(script.textContent)));
  const view = new View(games), name = document.title;
  listGames(games);
  const wrong = document.querySelectorAll(".wrong");
  $("list").append(...wrong);

  // The address names the game and the ply: #game-3-ply-17; or #game-3-learn.
  function visit() {
    const [, number, ply, learn] = location.hash.match(/^#game-(\d+)(?:-ply-(\d+)|(-learn))?$/) ?? [];
    let index = games.findIndex((game) => game.number === +number);
    if (index < 0 && games.length === 1 && !wrong.length) index = 0;
    $("list").hidden = index >= 0;
    $("game").hidden = index < 0;
    if (index < 0) {
      $("headline").textContent = document.title = name;
      return;
    }
    if (number === undefined || view.game !== games[index]) scrollTo(0, 0);
    view.open(index, +(ply ?? 0));
    if (learn) view.learn();
  }
  addEventListener("hashchange", visit);
  addEventListener("resize", () => {
    if ($("game").hidden) return;
    view.graph();
    view.mark(view.ply);
  });
  visit();

  const root = document.documentElement;
  $("theme").addEventListener("click", () => {
    const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
  });

  const keys = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "first", ArrowDown: "last", Home: "first", End: "last", f: "turn" };
  addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || $("game").hidden || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    view.step(step);
    event.preventDefault();
  });
});
