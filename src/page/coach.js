// The page of the coach: figures with their positions, plots, and the tree of openings.

const points = (value) => value.toFixed(2);
const ASPECTS = {
  color: "Color",
  phase: "Phase",
  opening: "Opening",
  endgame: "Endgame",
  castling: "Castling",
  situation: "Situation",
  left: "Time left",
  spent: "Thinking",
  tilt: "After a mistake",
  opponent: "Opponent",
  allowed: "Allowed",
  missed: "Missed",
  clock: "The clock",
};

function named({ aspect, name }) {
  if (aspect === "allowed") return `allowing ${name}`;
  if (aspect === "missed") return `missing ${name}`;
  if (aspect === "opponent") return `against opponents ${name}`;
  return name;
}

// The next of these numbers with a sign.
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

const details = (id, title, ...content) =>
  make("details", { id, class: "card" }, make("summary", {}, title), ...content);
const scrolled = (id) => make("div", { class: "scroll" }, make("table", { id }));

// The parts of the page, for `showOverview` to fill.
function overviewParts(lines = "") {
  return [
    make("div", { id: "weaknesses", class: "weaknesses" }),
    make("section", { id: "viewer", class: "card viewing", "aria-label": "Positions", hidden: "" }),
    details(
      "coach-openings",
      "Your openings",
      make("div", { class: "chips", id: "colors", role: "group", "aria-label": "Your color" }),
      make(
        "div",
        { class: "columns" },
        make("div", {}, draw("svg", { class: "board", id: "tree-board", role: "img" })),
        make(
          "div",
          {},
          make("p", { id: "path", class: "path" }),
          scrolled("tree"),
          make("div", { id: "leaks" }),
          lines,
        ),
      ),
    ),
    details(
      "coach-details",
      "Details: time, pieces, opponents …",
      make("p", { id: "coach-facts" }),
      make("div", { class: "chips", id: "aspects", role: "group", "aria-label": "Which figures" }),
      scrolled("figures"),
      make("p", { class: "quiet", id: "explained" }),
      scrolled("swings"),
      make("div", { class: "plots", id: "plots" }),
    ),
  ];
}

// Positions behind a figure, one after the other.
class Viewer {
  // `leads` gives what leads on from a position.
  constructor(place, spots, leads) {
    Object.assign(this, { place, spots, leads });
    this.board = draw("svg", { class: "board", role: "img" });
    this.text = make("div", { "aria-live": "polite" });
    this.title = make("h3", { tabindex: "-1" });
    const row = make("div", { class: "answers" });
    row.append(
      button("‹ Previous", () => this.go(-1)),
      button("Next ›", () => this.go(1)),
      button("The move played", () => this.paint("played")),
      button("The better move", () => this.paint("best")),
      button("Close", () => this.close()),
    );
    const columns = make("div", { class: "columns" }, make("div", {}, this.board), make("div", {}, this.text, row));
    const all = make("div", {}, this.title, columns);
    place.replaceChildren(all);
    place.hidden = true;
    all.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft") this.go(-1);
      if (key === "ArrowRight") this.go(1);
      if (key === "Escape") this.close();
    });
  }

  open(title, places, from) {
    Object.assign(this, { name: title, places, from, at: 0 });
    this.place.hidden = false;
    this.go(0);
    this.title.focus();
    this.place.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.place.hidden = true;
    this.from?.focus();
  }

  go(step) {
    this.at = (this.at + step + this.places.length) % this.places.length;
    const spot = this.spots[this.places[this.at]];
    this.title.textContent = `${this.name}: ${this.at + 1} of ${this.places.length}`;
    const [played] = pairs(spot.played);
    const what = played ? `${spot.number} ${played.san}` : "Running out of time here";
    const best = pairs(spot.best);
    this.text.replaceChildren(
      make("p", { class: "quiet" }, spot.game),
      make("p", {}, make("b", {}, what), ` cost ${points(spot.loss)} points.`),
      make("p", {}, spot.why),
      make(
        "p",
        {},
        best.length ? `${played ? "Better" : "Best"}: ${spot.number} ${best.map(({ san }) => san).join(" ")}` : "",
      ),
      make("div", { class: "answers" }, ...this.leads(spot.fen)),
    );
    this.paint("both");
  }

  paint(which) {
    const spot = this.spots[this.places[this.at]];
    const position = placed(spot.fen);
    const mark = (move, kind) => [move.uci.slice(0, 2), target(position, move.uci), kind];
    const [played] = pairs(spot.played);
    const [best] = pairs(spot.best);
    const arrows = [];
    if (which !== "best" && played) arrows.push(mark(played, "played"));
    if (which !== "played" && best) arrows.push(mark(best, "best"));
    const touched = pairs(spot.before).flatMap(({ uci }) => [uci.slice(0, 2), uci.slice(2, 4)]);
    const label = `${spot.turned ? "Black" : "White"} to move. ${described(position)}`;
    show(this.board, position, { arrows, touched, turned: spot.turned, label });
  }
}

