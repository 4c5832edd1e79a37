// The list of games at an engine: what is dropped, pasted or chosen is there at once, and what is wanted of it is
// analysed.

// The most games that are asked for at once.
const MOST_TEXTS = 500;

const duration = (seconds) =>
  seconds < 60
    ? `${Math.ceil(seconds)} s`
    : seconds < 3600
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`;

class Reviews {
  constructor(live, list) {
    Object.assign(this, { live, list, had: 0, wanted: 0, byNumber: new Map() });
    this.text = make("textarea", {
      rows: "3",
      placeholder: "Paste games in PGN, or drop a file anywhere on this page",
      "aria-label": "Games in PGN",
    });
    const file = make("input", { type: "file", accept: ".pgn,text/plain", "aria-label": "A file of games" });
    file.addEventListener("change", () => file.files[0] && this.open(file.files[0]));
    this.time = choice(
      [
        [100, "0.1 s"],
        [500, "0.5 s"],
        [2000, "2 s"],
        [10000, "10 s"],
      ],
      kept("review-time", 500),
    );
    this.time.addEventListener("change", () => keep("review-time", this.time.value));
    this.stop = button("Stop", () => live.ask({ ask: "stop_review" }), { hidden: "" });
    this.bar = make("progress", { max: "1", value: "0", hidden: "", "aria-label": "Progress of the review" });
    this.said = make("p", { role: "status" });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    this.start = button("Analyse", () => this.review(this.found.map(({ number }) => number)), { id: "analyse-found" });
    this.remove = button("Delete", () => this.drop(this.found));
    this.page = button("Save as a page", () => this.savePage());
    $("list").prepend(
      make(
        "section",
        { class: "drop" },
        this.text,
        make(
          "div",
          { class: "tools" },
          button("Open", () => this.open(this.text.value)),
          file,
        ),
        this.trouble,
      ),
      make(
        "div",
        { class: "tools of-games" },
        this.start,
        labelled("Time for each position", this.time),
        this.stop,
        this.remove,
        this.page,
      ),
      this.bar,
      this.said,
    );
    list.textsOf = (games, tell) => this.textsOf(games, tell);
    this.one = button("Analyse this game", () => this.review([live.view.game.number]), { class: "in-review" });
    $("desk").append(make("div", { class: "tools in-review" }, this.one));
    document.body.classList.toggle("no-games", !live.games.length);
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer.files;
      const text = event.dataTransfer.getData("text");
      if (dropped) this.open(dropped);
      else if (text) this.open(text);
    });
  }

  // Opens a file or a text: its games are in the list as they are read. A single one is shown.
  async open(source, trouble = this.trouble) {
    trouble.textContent = "";
    const isText = typeof source === "string";
    const words = isText ? source.trim() : "";
    if (isFen(words)) return this.live.open(words, trouble);
    if (/^(https?:\/\/\S+|(www\.)?(lichess\.org|chess\.com)\S*)$/.test(words)) {
      trouble.textContent =
        "Zebu opens no links: it never goes on the net. Download the game there (on lichess by Share & export, PGN), and paste or drop it here.";
      return;
    }
    if (trouble === this.trouble) location.hash = "#review";
    const numbers = [];
    const broken = [];
    let lines = 0;
    for await (const pgn of partsOf(isText ? new Blob([source]) : source)) {
      const added = await this.live.ask({ ask: "add", pgn, games: numbers.length, lines }, trouble);
      if (added === null) return;
      this.wanted = Math.max(this.wanted, added.edition);
      numbers.push(...added.numbers);
      broken.push(...added.broken);
      lines += pgn.split("\n").length - 1;
      if (!isText) this.said.textContent = `${counted(numbers.length)} read`;
      await this.fetch();
    }
    this.said.textContent = "";
    if (!numbers.length && !broken.length)
      trouble.textContent =
        "There is no game in it. It takes PGN, such as 1. e4 e5 2. Nf3, moves, a FEN, or a file of games.";
    else if (numbers.length) this.text.value = "";
    // Of a single game it is told what is wrong before anything else, and of others below the list.
    const isOne = broken.length === 1 && numbers.length < 2;
    const more = broken.length > 5 ? [`And ${broken.length - 5} more are broken.`] : [];
    document.querySelectorAll("#list > .wrong").forEach((wrong) => wrong.remove());
    const listed = isOne ? [] : [...broken.slice(0, 5), ...more];
    $("list").append(...listed.map((text) => make("p", { class: "wrong" }, text)));
    if (numbers.length === 1 && !broken.length) location.hash = "#game-" + numbers[0];
    else if (numbers.length) location.hash = "#review";
    if (broken.length && numbers.length < 2) (numbers.length ? this.trouble : trouble).textContent = broken[0];
  }

  // Analyses games. Another review ends only if one says so.
  async review(numbers) {
    const games = numbers.filter((number) => this.byNumber.has(number));
    if (!games.length) {
      this.trouble.textContent = "Games that came with the page are analysed already.";
      return;
    }
    const question = "Another review runs. It ends, and what it has analysed stays. Begin this one?";
    if (this.runs && !(await sure(question, "Begin"))) return;
    await this.live.ask({ ask: "review", games, time: +this.time.value }, this.trouble);
  }

  async drop(found) {
    const question = `Delete ${counted(found.length)} and their analyses for ever?`;
    if (!(await sure(question, "Delete"))) return;
    await this.live.ask({ ask: "delete", games: found.map(({ number }) => number) }, this.trouble);
  }

  async savePage() {
    const page = await this.live.ask({ ask: "page", games: this.found.map(({ number }) => number) }, this.trouble);
    if (page) save(page, "games.html", "text/html");
  }

  // Promises the PGN of games, or null and says what is wrong. What one changed oneself is known here alone.
  async textsOf(games, tell) {
    const all = [];
    this.trouble.textContent = "";
    while (all.length < games.length) {
      const next = games.slice(all.length, all.length + MOST_TEXTS);
      const isOfPage = ({ number }) => !this.byNumber.has(number);
      if (isOfPage(next[0])) {
        all.push(pgnOf(await next[0].game()));
        continue;
      }
      const end = next.findIndex(isOfPage);
      const some = end < 0 ? next : next.slice(0, end);
      const numbers = some.map(({ number }) => number);
      const texts = await this.live.ask({ ask: "pgn", games: numbers }, this.trouble);
      if (!texts?.length) return null;
      for (const [i, text] of texts.entries()) {
        const isOwn = text && kept(`own ${location.pathname} ${numbers[i]}`, "");
        all.push(isOwn ? pgnOf(await some[i].game()) : text);
      }
      tell(all.length);
    }
    return all.filter(Boolean);
  }

  hear({ runs, done, left, edition, seen, text }) {
    this.runs = runs;
    this.bar.value = done;
    this.bar.hidden = this.stop.hidden = !runs;
    if (text) this.said.textContent = text + (left === null ? "" : `, about ${duration(left)} left`);
    this.wanted = Math.max(this.wanted, edition);
    this.mark(seen);
    this.fetch();
  }

  // An engine that begins counts from the start. The games that came with the page stay.
  forget() {
    const { games } = this.live;
    const ofPage = games.filter(({ number }) => !this.byNumber.has(number));
    games.splice(0, games.length, ...ofPage);
    this.had = this.wanted = 0;
    this.byNumber.clear();
  }

  // The scores of moves as they are found.
  mark(seen) {
    const { view } = this.live;
    let isShown = false;
    for (const { number, ply, score, win, line } of seen) {
      const game = this.byNumber.get(number)?.opened;
      if (!game) continue;
      game.scores[ply] = score;
      game.wins[ply] = win;
      game.paths[ply] = { ply, moves: pairs(line) };
      if (view.game !== game || view.lesson) continue;
      isShown = true;
      if (view.buttons[ply]) view.buttons[ply].lastChild.textContent = score;
    }
    if (!isShown || this.live.isPlaying) return;
    view.graph();
    view.mark(view.ply);
  }

  // What changed in the list and is not here yet.
  async fetch() {
    this.fetching ??= this.fetchAll().finally(() => {
      this.fetching = null;
    });
    await this.fetching;
  }

  async fetchAll() {
    const changed = [];
    const { live, byNumber } = this;
    while (this.had < this.wanted) {
      const items = await live.ask({ ask: "items", after: this.had }, this.trouble);
      if (!items?.length) break;
      for (const { edition, number, head } of items) {
        this.had = edition;
        changed.push(number);
        const old = byNumber.get(number);
        if (!head) {
          byNumber.delete(number);
          if (old) live.games.splice(live.games.indexOf(old), 1);
          continue;
        }
        const listed = new Listed(head, () => live.ask({ ask: "game", number }));
        byNumber.set(number, listed);
        if (old) live.games[live.games.indexOf(old)] = listed;
        else live.games.push(listed);
      }
    }
    if (changed.length) this.show(changed);
  }

  async show(changed) {
    const { live } = this;
    const { view } = live;
    document.body.classList.toggle("no-games", !live.games.length);
    this.list.show();
    // Who waits for one of them sees it, and who looks at one sees what it is now.
    if (live.mode === "review" && /^#game-/.test(location.hash)) {
      if ($("game").hidden) live.visit();
      else if (changed.includes(view.game?.number) && !view.lesson) {
        const listed = this.byNumber.get(view.game.number);
        const { ply, game } = view;
        if (!listed) {
          location.hash = "#review";
        } else {
          const fresh = await listed.game();
          if (view.game === game && !view.lesson) {
            Object.assign(fresh, { own: game.own, mine: game.mine, past: game.past });
            view.index = live.games.indexOf(listed);
            view.show(fresh, ply, view.turned);
          }
        }
      }
    }
    if (changed.includes(live.table?.number)) live.summarise();
    this.label(this.list.found);
  }

  // What the buttons would do.
  label(listed) {
    // The engine has nothing of the games that came with the page.
    const found = listed.filter(({ number }) => this.byNumber.has(number));
    this.found = found;
    const all = found.length === this.byNumber.size;
    this.start.textContent = `Analyse ${all ? (found.length === 1 ? "this game" : `all ${counted(found.length)}`) : `these ${counted(found.length)}`}`;
    this.remove.textContent = all && found.length > 1 ? "Delete all" : "Delete";
    for (const element of [this.start, this.remove, this.page, this.live.coach.mine]) element.disabled = !found.length;
  }

  get(number) {
    return this.byNumber.get(number);
  }
}
