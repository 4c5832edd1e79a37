// The coach's page with a library behind it: what is due today, games that come in, who I am, and figures as
// reviews are done.

const labelled = (text, field) => make("label", {}, text + " ", field);
const counted = (count, name) => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`;

// Leads to the board of the program, to play from a position or to analyse it.
function toBoard(key, value, mode) {
  sessionStorage.setItem(key, JSON.stringify(value));
  location.href = `./#${mode}`;
}

const fromPosition = (fen) => [
  button("Play it out", () => toBoard("from", fen, "play")),
  button("Analyse", () => toBoard("study", [fen, [], []], "analyse")),
];

// What is due today. The engine judges moves that were not foreseen, and answers are kept.
class LiveTrainer extends Trainer {
  constructor(place, items, page) {
    super(
      place,
      items.map(({ place, exercise, is_hard }) => ({ ...exercise, place, is_hard })),
      page,
    );
  }

  none() {
    const { exercises } = this.page.state;
    return exercises
      ? `Nothing is due today. ${counted(exercises, "exercise")} will come back.`
      : "There are no exercises yet: they come from your mistakes in reviewed games.";
  }

  notes() {
    return [];
  }

  async isRight(move) {
    if (await super.isRight(move)) return true;
    return await this.page.want({ want: "judge", place: this.exercise.place, mv: move }, this.said);
  }

  async keep(answer) {
    const kept = await this.page.want({ want: "answered", place: this.exercise.place, answer }, this.said);
    if (!kept) return "";
    this.exercise.is_done = true;
    if (kept.is_retired) return "You know this one. It does not come back.";
    return `It comes back in ${counted(kept.days, "day")}.`;
  }

  leadsOn() {
    return fromPosition(this.exercise.fen);
  }

  // The next one that was not answered.
  next() {
    const left = [...this.exercises.keys()].filter((i) => !this.exercises[i].is_done);
    if (left.length) this.begin(left.find((i) => i > this.at) ?? left[0]);
    else this.place.replaceChildren(make("p", {}, "That is all for today."));
  }
}

// The games of the library: a search, columns to sort by, and a hundred at a time.
class GameTable {
  constructor(page) {
    Object.assign(this, { page, by: "date", isUp: false, number: 0 });
    this.search = make("input", {
      type: "search",
      placeholder: "Player, date, result …",
      "aria-label": "Search your games",
    });
    this.search.addEventListener("input", () => this.list());
    this.count = make("span", { class: "quiet" });
    this.body = make("tbody");
    this.more = button("More", () => this.list(this.body.children.length));
    const heads = ["Date", "White", "Black", "Result", "Moves"].map((name) =>
      make(
        "th",
        {},
        button(name, () => this.sort(name.toLowerCase())),
      ),
    );
    this.all = make(
      "div",
      {},
      make("div", { class: "tools" }, this.search, this.count),
      make(
        "div",
        { class: "scroll" },
        make("table", { id: "library-games" }, make("thead", {}, make("tr", {}, ...heads)), this.body),
      ),
      this.more,
    );
  }

  sort(by) {
    this.isUp = this.by === by && !this.isUp;
    this.by = by;
    this.list();
  }

  async list(from = 0) {
    const question = { want: "games", search: this.search.value, by: this.by, is_up: this.isUp, from };
    this.number += 1;
    const { number } = this;
    const found = await this.page.want(question, this.count);
    if (!found || number !== this.number) return;
    const rows = found.games.map(({ id, head }) => {
      const [white, black] = head.players.map((name, i) => (head.ratings[i] ? `${name} (${head.ratings[i]})` : name));
      const open = button(head.date.split(" ")[0].replace(/^0.*/, "unknown"), () => this.open(id));
      const cells = [white, black, head.result, Math.ceil(head.plies / 2)];
      return make("tr", {}, make("td", {}, open), ...cells.map((text) => make("td", {}, text)));
    });
    if (from) this.body.append(...rows);
    else this.body.replaceChildren(...rows);
    this.count.textContent = counted(found.count, "game");
    this.more.hidden = this.body.children.length >= found.count;
  }

  async open(id) {
    const game = await this.page.want({ want: "game", id }, this.count);
    if (game) toBoard("study", [game.start, game.moves, [], game.tags], "analyse");
  }
}

class CoachPage {
  constructor() {
    this.state = {};
    this.build();
    this.engine = new Engine((event) => this.hear(event));
  }

