// Exercises: a position, and a move to find on the board or to type.

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
  // `app` is whoever has an engine, if one is there.
  constructor(place, exercises, app = null) {
    Object.assign(this, { place, exercises, app, drawn: [] });
    if (!exercises.length) {
      place.replaceChildren(make("p", {}, "There are no exercises yet."));
      return;
    }
    // For the hand that moves the pieces.
    this.lesson = this;
    this.board = draw("svg", { class: "board", role: "img" });
    this.hand = new Hand(this);
    this.game = make("p", { class: "player quiet" });
    this.count = make("p", { class: "quiet" });
    this.title = make("h2", { tabindex: "-1" });
    this.said = make("div", { class: "said", "aria-live": "polite" });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    this.field = make("input", { id: "move", autocomplete: "off", size: "8", "aria-label": "Your move, as Nf3" });
    const form = make("form", { class: "typed" }, labelled("Type a move", this.field), make("button", {}, "Play it"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      const { position, state } = this.spot;
      const move = legalMoves(position, state).includes(text) ? text : moveOf(position, state, text);
      this.field.value = "";
      this.trouble.textContent = move ? "" : `${text || "That"} is not a legal move.`;
      if (move) this.play(move);
    });
    this.acts = make("div", { class: "answers" });
    this.leads = make("div", { class: "answers" });
    const words = make("div", { class: "card" }, this.count, this.title, this.said, this.acts, this.trouble);
    const side = make("section", { class: "story" }, words, form, this.leads, ...this.notes());
    place.replaceChildren(
      make("div", { class: "columns" }, make("section", { class: "viewer" }, this.game, this.board), side),
    );
    this.begin(0);
  }

  // What a page with an engine does otherwise.

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
    const state = stateOf(it.fen.split(" ").slice(1).join(" "));
    Object.assign(this, { at, exercise: it, isOver: false, isHinted: false, isChecking: false, wrong: 0 });
    this.spot = { position: placed(it.fen), state };
    this.turned = !state.white;
    this.good = pairs(it.good);
    [this.played] = pairs(it.played);
    this.hints = [
      it.hint ? `Look for ${it.hint}.` : "Nothing is to be won by force.",
      `Move the piece on ${it.from}.`,
      `Play ${this.good[0].san}.`,
    ];
    this.game.textContent = it.game;
    this.count.textContent = `Exercise ${at + 1} of ${this.exercises.length} · ${state.white ? "White" : "Black"} to move`;
    const played = this.played ? `You played ${this.played.san}. What is better?` : "What do you play?";
    this.title.textContent = it.kind === "Quiet" ? "Nothing to find here: do you keep calm?" : played;
    const before = numbered(it.fen, pairs(it.before));
    this.say(make("p", { class: "quiet" }, before ? `The moves before: ${before}` : ""));
    this.trouble.textContent = "";
    this.leads.replaceChildren();
    this.offer();
    this.paint();
    this.title.focus({ preventScroll: true });
  }

  // The buttons that make sense now.
  offer() {
    const acts = this.isOver
      ? [button("Next", () => this.next(), { class: "primary" })]
      : [
          ...(this.hints.length ? [button("A hint", () => this.hint())] : []),
          button("Show me", () => this.answer("", "wrong"), { class: "plain" }),
          button("Skip", () => this.next(), { class: "plain" }),
        ];
    this.acts.replaceChildren(...acts);
  }

  say(...parts) {
    this.said.replaceChildren(...parts);
  }

  paint(arrows = []) {
    const { position, state } = this.spot;
    const label = `${state.white ? "White" : "Black"} to move. ${described(position)}`;
    this.repaint = (dots = []) =>
      show(this.board, position, {
        arrows: dots.length ? [] : [...arrows, ...this.drawn],
        dots,
        turned: this.turned,
        label,
      });
    this.hand.drop();
    this.repaint();
  }

  owns(square) {
    const letter = this.spot.position[square];
    return !this.isOver && !!letter && isWhite(letter) === this.spot.state.white;
  }

  targets(from) {
    return legalMoves(this.spot.position, this.spot.state).filter((move) => move.startsWith(from));
  }

  step() {}

  refuse(why) {
    this.trouble.textContent = why;
  }

  promote(moves) {
    const names = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
    this.acts.replaceChildren(...moves.map((move) => button(names[move[4]], () => this.play(move))));
  }

  hint() {
    this.isHinted = true;
    this.say(this.hints.shift());
    this.offer();
  }

  async play(move) {
    // A second answer waits for none.
    if (this.isOver || this.isChecking) return;
    const { at } = this;
    const { position, state } = this.spot;
    const san = sanOf(position, state, move);
    const arrow = (kind) => [[move.slice(0, 2), target(position, move), kind]];
    this.trouble.textContent = "";
    this.paint(arrow("other"));
    this.say(`${san} …`);
    this.isChecking = true;
    const isRight = await this.isRight(move);
    this.isChecking = false;
    if (at !== this.at || this.isOver) return;
    if (isRight) {
      const best = this.wrong || this.isHinted ? "helped" : "right";
      await this.answer(`Right: ${san}. `, this.wrong > 1 ? "wrong" : best);
      return;
    }
    this.wrong += 1;
    const isPlayed = this.played?.uci === move;
    this.say(isPlayed ? `${san} is what you played. ` : `${san} is not among the good moves. `, "Try again.");
    this.offer();
    this.paint(arrow("played"));
  }

  async answer(praise, kind) {
    if (this.isOver) return;
    this.isOver = true;
    const { kind: of, why, is_hard } = this.exercise;
    const line = pairs(this.exercise.line).map(({ san }) => san);
    const shown = is_hard === false ? line.slice(0, 4) : line;
    const mark = ({ uci }) => [uci.slice(0, 2), target(this.spot.position, uci), "best"];
    const reason = of === "Quiet" ? `${why[0].toUpperCase()}${why.slice(1)}.` : `${this.played?.san} ${why}.`;
    const kept = make("p", { class: "quiet" });
    const good = this.good.map(({ san }) => san).join(", ");
    this.say(
      make("p", {}, make("b", {}, praise), praise === `Right: ${good}. ` ? "" : `Good: ${good}.`),
      make("p", {}, of === "Quiet" || this.played ? reason : ""),
      make("p", { class: "quiet" }, shown.join(" ")),
      kept,
    );
    this.paint(this.good.map(mark));
    this.offer();
    this.leads.replaceChildren(...this.leadsOn());
    kept.textContent = await this.keep(kind);
  }
}
