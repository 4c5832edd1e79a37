// The list of games. A row is made when it is nearly seen, and a game is read when it is opened.

// What the list needs of a game's JSON, without reading the rest. Inside of strings a quote has a backslash.
function headOf(json) {
  const head = JSON.parse(`${json.slice(0, json.indexOf(',"start":'))}}`);
  const from = json.indexOf(',"moves":"') + 10;
  const moves = json.slice(from, json.indexOf('"', from));
  const plies = moves ? moves.split(" ").length >> 1 : 0;
  const scores = json.indexOf(',"scores":[', from) + 11;
  return { ...head, plies, analysed: json[scores] !== "]" };
}

class Listed {
  static recent = [];

  static parts = new Map();

  // The games of a file beside the page: each one's JSON by its number.
  static take(games) {
    Listed.taken = games;
  }

  // Promises a game of such a file. A few files stay in memory.
  static async of(file, number) {
    const { parts } = Listed;
    if (!parts.has(file)) {
      await new Promise((resolve, reject) => {
        const script = make("script", { src: file });
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => reject(new Error(`${file} is not beside this page.`)));
        document.head.append(script);
        script.remove();
      });
      parts.set(file, Listed.taken);
      if (parts.size > 4) parts.delete(parts.keys().next().value);
    }
    return JSON.parse(parts.get(file)[number]);
  }

  // `read` promises the JSON of the whole game as an object.
  constructor(head, read) {
    Object.assign(this, head);
    this.read = read;
    this.sides = shownSides(head.sides);
    this.tag = Object.fromEntries(head.tags);
    this.date = dated(this.tag.Date ?? this.tag.UTCDate);
    this.event = known(this.tag.Event);
    this.moves = Math.ceil(head.plies / 2);
    const ratings = ["WhiteElo", "BlackElo"].map((name) => known(this.tag[name]));
    const site = known(this.tag.Site);
    this.searched = [...this.sides.map(({ name }) => name), ...ratings, this.event, site, this.date, this.opening]
      .concat(this.result)
      .join(" ")
      .toLowerCase();
  }

  // The whole game. A few stay in memory, and those that have something of one's own.
  async game() {
    if (!this.opened) {
      this.opened = new GameData(await this.read());
      const { recent } = Listed;
      recent.push(this);
      const old = recent.length > 12 && recent.findIndex(({ opened }) => !opened?.own.length);
      if (old >= 0 && old !== false) recent.splice(old, 1)[0].opened = null;
    }
    return this.opened;
  }
}

// The columns: a heading, what a row shows, and what it is sorted by.
const COLUMNS = [
  ["#", (game) => +String(game.number).replace("page-", "")],
  ["White", (game) => game.sides[0].name],
  ["Black", (game) => game.sides[1].name],
  ["Result", (game) => game.result.replace("1/2-1/2", "½-½")],
  ["Opening", (game) => game.opening],
  ["Event", (game) => game.event],
  ["Date", (game) => game.date, (game) => game.tag.Date ?? ""],
  ["Moves", (game) => game.moves],
  [
    "White's accu\u00adracy",
    (game) => game.sides[0].accuracy?.toFixed(1) ?? "",
    (game) => game.sides[0].accuracy ?? -1,
  ],
  [
    "Black's accu\u00adracy",
    (game) => game.sides[1].accuracy?.toFixed(1) ?? "",
    (game) => game.sides[1].accuracy ?? -1,
  ],
];

// What a phone has no room for.
const WIDE = new Set(["#", "Event", "Date", "Moves"]);

const ROWS = 100;

class GameList {
  constructor(games) {
    Object.assign(this, { games, sorted: 0, down: false, found: games });
    this.body = document.querySelector("#games tbody");
    this.heads = document.querySelector("#games thead tr");
    $("search").addEventListener("input", () => this.fill());
    $("download-all").addEventListener("click", ({ target }) => this.download(target));
    // The next rows, when the end of the table comes near.
    const end = make("p", { "aria-hidden": "true" });
    $("list").append(end);
    new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && this.more(), {
      rootMargin: "1500px",
    }).observe(end);
    this.show();
  }

  // Promises the PGN of games, and tells how many it has.
  async textsOf(games, tell) {
    const texts = [];
    for (const listed of games) {
      texts.push(pgnOf(await listed.game()));
      if (texts.length % 100 === 0) tell(texts.length);
    }
    return texts;
  }

  // Saves the games found as PGN, and tells on the button how far it is.
  async download(button) {
    const { found } = this;
    const { textContent } = button;
    button.disabled = true;
    try {
      const texts = await this.textsOf(found, (count) => {
        button.textContent = `${count.toLocaleString("en")} of ${counted(found.length)}`;
      });
      if (texts) save(texts.join("\n"), "games.pgn");
    } finally {
      Object.assign(button, { textContent, disabled: false });
    }
  }

  // The games are others now.
  show() {
    this.used = COLUMNS.filter(([, value]) => this.games.some((game) => value(game) !== ""));
    this.heads.replaceChildren(
      ...this.used.map(([title], i) => {
        const button = make("button", {}, title);
        button.addEventListener("click", () => {
          this.down = this.sorted === i && !this.down;
          this.sorted = i;
          this.fill();
        });
        return make("th", { class: WIDE.has(title) ? "wide" : "" }, button);
      }),
    );
    this.fill();
  }

  fill() {
    const { games, sorted, down } = this;
    const words = $("search").value.toLowerCase().split(/\s+/);
    const found = games.filter((game) => words.every((word) => game.searched.includes(word)));
    const [, value, key = value] = this.used[sorted] ?? COLUMNS[0];
    const keys = new Map(found.map((game) => [game, key(game)]));
    const order = (a, b) =>
      typeof a === "number" ? a - b : String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
    found.sort((a, b) => (down ? -1 : 1) * (order(keys.get(a), keys.get(b)) || a.number - b.number));
    this.found = found;
    this.body.replaceChildren();
    this.more();
    $("count").textContent =
      found.length === games.length
        ? counted(games.length)
        : `${found.length.toLocaleString("en")} of ${counted(games.length)}`;
    [...this.heads.children].forEach((head, i) =>
      head.setAttribute("aria-sort", i !== sorted ? "none" : down ? "descending" : "ascending"),
    );
  }

  more() {
    const from = this.body.children.length;
    this.body.append(...this.found.slice(from, from + ROWS).map((game) => this.row(game)));
  }

  row(game) {
    const cells = this.used.map(([title, value]) => {
      const text = String(value(game));
      const cell = title === "White" || title === "Black" ? make("a", { href: "#game-" + game.number }, text) : text;
      const isFigure = typeof value(game) === "number" || title.includes("accu");
      const isLong = title === "Opening" || title === "Event";
      return make(
        "td",
        { class: `${isFigure ? "figure" : isLong ? "long" : ""} ${WIDE.has(title) ? "wide" : ""}` },
        cell,
      );
    });
    const row = make("tr", {}, ...cells);
    row.addEventListener("click", () => {
      location.hash = "game-" + game.number;
    });
    return row;
  }
}
