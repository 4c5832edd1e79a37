// The list of all games in the library: search, filters, tags, a preview, and what can be done with them.

const HEADINGS = [
  ["white", "Players"],
  ["result", "Result"],
  ["opening", "Opening"],
  ["clock", "Time"],
  ["date", "Date"],
  ["accuracy", "Accuracy"],
];

// Filters that exclude each other stand in one row: a field of the query, and its values with their names.
const FILTERS = [
  ["mine", [[true, "Mine"]]],
  [
    "result",
    [
      ["won", "Won"],
      ["lost", "Lost"],
      ["drawn", "Drawn"],
    ],
  ],
  [
    "side",
    [
      ["white", "As White"],
      ["black", "As Black"],
    ],
  ],
];
const SPEEDS = ["bullet", "blitz", "rapid", "classical"];

// The nodes for each position of an analysis.
const THOROUGHNESS = [
  [20_000, "quickly"],
  [200_000, "thoroughly"],
  [2_000_000, "deeply"],
];

const shownResult = (result) => ({ "1/2-1/2": "½–½", "1-0": "1–0", "0-1": "0–1" })[result] ?? "–";

class GamesMode {
  constructor(app, root) {
    Object.assign(this, { app, root, query: { by: "date", is_up: false }, rows: [], chosen: new Set(), count: 0 });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    this.build();
  }

