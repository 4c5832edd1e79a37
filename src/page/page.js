// The list of games, and the view of one.

const NAGS = {
  1: "!",
  2: "?",
  3: "!!",
  4: "??",
  5: "!?",
  6: "?!",
  7: "□",
  10: "=",
  13: "∞",
  14: "⩲",
  15: "⩱",
  16: "±",
  17: "∓",
  18: "+−",
  19: "−+",
  22: "⨀",
  32: "⟳",
  36: "→",
  40: "↑",
  132: "⇆",
  138: "⊕",
  140: "∆",
  145: "RR",
  146: "N",
  220: "D",
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// A date as far as it is known: "2024", "Jun 2024" or "9 Jun 2024".
function dated(date = "") {
  const [year, month, day] = date.split(/[./-]/).map((part) => parseInt(part, 10));
  if (!year) return "";
  const name = MONTHS[month - 1] ?? "";
  return [name && day ? day : "", name, year].filter(Boolean).join(" ");
}

const known = (value = "") => (/[^?.\s-]/.test(value) ? value : "");

// Zebu's name without its version.
const plainName = (name) =>
  name.replace(/^Zebu \d\S*( \([^)]*\))?/, "Zebu").replace(/, (?:skill )?level (\d+)$/, " ($1)");

// The sides of a game with the names that are shown. In the file of a game that was played on the board one is
// "Player".
function shownSides(sides) {
  const isPlayed = typeof App === "function" && sides.some(({ name }) => name.startsWith("Zebu"));
  return sides.map((side) => ({
    ...side,
    name: isPlayed && side.name === "Player" ? "You" : plainName(side.name),
  }));
}

class GameData {
  constructor(raw) {
    Object.assign(this, raw);
    this.sides = shownSides(raw.sides);
    this.tag = Object.fromEntries(raw.tags);
    this.moves = pairs(raw.moves);
    this.paths = raw.lines.map((line, ply) => ({ ply, moves: pairs(line) }));
    this.others = raw.others.map((others, ply) =>
      others.map(([score, line]) => ({ score, path: { ply, moves: pairs(line) } })),
    );
    this.said = Object.fromEntries(Object.entries(raw.notes).map(([ply, note]) => [ply, readComments(note.comments)]));
    this.date = dated(this.tag.Date ?? this.tag.UTCDate);
    this.event = known(this.tag.Event);
    this.offset = raw.states[0].startsWith("b") ? 1 : 0;
    this.firstMove = +raw.states[0].split(" ").pop();
    this.clocks = this.moves.map((_, i) => this.said[i + 1]?.clock ?? null);
    this.mistakes = Object.entries(raw.notes)
      .filter(([, note]) => note.judgement)
      .map(([ply, note]) => [+ply, note]);
    const [white, black] = this.sides.map(({ name }, i) => {
      const rating = known(this.tag[["WhiteElo", "BlackElo"][i]]);
      return rating ? `${name} (${rating})` : name;
    });
    this.heading = [white, this.result === "*" ? "–" : this.result.replace("1/2-1/2", "½–½").replace("-", "–"), black];
    // Lines of one's own, and what one says of moves.
    const keptHere = () => JSON.parse(kept(`own ${location.pathname} ${raw.number}`, "null"));
    [this.own, this.mine] = raw.own ?? (raw.number ? keptHere() : null) ?? [[], {}];
  }

  // Made when the game is opened.
  get positions() {
    const positions = [placed(this.start)];
    this.moves.forEach(({ uci }, i) => positions.push(after(positions[i], uci)));
    Object.defineProperty(this, "positions", { value: positions });
    return positions;
  }

  // A game without an analysis.
  static blank(fen, tags = []) {
    const states = [fen.split(" ").slice(1).join(" ")];
    const tag = Object.fromEntries(tags);
    const sides = ["White", "Black"].map((name) => ({
      name: known(tag[name]) || name,
      accuracy: null,
      counts: [0, 0, 0],
      phases: [null, null, null],
    }));
    return new GameData({
      number: 0,
      sides,
      result: tag.Result ?? "*",
      tags,
      opening: "",
      start: fen,
      preface: [],
      moves: "",
      states,
      scores: [],
      wins: [],
      lines: [],
      others: [],
      notes: {},
      pgn: "",
    });
  }

