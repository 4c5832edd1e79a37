// The frame: four modes of one page, the rail that leads to them, and the engine behind them all.

const MODES = [
  ["play", "Play"],
  ["analyse", "Analyse"],
  ["games", "Games"],
  ["coach", "Coach"],
];

const isFen = (text) => /^[pnbrqkPNBRQK1-8]+\/\S+\//.test(text);

class App {
  constructor(view, hasOwnGames) {
    Object.assign(this, { view, state: {}, mode: null, hasOwnGames });
    document.body.classList.add("live");
    this.buildRail();
    this.live = new Live(this, view);
    this.start = new Start(this, $("welcome"));
    this.games = new GamesMode(this, $("games-mode"));
    this.coach = new CoachMode(this, $("coach-mode"));
    this.ownGames = new OwnGames(this, $("own-games"));
    this.engine = new Engine((event) => this.hear(event));
    addEventListener("hashchange", () => this.visit());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer.files;
      const text = event.dataTransfer.getData("text");
      if (dropped || text) this.open(dropped ?? text);
    });
    addEventListener("keydown", (event) => {
      if (event.key === "?" && !event.target.matches("input, select, textarea")) this.help();
    });
  }

  buildRail() {
    const link = ([mode, text]) =>
      make("a", { href: "#" + mode, "data-mode": mode }, icon(mode), make("span", {}, text));
    this.links = MODES.map(link);
    const ox = draw("svg", { class: "ox", viewBox: "0 0 24 24", "aria-hidden": "true" });
    ox.append(draw("path", { d: "M3 4c0 4 2 6 5 6h8c3 0 5-2 5-6M8 10c-1 4 0 8 4 12 4-4 5-8 4-12z" }));
    const settings = iconed("settings", "Settings", () => this.live.openSettings());
    $("modes").append(make("a", { href: "#start", "aria-label": "Zebu" }, ox), ...this.links, settings);
    if (this.hasOwnGames)
      this.links
        .at(-1)
        .after(make("a", { href: "#page", "data-mode": "page" }, icon("games"), make("span", {}, "This page")));
    this.notice = make("div", { id: "notice", role: "status", hidden: "" });
    document.body.append(this.notice);
  }

  // Asks the engine, and says what is wrong in `place`; then it promises null.
  async ask(question, place = $("trouble")) {
    place.textContent = "";
    try {
      return await this.engine.ask(question);
    } catch (error) {
      place.textContent = error.message;
      return null;
    }
  }

  // Asks the library.
  want(want, place) {
    return this.ask({ ask: "library", ...want }, place);
  }

  hear(event) {
    const { tell } = event;
    $("lost").hidden = tell !== "lost";
    if (tell === "lost") $("lost").textContent = event.text;
    if (tell === "library") {
      this.state = event.state;
      const { due } = this.state;
      const coach = this.links.at(-1);
      if (due) coach.dataset.due = due;
      else delete coach.dataset.due;
      coach.title = due ? `${counted(due, "exercise")} due today` : "";
    }
    this.live.hear(event);
    this.games.hear(event);
    this.coach.hear(event);
    // Who has a game goes on with it, and others are welcomed.
    if (tell === "game" && this.mode === "start" && location.hash !== "#start") this.visit();
    if (tell === "library" && this.mode === "game") this.refresh();
  }

  // Shows what the address names.
  async visit() {
    const { hash } = location;
    this.view.visited = hash;
    const [, id, ply, lesson] = hash.match(/^#game-(\d+)(?:-ply-(\d+)|-(learn|moments))?$/) ?? [];
    const ofPage = /^#(page|game-page-)/.test(hash);
    const named = MODES.find(([mode]) => hash.startsWith("#" + mode))?.[0];
    const mode = id ? "game" : ofPage ? "page" : (named ?? "start");
    this.enter(
      mode === "play" || (mode === "start" && hash !== "#start") ? (this.live.isBegun ? "play" : "start") : mode,
    );
    if (this.mode === "play") this.live.showTable();
    if (this.mode === "start") this.live.showStart();
    if (this.mode === "analyse") this.live.showStudy();
    if (this.mode === "games") this.games.show();
    if (this.mode === "coach") this.coach.show(hash);
    if (this.mode === "page") await this.visitPage();
    if (this.mode === "game") await this.showGame(+id, +(ply ?? 0), lesson);
  }

  enter(mode) {
    if (mode !== this.mode) this.live.leave();
    this.mode = document.body.dataset.mode = mode;
    for (const link of this.links) {
      const isHere = link.dataset.mode === { start: "play", game: "games" }[mode] || link.dataset.mode === mode;
      link.toggleAttribute("aria-current", isHere);
    }
    $("game").hidden = ["games", "coach", "page"].includes(mode);
    this.live.editor.close();
    $("games-mode").hidden = mode !== "games";
    $("coach-mode").hidden = mode !== "coach";
    $("list").hidden = mode !== "page";
    document.title = `Zebu: ${mode}`;
  }

  async readGame(id) {
    const raw = await this.want({ want: "game", id });
    return raw && new GameData({ ...raw, number: id });
  }

  async showGame(id, ply, lesson) {
    const { view } = this;
    const { hash } = location;
    const isShown = view.game?.number === id;
    const game = isShown ? view.game : await this.readGame(id);
    if (!game || location.hash !== hash) return;
    view.neighbours = [-1, 1].map((step) => this.games.neighbour(id, step));
    view.show(game, ply, !isShown && this.isMine(game, "black"));
    if (lesson) view.learn(lesson === "moments" ? 3 : Infinity);
  }

  // Whether a side of a game is the person's.
  isMine({ sides }, side) {
    const { name } = sides[side === "black" ? 1 : 0];
    const is = (one) => one === "You" || this.state.names?.some((me) => me.toLowerCase() === one.toLowerCase());
    return is(name) && !is(sides[side === "black" ? 0 : 1].name);
  }

  // The game that is shown may have been reviewed meanwhile.
  async refresh() {
    const { view, state } = this;
    const { game, ply } = view;
    if (this.version === state.version || !game?.number || view.lesson) return;
    this.version = state.version;
    const fresh = await this.readGame(game.number);
    if (!fresh || view.game !== game || view.lesson || fresh.nodes === game.nodes) return;
    Object.assign(fresh, { own: game.own, mine: game.mine, past: game.past });
    view.show(fresh, ply, view.turned);
  }

  // Says what happened, with what can be done.
  say(text, ...acts) {
    clearTimeout(this.silence);
    const close = () => {
      this.notice.hidden = true;
    };
    for (const act of acts) act.addEventListener("click", close);
    this.notice.replaceChildren(make("span", {}, text), ...acts);
    this.notice.hidden = false;
    this.silence = setTimeout(close, 12000);
  }

  // Opens a FEN, a text of games or a file. A single game is shown, several are listed.
  async open(source, place = this.games.trouble) {
    const isText = typeof source === "string";
    const words = isText ? source.trim() : "";
    if (isFen(words)) return this.live.openFen(words, place);
    if (/^(https?:\/\/\S+|(www\.)?(lichess\.org|chess\.com)\S*)$/.test(words)) {
      place.textContent =
        "Zebu opens no links. Paste the game itself (on lichess by Share & export, PGN), or bring your games by name.";
      return;
    }
    const found = await this.import(partsOf(textsOf(isText ? new Blob([source]) : source)), place);
    if (!found) return;
    const { ids, broken } = found;
    const none = "There is no game in it. It takes PGN, such as 1. e4 e5 2. Nf3, moves, a FEN, or a file of games.";
    if (!ids.length) place.textContent = broken[0] ?? none;
    else if (ids.length === 1) location.hash = `#game-${ids[0]}`;
    else location.hash = "#games";
    if (ids.length && broken.length) this.say(`${counted(broken.length, "game")} left out or cut. ${broken[0]}`);
  }

  // Sends texts of whole games to the library. Promises the ids of the first ones and what is broken, or null.
  async import(texts, place) {
    const file = Math.floor(Math.random() * 2 ** 32);
    const found = { ids: [], broken: [] };
    const send = async (text, isFirst, isLast) => {
      const part = await this.want({ want: "import", text, file, is_first: isFirst, is_last: isLast }, place);
      found.ids.push(...(part?.ids ?? []));
      found.broken.push(...(part?.broken ?? []));
      return part;
    };
    let count = 0;
    for await (const text of texts) {
      if (!(await send(text, !count, false))) return null;
      count += 1;
    }
    // The last part is empty: who sends a file does not know before its end which one is the last.
    return !count || (await send("\n", false, true)) ? found : null;
  }

  // A dialog to bring games.
  bring() {
    const dialog = make("dialog", { "aria-labelledby": "bring-title" });
    const bring = new Bring(this);
    bring.done = () => dialog.close();
    dialog.append(
      make("h2", { id: "bring-title" }, "Bring games"),
      make("p", { class: "quiet" }, "They stay on this computer."),
      bring.element,
      make(
        "div",
        { class: "answers" },
        button("Close", () => dialog.close(), { class: "plain" }),
      ),
    );
    dialog.addEventListener("close", () => {
      bring.stop();
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  help() {
    const keys = [
      ["← →", "a move back, a move on"],
      ["↑ ↓", "the first and the last position"],
      ["f", "turn the board"],
      ["Ctrl+Z", "undo a change of a game"],
      ["Esc", "forget a move that waits; close a dialog"],
      ["Tab", "to the field for moves: Nf3 and Enter plays"],
      ["?", "this help"],
    ];
    const rows = keys.map(([key, text]) => make("tr", {}, make("th", {}, key), make("td", {}, text)));
    const dialog = make("dialog", { "aria-label": "Keys" }, make("h2", {}, "Keys"), make("table", {}, ...rows));
    dialog.append(
      make(
        "div",
        { class: "answers" },
        button("Close", () => dialog.close()),
      ),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
