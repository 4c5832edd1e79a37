// The list of games, and the view of one.

const $ = (id) => document.getElementById(id);
const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N" };

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
    this.lines = raw.lines.map(pairs);
    this.date = dated(this.tag.Date ?? this.tag.UTCDate);
    this.event = known(this.tag.Event);
    this.offset = raw.states[0].startsWith("b") ? 1 : 0;
    this.firstMove = +raw.states[0].split(" ").pop();
    this.mistakes = Object.entries(raw.notes).filter(([, note]) => note.judgement).map(([ply, note]) => [+ply, note]);
    const [white, black] = this.sides;
    this.searched = [white.name, black.name, this.event, known(this.tag.Site), this.date, this.opening, this.result].join(" ").toLowerCase();
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
    this.board.addEventListener("pointerdown", (event) => { this.touch = event; });
    this.board.addEventListener("pointerup", (event) => this.released(event));
  }

  open(index, ply = 0) {
    const game = this.games[index];
    this.index = index;
    this.lesson = null;
    if (game !== this.game) {
      this.game = game;
      this.turned = false;
      this.describe();
    }
    this.go(ply);
  }

  describe() {
    const { game } = this, { tag } = game;
    const facts = [game.opening, game.event, known(tag.Site), known(tag.Round) && "round " + tag.Round, game.date];
    $("facts").textContent = facts.filter(Boolean).join(" · ") || `Game ${game.number}`;
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

  // Two columns of moves with their scores; what is said of a move stands below its row.
  list() {
    const { game } = this, place = $("moves"), rows = [];
    const remark = (...parts) => rows.push(make("p", { class: "remark" }, ...parts));
    game.preface.forEach((text) => remark(text));
    this.buttons = [null];
    let open = false;
    game.moves.forEach(({ san }, i) => {
      const ply = i + 1, note = game.notes[ply] ?? {}, white = game.whiteToMove(i);
      if (white || !open) {
        rows.push(make("span", { class: "number" }, String(game.moveNumber(i))));
        if (!white) rows.push(make("span", { class: "gap" }, "…"));
      }
      const signs = (note.nags ?? []).map((nag) => NAGS[nag] ?? "").join("");
      const own = note.nags?.some((nag) => nag <= 6) ? "" : note.sign ?? "";
      const button = make("button", { class: note.judgement ?? "" }, make("span", {}, san + own + signs), make("small", {}, game.scores[ply] ?? ""));
      button.addEventListener("click", () => this.go(ply));
      this.buttons.push(button);
      rows.push(button);
      open = white;
      const said = note.judgement || note.comments || note.variations;
      if (said) {
        if (open) rows.push(make("span", { class: "gap" }));
        open = false;
        if (note.judgement) {
          const best = note.best ? `; ${note.best} was best. ` : ". ";
          remark(make("b", { class: note.judgement }, `${san}${note.sign}`), ` ${note.why}${best}`, this.line(i));
        }
        (note.comments ?? []).forEach((text) => remark(text));
        (note.variations ?? []).forEach((text) => remark(make("i", {}, `(${text})`)));
      }
    });
    rows.push(make("p", { class: "remark" }, make("b", {}, game.result)));
    place.replaceChildren(...rows);
    place.scrollTop = 0;
  }

  // What Zebu would play from a position, as buttons that show it on the board.
  line(ply) {
    const { game } = this, row = make("span", { class: "line" });
    (game.lines[ply] ?? []).forEach(({ san }, i) => {
      const at = ply + i, numbered = i === 0 || game.whiteToMove(at);
      const button = make("button", {}, (numbered ? game.prefix(at) + " " : "") + san);
      button.addEventListener("click", () => this.follow(ply, i + 1));
      row.append(button, " ");
    });
    return row;
  }

  // Shows the first moves of a line.
  follow(ply, count) {
    const { game } = this, line = game.lines[ply];
    this.ply = ply;
    this.aside = count;
    let position = game.positions[ply], before = position;
    for (const { uci } of line.slice(0, count)) {
      before = position;
      position = after(position, uci);
    }
    const { uci } = line[count - 1];
    this.paint(position, { touched: [uci.slice(0, 2), target(before, uci)], ply });
    const buttons = [...document.querySelectorAll("#status .line button")];
    buttons.forEach((button, i) => button.classList.toggle("now", i === count - 1));
  }

  go(to) {
    const { game } = this, ply = Math.min(Math.max(to, 0), game.moves.length);
    this.ply = ply;
    this.aside = 0;
    this.lesson = null;
    const played = ply ? game.moves[ply - 1].uci : "", best = game.lines[ply]?.[0];
    const touched = ply ? [played.slice(0, 2), target(game.positions[ply - 1], played)] : [];
    const arrows = best ? [[best.uci.slice(0, 2), target(game.positions[ply], best.uci), "best"]] : [];
    this.paint(game.positions[ply], { touched, arrows, ply });
    this.explain();
    this.buttons.forEach((button, i) => button?.classList.toggle("now", i === ply));
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
    this.say(...parts, this.line(ply));
  }

  say(...parts) { $("status").replaceChildren(...parts); }

  paint(position, { touched = [], arrows = [], ply, hidden = false }) {
    const { game, turned } = this;
    this.repaint = () => this.paint(position, { touched, arrows, ply, hidden });
    show(this.board, position, { touched, arrows, turned: this.turned, label: `Board, ${game.name(ply)}` });
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
      make("span", { class: "quiet" }, accuracy === null ? "" : `${accuracy.toFixed(1)}% accuracy`)];
    $("above").replaceChildren(...(turned ? player(white, "white") : player(black, "black")));
    $("below").replaceChildren(...(turned ? player(black, "black") : player(white, "white")));
    this.mark(ply);
  }

  step(name) {
    const line = this.aside ? this.game.lines[this.ply] : [];
    if (name === "turn") { this.turned = !this.turned; return this.repaint(); }
    if (this.lesson) return;
    if (name === "on" && this.aside) return this.aside < line.length && this.follow(this.ply, this.aside + 1);
    if (name === "back" && this.aside > 1) return this.follow(this.ply, this.aside - 1);
    this.go({ first: 0, back: this.ply - (this.aside ? 0 : 1), on: this.ply + 1, last: this.game.moves.length }[name]);
  }

  // A tap is for the lesson; a swipe, or else a tap on a half of the board, steps.
  released(event) {
    if (this.lesson) return this.lesson.tap(squareAt(this.board, event, this.turned));
    const far = this.touch ? event.clientX - this.touch.clientX : 0;
    if (Math.abs(far) > 40) return this.step(far < 0 ? "on" : "back");
    const { left, width } = this.board.getBoundingClientRect();
    this.step(event.clientX - left < width / 2 ? "back" : "on");
  }

  learn() {
    this.aside = 0;
    const lesson = new Lesson(this, this.game);
    if (!lesson.tasks.length) return;
    this.lesson = lesson;
    history.replaceState(null, "", `#game-${this.game.number}-learn`);
  }

  endLesson() {
    this.turned = false;
    this.go(this.ply);
  }

  summarise() {
    const { game } = this, names = ["inaccuracy", "mistake", "blunder"], signs = ["?!", "?", "??"];
    const head = make("tr", {}, make("td"), make("th", {}, "accuracy"), ...names.map((name, i) => make("th", { title: name }, signs[i])));
    const rows = game.sides.map(({ name, accuracy, counts }) => make("tr", {}, make("th", {}, name),
      make("td", { class: "accuracy" }, accuracy === null ? "–" : accuracy.toFixed(1)),
      ...counts.map((count, i) => make("td", { class: names[i] }, String(count)))));
    $("summary").replaceChildren(head, ...rows);
  }

  // Diagrams of the moves that lost most.
  moments() {
    const { game } = this;
    const loss = ([ply]) => Math.abs(game.wins[ply] - game.wins[ply - 1]);
    const worst = [...game.mistakes].sort((a, b) => loss(b) - loss(a)).slice(0, 6).sort(([a], [b]) => a - b);
    const figures = worst.map(([ply, note]) => {
      const svg = draw("svg", { class: "board", role: "img" }), position = game.positions[ply - 1];
      const line = game.lines[ply - 1][0], played = game.moves[ply - 1];
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
  ["White's accuracy", (game) => game.sides[0].accuracy?.toFixed(1) ?? "", (game) => game.sides[0].accuracy ?? -1],
  ["Black's accuracy", (game) => game.sides[1].accuracy?.toFixed(1) ?? "", (game) => game.sides[1].accuracy ?? -1],
];

function listGames(games) {
  const used = COLUMNS.filter(([, value]) => games.some((game) => value(game) !== ""));
  const rows = new Map(games.map((game) => {
    const cells = used.map(([title, value]) => {
      const text = String(value(game));
      const cell = title === "White" || title === "Black" ? make("a", { href: "#game-" + game.number }, text) : text;
      const isFigure = typeof value(game) === "number" || title.includes("accuracy");
      const isLong = title === "Opening" || title === "Event";
      return make("td", { class: isFigure ? "figure" : isLong ? "long" : "" }, cell);
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
    const [, value, key = value] = used[sorted];
    const order = (a, b) => typeof key(a) === "number" ? key(a) - key(b) : String(key(a)).localeCompare(String(key(b)));
    found.sort((a, b) => (down ? -1 : 1) * (order(a, b) || a.number - b.number));
    body.replaceChildren(...found.map((game) => rows.get(game)));
    $("count").textContent = found.length === games.length ? `${games.length} games` : `${found.length} of ${games.length} games`;
    [...heads.children].forEach((head, i) => head.setAttribute("aria-sort", i !== sorted ? "none" : down ? "descending" : "ascending"));
  };
  used.forEach(([title], i) => {
    const button = make("button", {}, title);
    button.addEventListener("click", () => { down = sorted === i && !down; sorted = i; fill(); });
    heads.append(make("th", {}, button));
  });
  $("search").addEventListener("input", fill);
  $("download-all").addEventListener("click", () => save(games.map((game) => game.pgn).join(""), "games.pgn"));
  fill();
}

document.addEventListener("DOMContentLoaded", () => {
  const games = [...document.querySelectorAll("script.game")].map((script) => new GameData(JSON.parse(script.textContent)));
  const view = new View(games);
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
    if (index < 0) return;
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

  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "turn" };
  addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || $("game").hidden || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    view.step(step);
    event.preventDefault();
  });
});