  // Other moves from the start on.
  retake(moves) {
    for (const list of [this.positions, this.states]) list.length = 1;
    for (const list of [this.moves, this.clocks]) list.length = 0;
    this.scores.length = Math.min(this.scores.length, 1);
    this.notes = {};
    moves.forEach((uci) => this.append(uci));
  }

  // A move at its end.
  append(uci) {
    const { position, state } = this.spot(this.moves.length);
    this.moves.push({ uci, san: sanOf(position, state, uci) });
    this.positions.push(after(position, uci));
    this.states.push(fieldsOf(stateAfter(position, state, uci)));
    this.clocks.push(null);
  }

  // The line of one's own that begins so: one that is there, one that becomes longer, or a new one.
  branch(ply, moves) {
    const begins = (path, count) =>
      path.ply === ply &&
      path.moves.length >= count &&
      moves.slice(0, count).every(({ uci }, i) => path.moves[i].uci === uci);
    const there = this.own.find((path) => begins(path, moves.length));
    if (there) return there;
    const shorter = this.own.find((path) => path.moves.length === moves.length - 1 && begins(path, path.moves.length));
    if (shorter) shorter.moves.push(moves.at(-1));
    else this.own.push({ ply, isOwn: true, moves });
    return shorter ?? this.own.at(-1);
  }

  whiteToMove(ply) {
    return (ply + this.offset) % 2 === 0;
  }
  moveNumber(ply) {
    return this.firstMove + Math.floor((ply + this.offset) / 2);
  }
  prefix(ply) {
    return this.moveNumber(ply) + (this.whiteToMove(ply) ? "." : "…");
  }
  // The move that leads to a position: "12. Nf3".
  name(ply) {
    return ply ? `${this.prefix(ply - 1)} ${this.moves[ply - 1].san}` : "Start";
  }
  fen(ply) {
    return placement(this.positions[ply]) + " " + this.states[ply];
  }
  spot(ply) {
    return { position: this.positions[ply], state: stateOf(this.states[ply]) };
  }

  // What a side's clock shows at a ply.
  clock(ply, white) {
    for (let i = ply - 1; i >= 0 && i > ply - 3; i--) {
      if (this.whiteToMove(i) === white) return this.clocks[i] ? shortClock(this.clocks[i]) : "";
    }
    return "";
  }
}