// The figures: those worth working on, and the table of all.
class Costs {
  constructor(data, viewer) {
    this.data = data;
    this.viewer = viewer;
    this.aspect = "";
    this.listWeaknesses();
    const present = new Set(data.statistics.figures.map(({ aspect }) => aspect));
    const all = ["", ...Object.keys(ASPECTS).filter((aspect) => present.has(aspect))];
    $("aspects").replaceChildren(
      ...all.map((aspect) =>
        button(
          ASPECTS[aspect] ?? "All",
          (event) => {
            this.aspect = aspect;
            for (const other of $("aspects").children) other.setAttribute("aria-pressed", other === event.target);
            this.list();
          },
          { "aria-pressed": aspect === "" },
        ),
      ),
    );
    this.list();
    $("explained").textContent =
      "Points lost a game, over all games. They: what your opponents would have lost there in as many moves, by " +
      "the same games. More than they: with twice its standard error. Grey figures are of too few games.";
    this.listSwings();
  }

  listWeaknesses() {
    const { weaknesses } = this.data.statistics;
    const cards = weaknesses.map((weakness, i) => {
      const { certainty, costs, games, moves } = weakness;
      const title = named(weakness).replace(/^./, (c) => c.toUpperCase());
      const isEarly = certainty === "too early to say";
      const text = isEarly
        ? "So far most was lost here; more games will tell."
        : `It costs you about ${costs}, beside what your opponents lose there.`;
      const places = this.data.behind_weaknesses[i];
      return make(
        "article",
        { class: "card weakness" },
        make(
          "p",
          { class: "titled" },
          make("span", { class: `chip ${certainty.replaceAll(" ", "-")}` }, certainty),
          make("span", { class: "quiet" }, `${counted(games)}, ${counted(moves, "move")}`),
        ),
        make("h2", {}, title),
        make("p", { class: "quiet" }, text),
        ...(i ? [] : this.ownPositions(places)),
        ...(places.length ? [this.opener("Show", weakness, places, i ? {} : { class: "primary" })] : []),
      );
    });
    const none = "There is nothing to say before a few of your games are reviewed.";
    $("weaknesses").replaceChildren(...(cards.length ? cards : [make("p", { class: "quiet" }, none)]));
  }

  // The first position, and the games of some.
  ownPositions(places) {
    const spots = places.slice(0, 5).map((place) => this.data.spots[place]);
    if (!spots.length) return [];
    const board = draw("svg", { class: "board", role: "img" });
    const position = placed(spots[0].fen);
    show(board, position, { turned: spots[0].turned, label: described(position) });
    const games = spots.map(({ game }) => make("li", {}, game));
    return [
      make("div", { class: "row own" }, board, make("div", {}, make("b", {}, "Of your own"), make("ul", {}, ...games))),
    ];
  }

  opener(text, figure, places, attributes = { class: "plain" }) {
    if (!places.length) return make("span", {}, text);
    return button(text, ({ target }) => this.viewer.open(named(figure), places, target), attributes);
  }

  list() {
    const { figures } = this.data.statistics;
    const shown = figures.map((figure, i) => ({ figure, places: this.data.behind[i] }));
    const anyEnough = figures.some((figure) => figure.is_enough);
    const rows = shown.filter(({ figure }) =>
      this.aspect ? figure.aspect === this.aspect : figure.is_enough || !anyEnough,
    );
    const scale = Math.max(...rows.map(({ figure }) => Math.abs(figure.excess) + 2 * figure.error), 0.01);
    const heads = ["What", "Games", "Moves", "You", "They", "More than they", ""];
    const cells = rows.map(({ figure, places }) =>
      make(
        "tr",
        figure.is_enough ? {} : { class: "few" },
        make("td", {}, this.opener(named(figure), figure, places)),
        make("td", { class: "wide" }, figure.games),
        make("td", {}, figure.moves),
        make("td", {}, points(figure.mine)),
        make("td", {}, points(figure.theirs)),
        make("td", {}, `${signed(figure.excess)} ± ${points(2 * figure.error)}`),
        make("td", { class: "chart" }, whisker(figure, scale)),
      ),
    );
    $("figures").replaceChildren(
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          ...heads.map((head) => make("th", { class: head === "Games" ? "wide" : head ? "" : "chart" }, head)),
        ),
      ),
      make("tbody", {}, ...cells),
    );
  }

  listSwings() {
    const [mine, theirs] = this.data.statistics.swings;
    const share = (part, all) => (all ? `${part} of ${all}` : "–");
    const row = (name, text) =>
      make("tr", {}, make("td", {}, name), make("td", {}, text(mine)), make("td", {}, text(theirs)));
    $("swings").replaceChildren(
      make("thead", {}, make("tr", {}, ...["Games", "You", "They"].map((name) => make("th", {}, name)))),
      make(
        "tbody",
        {},
        row("Winning games that were won", ({ won, winning }) => share(won, winning)),
        row("Level games after move 30 that were not lost", ({ held, level }) => share(held, level)),
        row("Worse games that were saved", ({ worse_saved, worse }) => share(worse_saved, worse)),
        row("Lost games that were saved", ({ saved, lost }) => share(saved, lost)),
      ),
    );
  }
}