  build() {
    const nav = document.querySelector("nav.modes");
    const link = (text, href) => make("a", { href }, text);
    nav.querySelector("[href='#training']").remove();
    nav.prepend(
      ...["Play", "Analyse", "Review"].map((text) => link(text, `./#${text.toLowerCase()}`)),
      link("Today", "#training"),
      link("Your games", "#library"),
    );
    // What is due comes first.
    $("training").querySelector("h2").textContent = "Today";
    document.querySelector("main").prepend($("training"));
    this.said = make("p", { role: "status" });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    this.bar = make("progress", { max: "1", value: "0", hidden: "", "aria-label": "Progress of the import" });
    this.imported = make("p");
    this.broken = make("details", { hidden: "" });
    this.names = make("form", { class: "tools", hidden: "" });
    this.names.addEventListener("submit", (event) => {
      event.preventDefault();
      this.name();
    });
    const file = make("input", { type: "file", accept: ".pgn,text/plain", "aria-label": "A file of games" });
    file.addEventListener("change", () => file.files[0] && this.import(file.files[0]));
    this.text = make("textarea", {
      rows: "3",
      placeholder: "Paste games in PGN, or drop a file",
      "aria-label": "Games in PGN",
    });
    this.runs = button("Stop reviewing", () => this.want({ want: "review", runs: !this.state.runs }));
    this.rename = button("Change your names", () => this.changeNames(), { hidden: "" });
    this.newer = button("Show the newest figures", () => this.overview(), { hidden: "" });
    this.table = new GameTable(this);
    this.files = make(
      "p",
      { hidden: "" },
      "Download everything: ",
      make("a", { href: "games.pgn", download: "games.pgn" }, "all games with their annotations"),
      " (PGN), ",
      make("a", { href: "games.json", download: "games.json" }, "reviews, exercises and lines"),
      " (JSON).",
    );
    this.library = make(
      "section",
      { id: "library" },
      make("h2", { tabindex: "-1" }, "Your games"),
      this.said,
      this.names,
      make("div", { class: "tools" }, this.runs, this.newer, this.rename),
      make(
        "details",
        { id: "add" },
        make("summary", {}, "Add games"),
        this.text,
        make(
          "div",
          { class: "tools" },
          button("Add them", () => this.import(new Blob([this.text.value]))),
          file,
        ),
      ),
      this.bar,
      this.imported,
      this.broken,
      this.trouble,
      make("details", { id: "all" }, make("summary", {}, "All games"), this.table.all),
      this.files,
    );
    $("all-games").append(this.library);
    this.library.querySelector("#all").addEventListener("toggle", () => this.table.list());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer.files;
      if (dropped) this.import(dropped);
    });
    this.hideFigures(true);
  }

  // Without reviewed games there is nothing to see, and nothing leads there.
  hideFigures(hidden) {
    for (const id of ["costs", "time", "openings"])
      for (const element of [$(id), document.querySelector(`nav [href="#${id}"]`)]) element.hidden = hidden;
  }

  // Promises what the coach answers, or null and says what is wrong.
  async want(want, place = this.trouble) {
    try {
      return await this.engine.ask({ ask: "coach", ...want });
    } catch (error) {
      place.textContent = error.message;
      return null;
    }
  }

  hear(event) {
    if (event.tell === "lost") this.trouble.textContent = event.text;
    if (event.tell !== "coach") return;
    const before = this.state;
    const { state } = event;
    this.state = state;
    this.show(before);
    if (state.problem) return;
    // What is asked first stays until it is done.
    const isNew = !before.exercises !== !state.exercises || before.exercises === undefined;
    if (isNew) this.train();
    const isEnough = state.reviewed >= 10 || (state.reviewed && !state.is_reviewing);
    if (isEnough && !this.shown) this.overview();
    else this.newer.hidden = !this.shown || this.shown === state.version;
  }

  show(before) {
    const { problem, games, mine, reviewed, names, players, runs, is_reviewing, import: imported, due } = this.state;
    // What is wrong with something else stays while games come in.
    if (problem !== before.problem) this.trouble.textContent = problem ?? "";
    const unknown = players.length ? "Which of the players are you?" : "None of them names its players.";
    const nobody = names.length ? `None of them has a player ${names.join(" or ")}.` : unknown;
    const work = is_reviewing ? ", the newest first, whenever the machine has time" : "";
    const all =
      mine === reviewed ? "All are reviewed." : `${reviewed.toLocaleString("en")} are reviewed${runs ? work : ""}.`;
    this.said.textContent = games
      ? `${counted(games, "game")}, ${mine.toLocaleString("en")} of them yours. ${mine ? all : nobody}`
      : "There are no games yet. Add those that you have played: files of lichess, chess.com or your club.";
    this.files.hidden = !games;
    $("add").open ||= !games && before.games === undefined;
    this.runs.textContent = runs ? "Stop reviewing" : "Go on reviewing";
    this.runs.hidden = !mine || mine === reviewed;
    this.rename.hidden = !names.some((name) => name !== "Player");
    this.rename.title = `You are ${names.join(" and ")}.`;
    const minutes = Math.ceil(due / 2);
    $("training").querySelector("h2").textContent = due
      ? `Today: ${counted(due, "exercise")}, about ${counted(minutes, "minute")}`
      : "Today";
    this.askNames();
    if (imported) this.showImport(imported);
  }

  showImport({ new: added, known, broken, empty, broken_games, runs, is_cut }) {
    const parts = [
      [known, "known already"],
      [broken, "left out"],
      [empty, "without moves"],
    ];
    const rest = parts.filter(([count]) => count).map(([count, text]) => `, ${count.toLocaleString("en")} ${text}`);
    const cut = is_cut ? " The tab that sent the file was closed: the rest is missing. Give the file again." : "";
    this.imported.textContent = `${counted(added, "new game")}${rest.join("")}${runs ? " so far" : ""}.${cut}`;
    this.bar.hidden = !runs;
    this.broken.hidden = !broken_games.length;
    if (runs) return;
    this.broken.replaceChildren(
      make("summary", {}, `${counted(broken, "game")} left out`),
      make("ul", {}, ...broken_games.map((text) => make("li", {}, text))),
    );
    if ($("all").open) this.table.list();
  }

  // Asked once.
  askNames() {
    const { players, mine } = this.state;
    if (this.isRenaming) return;
    this.names.hidden = !players.length;
    if (String(players) === this.asked) return;
    this.asked = String(players);
    this.offerNames(players, mine ? "Are you also one of these?" : "Who are you?");
  }

  // Names that were given are taken back here.
  async changeNames() {
    const players = await this.want({ want: "players" });
    if (!players) return;
    const { names } = this.state;
    const others = names.filter((name) => name !== "Player" && !players.some(([player]) => player === name));
    this.isRenaming = true;
    this.names.hidden = false;
    this.offerNames([...players, ...others.map((name) => [name, 0])], "Who are you?");
    for (const box of this.names.querySelectorAll("input[type=checkbox]")) box.checked = names.includes(box.value);
  }

  offerNames(players, question) {
    // What is chosen already stays while games come in.
    const chosen = this.chosen();
    const typed = this.other?.value ?? "";
    const boxes = players.map(([name, games]) => {
      const box = make("input", { type: "checkbox", value: name });
      box.checked = chosen.includes(name);
      return make("label", {}, box, ` ${name} (${games.toLocaleString("en")})`);
    });
    this.other = make("input", { "aria-label": "Another name", placeholder: "another name", size: "14" });
    this.other.value = typed;
    this.names.replaceChildren(make("b", {}, question), ...boxes, this.other, make("button", {}, "That is me"));
  }

  chosen() {
    return [...this.names.querySelectorAll("input:checked")].map(({ value }) => value);
  }

  name() {
    const names = [...this.chosen(), this.other.value.trim()].filter(Boolean);
    this.trouble.textContent = names.length ? "" : "Choose your name, or type it.";
    this.other.value = "";
    if (!names.length) return;
    this.isRenaming = false;
    this.names.hidden = true;
    this.asked = undefined;
    this.want({ want: "names", names });
  }

  // Sends a file in parts of whole games. Behind the last one comes an empty part.
  async import(file) {
    const number = Math.floor(Math.random() * 2 ** 32);
    this.trouble.textContent = "";
    let sent = 0;
    const send = async (text, isLast) => {
      const part = { want: "import", text, file: number, is_first: !sent, is_last: isLast };
      sent += text.length;
      return (await this.want(part)) !== null;
    };
    if (!file.size) {
      this.trouble.textContent = "There is no game in it.";
      return;
    }
    for await (const text of partsOf(file)) {
      if (!(await send(text, false))) return;
      this.text.value = "";
      this.bar.value = Math.min(1, sent / file.size);
    }
    await send("\n", true);
  }

  async train() {
    const today = await this.want({ want: "today" });
    if (today) new LiveTrainer($("trainer"), today, this);
  }

  async overview() {
    this.shown = this.state.version;
    this.newer.hidden = true;
    const data = await this.want({ want: "overview" });
    if (!data) {
      this.shown = 0;
      return;
    }
    this.hideFigures(false);
    showOverview(data, { fromPosition, fromLine: (path, color) => this.fromLine(path, color) });
    this.listLines();
  }

  // A path of the tree: it can be analysed, or named as a line of mine.
  fromLine(path, color) {
    if (!path.length) return [];
    const moves = path.map(({ uci }) => uci);
    const name = path.findLast((move) => move.name)?.name ?? path.map(({ san }) => san).join(" ");
    const keep = async (event) => {
      const own = { want: "line", is_white: color === 0, name, moves };
      if ((await this.want(own, this.trouble)) === null) return;
      event.target.replaceWith(" It is asked from now on.");
      this.listLines();
    };
    return [
      make(
        "span",
        { class: "answers" },
        button("Analyse", () => toBoard("study", [START, moves, []], "analyse")),
        button("This is my line", keep),
      ),
    ];
  }

  async listLines() {
    const lines = (await this.want({ want: "lines" })) || [];
    const forget = async (id) => {
      await this.want({ want: "forget_line", id });
      this.listLines();
    };
    const items = lines.map(({ id, line }) => {
      const sans = pairs(line.moves).map(({ san }) => san);
      const side = line.is_white ? "White" : "Black";
      return make(
        "li",
        {},
        `${side}, ${line.name}: ${sans.join(" ")} `,
        button("Forget it", () => forget(id)),
      );
    });
    this.lines ??= make("div");
    $("openings").append(this.lines);
    this.lines.replaceChildren(
      ...(items.length ? [make("h3", {}, "Lines that are yours"), make("ul", {}, ...items)] : []),
    );
  }
}

document.addEventListener("DOMContentLoaded", () => new CoachPage());