class View {
  // A page with an engine sets `live`, which is told what is shown and may take moves.
  constructor(games) {
    Object.assign(this, { games, live: null, neighbours: [] });
    this.board = $("board");
    this.turned = false;
    for (const button of document.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step));
    }
    $("learn").addEventListener("click", () => this.learn());
    $("copy-fen").addEventListener("click", (event) => copy(this.game.fen(this.ply), event.target));
    $("copy-pgn").addEventListener("click", (event) => copy(pgnOf(this.game), event.target));
    $("link").addEventListener("click", (event) => copy(location.href, event.target));
    $("download").addEventListener("click", () => save(pgnOf(this.game), `game-${this.game.number}.pgn`));
    this.hand = new Hand(this);
    this.edits = new Edits(this);
    this.board.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.step(event.deltaY > 0 ? "on" : "back");
      },
      { passive: false },
    );
  }

  // Opens a game of the page's list. Promises whether it is still the one that is wanted.
  async open(index, ply = 0) {
    this.index = index;
    const listed = this.games[index];
    const game = await listed.game().catch(({ message }) => this.say(message));
    if (!game || this.games[this.index] !== listed) return false;
    this.neighbours = [index - 1, index + 1].map((at) => this.games[at]?.number);
    this.show(game, ply);
    return true;
  }

  // Boards look other than before.
  looksOther() {
    if ($("game").hidden || !this.game) return;
    this.moments();
    this.graph();
    this.mark(this.ply);
    this.repaint();
  }

  show(game, ply, turned = false) {
    this.endLesson();
    if (game !== this.game) {
      this.game = game;
      this.turned = turned;
      this.describe();
    }
    this.go(ply);
  }

  describe() {
    const { game } = this;
    const { tag } = game;
    const [white, result, black] = game.heading;
    const heading =
      game.isOpen && !game.tags.length ? ["Analysis"] : [white, " ", make("span", {}, result), " ", black];
    $("headline").replaceChildren(...heading);
    document.title = $("headline").textContent;
    const site = [tag.Site, tag.Link, tag.GameURL].find((place) => /^https?:\/\//.test(place ?? ""));
    const facts = [
      game.opening,
      game.event,
      !site && known(tag.Site),
      known(tag.Round) && "round " + tag.Round,
      game.date,
    ];
    $("facts").replaceChildren(
      facts.filter(Boolean).join(" · ") || (game.number ? `Game ${game.number}` : ""),
      ...(site ? [" · ", make("a", { href: site, rel: "noreferrer" }, site.replace(/^https?:\/\/(www\.)?/, ""))] : []),
    );
    ["previous", "next"].forEach((id, i) => {
      const number = this.neighbours[i];
      $(id).hidden = number === undefined;
      $(id).href = "#game-" + number;
    });
    $("ways").hidden = !!game.address || (!this.live && this.games.length < 2);
    $("learn").hidden = !game.mistakes.length;
    this.graph();
    this.list();
    $("moves").scrollTop = 0;
    this.summarise();
    this.moments();
  }

  graph() {
    this.mark = drawGraph($("graph"), this.game, (ply) => this.go(ply));
  }

  // Two columns of moves with their scores; what is said of a move stands below its row. Each part knows
  // the ply of its move.
  list() {
    const { game } = this;
    const place = $("moves");
    const rows = [];
    const remark = (ply, ...parts) => rows.push(make("p", { class: "remark", "data-ply": ply }, ...parts));
    readComments(game.preface).words.forEach((text) => remark(0, text));
    this.buttons = [null];
    let open = false;
    const ownLines = (from, ply) => {
      for (const parts of branches(game.own.filter((path) => path.ply === from))) {
        if (open) rows.push(make("span", { class: "gap", "data-ply": ply }));
        open = false;
        remark(ply, this.variation(parts));
      }
    };
    game.moves.forEach(({ san }, i) => {
      const ply = i + 1;
      const note = game.notes[ply] ?? {};
      const said = game.said[ply];
      const white = game.whiteToMove(i);
      if (white || !open) {
        rows.push(make("span", { class: "number", "data-ply": ply }, String(game.moveNumber(i))));
        if (!white) rows.push(make("span", { class: "gap", "data-ply": ply }, "…"));
      }
      const mine = game.mine[ply] ?? {};
      const signs = (mine.nag ? [mine.nag] : (note.nags ?? [])).map((nag) => NAGS[nag] ?? "").join("");
      const own = mine.nag || note.nags?.some((nag) => nag <= 6) ? "" : (note.sign ?? "");
      const button = make(
        "button",
        { class: note.judgement ?? (note.praise ? "praise" : ""), "data-ply": ply },
        make("span", {}, san + own + signs),
        make("small", {}, game.scores[ply] ?? ""),
      );
      button.addEventListener("click", () => this.go(ply));
      this.buttons.push(button);
      rows.push(button);
      open = white;
      if (note.judgement || note.praise || note.variations || said?.words.length || mine.words) {
        if (open) rows.push(make("span", { class: "gap", "data-ply": ply }));
        open = false;
        if (note.judgement) {
          const best = note.best ? `; ${note.best} was best. ` : ". ";
          remark(
            ply,
            make("b", { class: note.judgement }, `${san}${note.sign}`),
            ` ${note.why}${best}`,
            game.paths[i] ? this.row(game.paths[i]) : "",
          );
        }
        if (note.praise) remark(ply, make("b", { class: "praise" }, `${san}!`), ` ${note.praise}.`);
        (said?.words ?? []).forEach((text) => remark(ply, text));
        if (mine.words) remark(ply, mine.words);
        (note.variations ?? []).forEach((text) => remark(ply, this.variation(readVariation(text, game, i))));
      }
      ownLines(i, ply);
    });
    ownLines(game.moves.length, game.moves.length + 1);
    if (game.result !== "*") remark(game.moves.length + 1, make("b", {}, game.result));
    place.replaceChildren(...rows);
  }

  // A move of a path as a button that shows it on the board.
  moveButton(path, count, numbered) {
    const { game } = this;
    const at = path.ply + count - 1;
    const button = make("button", {}, (numbered ? game.prefix(at) + " " : "") + path.moves[count - 1].san);
    button.addEventListener("click", () => this.follow(path, count));
    button.place = [path, count];
    return button;
  }

  // The moves of a path, from one on.
  row(path, from = 0) {
    const row = make("span", { class: "line" });
    path.moves.forEach((_, i) => {
      if (i >= from) row.append(this.moveButton(path, i + 1, i === from || this.game.whiteToMove(path.ply + i)), " ");
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
    let spot = game.spot(path.ply);
    let before = spot;
    for (const { uci } of path.moves.slice(0, count)) {
      before = spot;
      spot = { position: after(spot.position, uci), state: stateAfter(spot.position, spot.state, uci) };
    }
    const { uci } = path.moves[count - 1];
    this.paint(spot, { touched: [uci.slice(0, 2), target(before.position, uci)], ply: path.ply, hidden: true });
    const judged = path.isOwn && judgementOf(game, path, count);
    const back = make("button", {}, "Back to the game");
    back.addEventListener("click", () => this.go(path.ply));
    this.say(
      make("b", {}, path.isOwn ? "Your line" : path.isFiled ? "A line of the file" : "The engine's line"),
      path.ply ? ` after ${game.name(path.ply)}: ` : ": ",
      this.row(path),
      " ",
      ...(judged ? [make("span", { class: "judged" }, ...judged), " "] : []),
      make("span", { class: "answers" }, back),
    );
    this.markMoves();
    this.edits.show();
  }

  // The moves from the start to what is shown.
  get way() {
    return [...this.game.moves.slice(0, this.ply), ...(this.aside ? this.path.moves.slice(0, this.aside) : [])].map(
      ({ uci }) => uci,
    );
  }

  // The pieces that may be moved, and where to.
  owns(square) {
    const { position, state } = this.spot;
    return this.live?.owns(square) ?? (position[square] && isWhite(position[square]) === state.white);
  }

  targets(from) {
    const { position, state } = this.spot;
    return this.live?.targets(from) ?? legalMoves(position, state).filter((move) => move.slice(0, 2) === from);
  }

  // Highlights the current move in the list and in lines.
  markMoves() {
    this.buttons.forEach((button, i) => button?.classList.toggle("now", !this.aside && i === this.ply));
    for (const button of document.querySelectorAll(".line button")) {
      // What leads elsewhere has no place.
      if (!button.place) continue;
      const [path, count] = button.place;
      const isShown = count === this.aside && path.ply === this.path.ply && this.path.moves.length >= count;
      button.classList.toggle(
        "now",
        isShown && path.moves.slice(0, count).every(({ uci }, i) => this.path.moves[i].uci === uci),
      );
    }
  }

  // A move was made on the board.
  play(move) {
    const { game } = this;
    const { position, state } = this.spot;
    if (this.lesson) return this.lesson.attempt(move);
    if (this.live?.take(move)) return;
    if (!this.aside && game.isOpen && this.ply === game.moves.length) {
      this.edits.remember();
      game.append(move);
      this.list();
      return this.go(this.ply + 1);
    }
    if (!this.aside && game.moves[this.ply]?.uci === move) return this.go(this.ply + 1);
    const { moves } = this.aside ? this.path : (game.paths[this.ply] ?? { moves: [] });
    if (this.aside && moves[this.aside]?.uci === move) return this.follow(this.path, this.aside + 1);
    const played = [...moves.slice(0, this.aside), { uci: move, san: sanOf(position, state, move) }];
    this.edits.remember();
    const path = game.branch(this.ply, played);
    this.edits.changed();
    this.follow(path, played.length);
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
    const { game } = this;
    const ply = Math.min(Math.max(to, 0), game.moves.length);
    this.ply = ply;
    this.aside = 0;
    this.path = null;
    this.endLesson();
    const played = ply ? game.moves[ply - 1].uci : "";
    const best = game.paths[ply]?.moves[0];
    const touched = ply ? [played.slice(0, 2), target(game.positions[ply - 1], played)] : [];
    const found = best ? [[best.uci.slice(0, 2), target(game.positions[ply], best.uci), "best"]] : [];
    const drawn = game.said[ply]?.drawn ?? [];
    this.paint(game.spot(ply), { touched, arrows: [...found, ...drawn], ply });
    this.explain();
    this.markMoves();
    this.edits.show();
    const list = $("moves");
    const button = this.buttons[ply];
    const top = button ? button.offsetTop - list.offsetTop : 0;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - 60;
    this.addressed(game.address ?? `#game-${game.number}` + (ply ? `-ply-${ply}` : ""));
  }

  // Names in the address what is shown, unless somebody is on the way to something else.
  addressed(hash) {
    if (location.hash !== this.visited) return;
    history.replaceState(null, "", hash);
    this.visited = location.hash;
  }

  explain() {
    if (this.live?.explains()) return;
    const { game, ply } = this;
    const note = game.notes[ply];
    const score = game.scores[ply];
    const parts = [make("b", {}, game.name(ply)), " "];
    if (score === undefined) parts.push(this.live ? "" : "This position was not analysed.");
    else parts.push(make("b", { class: "score" }, score), " ");
    if (note?.judgement) {
      parts.push(
        make("b", { class: note.judgement }, note.sign),
        ` ${note.why}${note.best ? `; ${note.best} was best` : ""}. `,
      );
    }
    if (note?.praise) parts.push(make("b", { class: "praise" }, "!"), ` ${note.praise}. `);
    this.say(...parts, ...(game.paths[ply] ? [this.row(game.paths[ply])] : []));
    (game.others[ply] ?? []).forEach(({ score: other, path }) => {
      $("status").append(make("br"), make("b", { class: "score" }, other), " ", this.row(path));
    });
    const figures = game.said[ply]?.figures;
    if (figures) $("status").append(make("small", { class: "quiet figures" }, `The player's figures: ${figures}`));
  }

  say(...parts) {
    $("status").replaceChildren(...parts);
  }

  paint(spot, { touched = [], arrows = [], ply, hidden = false }) {
    const { game, turned } = this;
    const { position } = spot;
    this.spot = spot;
    // What a hand has drawn here, and what an engine points at.
    this.drawn = [];
    this.pointed = [];
    const check = inCheck(position, spot.state.white) ? kingOf(position, spot.state.white) : "";
    this.repaint = (dots = []) => {
      const all = [...(this.pointed.length ? this.pointed : arrows), ...this.drawn];
      show(this.board, position, {
        touched,
        arrows: dots.length ? [] : all,
        dots,
        check,
        waiting: this.live?.waiting,
        turned: this.turned,
        label: `Board, ${game.name(ply)}. ${described(position)}`,
      });
    };
    this.hand.drop();
    this.repaint();
    this.measure(hidden ? 50 : (game.wins[ply] ?? 50), hidden ? "" : (game.scores[ply] ?? ""));
    const [white, black] = game.sides;
    const player = ({ name, accuracy }, side) => [
      make("i", { class: "side " + side }),
      name,
      " ",
      make("span", { class: "quiet" }, accuracy === null || this.lesson ? "" : `${accuracy.toFixed(1)}% accuracy`),
      materialRow(game.positions[0], position, side === "white"),
      make("span", { class: "clock", "data-side": side }, game.clock(ply, side === "white")),
    ];
    $("above").replaceChildren(...(turned ? player(white, "white") : player(black, "black")));
    $("below").replaceChildren(...(turned ? player(black, "black") : player(white, "white")));
    this.mark(ply);
    this.live?.shown();
  }

  // The bar beside the board.
  measure(win, score) {
    const bar = document.querySelector(".bar");
    bar.classList.toggle("turned", this.turned);
    bar.setAttribute("aria-label", `Evaluation ${score}`);
    bar.querySelector("i").style.height = win + "%";
    const number = bar.querySelector("span");
    const whiteBelow = !this.turned;
    number.textContent = /^[+-]?\d/.test(score) ? Math.abs(parseFloat(score)).toFixed(1) : score;
    number.className = win >= 50 === whiteBelow ? "low" : "high";
  }

  turn() {
    this.turned = !this.turned;
    this.lesson ? this.lesson.again() : this.aside ? this.follow(this.path, this.aside) : this.go(this.ply);
  }

  step(name) {
    if (name === "turn") return this.turn();
    if (this.lesson) return;
    if (name === "on" && this.aside)
      return this.aside < this.path.moves.length && this.follow(this.path, this.aside + 1);
    if (name === "back" && this.aside > 1) return this.follow(this.path, this.aside - 1);
    this.go({ first: 0, back: this.ply - (this.aside ? 0 : 1), on: this.ply + 1, last: this.game.moves.length }[name]);
  }

  // Asks the mistakes, or the worst of them.
  learn(most = Infinity) {
    this.aside = 0;
    this.path = null;
    this.lesson = new Lesson(this, this.game, most);
    const { lesson, game } = this;
    const sides = new Set(game.mistakes.map(([ply]) => game.whiteToMove(ply - 1)));
    const own = lesson.ownSide();
    if (sides.size < 2) lesson.begin("");
    else if (own === undefined) lesson.askSide();
    else lesson.begin(own);
    // Without mistakes it is over.
    if (this.lesson) this.addressed(`#game-${this.game.number}-${most < Infinity ? "moments" : "learn"}`);
  }

  // Hides the rest of the game during a question.
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
    const { game } = this;
    const names = ["inaccuracy", "mistake", "blunder"];
    const signs = ["?!", "?", "??"];
    const head = make(
      "tr",
      {},
      make("td"),
      make("th", {}, "accu\u00adracy"),
      ...names.map((name, i) => make("th", { title: name }, signs[i])),
    );
    const parts = ["open\u00ading", "middle\u00adgame", "end\u00adgame"];
    const has = parts.map((_, i) => game.sides.some(({ phases }) => phases[i] !== null));
    head.append(
      ...parts
        .filter((_, i) => has[i])
        .map((part) => make("th", { title: "Accuracy in the " + part.replace("\u00ad", "") }, part)),
    );
    const rows = game.sides.map(({ name, accuracy, counts, phases }) =>
      make(
        "tr",
        {},
        make("th", {}, name),
        make("td", { class: "accuracy" }, accuracy === null ? "–" : accuracy.toFixed(1)),
        ...counts.map((count, i) => make("td", { class: names[i] }, String(count))),
        ...phases.filter((_, i) => has[i]).map((phase) => make("td", {}, phase === null ? "–" : phase.toFixed(1))),
      ),
    );
    $("summary").replaceChildren(head, ...rows);
  }

  // Diagrams of the moves that lost most.
  moments() {
    const { game } = this;
    const loss = ([ply]) => Math.abs(game.wins[ply] - game.wins[ply - 1]);
    const worst = [...game.mistakes]
      .sort((a, b) => loss(b) - loss(a))
      .slice(0, 6)
      .sort(([a], [b]) => a - b);
    const figures = worst.map(([ply, note]) => {
      const svg = draw("svg", { class: "board", role: "img" });
      const position = game.positions[ply - 1];
      const line = game.paths[ply - 1].moves[0];
      const played = game.moves[ply - 1];
      const pointing = ({ uci }, kind) => [uci.slice(0, 2), target(position, uci), kind];
      const arrows = [...(line ? [pointing(line, "best")] : []), pointing(played, "played")];
      show(svg, position, { arrows, turned: !game.whiteToMove(ply - 1), label: game.name(ply) });
      const caption = make(
        "figcaption",
        {},
        make("b", { class: note.judgement }, game.name(ply) + note.sign),
        ` ${note.why}. ${game.scores[ply - 1]} → ${game.scores[ply]}. `,
        ...(note.best ? [make("b", {}, note.best), " was best."] : []),
      );
      const figure = make("figure", { tabindex: "0" }, svg, caption);
      const open = () => {
        this.go(ply);
        this.board.scrollIntoView({ block: "center" });
      };
      figure.addEventListener("click", open);
      figure.addEventListener("keydown", (event) => {
        if (event.key === "Enter") open();
      });
      return figure;
    });
    $("moments").replaceChildren(
      ...(figures.length ? [make("h2", {}, "Critical moments"), make("div", { class: "moments" }, ...figures)] : []),
    );
  }
}

document.addEventListener("DOMContentLoaded", () => {
  // An engine numbers games of its own.
  const hasEngine = typeof App === "function";
  const numbered = (json) => (hasEngine ? { ...json, number: `page-${json.number}` } : json);
  const games = [...document.querySelectorAll("script.game")].map((script) => {
    const { file } = script.dataset;
    const read = async () => numbered(JSON.parse(script.textContent));
    if (!file) return new Listed(numbered(headOf(script.textContent)), read);
    const head = JSON.parse(script.textContent);
    return new Listed(head, () => Listed.of(file, head.number));
  });
  const view = new View(games);
  view.look = new Look(() => view.looksOther());
  const name = document.title;
  new GameList(games);
  const wrong = document.querySelectorAll(".page > .wrong:not(#lost), body > .wrong");
  $("list").append(...wrong);
  const app = hasEngine ? new App(view, games.length > 0) : null;

  // The address names the game and the ply: #game-3-ply-17; or #game-3-learn.
  async function visit() {
    view.visited = location.hash;
    const [, number, ply, learn] = location.hash.match(/^#game-((?:page-)?\d+)(?:-ply-(\d+)|(-learn))?$/) ?? [];
    let index = games.findIndex((game) => String(game.number) === number);
    if (index < 0 && games.length === 1 && !wrong.length && !app) index = 0;
    $("list").hidden = index >= 0;
    $("game").hidden = index < 0;
    if (index < 0) {
      view.index = -1;
      $("headline").textContent = document.title = name;
      return;
    }
    if (number === undefined || view.game !== games[index].opened) scrollTo(0, 0);
    if (await view.open(index, +(ply ?? 0))) learn && view.learn();
  }
  if (app) {
    app.visitPage = visit;
    if (games.length && !location.hash) location.hash = "#page";
    app.visit();
  } else {
    addEventListener("hashchange", visit);
    visit();
  }
  addEventListener("resize", () => {
    if ($("game").hidden || !view.game) return;
    view.graph();
    view.mark(view.ply);
  });

  const keys = {
    ArrowLeft: "back",
    ArrowRight: "on",
    ArrowUp: "first",
    ArrowDown: "last",
    Home: "first",
    End: "last",
    f: "turn",
  };
  addEventListener("keydown", (event) => {
    const isMine = !(
      $("game").hidden ||
      event.altKey ||
      event.target.matches("input, select, textarea") ||
      document.querySelector("dialog[open]")
    );
    if (!isMine) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") view.edits.undo();
    const step = keys[event.key];
    if (!step || event.ctrlKey || event.metaKey) return;
    view.step(step);
    event.preventDefault();
  });
});