// The tree of openings: a click leads on, the path leads back.
class Openings {
  // `leads` gives what leads on from a path of moves with a color.
  constructor(trees, costly, leads) {
    Object.assign(this, { trees, costly, leads });
    this.colors = ["With White", "With Black"].map((text, color) =>
      button(`${text} (${trees[color].games})`, () => this.begin(color), { "aria-pressed": false }),
    );
    $("colors").replaceChildren(...this.colors);
    this.begin(trees[0].games >= trees[1].games ? 0 : 1);
  }

  begin(color) {
    this.color = color;
    this.colors.forEach((element, i) => element.setAttribute("aria-pressed", i === color));
    const items = this.costly
      .filter(({ fen }) => fen.split(" ")[1] === "wb"[color])
      .map((move) =>
        make(
          "li",
          {},
          button(this.told(move), () => this.place(move), { class: "plain" }),
        ),
      );
    $("leaks").replaceChildren(
      ...(items.length ? [make("h3", {}, "Your moves that cost most"), make("ol", {}, ...items)] : []),
    );
    this.go([]);
  }

  told({ number, played, better, games, points: scored, results, loss, is_checked }) {
    const [[move], [best]] = [pairs(played), pairs(better)];
    const score = results ? `${Math.round((100 * scored) / results)} % scored in ` : "";
    const how = is_checked ? "is better" : "looks better";
    return `${number} ${move.san}: ${score}${games} games, costs ${points(loss)} each time; ${best.san} ${how}`;
  }

  // Shows where a move was played, and the better one.
  place({ fen, played, better }) {
    const [position, turned] = [placed(fen), this.color === 1];
    const arrow = ({ uci }, kind) => [uci.slice(0, 2), target(position, uci), kind];
    const arrows = [arrow(pairs(played)[0], "played"), arrow(pairs(better)[0], "best")];
    show($("tree-board"), position, { arrows, turned, label: described(position) });
  }

  go(path) {
    const positions = [placed(START)];
    for (const { uci } of path) positions.push(after(positions.at(-1), uci));
    const last = path.at(-1);
    const touched = last ? [last.uci.slice(0, 2), last.uci.slice(2, 4)] : [];
    const turned = this.color === 1;
    show($("tree-board"), positions.at(-1), { touched, turned, label: described(positions.at(-1)) });
    const name = path.findLast((move) => move.name)?.name ?? "";
    $("path").replaceChildren(
      button("Start", () => this.go([])),
      ...path.map(({ san }, i) => button((i % 2 ? "" : `${i / 2 + 1}. `) + san, () => this.go(path.slice(0, i + 1)))),
      make("span", { class: "quiet" }, ` ${name}`),
      ...this.leads(path, this.color),
    );
    const moves = last ? last.moves : this.trees[this.color].moves;
    const head = ["Move", "Games", "Score", "After the opening", "Costs"];
    const rows = moves.map((move) => {
      const score = move.results ? move.points / move.results : null;
      const filled = make("i");
      filled.style.width = `${100 * (score ?? 0)}%`;
      const bar = make("div", { class: "score-bar" }, filled);
      const percent = (value) => (value === null || value === undefined ? "–" : Math.round(100 * value) + "%");
      return make(
        "tr",
        {},
        make(
          "td",
          {},
          button(move.san, () => this.go([...path, move])),
        ),
        make("td", {}, move.games),
        make("td", { title: percent(score) }, percent(score), bar),
        make("td", {}, percent(move.left)),
        make("td", { class: "costly" }, move.loss ? points(move.loss) : "", move.better ? ` (${move.better})` : ""),
      );
    });
    const none = make("tr", {}, make("td", { colspan: 5 }, "No move was played twice here."));
    $("tree").replaceChildren(
      make("thead", {}, make("tr", {}, ...head.map((name) => make("th", {}, name)))),
      make("tbody", {}, ...(rows.length ? rows : [none])),
    );
  }
}

// My rating by the months, and what my results were worth.
function ratingPlot(months) {
  if (months.length < 2) return [];
  const found = months.map(({ name, performance, rating, error }) => ({
    name,
    mine: performance,
    theirs: rating,
    error,
  }));
  const names = { mine: "what your results were worth", theirs: "your rating in the files" };
  return [plot("Rating of play, by month", found, { names, digits: 0 })];
}

// Shows all that is known. What leads on from a position or a line is given by whoever has an engine.
function showOverview(data, { fromPosition = () => [], fromLine = () => [] } = {}) {
  const { statistics } = data;
  $("coach-facts").textContent =
    `${data.names.join(", ")}: ${statistics.games.toLocaleString("en")} of your ${data.mine.toLocaleString("en")} games are reviewed. ` +
    `You lose ${points(statistics.mine)} points a game, your opponents ${points(statistics.theirs)}.`;
  new Costs(data, new Viewer($("viewer"), data.spots, fromPosition));
  const drawn = [...ratingPlot(statistics.months), ...statistics.plots.map((it) => plot(it.title, it.points))];
  $("plots").replaceChildren(
    ...(drawn.length ? drawn : [make("p", {}, "There are no clocks, and all games are of one month.")]),
  );
  new Openings(data.trees, data.opening_moves, fromLine);
}
