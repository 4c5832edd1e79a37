// Moving pieces on the board: by taps on a piece and on its square, or by dragging it.

class Hand {
  constructor(view) {
    this.view = view;
    this.board = view.board;
    this.picked = null;
    const on = (name, act) => this.board.addEventListener(name, (event) => act.call(this, event));
    on("pointerdown", this.down);
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointercancel", this.drop);
    // A piece of the editor may be dropped beside the board.
    addEventListener("pointerup", (event) => {
      if (this.held && view.live?.editor.isOpen && !this.board.contains(event.target)) this.up(event);
    });
    on("contextmenu", (event) => event.preventDefault());
  }

  // An arrow by the right button, or a circle; the same again takes it away.
  draw(to) {
    const { view, from } = this;
    const same = ([a, b]) => a === from && b === to;
    view.drawn = view.drawn.some(same)
      ? view.drawn.filter((mark) => !same(mark))
      : [...view.drawn, [from, to, "green"]];
    view.repaint();
  }

  // Forgets the piece.
  drop() {
    this.picked = null;
    this.held = null;
  }

  isOutside({ clientX, clientY }) {
    const { left, right, top, bottom } = this.board.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  }

  square(event) {
    return squareAt(this.board, event, this.view.turned);
  }

  down(event) {
    const square = this.square(event);
    const { live } = this.view;
    this.start = event;
    if (live?.editor.isOpen) {
      this.held = this.picked = live.editor.position[square] ? square : null;
      this.figure = this.board.querySelector(`use[data-square="${square}"]`);
      return;
    }
    if (event.button === 2) {
      live?.takeNothing();
      this.from = square;
      return;
    }
    this.held = this.view.owns(square) ? square : null;
    if (!this.held) return;
    if (this.picked && this.picked !== square && this.moves(this.picked, square).length) return;
    this.again = this.picked === square;
    this.pick(square);
    if (event.pointerType === "mouse") this.board.setPointerCapture(event.pointerId);
  }

  pick(square) {
    const { position } = this.view.spot;
    this.picked = square;
    const dots = this.view.targets(square).map((move) => target(position, move));
    this.view.repaint([square, ...dots]);
    this.figure = this.board.querySelector(`use[data-square="${square}"]`);
  }

  // The held piece follows the pointer.
  move(event) {
    if (!this.held || !event.buttons || this.picked !== this.held) return;
    const scale = BOARD / this.board.getBoundingClientRect().width;
    const [x, y] = [event.clientX - this.start.clientX, event.clientY - this.start.clientY].map((far) => far * scale);
    this.figure?.setAttribute("transform", `translate(${x} ${y})`);
  }

  // The legal moves from one square to another; castling is a king's step or the rook's square.
  moves(from, to) {
    const { position } = this.view.spot;
    return this.view.targets(from).filter((move) => [move.slice(2, 4), target(position, move)].includes(to));
  }

  up(event) {
    const { view, picked, held } = this;
    const to = this.square(event);
    if (event.button === 2) return this.draw(to);
    this.held = null;
    if (view.live?.editor.isOpen) {
      this.drop();
      return view.live.editor.drop(this.square(this.start ?? event), to, this.isOutside(event));
    }
    if (picked && picked !== to) {
      const moves = this.moves(picked, to);
      this.drop();
      view.repaint();
      if (moves.length > 1) return view.promote(moves);
      if (moves.length) return view.play(moves[0]);
      const { position, state } = view.spot;
      return (view.lesson ?? view.live)?.refuse(whyNot(position, state, picked, to));
    }
    if (picked) {
      if (!this.again) return;
      this.drop();
      return view.repaint();
    }
    // The game in hand is not left by a tap.
    if (held || view.live?.isPlaying) return;
    // A swipe, or a tap on a half of the board, steps through the game.
    const far = event.clientX - (this.start ?? event).clientX;
    if (Math.abs(far) > 40) return view.step(far < 0 ? "on" : "back");
    const { left, width } = this.board.getBoundingClientRect();
    view.step(event.clientX - left < width / 2 ? "back" : "on");
  }
}
