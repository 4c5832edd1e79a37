// Reviews: games in a PGN that is dropped, pasted or chosen, which the engine analyses.

class Reviews {
  constructor(live) {
    this.live = live;
    this.had = 0;
    this.text = make("textarea", {
      rows: "4",
      placeholder: "Paste games in PGN, or drop a file anywhere on this page",
      "aria-label": "Games in PGN",
    });
    const file = make("input", { type: "file", accept: ".pgn,text/plain", "aria-label": "A file of games" });
    file.addEventListener("change", () => file.files[0]?.text().then((text) => this.review(text)));
    this.time = choice(
      [
        [100, "0.1 s"],
        [500, "0.5 s"],
        [2000, "2 s"],
        [10000, "10 s"],
      ],
      500,
    );
    this.stop = button("Stop", () => live.ask({ ask: "stop_review" }), { hidden: "" });
    this.bar = make("progress", { max: "1", value: "0", hidden: "", "aria-label": "Progress of the review" });
    this.said = make("p", { role: "status" });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    this.page = button(
      "Save as a page",
      () => live.ask({ ask: "page" }, this.trouble).then((page) => page && save(page, "games.html", "text/html")),
      { hidden: "" },
    );
    $("list").prepend(
      make(
        "section",
        { class: "drop" },
        this.text,
        make(
          "div",
          { class: "tools" },
          button("Review", () => this.review(this.text.value)),
          labelled("Time for each position", this.time),
          file,
          this.stop,
          this.page,
        ),
        this.bar,
        this.said,
        this.trouble,
      ),
    );
    document.body.classList.toggle("no-games", !live.games.length);
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer.files;
      const text = event.dataTransfer.getData("text");
      if (dropped) dropped.text().then((text) => this.review(text));
      else if (text) this.review(text);
    });
  }

  async review(pgn) {
    location.hash = "#review";
    if ((await this.live.ask({ ask: "review", pgn, time: +this.time.value }, this.trouble)) === null) return;
    this.text.value = "";
    this.begin();
  }

  hear({ runs, done, items, text }) {
    this.bar.value = done;
    this.bar.hidden = this.stop.hidden = !runs;
    this.said.textContent = text;
    this.wanted = items;
    if (items < this.had) this.begin();
    this.fetch();
  }

  // Another review, or the first one.
  begin() {
    this.had = 0;
    this.live.games.length = 0;
    document.querySelectorAll("#list > .wrong").forEach((wrong) => wrong.remove());
    this.list();
  }

  // What is found and not here yet.
  async fetch() {
    if (this.isFetching) return;
    this.isFetching = true;
    while (this.had < this.wanted) {
      const items = await this.live.ask({ ask: "items", from: this.had }, this.trouble);
      if (!items?.length) break;
      this.had += items.length;
      for (const { game, broken } of items) {
        if (game) this.live.games.push(new GameData(game));
        else $("list").append(make("p", { class: "wrong" }, broken));
      }
      this.list();
    }
    this.isFetching = false;
  }

  list() {
    const { live } = this;
    document.body.classList.toggle("no-games", !live.games.length);
    this.page.hidden = !this.had;
    listGames(live.games);
    // Who waits for one of them sees it.
    if (live.mode === "review" && /^#game-/.test(location.hash) && $("game").hidden) live.visit();
  }
}
