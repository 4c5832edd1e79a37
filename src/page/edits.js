// What a person changes in a game: lines are promoted and cut, moves get comments and signs, and each change can
// be taken back.

const OWN_SIGNS = [1, 2, 3, 4, 5, 6, 10, 16, 17, 18, 19];

class Edits {
  constructor(view) {
    this.view = view;
    const button = (text, act) => {
      const element = make("button", { type: "button" }, text);
      element.addEventListener("click", () => act.call(this));
      return element;
    };
    this.up = button("Promote", this.promote);
    this.cutting = button("Cut from here", this.cut);
    this.back = button("Undo", this.undo);
    this.sign = make(
      "select",
      { "aria-label": "Sign of the move" },
      make("option", { value: "" }, "no sign"),
      ...OWN_SIGNS.map((nag) => make("option", { value: nag }, NAGS[nag])),
    );
    this.words = make("input", { "aria-label": "Comment on the move", placeholder: "Comment on the move", size: "24" });
    this.sign.addEventListener("change", () => this.note({ nag: +this.sign.value || null }));
    this.words.addEventListener("change", () => this.note({ words: this.words.value.trim() }));
    $("edits").append(this.up, this.cutting, this.back, this.sign, this.words);
  }

  get game() {
    return this.view.game;
  }

  // Another move is shown.
  show() {
    const { game, view } = this;
    const { aside, path, ply } = view;
    const isLine = !!aside && !!path.isOwn;
    const mayNote = isLine || (!aside && ply > 0);
    this.up.hidden = !isLine;
    this.cutting.hidden = !isLine && !(game.isOpen && !aside && ply < game.moves.length);
    this.back.hidden = !game.past?.length;
    this.sign.hidden = this.words.hidden = !mayNote;
    if (!mayNote) return;
    const { nag, words } = this.mine ?? {};
    this.sign.value = nag ?? "";
    this.words.value = words ?? "";
  }

  // What was said of the move that is shown.
  get mine() {
    const { aside, path, ply } = this.view;
    return aside ? path.mine?.[aside] : this.game.mine[ply];
  }

  // Before each change.
  remember() {
    const { game } = this;
    game.past ??= [];
    game.past.push(this.state());
    if (game.past.length > 200) game.past.shift();
  }

  state() {
    const { game, view } = this;
    const moves = game.isOpen ? game.moves.map(({ uci }) => uci) : null;
    return JSON.stringify([moves, game.own, game.mine, view.ply, game.own.indexOf(view.path), view.aside]);
  }

  // After each change: it is kept, and shown.
  changed() {
    const { game, view } = this;
    const own = [game.own, game.mine];
    if (view.live?.keeps(game)) view.live.keepOwn(game.number, own);
    else if (game.number) keep(`own ${location.pathname} ${game.number}`, JSON.stringify(own));
    // Lines of before may begin elsewhere.
    view.live?.found.replaceChildren();
    view.list();
  }

  undo() {
    const { game, view } = this;
    const before = game.past?.pop();
    if (!before) return;
    const [moves, own, mine, ply, line, aside] = JSON.parse(before);
    if (moves) game.retake(moves);
    Object.assign(game, { own, mine });
    this.changed();
    // What was shown then is shown again.
    aside && own[line] ? view.follow(own[line], aside) : view.go(ply);
  }

  note(change) {
    const { game, view } = this;
    const { aside, path, ply } = view;
    this.remember();
    if (aside) path.mine ??= {};
    const place = aside ? path.mine : game.mine;
    place[aside || ply] = { ...this.mine, ...change };
    this.changed();
    view.markMoves();
  }

  // The line becomes the game, or where the game is as it was played, the first of its lines.
  promote() {
    const { game, view } = this;
    const { path, aside } = view;
    this.remember();
    const others = game.own.filter((other) => other !== path);
    if (game.isOpen) {
      const rest = game.moves.slice(path.ply);
      const [above, below] = [{}, {}];
      for (const [ply, said] of Object.entries(game.mine)) {
        if (+ply > path.ply) below[ply - path.ply] = said;
        else above[ply] = said;
      }
      for (const [count, said] of Object.entries(path.mine ?? {})) above[path.ply + +count] = said;
      game.mine = above;
      game.retake([...game.moves.slice(0, path.ply), ...path.moves].map(({ uci }) => uci));
      // Lines that left the old moves later would begin elsewhere.
      game.own = others.filter((other) => other.ply <= path.ply);
      if (rest.length) game.own.unshift({ ply: path.ply, isOwn: true, moves: rest, mine: below });
      this.changed();
      return view.go(path.ply + aside);
    }
    game.own = [path, ...others];
    this.changed();
    view.follow(path, aside);
  }

  // The move that is shown and those after it are gone; of the game only those after it.
  cut() {
    const { game, view } = this;
    const { path, aside, ply } = view;
    this.remember();
    if (!aside) {
      game.retake(game.moves.slice(0, ply).map(({ uci }) => uci));
      game.own = game.own.filter((other) => other.ply <= ply);
      this.changed();
      return view.go(ply);
    }
    if (aside > 1) path.moves.length = aside - 1;
    else game.own = game.own.filter((other) => other !== path);
    this.changed();
    aside > 1 ? view.follow(path, aside - 1) : view.go(path.ply);
  }
}
