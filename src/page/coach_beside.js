// The coach beside the board: what is due today, and what my games have in the position that is analysed.

class CoachBeside {
  constructor(live) {
    this.live = live;
    this.state = {};
    this.link = make("a", { href: "coach" }, "Coach");
    this.link.addEventListener("click", (event) => {
      if (!this.state.absent) return;
      event.preventDefault();
      this.dialog.replaceChildren(
        make("p", {}, this.state.absent),
        make(
          "div",
          { class: "answers" },
          button("Close", () => this.dialog.close()),
        ),
      );
      this.dialog.showModal();
    });
    $("modes").append(this.link);
    this.dialog = make("dialog", { "aria-label": "Coach" });
    document.body.append(this.dialog);
    this.due = make("p", { class: "due", hidden: "" });
    $("game").prepend(this.due);
    this.games = make("div", { class: "own-games" });
    $("engine").append(this.games);
    this.mine = button("Give to the coach", () => this.learn(), {
      title: "These are games of yours: the coach looks what costs you points in them",
    });
    document.querySelector(".of-games").append(this.mine);
  }

  // The games found in the list go into the library.
  async learn() {
    const { reviews } = this.live;
    const games = reviews.found.map(({ number }) => number);
    if ((await this.live.ask({ ask: "learn", games }, reviews.trouble)) === null) return;
    reviews.said.replaceChildren(
      `The coach takes in ${counted(games.length)}. `,
      make("a", { href: "coach" }, "To the coach"),
    );
  }

  hear({ tell, state }) {
    if (tell === "hello") this.begin();
    if (tell !== "coach") return;
    const before = this.state;
    this.state = state;
    this.mine.hidden = !!state.absent;
    this.remind();
    if (before.version !== state.version) this.shown();
  }

  // A position that the coach's page leads to is played out.
  begin() {
    const start = sessionStorage.getItem("from");
    sessionStorage.removeItem("from");
    if (start) this.live.openTerms({ start: JSON.parse(start), moves: [] });
  }

  remind() {
    const { due = 0 } = this.state;
    this.due.hidden = !due;
    const minutes = Math.ceil(due / 2);
    this.due.replaceChildren(
      `${due} exercise${due === 1 ? " is" : "s are"} due today, about ${minutes} minute${minutes === 1 ? "" : "s"}. `,
      make("a", { href: "coach" }, "Begin"),
    );
  }

  // A position is on the board.
  shown() {
    clearTimeout(this.waiting);
    this.games.replaceChildren();
    const { view, isPlaying, engine } = this.live;
    if (!this.state.mine || isPlaying || view.lesson || view.game?.start !== START) return;
    const { way } = view;
    this.waiting = setTimeout(async () => {
      const found = await engine.ask({ ask: "coach", want: "moves", moves: way }).catch(() => null);
      if (found && String(way) === String(view.way)) this.list(found);
    }, 60);
  }

  list(found) {
    const { view } = this.live;
    const percent = (value) => `${Math.round(100 * value)}%`;
    const tables = found.map((moves, i) => {
      const rows = moves.slice(0, 6).map(({ uci, san, games, points, results, left, loss, better }) =>
        make(
          "tr",
          {},
          make(
            "td",
            {},
            button(san, () => view.play(uci)),
          ),
          make("td", {}, `${games} game${games === 1 ? "" : "s"}`),
          make("td", {}, results ? percent(points / results) : "–"),
          make("td", { class: "quiet" }, left === undefined ? "" : `${percent(left)} after the opening`),
          make(
            "td",
            { class: "blunder" },
            loss ? `costs ${loss.toFixed(2)}${better ? `, ${better} is better` : ""}` : "",
          ),
        ),
      );
      return rows.length
        ? [make("h3", {}, `Your games with ${i ? "Black" : "White"}`), make("table", {}, ...rows)]
        : [];
    });
    this.games.replaceChildren(...tables.flat());
  }
}
