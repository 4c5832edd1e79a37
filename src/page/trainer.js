// Exercises on the page: by taps on the board or by typing a move.

const $ = (id) => document.getElementById(id);

// Moves, written as UCI and SAN by turns.
function pairs(text) {
  const words = text ? text.split(" ") : [];
  return words.flatMap((uci, i) => (i % 2 ? [] : [{ uci, san: words[i + 1] }]));
}

function button(text, act, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", act);
  return element;
}

// The moves before a position, with their numbers.
function numbered(fen, moves) {
  const [, side, , , , number] = fen.split(" ");
  const first = 2 * number + (side === "b" ? 1 : 0) - moves.length;
  const words = moves.map(({ san }, i) => {
    const ply = first + i;
    const dots = ply % 2 ? "..." : ".";
    return i && ply % 2 ? san : `${Math.floor(ply / 2)}${dots} ${san}`;
  });
  return words.join(" ");
}

class Trainer {
  // `page` is whoever has an engine, if one is there.
  constructor(place, exercises, page = null) {
    Object.assign(this, { place, exercises, page });
    if (!exercises.length) {
      place.replaceChildren(make("p", {}, this.none()));
      return;
    }
    this.board = draw("svg", { class: "board", role: "img" });
    this.said = make("div", { class: "said", "aria-live": "polite" });
    this.field = make("input", { id: "move", autocomplete: "off", "aria-label": "Your move, as Nf3" });
    const form = make("form", { class: "typed" }, this.field, make("button", {}, "Play"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const move = moveOf(this.position, this.state, this.field.value.trim());
      this.field.value = "";
      if (move) this.attempt(move);
      else this.say("That is no legal move here.");
    });
    this.title = make("h3", { tabindex: "-1" });
    this.leads = make("div", { class: "answers" });
    const row = make("div", { class: "answers" });
    row.append(
      button("Hint", () => this.hint()),
      button("Show the answer", () => this.isOver || this.answer("", "wrong")),
      button("Next ›", () => this.next()),
    );
    const side = make("div", {}, this.title, this.said, form, row, this.leads, ...this.notes());
    place.replaceChildren(make("div", { class: "columns" }, make("div", {}, this.board), side));
    this.board.addEventListener("click", (event) => this.tap(squareAt(this.board, event, this.turned)));
    this.begin(0);
  }

  // What a page with an engine does otherwise.

  none() {
    return "There are no exercises yet.";
  }

  notes() {
    const code = make("code", {}, "zebu coach --train");
    const text = "Here nothing is remembered. At a terminal ";
    return [make("p", { class: "quiet" }, text, code, " asks what is due today, and the engine judges every move.")];
  }

  // Whether a move is right: here those that were foreseen.
  async isRight(move) {
    return this.good.some(({ uci }) => uci === move);
  }

  // Keeps how it was answered. What is to be said of that.
  async keep() {
    return "";
  }

  leadsOn() {
    return [];
  }

  next() {
    this.begin((this.at + 1) % this.exercises.length);
  }

  // One exercise.

  begin(at) {
    const it = this.exercises[at];
    Object.assign(this, { at, exercise: it, picked: null, isOver: false, isHinted: false, wrong: 0 });
    this.position = placed(it.fen);
    this.state = stateOf(it.fen.split(" ").slice(1).join(" "));
    this.turned = !this.state.white;
    this.good = pairs(it.good);
    [this.played] = pairs(it.played);
    this.hints = [
      it.hint ? `Look for ${it.hint}.` : "Nothing is to be won by force.",
      `Move the piece on ${it.from}.`,
      `Play ${this.good[0].san}.`,
    ];
    this.title.textContent = `Exercise ${at + 1} of ${this.exercises.length}`;
    const before = numbered(it.fen, pairs(it.before));
    const played = this.played
      ? `In the game you played ${this.played.san}. What do you play now?`
      : "What do you play?";
    const asked = it.kind === "Quiet" ? "There is nothing to find here: do you keep calm?" : played;
    this.say(
      make("p", { class: "quiet" }, it.game),
      make("p", { class: "quiet" }, before ? `The moves before: ${before}` : ""),
      make("p", {}, `${this.state.white ? "White" : "Black"} to move. ${asked}`),
    );
    this.leads.replaceChildren(...this.leadsOn());
    this.paint();
  }

  say(...parts) {
    this.said.replaceChildren(...parts);
  }

  paint({ arrows = [], dots = [] } = {}) {
    const label = `${this.state.white ? "White" : "Black"} to move. ${described(this.position)}`;
    const touched = this.picked ? [this.picked] : [];
    show(this.board, this.position, { arrows, dots, touched, turned: this.turned, label });
  }

  tap(square) {
    const moves = legalMoves(this.position, this.state);
    const goes = (move) => [move.slice(2, 4), target(this.position, move)].includes(square);
    const chosen = this.picked && moves.filter((move) => move.startsWith(this.picked) && goes(move));
    if (chosen?.length) {
      this.picked = null;
      // A new queen; other pieces are typed.
      this.attempt(chosen.find((move) => move[4] === "q") ?? chosen[0]);
      return;
    }
    const own = moves.filter((move) => move.startsWith(square));
    this.picked = own.length ? square : null;
    this.paint({ dots: own.map((move) => target(this.position, move)) });
  }

  hint() {
    this.isHinted = true;
    this.say(this.hints.shift() ?? "There are no more hints.");
  }

  async attempt(move) {
    if (this.isOver) return;
    const { at } = this;
    const san = sanOf(this.position, this.state, move);
    this.paint({ arrows: [[move.slice(0, 2), target(this.position, move), "other"]] });
    this.say(`${san} …`);
    const isRight = await this.isRight(move);
    if (at !== this.at || this.isOver) return;
    if (isRight) {
      const best = this.wrong || this.isHinted ? "helped" : "right";
      await this.answer(`Right: ${san}. `, this.wrong > 1 ? "wrong" : best);
      return;
    }
    this.wrong += 1;
    const isPlayed = this.played?.uci === move;
    this.say(isPlayed ? `${san} is what you played. ` : `${san} is not among the good moves. `, "Try again.");
    this.paint({ arrows: [[move.slice(0, 2), target(this.position, move), "played"]] });
  }

  async answer(praise, kind) {
    this.isOver = true;
    const { kind: of, why, is_hard } = this.exercise;
    const line = pairs(this.exercise.line).map(({ san }) => san);
    const shown = is_hard === false ? line.slice(0, 4) : line;
    const mark = ({ uci }) => [uci.slice(0, 2), target(this.position, uci), "best"];
    const reason = of === "Quiet" ? `${why[0].toUpperCase()}${why.slice(1)}.` : `${this.played?.san} ${why}.`;
    const kept = make("p", { class: "quiet" });
    const good = this.good.map(({ san }) => san).join(", ");
    this.say(
      make("p", {}, make("b", {}, praise), praise === `Right: ${good}. ` ? "" : `Good: ${good}.`),
      make("p", {}, of === "Quiet" || this.played ? reason : ""),
      make("p", { class: "quiet" }, shown.join(" ")),
      kept,
    );
    this.paint({ arrows: this.good.map(mark) });
    kept.textContent = await this.keep(kind);
  }
}