  build() {
    this.search = make("input", {
      type: "search",
      placeholder: "Player, opening, date, result, tag …",
      "aria-label": "Search the games",
    });
    this.search.addEventListener("input", () => this.filter({ search: this.search.value }));
    this.chips = FILTERS.flatMap(([field, values]) =>
      values.map(([value, text]) => {
        const chip = button(text, () => this.filter({ [field]: this.query[field] === value ? undefined : value }));
        chip.isOn = () => this.query[field] === value;
        return chip;
      }),
    );
    const month = button("This month", () => this.filter({ since: this.query.since ? undefined : thisMonth() }));
    month.isOn = () => !!this.query.since;
    const reviewed = button("Reviewed", () => this.filter({ reviewed: this.query.reviewed ? undefined : true }));
    reviewed.isOn = () => !!this.query.reviewed;
    this.chips.push(month, reviewed);
    this.speed = choice([["", "Any time"], ...SPEEDS.map((speed) => [speed, speed])], "", { "aria-label": "Speed" });
    this.speed.addEventListener("change", () => this.filter({ speed: this.speed.value || undefined }));
    this.tag = choice([["", "Any tag"]], "", { "aria-label": "Tag" });
    this.tag.addEventListener("change", () => this.filter({ tag: this.tag.value || undefined }));
    this.facts = make("p", { class: "quiet facts", role: "status" });
    this.work = make("div", { class: "work", role: "status" });
    this.heads = HEADINGS.map(([by, text]) => {
      const head = make(
        "th",
        { class: by },
        button(text, () => this.sort(by), { class: "plain" }),
      );
      head.by = by;
      return head;
    });
    this.body = make("tbody");
    const end = make("p", { "aria-hidden": "true" });
    new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && this.more(), {
      rootMargin: "800px",
    }).observe(end);
    this.thorough = choice(THOROUGHNESS, 20_000, { "aria-label": "How thoroughly" });
    this.acts = make(
      "div",
      { class: "tools of-games" },
      button("Analyse", () => this.analyse()),
      this.thorough,
      button("Tag", () => this.askTag()),
      button("Download PGN", () => this.download()),
      button("Save as a page", () => this.savePage(), { class: "plain" }),
      button("Delete", () => this.remove(), { class: "plain" }),
    );
    this.preview = make("aside", { class: "preview", "aria-label": "Preview" });
    this.empty = make(
      "section",
      { class: "card empty" },
      make("h2", {}, "No games yet"),
      make("p", { class: "quiet" }, "Bring those that you have played, or play one here: it is kept and analysed."),
      make(
        "div",
        { class: "row" },
        button("Bring games", () => this.app.bring(), { class: "primary" }),
        button("Play a game", () => {
          location.hash = "#start";
        }),
      ),
    );
    const bring = button("Bring games", () => this.app.bring());
    bring.prepend(icon("bring"));
    this.list = make(
      "section",
      { class: "list" },
      this.search,
      make("div", { class: "chips" }, ...this.chips, this.speed, this.tag),
      this.facts,
      make(
        "div",
        { class: "scroll card" },
        make(
          "table",
          { id: "library" },
          make("thead", {}, make("tr", {}, make("th"), ...this.heads, make("th"))),
          this.body,
        ),
      ),
      end,
      this.acts,
    );
    this.root.append(
      make("div", { class: "titled" }, make("h1", {}, "Games"), bring),
      this.trouble,
      this.work,
      this.empty,
      make("div", { class: "beside" }, this.list, this.preview),
    );
  }

  show() {
    this.fill(this.rows.length);
    this.fillTags();
  }

  hear({ tell, state }) {
    if (tell !== "library") return;
    this.showWork(state);
    this.empty.hidden = state.games > 0;
    this.list.hidden = this.preview.hidden = !state.games;
    const isNew = this.version !== state.version;
    this.version = state.version;
    if (isNew && this.app.mode === "games") this.show();
  }

  // What is being done, and what is wrong.
  showWork({ problem, import: imported, analysing, is_reviewing, mine, reviewed, runs }) {
    const lines = [];
    if (problem)
      lines.push(
        make(
          "p",
          { class: "wrong" },
          `${problem} `,
          button("Export all games", () => this.export("pgn")),
        ),
      );
    if (imported && (imported.runs || imported.is_cut)) {
      const { new: added, known, is_cut } = imported;
      const cut = "The tab that sent the file was closed: the rest is missing. Give the file again, and it goes on.";
      lines.push(
        make(
          "p",
          {},
          `${counted(added, "new game")}, ${known.toLocaleString("en")} known. ${is_cut ? cut : "More come in …"}`,
        ),
      );
    }
    if (analysing) {
      const { done, all, seconds, games } = analysing;
      const left = seconds === null ? "" : `, about ${duration(seconds)} left`;
      const bar = make("progress", { max: all, value: done, "aria-label": "Progress of the analysis" });
      const stop = button("Stop", () => this.app.want({ want: "stop_analysis" }, this.trouble));
      lines.push(
        make("p", { class: "row" }, `Analysing ${counted(games)}: ${done} of ${all} positions${left}`, bar, stop),
      );
    } else if (mine > reviewed) {
      const what = runs ? (is_reviewing ? "the newest first" : "when the machine has time") : "paused";
      const toggle = button(
        runs ? "Pause" : "Go on",
        () => this.app.want({ want: "review", runs: !runs }, this.trouble),
        { class: "plain" },
      );
      const text = `${reviewed.toLocaleString("en")} of your ${counted(mine)} are reviewed, ${what}.`;
      lines.push(make("p", { class: "quiet row" }, text, toggle));
    }
    this.work.replaceChildren(...lines);
  }

  filter(change) {
    Object.assign(this.query, change);
    this.chosen.clear();
    this.fill();
  }

  sort(by) {
    this.filter({ by, is_up: this.query.by === by && !this.query.is_up });
  }

  async fillTags() {
    const tags = (await this.app.want({ want: "tags" }, this.trouble)) ?? [];
    const options = [["", "Any tag"], ...tags.map(([tag, count]) => [tag, `${tag} (${count})`])];
    this.tag.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
    this.tag.value = this.query.tag ?? "";
    this.tag.hidden = !tags.length;
  }

  // The first games that are wanted, at least so many: who has gone far down the list stays there.
  async fill(least = 0) {
    for (const chip of this.chips) chip.setAttribute("aria-pressed", chip.isOn());
    for (const head of this.heads) {
      const isSorted = head.by === this.query.by;
      head.setAttribute("aria-sort", !isSorted ? "none" : this.query.is_up ? "ascending" : "descending");
    }
    this.asked = (this.asked ?? 0) + 1;
    const { asked } = this;
    const rows = [];
    let found;
    do {
      found = await this.app.want({ want: "games", ...this.query, from: rows.length }, this.trouble);
      if (!found || asked !== this.asked) return;
      rows.push(...found.games);
    } while (rows.length < Math.min(least, found.count));
    Object.assign(this, { rows, count: found.count });
    this.facts.textContent = `${counted(found.count)} · ${found.reviewed.toLocaleString("en")} reviewed`;
    this.body.replaceChildren(...rows.map((game) => this.row(game)));
    this.mark();
    if (!this.rows.some(({ id }) => id === this.previewed)) this.look(this.rows[0]?.id);
  }

  async more() {
    const { asked, rows } = this;
    if (this.isFetching || !rows.length || rows.length >= this.count || this.root.hidden) return;
    this.isFetching = true;
    const found = await this.app.want({ want: "games", ...this.query, from: rows.length }, this.trouble);
    this.isFetching = false;
    if (!found || asked !== this.asked) return;
    rows.push(...found.games);
    this.body.append(...found.games.map((game) => this.row(game)));
  }

  row({ id, head }) {
    const { players, ratings, result, opening, clock, date, accuracy, marks, tags, side } = head;
    const names = players.map((name) => plainName(name === "Player" ? "You" : name));
    const rated = names.flatMap((name, i) => [
      ...(i ? [" – "] : []),
      name,
      ...(ratings[i] ? [make("small", { class: "quiet" }, ` ${ratings[i]}`)] : []),
    ]);
    const box = check(this.chosen.has(id), { "aria-label": `Choose ${names.join(" – ")}` });
    box.addEventListener("change", () => {
      this.chosen[box.checked ? "add" : "delete"](id);
      this.mark();
    });
    const whose =
      side === null
        ? ""
        : make("i", { class: `side ${["white", "black"][side]}`, title: `You had ${["White", "Black"][side]}` });
    const percent = accuracy?.[side ?? 0] ?? accuracy?.find((one) => one !== null);
    const [, mistakes, blunders] = marks ?? [0, 0, 0];
    const chips = [
      ...(blunders ? [make("span", { class: "chip blunder" }, counted(blunders, "blunder"))] : []),
      ...(!blunders && mistakes ? [make("span", { class: "chip mistake" }, counted(mistakes, "mistake"))] : []),
      ...tags.map((tag) => make("span", { class: "chip" }, tag)),
    ];
    const row = make(
      "tr",
      { "data-id": id },
      make("td", {}, box),
      make("td", { class: "white" }, whose, make("a", { href: `#game-${id}` }, ...rated)),
      make("td", {}, shownResult(result)),
      make("td", { class: "opening" }, opening),
      make("td", { class: "clock" }, clock),
      make("td", { class: "date" }, dated(date.split(" ")[0])),
      make("td", { class: "accuracy" }, percent === undefined || percent === null ? "" : Math.round(percent)),
      make("td", { class: "marks" }, ...chips),
    );
    row.addEventListener("click", ({ target }) => target.matches("a, input") || this.look(id));
    row.addEventListener("dblclick", () => {
      location.hash = `#game-${id}`;
    });
    return row;
  }

  // Highlights the game of the preview, and names what the buttons would do.
  mark() {
    for (const row of this.body.children) row.classList.toggle("now", +row.dataset.id === this.previewed);
    const count = this.chosen.size || this.count;
    for (const act of this.acts.querySelectorAll("button")) act.disabled = !count;
    this.acts.firstChild.textContent = `Analyse ${this.chosen.size ? counted(count) : count === 1 ? "it" : `all ${counted(count)}`}`;
  }

  // The game before or after another one in the list.
  neighbour(id, step) {
    const at = this.rows.findIndex((row) => row.id === id);
    return at < 0 ? undefined : this.rows[at + step]?.id;
  }

  async look(id) {
    this.previewed = id;
    this.mark();
    if (id === undefined) return this.preview.replaceChildren();
    const game = await this.app.readGame(id);
    if (!game || this.previewed !== id) return;
    const board = draw("svg", { class: "board", role: "img" });
    const last = game.moves.length;
    const position = game.positions[last];
    const touched = last
      ? [game.moves[last - 1].uci.slice(0, 2), target(game.positions[last - 1], game.moves[last - 1].uci)]
      : [];
    show(board, position, { touched, turned: this.app.isMine(game, "black"), label: described(position) });
    const graph = make("div");
    const [white, result, black] = game.heading;
    this.preview.replaceChildren(
      board,
      make(
        "div",
        { class: "card" },
        make("h2", { class: "titled" }, `${white} – ${black}`, make("b", {}, result)),
        make(
          "p",
          { class: "quiet" },
          [game.opening, game.event, game.date, `${Math.ceil(last / 2)} moves`].filter(Boolean).join(" · "),
        ),
        graph,
        make(
          "div",
          { class: "row" },
          button(
            "Open",
            () => {
              location.hash = `#game-${id}`;
            },
            { class: "primary" },
          ),
          button("Tag", () => this.askTag([id])),
          button("Delete", () => this.remove([id]), { class: "plain" }),
        ),
      ),
    );
    if (game.wins.length)
      drawGraph(graph, game, (ply) => {
        location.hash = `#game-${id}-ply-${ply}`;
      });
  }

  // The games that were chosen, or all that are found.
  async ids() {
    return this.chosen.size
      ? [...this.chosen]
      : ((await this.app.want({ want: "ids", ...this.query }, this.trouble)) ?? []);
  }

  async analyse() {
    await this.app.want({ want: "analyse", games: await this.ids(), nodes: +this.thorough.value }, this.trouble);
  }

  async remove(games) {
    const gone = games ?? (await this.ids());
    if (gone.length > 1 && !(await sure(`Delete ${counted(gone.length)} with their reviews and exercises?`, "Delete")))
      return;
    if ((await this.app.want({ want: "delete", games: gone }, this.trouble)) === null) return;
    this.chosen.clear();
    const undo = button("Undo", () => this.app.want({ want: "restore", games: gone }, this.trouble));
    this.app.say(`${counted(gone.length)} deleted.`, undo);
  }

  async askTag(games) {
    const tagged = games ?? (await this.ids());
    const dialog = make("dialog", { "aria-labelledby": "tag-title" });
    const name = make("input", { "aria-label": "The tag", list: "tags", autocomplete: "off" });
    const known = make(
      "datalist",
      { id: "tags" },
      ...[...this.tag.options].slice(1).map(({ value }) => make("option", { value })),
    );
    const give = async (on) => {
      const done = await this.app.want({ want: "tag", games: tagged, tag: name.value, on }, trouble);
      if (done !== null) dialog.close();
    };
    const trouble = make("p", { class: "wrong", role: "alert" });
    const form = make(
      "form",
      {},
      make("h2", { id: "tag-title" }, `Tag ${counted(tagged.length)}`),
      name,
      known,
      trouble,
      make(
        "div",
        { class: "answers" },
        make("button", { class: "primary" }, "Add the tag"),
        button("Remove it", () => give(false)),
        button("Cancel", () => dialog.close(), { class: "plain" }),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      give(true);
    });
    dialog.append(form);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  // The games as PGN, of which an answer has as many as fit.
  async download() {
    const games = await this.ids();
    const texts = [];
    while (texts.length < games.length) {
      const more = await this.app.want({ want: "pgn", games: games.slice(texts.length) }, this.trouble);
      if (!more?.length) return;
      texts.push(...more);
      this.facts.textContent = `${texts.length.toLocaleString("en")} of ${counted(games.length)}`;
    }
    save(texts.filter(Boolean).join("\n"), "games.pgn");
  }

  async savePage() {
    const page = await this.app.want({ want: "page", games: await this.ids() }, this.trouble);
    if (page) save(page, "games.html", "text/html");
  }

  async export(kind) {
    const text = await this.app.want({ want: "export", kind }, this.trouble);
    if (text) save(text, `zebu.${kind}`, kind === "pgn" ? undefined : "application/json");
  }
}

function thisMonth() {
  const [year, month] = new Date().toISOString().split("-");
  return `${year}.${month}.01`;
}
