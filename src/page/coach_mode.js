// The coach: what is due today, what to work on, and everything behind it.

// Exercises that are due. The engine judges moves that were not foreseen, and answers are kept.
class LiveTrainer extends Trainer {
  constructor(coach, place, items) {
    super(
      place,
      items.map(({ place, exercise, is_hard }) => ({ ...exercise, place, is_hard })),
      coach.app,
    );
    this.coach = coach;
  }

  notes() {
    return [];
  }

  async isRight(move) {
    if (await super.isRight(move)) return true;
    return await this.app.want({ want: "judge", place: this.exercise.place, mv: move }, this.trouble);
  }

  async keep(answer) {
    const kept = await this.app.want({ want: "answered", place: this.exercise.place, answer }, this.trouble);
    if (!kept) return "";
    this.exercise.is_done = true;
    if (kept.is_retired) return "You know this one. It does not come back.";
    return `It comes back in ${counted(kept.days, "day")}.`;
  }

  leadsOn() {
    return this.coach.fromPosition(this.exercise.fen);
  }

  // The next one that was not answered.
  next() {
    const left = [...this.exercises.keys()].filter((i) => !this.exercises[i].is_done);
    if (left.length) this.begin(left.find((i) => i > this.at) ?? left[0]);
    else location.hash = "#coach";
  }
}

class CoachMode {
  constructor(app, root) {
    Object.assign(this, { app, root });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    this.build();
  }

  build() {
    this.who = make("div", { class: "who" });
    this.today = make("section", { class: "card today" });
    this.names = make("form", { class: "card", hidden: "" });
    this.names.addEventListener("submit", (event) => {
      event.preventDefault();
      this.name();
    });
    this.lines = make("div");
    this.exercise = make("div", { class: "exercise", hidden: "" });
    this.overview = make("div", { hidden: "" }, ...overviewParts(this.lines));
    const newGames = button("New games", () => this.app.bring());
    newGames.prepend(icon("bring"));
    this.page = make(
      "div",
      { class: "coach" },
      make("div", { class: "titled" }, make("h1", {}, "What to work on"), this.who, newGames),
      this.trouble,
      this.names,
      this.today,
      this.overview,
    );
    this.root.append(this.page, this.exercise);
  }

  show(hash) {
    const isTraining = hash === "#coach-today";
    this.page.hidden = isTraining;
    this.exercise.hidden = !isTraining;
    if (isTraining) this.train();
    else this.showAll();
  }

  hear({ tell, state }) {
    if (tell !== "library") return;
    this.state = state;
    if (this.app.mode === "coach" && !this.page.hidden) this.showAll();
  }

  showAll() {
    if (!this.state) return;
    const { games, mine, reviewed, names, players, due, exercises, is_reviewing } = this.state;
    const mineNames = names.filter((name) => name !== "Player");
    const me = make("b", {}, mineNames.join(", ") || "you");
    const progress = reviewed < mine ? `${reviewed.toLocaleString("en")} reviewed` : "reviewed";
    this.who.replaceChildren(
      ...(mine ? [`${counted(mine)} of `, me, ` · ${progress} `] : []),
      ...(mineNames.length ? [button("Change your names", () => this.changeNames(), { class: "plain" })] : []),
    );
    this.askNames(players);
    const start = button(
      "Start",
      () => {
        location.hash = "#coach-today";
      },
      { class: "primary" },
    );
    const bring = button("Bring my games", () => this.app.bring(), { class: "primary" });
    const [title, text, act] = !games
      ? [
          "Bring your games",
          "The coach reviews them, says what costs you points, and asks your own mistakes until you know them.",
          bring,
        ]
      : due
        ? [`Today: ${counted(due, "exercise")}`, `About ${counted(Math.ceil(due / 2), "minute")}.`, start]
        : exercises
          ? ["Nothing is due today", `${counted(exercises, "exercise")} will come back.`]
          : mine
            ? [
                "No exercises yet",
                is_reviewing
                  ? "Your games are being reviewed: the first come in a minute."
                  : "They come from mistakes in your games.",
              ]
            : ["Which games are yours?", "Say who you are, and your games are reviewed."];
    this.today.replaceChildren(
      make("div", {}, make("h2", {}, title), make("p", { class: "quiet" }, text)),
      ...(act ? [act] : []),
    );
    const isEnough = reviewed >= 10 || (reviewed && !is_reviewing);
    if (isEnough && this.shown !== this.state.version) this.fill();
  }

