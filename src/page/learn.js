// Learning from mistakes: the position before each is shown, and a better move is asked for.

// The mistakes that cost most, in their order.
function momentsOf(game, isAsked, most = 3) {
  const loss = ([ply]) => Math.abs(game.wins[ply] - game.wins[ply - 1]);
  return game.mistakes
    .filter(([ply]) => isAsked(ply))
    .sort((a, b) => loss(b) - loss(a))
    .slice(0, most)
    .sort(([a], [b]) => a - b);
}

class Lesson {
  // `view` shows positions.
  constructor(view, game, most = Infinity) {
    Object.assign(this, { view, game, most });
  }

  get ply() {
    return this.tasks[this.number][0];
  }
  get note() {
    return this.tasks[this.number][1];
  }
  get best() {
    return this.game.paths[this.ply - 1].moves[0];
  }

  // Begins with the first mistake of a side, "white" or "black", or of both.
  begin(side) {
    const { game } = this;
    this.side = side;
    this.tried = null;
    const isAsked = (ply) =>
      game.paths[ply - 1].moves.length > 0 && (!side || game.whiteToMove(ply - 1) === (side === "white"));
    this.tasks = momentsOf(game, isAsked, this.most);
    this.number = -1;
    this.next();
  }

  next() {
    this.number += 1;
    this.solved = false;
    if (this.number >= this.tasks.length) return this.view.go(this.view.ply);
    this.hints = this.clues();
    const white = this.game.whiteToMove(this.ply - 1);
    const who = this.view.live?.app.isMine(this.game, white ? "white" : "black") ? "You" : white ? "White" : "Black";
    this.view.ply = this.ply - 1;
    this.view.turned = !white;
    this.view.hideFrom(this.ply);
    this.say(
      make(
        "p",
        { class: "quiet" },
        `${this.most < Infinity ? "Moment" : "Mistake"} ${this.number + 1} of ${this.tasks.length}`,
      ),
      make("h2", {}, `${who} played ${this.game.name(this.ply)}. What was better?`),
      make("p", { class: "quiet" }, `${white ? "White" : "Black"} to move. Play it on the board.`),
    );
    this.show([]);
  }

  // First what to look for, then the piece that does it.
  clues() {
    const { hint } = this.note;
    const from = this.best.uci.slice(0, 2);
    const piece = PIECES[this.game.positions[this.ply - 1][from].toLowerCase()];
    return [...(hint ? [`Look for ${hint}.`] : []), `Move the ${piece} on ${from}.`];
  }

  // What is said, with what can be done.
  say(...parts) {
    this.said = parts;
    const row = make("div", { class: "answers" });
    const onward = this.number + 1 < this.tasks.length ? "Next" : "Finish";
    if (!this.solved && this.hints.length) row.append(button("A hint", () => this.say(this.hints.shift())));
    if (!this.solved) row.append(button("Show me", () => this.answer(this.best, ""), { class: "plain" }));
    if (this.solved) row.append(button(onward, () => this.next(), { class: "primary" }));
    else row.append(button("Skip", () => this.next(), { class: "plain" }));
    row.append(button("End", () => this.view.go(this.ply - 1), { class: "plain" }));
    const { game, side } = this;
    const mistakes = (white) => game.mistakes.some(([ply]) => game.whiteToMove(ply - 1) === white);
    if (mistakes(true) && mistakes(false)) {
      const choice = make(
        "select",
        { "aria-label": "Whose mistakes" },
        ...[
          ["", "Both sides"],
          ["white", "White's"],
          ["black", "Black's"],
        ].map(([value, text]) => make("option", { value }, text)),
      );
      choice.value = side;
      choice.addEventListener("change", () => this.begin(choice.value));
      row.append(choice);
    }
    this.view.say(...parts, row);
  }

  show(arrows) {
    this.arrows = arrows;
    this.view.paint(this.game.spot(this.ply - 1), { arrows, ply: this.ply - 1, hidden: !this.solved });
  }

  // The board was turned.
  again() {
    if (this.tasks.length) this.show(this.arrows);
  }

  refuse(why) {
    if (!this.solved) this.say(`That move is not legal. ${why} Try another one.`);
  }

  // Who one is, is asked once. Gives the side whose mistakes are asked, if that is known.
  ownSide() {
    const { game } = this;
    const me = kept("me", "");
    const sides = game.sides.map(({ name }) => name);
    const there = ["white", "black"].filter((_, i) => sides[i] === me);
    const mine = ["white", "black"].filter((side) => this.view.live?.app.isMine(game, side));
    if (mine.length === 1) return mine[0];
    if (sides.includes("You")) return ["white", "black"][sides.indexOf("You")];
    return there.length === 1 ? there[0] : me ? "" : undefined;
  }

  askSide() {
    const { game } = this;
    const answer = (text, side, name) =>
      button(text, () => {
        if (name) keep("me", name);
        this.begin(side);
      });
    const [white, black] = game.sides.map(({ name }) => name);
    this.tasks = [];
    this.solved = true;
    this.view.hideFrom(0);
    this.view.say(
      make("b", {}, "Whose mistakes are yours?"),
      make(
        "div",
        { class: "answers" },
        answer(white, "white", white),
        answer(black, "black", black),
        answer("Both sides'", "", ""),
      ),
    );
  }

  pointing({ uci }, kind) {
    return [uci.slice(0, 2), target(this.game.positions[this.ply - 1], uci), kind];
  }

  // A legal move was made. Moves that are nearly as good as the best are right too.
  attempt(move) {
    if (this.solved) return;
    const right = [this.best, ...pairs(this.note.right ?? "")].find(({ uci }) => uci === move);
    if (right) return this.answer(right, "Right! ");
    const played = this.game.moves[this.ply - 1].uci === move;
    this.show([this.pointing({ uci: move }, "played")]);
    this.tried = { uci: move, words: played ? "That is what was played. " : "There is a better move. " };
    this.say(this.tried.words, "Try again.");
    // After the move that was played the analysis knows the reply.
    const known = played && this.game.paths[this.ply]?.moves;
    if (known?.length) return this.refute(known);
    const { game, ply } = this;
    const way = game.moves.slice(0, ply - 1).map(({ uci }) => uci);
    this.view.live?.refutes(game.start, [...way, move]);
  }

  // What answers the wrong try.
  refute([reply, ...more]) {
    if (this.solved || !this.tried) return;
    const { position, state } = this.game.spot(this.ply - 1);
    const { uci, words } = this.tried;
    const next = after(position, uci);
    this.show([this.pointing({ uci }, "played"), [reply.uci.slice(0, 2), target(next, reply.uci), "reply"]]);
    const line = [reply, ...more.slice(0, 3)].map(({ san }) => san).join(" ");
    this.say(`${words}${sanOf(position, state, uci)} is answered by `, make("b", {}, line), ". Try again.");
  }

  answer(move, praise) {
    this.solved = true;
    this.tried = null;
    const { best } = this;
    const isBest = move.uci === best.uci;
    this.show([this.pointing(move, "best")]);
    this.say(
      make("b", {}, `${praise}${move.san}`),
      isBest ? " was best; " : ` is as good as ${best.san}; `,
      `${this.game.name(this.ply)} ${this.note.why}. `,
      this.view.row(this.game.paths[this.ply - 1]),
    );
  }
}
