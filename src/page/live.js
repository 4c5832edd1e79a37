// Playing and analysing: the game in hand, and the engine's lines for what is shown.

const CLOCKS = ["1+0", "2+1", "3+2", "5+3", "10+5", "15+10", "30+20"];

const JUDGED = ["inaccuracy", "mistake", "blunder"];

function clockText(left) {
  const tenths = left < 10000;
  const all = tenths ? left / 1000 : Math.ceil(left / 1000);
  const part = (number) => String(Math.floor(number) % 60).padStart(2, "0");
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor(all / 60) % 60;
  return (
    `${hours ? hours + ":" + part(all / 60) : minutes}:${part(all)}` +
    (tenths ? "." + (Math.floor(left / 100) % 10) : "")
  );
}

class Live {
  constructor(app, view) {
    Object.assign(this, { app, view, number: 0, levels: [] });
    view.live = this;
    this.isOn = kept("engine", "on") === "on";
    this.isLoud = kept("sound", "off") === "on";
    this.buildSettings();
    this.buildPlay();
    this.buildAnalysis();
    this.editor = new Editor(this);
    this.study = this.restored();
    // Another tab may have taken the engine.
    document.addEventListener("visibilitychange", () => {
      this.tick();
      if (!document.hidden) this.look();
    });
    addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.takeNothing();
    });
    addEventListener("pagehide", () =>
      sessionStorage.setItem(
        "study",
        JSON.stringify([
          this.study.start,
          this.study.moves.map(({ uci }) => uci),
          this.study.own,
          this.study.tags,
          this.study.mine,
        ]),
      ),
    );
  }

  ask(question, place) {
    return this.app.ask(question, place);
  }

  hear(event) {
    const { tell } = event;
    if (tell === "hello" || tell === "settings") {
      this.takeSettings(event);
      this.look();
    }
    if (tell === "game") this.sit(event);
    if (tell === "lines" && event.number === this.number) this.showLines(event);
    if (tell === "hint") this.showHint(event);
    if (tell === "judged") this.showJudged(event);
    if (tell === "say") $("trouble").textContent = event.text;
    if (tell === "library") this.summarise();
  }

  // Whether the library has a game, and with it what the person adds.
  keeps({ number }) {
    return Number.isInteger(number) && this.app.mode === "game";
  }

  keepOwn(id, own) {
    this.app.want({ want: "edit", id, own });
  }

  // Another mode is entered.
  leave() {
    clearTimeout(this.looking);
    this.number += 1;
    this.ask({ ask: "stop" });
    $("verdict").replaceChildren();
    $("san").value = $("trouble").textContent = "";
    this.editor.close();
  }

  // The first page has the board already.
  showStart() {
    const empty = this.begun(START);
    empty.address = location.hash;
    this.view.show(empty, 0);
  }

  showStudy() {
    this.view.show(this.study, Math.min(this.at ?? Infinity, this.study.moves.length));
  }

  // Settings, which are not beside the board.

  buildSettings() {
    const set = (field) => {
      field.addEventListener("change", () => this.set());
      return field;
    };
    const numbers = (list, unit = "") => list.map((value) => [value, value + unit]);
    this.lines = set(choice(numbers([1, 2, 3, 4, 5]), 3));
    this.threads = set(choice([[1, 1]], 1));
    const sizes = [16, 64, 256, 1024, 4096].filter((size) => size <= Engine.mostMemory);
    this.hash = set(choice(numbers(sizes, " MB"), 64));
    this.paced = set(check(true));
    this.judges = set(check(false));
    this.sound = check(this.isLoud);
    this.sound.addEventListener("change", () => {
      this.isLoud = this.sound.checked;
      keep("sound", this.isLoud ? "on" : "off");
      this.click("move");
    });
  }

  openSettings() {
    this.view.look.open([
      labelled("Judge my moves", this.judges),
      labelled("Zebu takes its time", this.paced),
      labelled("Sound", this.sound),
      labelled("Lines of analysis", this.lines),
      labelled("Threads", this.threads),
      labelled("Memory", this.hash),
      ...(this.keptIn ? [make("p", { class: "quiet" }, `Your games are in ${this.keptIn}`)] : []),
    ]);
  }

  // Playing.

  buildPlay() {
    const act = (name, text, ask) =>
      iconed(name, text, () => this.ask({ ask }).then((said) => said && this.view.say(said)));
    const running = (element) => {
      element.classList.add("while-playing");
      return element;
    };
    const input = make("input", {
      id: "san",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      size: "8",
    });
    const typed = make("form", { class: "typed" }, labelled("Type a move", input), make("button", {}, "Play it"));
    typed.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.type(input.value.trim())) input.value = "";
      else input.select();
    });
    const resign = async () => (await sure("Resign this game?", "Resign it")) && this.ask({ ask: "resign" });
    const acts = make(
      "div",
      { class: "acts in-play" },
      act("back", "Take back", "take_back"),
      running(act("hint", "Hint", "hint")),
      running(act("draw", "Offer draw", "offer_draw")),
      running(iconed("resign", "Resign", resign)),
    );
    $("acts").append(
      acts,
      make(
        "div",
        { class: "in-play" },
        button("New game", () => this.openTerms(null), { class: "plain" }),
      ),
    );
    $("desk").append(typed, make("p", { id: "trouble", class: "wrong", role: "alert" }));
    $("status").after(make("p", { id: "verdict", "aria-live": "polite" }));
    this.terms = make("dialog", { "aria-labelledby": "terms-title" });
    document.body.append(this.terms);
  }

  // The form of a new game, perhaps from a position.
  openTerms(from) {
    const last = this.table?.terms ?? {};
    const side = choice(
      [
        ["white", "White"],
        ["black", "Black"],
        ["", "Chance decides"],
      ],
      last.zebu_is_white === true ? "black" : "white",
    );
    const level = choice(
      [...this.levels.map(([elo, title]) => [elo, `${elo}: ${title}`]), ["", "Full strength"]],
      last.elo ?? "",
    );
    const clock = choice(
      [
        ["", "No clock"],
        ...CLOCKS.map((clock) => [clock, clock.replace("+", " min + ") + " s"]),
        ["own", "A clock of your own"],
      ],
      !last.clock || CLOCKS.includes(last.clock) ? (last.clock ?? "") : "own",
    );
    const [lastMinutes, lastSeconds] = (last.clock ?? "3+2").split("+");
    const number = (value, least, most) =>
      make("input", { type: "number", min: least, max: most, step: "any", value: String(value) });
    const minutes = number(lastMinutes, "0", "180");
    const increment = number(lastSeconds ?? 0, "0", "60");
    const own = make(
      "div",
      { class: "own-clock" },
      labelled("Minutes each", minutes),
      labelled("Seconds a move more", increment),
    );
    const showOwn = () => {
      own.hidden = clock.value !== "own";
    };
    clock.addEventListener("change", showOwn);
    showOwn();
    const ends = this.table?.game.moves && !this.table.over;
    const seconds = make("input", {
      type: "number",
      min: "0.1",
      max: "600",
      step: "0.1",
      value: String((last.move_time ?? 1000) / 1000),
    });
    const wild = check(false);
    const trouble = make("p", { class: "wrong", role: "alert" });
    const form = make(
      "form",
      {},
      make("h2", { id: "terms-title" }, from ? "Play from here" : "New game"),
      labelled("You play", side),
      labelled("Zebu's level", level),
      labelled("Clock", clock),
      own,
      labelled("Seconds for Zebu's move, without a clock", seconds),
      ...(from ? [] : [labelled("Chess960", wild)]),
      ...(ends ? [make("p", { class: "quiet" }, "The game in hand ends unfinished. It stays among your games.")] : []),
      trouble,
      make(
        "div",
        { class: "answers" },
        make("button", {}, "Play"),
        button("Cancel", () => this.terms.close()),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const start = from?.start ?? (wild.checked ? shuffled() : null);
      const match = {
        zebu_is_white: side.value ? side.value === "black" : null,
        elo: level.value ? +level.value : null,
        clock: (clock.value === "own" ? `${+minutes.value}+${+increment.value}` : clock.value) || null,
        move_time: Math.round(seconds.value * 1000) || null,
        start,
        moves: from?.moves ?? [],
      };
      if (await this.play(match, trouble)) this.terms.close();
    });
    this.terms.replaceChildren(form);
    this.terms.showModal();
  }

  // Begins a game. Promises whether it may begin.
  async play(match, place) {
    if ((await this.ask({ ask: "play", ...match }, place)) === null) return false;
    this.isBegun = true;
    if (location.hash === "#play") this.app.visit();
    else location.hash = "#play";
    return true;
  }

  takeSettings({ settings, most_threads, levels, kept_in }) {
    this.levels = levels ?? this.levels;
    this.keptIn = kept_in ?? this.keptIn;
    if (most_threads)
      this.threads.replaceChildren(
        ...[...Array(most_threads).keys()].map((i) => make("option", { value: i + 1 }, i + 1)),
      );
    this.paced.checked = settings.takes_its_time;
    this.judges.checked = settings.judges;
    this.lines.value = settings.lines;
    this.threads.value = settings.threads;
    this.hash.value = settings.hash;
  }

  set() {
    this.ask({
      ask: "set",
      lines: +this.lines.value,
      threads: +this.threads.value,
      hash: +this.hash.value,
      takes_its_time: this.paced.checked,
      judges: this.judges.checked,
    });
  }

  // The game in hand is this one now.
  sit(table) {
    const before = this.table;
    const { sides } = table.game;
    const zebu = table.zebu_is_white ? 0 : 1;
    sides[zebu].name = table.terms.elo ? `Zebu (${table.terms.elo})` : "Zebu";
    if (/^(White|Black|Player)$/.test(sides[1 - zebu].name)) sides[1 - zebu].name = "You";
    const game = new GameData(table.game);
    game.address = "#play";
    Object.assign(this, { table, since: performance.now(), playing: game });
    const count = before?.game.moves.length ?? 0;
    if (before && table.game.moves.length > count) {
      const last = game.moves.at(-1)?.san ?? "";
      this.click(/[+#]$/.test(last) ? "check" : last.includes("x") ? "capture" : "move");
    }
    document.body.classList.toggle("over", !!table.over);
    Object.assign(game.notes, table.notes);
    this.isBegun ||= game.moves.length > 0;
    if (this.isPlaying) this.showTable(before);
    this.summarise();
  }

  showTable(before = null) {
    const { view, table, playing } = this;
    const isSame =
      before &&
      before.zebu_is_white === table.zebu_is_white &&
      before.game.start === table.game.start &&
      view.game?.address === "#play";
    view.show(playing, playing.moves.length, isSame ? view.turned : table.zebu_is_white);
    $("ways").hidden = true;
    const { premoved } = this;
    if (table.thinks || table.over || !premoved) return;
    this.premoved = null;
    view.repaint();
    if (legalMoves(view.spot.position, view.spot.state).includes(premoved)) this.take(premoved);
  }

  get isPlaying() {
    return this.app.mode === "play";
  }
  get isAtEnd() {
    return this.view.ply === this.playing?.moves.length && !this.view.aside;
  }
  get waiting() {
    return this.isPlaying && this.premoved ? [this.premoved.slice(0, 2), this.premoved.slice(2, 4)] : [];
  }

  owns(square) {
    if (!this.isPlaying) return undefined;
    const letter = this.view.spot.position[square];
    return !!letter && isWhite(letter) !== this.table.zebu_is_white && this.isAtEnd && !this.table.over;
  }

  targets(from) {
    return this.isPlaying && this.table.thinks
      ? premoves(this.view.spot.position, !this.table.zebu_is_white, from)
      : undefined;
  }

  // Takes a move on the board of the game in hand.
  take(move) {
    $("trouble").textContent = "";
    if (!this.isPlaying) return false;
    if (this.table.thinks) {
      this.premoved = move;
      this.view.repaint();
    } else {
      this.ask({ ask: "move", mv: move, ply: this.playing.moves.length });
    }
    return true;
  }

  // Forgets the move that waits.
  takeNothing() {
    if (!this.premoved) return;
    this.premoved = null;
    this.view.repaint();
  }

  // A move in words, or by its squares, which for castling are the king's. Whether it is one.
  type(text) {
    const { position, state } = this.view.spot;
    const legal = legalMoves(position, state);
    const squares = (move) => move.slice(0, 2) + target(position, move) + move.slice(4);
    const move = legal.includes(text)
      ? text
      : (legal.find((move) => squares(move) === text) ?? moveOf(position, state, text));
    const trouble = $("trouble");
    const pieces = legal.filter((move) => move.length > 4 && [move.slice(0, 4), move.slice(2, 4)].includes(text));
    trouble.textContent = "";
    if (this.isPlaying && (!this.isAtEnd || this.table.over || this.table.thinks))
      trouble.textContent = "It is not your move.";
    else if (pieces.length)
      trouble.textContent = `${text} needs the piece that the pawn becomes: ${[..."QRBN"].map((piece) => text + "=" + piece).join(", ")}.`;
    else if (!move) trouble.textContent = `${text || "That"} is not a legal move.`;
    else this.view.play(move);
    return !!move;
  }

  // What stands beside the board of the game in hand.
  explains() {
    if (!this.isPlaying || !this.table) return false;
    const { view, table, playing } = this;
    const last = playing.moves.length ? [make("b", {}, playing.name(playing.moves.length)), ". "] : [];
    $("moment-graph").replaceChildren();
    if (!this.isAtEnd) {
      const to = button(table.over ? "To its end" : "To the last move", () => view.go(playing.moves.length));
      view.say(make("b", {}, playing.name(view.ply)), " ", make("span", { class: "answers" }, to));
    } else if (table.over) {
      view.say(make("h2", {}, table.over), ...this.summary());
      const { reviewed } = this;
      if (reviewed)
        drawGraph($("moment-graph"), reviewed, (ply) => location.assign(`#game-${reviewed.number}-ply-${ply}`));
    } else {
      view.say(...last, table.thinks ? "Zebu is thinking." : "Your move.");
    }
    return true;
  }

  // Another game on the same terms, with the other side.
  again() {
    const { terms, zebu_is_white } = this.table;
    this.play({ ...terms, zebu_is_white: !zebu_is_white, moves: [] });
  }

  // Looks what the analysis of the game that has ended came to.
  async summarise() {
    const { app, table, playing } = this;
    const { played, version, analysing } = app.state;
    if (!table?.over) {
      this.reviewed = this.seen = null;
      return;
    }
    if (!this.isPlaying || played === null || played === undefined) return;
    const seen = `${played} ${version} ${analysing?.done}`;
    if (this.seen === seen || (this.reviewed?.nodes && this.reviewed.number === played)) return;
    this.seen = seen;
    const game = await app.readGame(played);
    if (!game || this.table !== table || game.moves.length !== playing.moves.length) return;
    this.reviewed = game.nodes ? game : null;
    if (this.isPlaying && this.isAtEnd) this.explains();
  }

  // How the game went, and the moments that decided it.
  summary() {
    const { reviewed: game, table, app } = this;
    const again = button("Again with colours changed", () => this.again());
    const fresh = button("New game", () => this.openTerms(null), { class: "plain" });
    if (!this.playing.moves.length) return [make("div", { class: "answers" }, again, fresh)];
    if (!game) {
      const { analysing } = app.state;
      const share = analysing ? ` ${Math.round((100 * analysing.done) / analysing.all)} %` : "";
      return [
        make("p", { class: "quiet" }, `Zebu looks through the game …${share}`),
        make("div", { class: "answers" }, again, fresh),
      ];
    }
    const zebu = table.zebu_is_white ? 0 : 1;
    const told = (name, { accuracy, counts }) =>
      make(
        "p",
        { class: "told" },
        make("b", {}, `${name}: `),
        accuracy === null ? "no moves" : `${accuracy.toFixed(1)}% accuracy`,
        ...counts.flatMap((count, i) =>
          count ? [", ", make("b", { class: JUDGED[i] }, `${count} ${["?!", "?", "??"][i]}`)] : [],
        ),
      );
    const moments = momentsOf(game, (ply) => game.whiteToMove(ply - 1) !== table.zebu_is_white);
    const open = button(
      moments.length === 1 ? "See the moment that decided it" : `See the ${moments.length} moments that decided it`,
      () => {
        location.hash = `#game-${game.number}-moments`;
      },
      { class: "primary" },
    );
    const names = moments.map(([ply, note]) =>
      make("span", { class: `chip ${note.judgement}` }, game.name(ply) + note.sign),
    );
    const exercises = moments.length
      ? "You are asked each; what you missed comes back in the coach's exercises."
      : "None of your moves lost much.";
    return [
      told("You", game.sides[1 - zebu]),
      told("Zebu", game.sides[zebu]),
      make("p", { class: "chips" }, ...names),
      make("p", { class: "quiet" }, exercises),
      make("div", { class: "answers" }, ...(moments.length ? [open] : []), again, fresh),
    ];
  }

  // A move that may not be made says why.
  refuse(why) {
    if (!this.isPlaying || !this.table.thinks) $("trouble").textContent = why;
  }

  showHint({ ply, mv, text }) {
    if (!this.isPlaying || ply !== this.playing.moves.length) return;
    const { view } = this;
    if (mv) view.pointed = [[mv.slice(0, 2), target(view.spot.position, mv), "best"]];
    view.repaint();
    view.say(text);
  }

  showJudged({ ply, note, name, words }) {
    const move = this.playing.moves[ply - 1];
    if (!move) return;
    this.playing.notes[ply] = note;
    if (!this.isPlaying) return;
    $("verdict").replaceChildren(
      make("b", { class: note.praise ? "praise" : (note.judgement ?? "") }, name),
      ` ${words}`,
    );
    this.view.list();
    this.view.markMoves();
  }

  // Updates visible, running clocks.
  tick() {
    clearTimeout(this.ticking);
    const { table, playing } = this;
    if (!table?.left || !this.isPlaying || !this.isAtEnd) return;
    const whiteMoves = playing.whiteToMove(playing.moves.length);
    const gone = table.runs ? performance.now() - this.since : 0;
    const left = table.left.map((left, i) => Math.max(left - (whiteMoves === (i === 0) ? gone : 0), 0));
    ["white", "black"].forEach((side, i) => {
      document.querySelector(`.clock[data-side=${side}]`).textContent = clockText(left[i]);
    });
    if (table.runs && !document.hidden)
      this.ticking = setTimeout(() => this.tick(), Math.min(...left) < 10500 ? 100 : 250);
  }

  // A move is heard; captures are lower and checks higher.
  click(kind) {
    if (!this.isLoud) return;
    this.audio ??= new AudioContext();
    const tone = this.audio.createOscillator();
    const volume = this.audio.createGain();
    const now = this.audio.currentTime;
    const [pitch, length] = { move: [420, 0.09], capture: [240, 0.16], check: [720, 0.22] }[kind];
    tone.type = kind === "capture" ? "triangle" : "sine";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.2, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + length);
    tone.connect(volume).connect(this.audio.destination);
    tone.start(now);
    tone.stop(now + length + 0.01);
  }

  // Analysing.

  buildAnalysis() {
    this.toggle = button(
      "Engine on",
      () => {
        this.isOn = !this.isOn;
        keep("engine", this.isOn ? "on" : "off");
        this.isOn ? this.look() : this.ask({ ask: "stop" });
        this.label();
      },
      { "aria-pressed": "true" },
    );
    this.facts = make("span", { class: "quiet" });
    this.found = make("ol", { class: "found" });
    $("engine").append(make("div", { class: "tools" }, this.toggle, this.facts), this.found);
    const fen = make("input", { id: "fen", size: "40", autocomplete: "off", spellcheck: "false" });
    const trouble = make("span", { class: "wrong", role: "alert" });
    const place = make(
      "form",
      { class: "tools in-analyse" },
      labelled("FEN or PGN", fen),
      make("button", {}, "Show"),
      button("Edit the position", () => this.editor.open(), { class: "plain" }),
      button("Start anew", () => this.openFen(START), { class: "plain" }),
      trouble,
    );
    place.addEventListener("submit", (event) => {
      event.preventDefault();
      this.app.open(fen.value, trouble);
    });
    $("desk").append(
      place,
      make(
        "div",
        { class: "tools not-in-play" },
        button("Play from here", () => this.openTerms({ start: this.view.game.start, moves: this.view.way })),
        button("Keep this game", () => this.app.open(pgnOf(this.view.game), trouble), { class: "in-analyse" }),
        button(
          "Analyse this game",
          () => this.app.want({ want: "analyse", games: [this.view.game.number], nodes: 200_000 }),
          {
            class: "in-game",
          },
        ),
      ),
    );
  }

  label() {
    this.toggle.textContent = this.isOn ? "Engine on" : "Engine off";
    this.toggle.setAttribute("aria-pressed", this.isOn);
    this.found.hidden = !this.isOn;
    this.facts.textContent = "";
  }

  // The analysis that the tab was left with.
  restored() {
    const [start, moves, own, tags, mine] = JSON.parse(sessionStorage.getItem("study") ?? "null") ?? [START, [], []];
    const study = this.begun(start, moves, own, tags);
    study.mine = mine ?? {};
    return study;
  }

  begun(start, moves = [], own = [], tags = []) {
    const game = GameData.blank(start, tags);
    game.isOpen = true;
    game.address = "#analyse";
    moves.forEach((uci) => game.append(uci));
    game.own = own;
    return game;
  }

  // Analyses a FEN, which the engine checks. What was analysed before is kept among the games.
  async openFen(text, trouble = $("trouble")) {
    const [board, side = "w", castling = "-", passed = "-", quiet = "0", number = "1"] = text.split(/\s+/);
    const start = [board, side, castling, passed, quiet, number].join(" ");
    this.number += 1;
    if ((await this.ask({ ask: "look", number: this.number, start, moves: [] }, trouble)) === null) return;
    const { study } = this;
    if (study.moves.length || study.own.length) {
      if (!study.tags.length) study.tags.push(["Event", "Analysis"]);
      await this.app.import([pgnOf(study)], trouble);
    }
    this.begin(this.begun(start), side === "b");
  }

  // Analyses a line from the start.
  openMoves(moves) {
    this.begin(this.begun(START, moves));
  }

  begin(study, turned = false) {
    this.editor.close();
    $("verdict").replaceChildren();
    this.at = undefined;
    this.study = study;
    if (this.app.mode === "analyse") this.view.show(study, study.moves.length, turned);
    else location.hash = "#analyse";
  }

  // Opens the editor of positions.
  async setUp() {
    location.hash = "#analyse";
    await this.app.visit();
    this.editor.open();
  }

  // A position is on the board: the engine looks at it too.
  shown() {
    this.tick();
    this.look();
    const { game, lesson } = this.view;
    this.app.ownGames.show(this.looks && !lesson && game?.start === START ? this.view.way : null);
  }

  // Whether the engine analyses what is shown.
  get looks() {
    return this.app.mode === "analyse" || this.app.mode === "game";
  }

  look() {
    clearTimeout(this.looking);
    // Lines of what was shown before come too late.
    this.number += 1;
    if (!this.view.game || !this.looks || !this.isOn || this.view.lesson || this.editor.isOpen) return;
    // Who steps through a game fast sees no lines on the way.
    this.looking = setTimeout(
      () =>
        this.ask({ ask: "look", number: this.number, start: this.view.game.start, moves: this.view.way }, this.facts),
      40,
    );
  }

  // Looks for what answers a wrong try in a lesson.
  refutes(start, moves) {
    this.number += 1;
    this.ask({ ask: "look", number: this.number, start, moves });
  }

  showLines({ depth, nodes, speed, over, lines, note }) {
    const { view } = this;
    const { game, ply, aside } = view;
    if (view.lesson && lines[0]?.moves && (over || depth >= 10)) {
      this.number += 1;
      this.ask({ ask: "stop" });
      view.lesson.refute(pairs(lines[0].moves));
    }
    if (view.lesson || !this.isOn || !this.looks) return;
    this.facts.textContent = lines.length
      ? `depth ${depth} · ${short(nodes)} nodes · ${short(speed)}/s${over ? " · done" : ""}`
      : "";
    const way = aside ? view.path.moves.slice(0, aside) : [];
    const paths = lines.map(({ moves }) => ({ ply, moves: [...way, ...pairs(moves)] }));
    const best = lines[0];
    if (best) view.measure(best.win, best.score);
    if (game.isOpen && !aside && best) {
      game.scores[ply] = best.score;
      if (view.buttons[ply]) view.buttons[ply].lastChild.textContent = best.score;
    }
    // What is read or chosen just now stays.
    if (!this.found.matches(":hover, :focus-within")) {
      this.found.replaceChildren(
        ...lines.map(({ score }, i) =>
          make("li", {}, make("b", { class: "score" }, score), " ", view.row(paths[i], way.length)),
        ),
      );
      if (aside) view.markMoves();
    }
    const pointed = paths.flatMap(({ moves }, i) =>
      moves[way.length]
        ? [[moves[way.length].uci.slice(0, 2), target(view.spot.position, moves[way.length].uci), i ? "other" : "best"]]
        : [],
    );
    if (String(pointed) !== String(view.pointed)) {
      view.pointed = pointed.reverse();
      if (!view.hand.picked) view.repaint();
    }
    if (note) this.judge(note);
  }

  // What the move that led here was worth.
  judge(note) {
    const { view } = this;
    const { game, ply, aside, path } = view;
    const move = aside ? path.moves[aside - 1] : game.moves[ply - 1];
    const words = judged(move.san, note);
    if (!game.isOpen && !aside) return;
    if (aside) path.notes ??= {};
    const place = aside ? path.notes : game.notes;
    const key = aside || ply;
    const before = place[key];
    place[key] = note;
    $("verdict").replaceChildren(...words);
    if (!aside && (before?.judgement !== note.judgement || before?.why !== note.why)) {
      view.list();
      view.markMoves();
    }
  }
}