  fromPosition(fen) {
    return [
      button("Play it out", () => this.app.live.openTerms({ start: fen, moves: [] }), { class: "plain" }),
      button("Analyse", () => this.app.live.openFen(fen), { class: "plain" }),
    ];
  }

  async train() {
    const today = await this.app.want({ want: "today" }, this.trouble);
    if (!today) return;
    if (!today.length) {
      location.hash = "#coach";
      return;
    }
    this.trainer = new LiveTrainer(this, this.exercise, today);
  }

  async fill() {
    // What somebody looks at stays.
    if (!$("viewer").hidden || this.isFilling) return;
    this.isFilling = true;
    const { version } = this.state;
    const data = await this.app.want({ want: "overview" }, this.trouble);
    this.isFilling = false;
    if (!data) return;
    this.shown = version;
    this.overview.hidden = false;
    showOverview(data, {
      fromPosition: (fen) => this.fromPosition(fen),
      fromLine: (path, color) => this.fromLine(path, color),
    });
    this.listLines();
  }

  // Names, asked once.

  askNames(players) {
    if (this.isRenaming) return;
    this.names.hidden = !players.length;
    if (String(players) === this.asked) return;
    this.asked = String(players);
    this.offerNames(players, "Who are you?");
  }

  async changeNames() {
    const players = await this.app.want({ want: "players" }, this.trouble);
    if (!players) return;
    const { names } = this.state;
    const others = names.filter((name) => name !== "Player" && !players.some(([player]) => player === name));
    this.isRenaming = true;
    this.names.hidden = false;
    this.offerNames([...players, ...others.map((name) => [name, 0])], "Who are you?", names);
  }

  // What is chosen already stays while games come in. A player of all games is the person, as it seems.
  offerNames(players, question, names = this.chosen()) {
    const typed = this.other?.value ?? "";
    const boxes = players.map(([name, games]) => {
      const isAll = !names.length && games > 1 && games === this.state.games;
      return labelled("", check(names.includes(name) || isAll, { value: name }));
    });
    boxes.forEach((label, i) => label.append(` ${players[i][0]} (${players[i][1].toLocaleString("en")})`));
    this.other = make("input", { "aria-label": "Another name", placeholder: "another name", size: "14" });
    this.other.value = typed;
    this.names.replaceChildren(
      make("h2", {}, question),
      make("div", { class: "tools" }, ...boxes, this.other, make("button", { class: "primary" }, "That is me")),
    );
  }

  chosen() {
    return [...this.names.querySelectorAll("input:checked")].map(({ value }) => value);
  }

  async name() {
    const names = [...this.chosen(), this.other.value.trim()].filter(Boolean);
    this.trouble.textContent = names.length ? "" : "Choose your name, or type it.";
    if (!names.length) return;
    this.other.value = "";
    this.isRenaming = false;
    this.names.hidden = true;
    await this.app.want({ want: "names", names }, this.trouble);
  }

  // Lines of the person's own.

  // A path of the tree: it can be analysed, or named as a line of one's own.
  fromLine(path, color) {
    if (!path.length) return [];
    const moves = path.map(({ uci }) => uci);
    const name = path.findLast((move) => move.name)?.name ?? path.map(({ san }) => san).join(" ");
    const keep = async (event) => {
      const own = { want: "line", is_white: color === 0, name, moves };
      if ((await this.app.want(own, this.trouble)) === null) return;
      event.target.replaceWith(" It is asked from now on.");
      this.listLines();
    };
    return [
      make(
        "span",
        { class: "answers" },
        button("Analyse", () => this.app.live.openMoves(moves)),
        button("This is my line", keep),
      ),
    ];
  }

  async listLines() {
    const lines = (await this.app.want({ want: "lines" }, this.trouble)) || [];
    const forget = async (id) => {
      await this.app.want({ want: "forget_line", id }, this.trouble);
      this.listLines();
    };
    const items = lines.map(({ id, line }) => {
      const sans = pairs(line.moves).map(({ san }) => san);
      const side = line.is_white ? "White" : "Black";
      return make(
        "li",
        {},
        `${side}, ${line.name}: ${sans.join(" ")} `,
        button("Forget it", () => forget(id), { class: "plain" }),
      );
    });
    this.lines.replaceChildren(
      ...(items.length ? [make("h3", {}, "Lines that are yours"), make("ul", {}, ...items)] : []),
    );
  }
}
