// Learning from mistakes: the position before each is shown, and the better move is asked for.

class Lesson {
  // `view` shows positions; a lesson starts with the first mistake.
  constructor(view, game) {
    this.view = view;
    this.tasks = game.mistakes.filter(([ply]) => game.lines[ply - 1].length > 0);
    this.game = game;
    this.number = -1;
    this.next();
  }

  get ply() { return this.tasks[this.number][0]; }
  get note() { return this.tasks[this.number][1]; }
  get best() { return this.game.lines[this.ply - 1][0]; }
  get position() { return this.game.positions[this.ply - 1]; }

  next() {
    this.number += 1;
    this.picked = null;
    this.solved = false;
    if (this.number >= this.tasks.length) return this.view.endLesson();
    this.view.ply = this.ply - 1;
    const played = this.game.moves[this.ply - 1];
    const side = this.game.whiteToMove(this.ply - 1) ? "White" : "Black";
    this.view.turned = side === "Black";
    this.show([]);
    this.view.say(
      make("b", {}, `Mistake ${this.number + 1} of ${this.tasks.length}. `),
      `${side} played ${this.game.name(this.ply)}${this.note.sign}. Find a better move than ${played.san}: tap a piece, then its square.`,
      this.buttons());
  }

  buttons() {
    const button = (text, act) => {
      const element = make("button", {}, text);
      element.addEventListener("click", act);
      return element;
    };
    const row = make("div", { class: "answers" });
    if (!this.solved) row.append(button("Show the answer", () => this.answer("")));
    row.append(button(this.number + 1 < this.tasks.length ? "Next" : "Finish", () => this.next()));
    row.append(button("End the lesson", () => this.view.endLesson()));
    return row;
  }

  show(arrows, touched = []) {
    this.view.paint(this.position, { arrows, touched, ply: this.ply - 1, hidden: !this.solved });
  }

  // A square was tapped.
  tap(square) {
    if (this.solved) return;
    const white = this.game.whiteToMove(this.ply - 1), letter = this.position[square];
    if (letter && isWhite(letter) === white && !(this.picked && this.isBest(square))) {
      this.picked = square;
      return this.show([], [square]);
    }
    if (!this.picked) return;
    if (this.isBest(square)) return this.answer("Right! ");
    const played = this.game.moves[this.ply - 1].uci.slice(0, 4) === this.picked + square;
    this.show([[this.picked, square, "played"]]);
    this.picked = null;
    this.view.say(played ? "That is what was played. " : "Not the move that Zebu found. ", "Try again.", this.buttons());
  }

  isBest(square) {
    const { uci } = this.best;
    return this.picked === uci.slice(0, 2) && [uci.slice(2, 4), target(this.position, uci)].includes(square);
  }

  answer(praise) {
    this.solved = true;
    const { uci, san } = this.best;
    this.show([[uci.slice(0, 2), target(this.position, uci), "best"]]);
    this.view.say(
      make("b", {}, `${praise}${san}`), ` was best; ${this.game.name(this.ply)} ${this.note.why}. `,
      this.view.line(this.ply - 1), this.buttons());
  }
}
