// The editor of positions: a piece is chosen, and squares that are clicked get it; pieces on the board are dragged.

class Editor {
  constructor(live) {
    this.live = live;
    this.isOpen = false;
    this.panel = make("section", { class: "editor", hidden: "", "aria-label": "Position editor" });
    $("desk").append(this.panel);
  }

  open() {
    const { view } = this.live;
    const { position, state } = view.spot;
    this.isOpen = true;
    // Lines that come late would show the position before.
    this.live.look();
    this.live.ask({ ask: "stop" });
    this.position = { ...position };
    this.letter = "P";
    const pieces = make(
      "div",
      { class: "palette", role: "group", "aria-label": "Pieces" },
      ...[..."PNBRQKpnbrqk", ""].map((letter) => {
        const name = letter
          ? `${isWhite(letter) ? "White" : "Black"} ${{ p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" }[letter.toLowerCase()]}`
          : "Nothing";
        const choose = button(letter ? "" : "×", () => this.choose(letter), {
          title: name,
          "aria-label": name,
          "data-letter": letter,
          "aria-pressed": letter === "P",
        });
        if (letter) {
          const svg = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" });
          svg.append(
            draw("use", {
              href: "#" + letter.toLowerCase(),
              class: "piece " + (isWhite(letter) ? "white" : "black"),
              width: SIZE,
              height: SIZE,
            }),
          );
          choose.append(svg);
        }
        return choose;
      }),
    );
    this.side = choice(
      [
        ["w", "White to move"],
        ["b", "Black to move"],
      ],
      state.white ? "w" : "b",
      { "aria-label": "Side to move" },
    );
    this.rights = [..."KQkq"].map((right) => [right, check(state.castling.includes(right))]);
    const fen = make("input", { size: "40", spellcheck: "false", autocomplete: "off" });
    const trouble = make("span", { class: "wrong", role: "alert" });
    this.fen = fen;
    fen.addEventListener("change", () => {
      this.position = placed(fen.value);
      this.show();
    });
    for (const field of [this.side, ...this.rights.map(([, box]) => box)])
      field.addEventListener("change", () => this.show());
    const square = make("input", {
      id: "square",
      size: "2",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
    });
    const typed = make("form", { class: "typed" }, labelled("Square", square), make("button", {}, "Put it there"));
    typed.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = square.value.trim().toLowerCase();
      const isSquare = /^[a-h][1-8]$/.test(name);
      trouble.textContent = isSquare ? "" : `${name || "That"} is no square, such as e4.`;
      if (isSquare) this.place(name);
      square.select();
    });
    const names = {
      K: "White castles short",
      Q: "White castles long",
      k: "Black castles short",
      q: "Black castles long",
    };
    this.pieces?.remove();
    this.pieces = pieces;
    document.querySelector(".stage").after(pieces);
    this.panel.replaceChildren(
      typed,
      make("div", { class: "tools" }, this.side, ...this.rights.map(([right, box]) => labelled(names[right], box))),
      labelled("FEN", fen),
      make(
        "div",
        { class: "answers" },
        button("Done", () => this.live.openFen(fen.value, trouble)),
        button("Clear", () => this.put({})),
        button("Usual start", () => this.put(placed(START))),
        button("Cancel", () => {
          this.close();
          view.go(view.ply);
        }),
      ),
      trouble,
    );
    this.panel.hidden = false;
    document.body.classList.add("edits");
    this.show();
  }

  close() {
    this.isOpen = false;
    this.panel.hidden = true;
    this.pieces?.remove();
    document.body.classList.remove("edits");
  }

  choose(letter) {
    this.letter = letter;
    for (const piece of this.pieces.querySelectorAll("[data-letter]"))
      piece.setAttribute("aria-pressed", piece.dataset.letter === letter);
  }

  put(position) {
    this.position = { ...position };
    this.show();
  }

  // A piece that is dragged moves, and off the board it is gone; a tap puts the chosen piece there.
  drop(from, to, isOutside) {
    const { [from]: letter, ...others } = this.position;
    if (isOutside) return letter && this.put(others);
    if (from === to) return this.place(to);
    this.put(letter ? { ...others, [to]: letter } : this.position);
  }

  // The chosen piece on a square; the same again is taken away.
  place(square) {
    const { [square]: old, ...others } = this.position;
    this.put(this.letter && old !== this.letter ? { ...others, [square]: this.letter } : others);
  }

  show() {
    const { view } = this.live;
    const rights = this.rights
      .filter(([, box]) => box.checked)
      .map(([right]) => right)
      .join("");
    this.fen.value = `${placement(this.position)} ${this.side.value} ${rights || "-"} - 0 1`;
    show(view.board, this.position, { turned: view.turned, label: `Position editor. ${described(this.position)}` });
  }
}
