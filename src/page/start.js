// The first page: play, bring games, or look at something.

const STRENGTHS = [
  [800, "Beginner"],
  [1200, "Club"],
  [1500, "1500"],
  [2000, "Strong"],
  ["", "Full"],
];

class Start {
  constructor(app, root) {
    this.app = app;
    const card = (name, title, text, ...rest) =>
      make(
        "section",
        { class: "card" },
        icon(name),
        make("div", {}, make("h2", {}, title), make("p", { class: "quiet" }, text), ...rest),
      );
    const strength = segmented("Zebu's strength", STRENGTHS, 1500, (elo) => {
      this.elo = elo;
    });
    this.clock = choice([["", "no clock"], ...CLOCKS.map((clock) => [clock, clock])], "", {
      "aria-label": "Clock",
      class: "plain",
    });
    const begin = (text, isWhite, attributes) => button(text, () => this.begin(isWhite), attributes);
    const text = make("textarea", {
      rows: "2",
      placeholder: "Paste a FEN or PGN, or drop a file anywhere",
      "aria-label": "A FEN or PGN",
    });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    root.append(
      make("h1", {}, "Welcome. What shall we do?"),
      card(
        "play",
        "Play a game",
        "Pick how strong Zebu is. It errs like people do.",
        strength,
        make(
          "div",
          { class: "row" },
          begin("Play White", false, { class: "primary" }),
          begin("Black", true),
          begin("Random", null),
          this.clock,
        ),
      ),
      card(
        "bring",
        "Bring my games",
        "See what costs you points, and train on your own mistakes. They stay on this computer.",
        new Bring(app).element,
      ),
      card(
        "analyse",
        "Look at a position or a game",
        "",
        text,
        make(
          "div",
          { class: "row" },
          button("Show", () => app.open(text.value, this.trouble)),
          button("Set up the board", () => app.live.setUp(), { class: "plain" }),
        ),
        this.trouble,
      ),
    );
  }

  begin(isZebuWhite) {
    const elo = this.elo ? +this.elo : null;
    this.app.live.play({ zebu_is_white: isZebuWhite, elo, clock: this.clock.value || null }, this.trouble);
  }
}
