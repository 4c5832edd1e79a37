// The list of games, and one of them on the board.

const ROWS = 40;

const whiteBegins = (fen) => fen.split(" ")[1] === "w";

// White is at the bottom unless the board is flipped.
function drawBoard(position, { flipped = false, touched = [], small = false } = {}) {
  const svg = makeSvg("svg", { class: small ? "board small" : "board", role: "img" });
  Board.show(svg, position, { touched, turned: flipped });
  return svg;
}

// A logarithmic scale for scores, so that large ones do not hide small ones.
const scaled = (score) => (Math.sign(score) * Math.log1p(Math.abs(score) / 100)) / Math.log1p(20);
const SCORE_TICKS = [-1000, -300, 0, 300, 1000];

function pawns(score) {
  if (Math.abs(score) > 9000) return `${score < 0 ? "−" : "+"}M${Math.ceil((10000 - Math.abs(score)) / 2)}`;
  return signed(score / 100, 2);
}

// The scores of one side, as points of a chart.
function scorePoints(game, ofWhite) {
  const first = whiteBegins(game.fen) ? 0 : 1;
  const found = [];
  game.scores.forEach((score, ply) => {
    if (score !== null && ((ply + first) % 2 === 0) === ofWhite) found.push([ply + 1, scaled(score), pawns(score)]);
  });
  return found;
}

function sparkline(game) {
  const [width, height] = [130, 34];
  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "spark" });
  const last = Math.max(game.scores.length, 2);
  const y = (value) => height / 2 - Math.min(Math.max(value, -1), 1) * (height / 2 - 1);
  svg.append(makeSvg("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "zero" }));
  for (const ofWhite of [true, false]) {
    const flip = game.isWhite ? 1 : -1;
    const points = scorePoints(game, ofWhite).map(
      ([ply, value]) => `${((width * ply) / last).toFixed(1)},${y(flip * value).toFixed(1)}`,
    );
    svg.append(
      makeSvg("polyline", {
        points: points.join(" "),
        stroke: colour(ofWhite ? game.white : game.black),
        class: "line",
      }),
    );
  }
  return svg;
}

class Games {
  constructor(data) {
    this.data = data;
    this.shown = null;
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  // Lists the games of an engine, at first those that it lost.
  reset(games) {
    this.games = games;
    const lost = games.some((game) => game.myPoints === 0);
    this.filters = { myPoints: lost ? 0 : undefined };
    this.rows = ROWS;
    this.list();
  }

  filter(change) {
    this.filters = { ...this.filters, myPoints: undefined, ...change };
    this.rows = ROWS;
    this.list();
    document.getElementById("games").scrollIntoView({ behavior: "smooth" });
  }

  isListed(game) {
    const { myPoints, ending, opening, colour: side } = this.filters;
    return (
      (myPoints === undefined || game.myPoints === myPoints) &&
      (ending === undefined || game.ending === ending) &&
      (opening === undefined || game.opening === opening) &&
      (side === undefined || game.isWhite === (side === "white"))
    );
  }

  name(game, isWhite) {
    return this.data.engines[isWhite ? game.white : game.black].name;
  }

  list() {
    const { filters } = this;
    const set = (change) => () => {
      this.filters = { ...filters, ...change };
      this.rows = ROWS;
      this.list();
    };
    const kinds = [
      ["Lost", 0],
      ["Won", 1],
      ["Drawn", 0.5],
      ["All", undefined],
    ];
    const buttons = kinds.map(([name, myPoints]) => {
      const count = this.games.filter((game) => myPoints === undefined || game.myPoints === myPoints).length;
      return make(
        "button",
        { class: filters.myPoints === myPoints ? "chosen" : "", onclick: set({ myPoints }) },
        `${name} ${count}`,
      );
    });
    const chip = (name, change) =>
      make("button", { class: "chip", title: "Remove this filter", onclick: set(change) }, `${name} ✕`);
    const chips = [
      filters.ending !== undefined ? chip(filters.ending, { ending: undefined }) : null,
      filters.opening !== undefined
        ? chip(`opening ${this.data.openings[filters.opening].name}`, { opening: undefined })
        : null,
      filters.colour !== undefined ? chip(`as ${filters.colour}`, { colour: undefined }) : null,
    ];
    show("filters", ...buttons, ...chips.filter(Boolean));
    const found = this.games.filter((game) => this.isListed(game));
    const more = make(
      "button",
      {
        onclick: () => {
          this.rows += 5 * ROWS;
          this.list();
        },
      },
      `${found.length - this.rows} more`,
    );
    show(
      "list",
      ...found.slice(0, this.rows).map((game) => this.row(game)),
      ...(found.length > this.rows ? [more] : []),
      ...(found.length ? [] : [make("p", { class: "empty" }, "No such game.")]),
    );
  }

  row(game) {
    const kind = { 1: "won", 0.5: "drawn", 0: "lost" }[game.myPoints] || "";
    const result = { 1: "1–0", 0.5: "½–½", 0: "0–1" }[game.points] || "*";
    const chosen = this.shown && this.shown.game.number === game.number ? " chosen" : "";
    return make(
      "button",
      { class: `row${chosen}`, "data-game": game.number, onclick: () => this.open(game) },
      make("span", { class: "number" }, `${game.number}`),
      make("span", { class: `result ${kind}` }, result),
      make(
        "span",
        { class: "names" },
        `${this.name(game, true)} – ${this.name(game, false)}`,
        make("small", {}, game.reason || game.ending),
      ),
      sparkline(game),
    );
  }

  // The engine whose side is shown is at the bottom.
  open(game, ply) {
    const moves = game.moves ? game.moves.split(" ") : [];
    const positions = [Board.placed(game.fen)];
    for (const move of moves) positions.push(Board.after(positions.at(-1), move));
    this.shown = {
      game,
      moves,
      san: game.san.split(" "),
      positions,
      flipped: !game.isWhite,
    };
    for (const row of document.querySelectorAll(".row"))
      row.classList.toggle("chosen", row.dataset.game === `${game.number}`);
    const side = (isWhite) =>
      make(
        "div",
        { class: "side" },
        make("i", { style: `background:${colour(isWhite ? game.white : game.black)}` }),
        make("b", {}, this.name(game, isWhite)),
        ` ${isWhite ? "White" : "Black"}`,
      );
    const button = (text, title, action) => make("button", { title, onclick: action }, text);
    const first = whiteBegins(game.fen) ? 0 : 1;
    const firstNumber = Number(game.fen.split(" ")[5]) || 1;
    const written = moves.map((_, i) => {
      const half = i + first;
      const number = firstNumber + Math.floor(half / 2);
      const before = half % 2 === 0 ? `${number}. ` : i === 0 ? `${number}… ` : "";
      return make("a", { "data-ply": i + 1, onclick: () => this.go(i + 1) }, `${before}${this.shown.san[i]}`);
    });
    show(
      "viewer",
      side(this.shown.flipped),
      make("div", { id: "board" }),
      side(!this.shown.flipped),
      make(
        "div",
        { class: "buttons" },
        button("«", "To the start", () => this.go(0)),
        button("‹", "Back (←)", () => this.step(-1)),
        button("›", "On (→)", () => this.step(1)),
        button("»", "To the end", () => this.go(moves.length)),
        button("⇅", "Flip the board", () => {
          this.shown.flipped = !this.shown.flipped;
          this.go(this.shown.ply);
        }),
        make("output", { id: "search" }),
      ),
      make("div", { id: "curve" }),
      make("div", { id: "moves" }, written),
      make("p", { class: "hint", id: "reason" }, `Game ${game.number}: ${game.reason || game.ending}`),
      make("code", { id: "position", title: "The position" }),
    );
    this.drawCurve();
    this.go(ply === undefined ? moves.length : ply);
  }

  drawCurve() {
    const { game } = this.shown;
    const line = (ofWhite) => ({
      name: this.name(game, ofWhite),
      colour: colour(ofWhite ? game.white : game.black),
      points: scorePoints(game, ofWhite),
    });
    lineChart(document.getElementById("curve"), [line(true), line(false)], {
      height: 150,
      xName: "ply",
      yName: "White's score",
      yRange: [-1.05, 1.05],
      yTicks: SCORE_TICKS.map(scaled),
      format: (y) => signed(SCORE_TICKS.find((step) => scaled(step) === y) / 100, 0),
      onpick: (ply) => this.go(Math.round(ply)),
      empty: "No scores in this game.",
    });
  }

  go(ply) {
    const { game, moves, positions, san, flipped } = this.shown;
    ply = Math.min(Math.max(ply, 0), moves.length);
    this.shown.ply = ply;
    const move = moves[ply - 1];
    const touched = move ? [move.slice(0, 2), Board.target(positions[ply - 1], move)] : [];
    show("board", drawBoard(positions[ply], { flipped, touched }));
    const box = document.getElementById("moves");
    for (const move of box.children) move.classList.toggle("chosen", Number(move.dataset.ply) === ply);
    const chosen = box.querySelector(".chosen");
    if (chosen) box.scrollTop = chosen.offsetTop - box.offsetTop - box.clientHeight / 2;
    const [score, depth, seconds] = [game.scores[ply - 1], game.depths[ply - 1], game.seconds[ply - 1]];
    const known = (value, text) => (value === null || value === undefined ? null : text(value));
    const words = ply
      ? [
          san[ply - 1],
          known(score, pawns),
          known(depth, (d) => `depth ${d}`),
          known(seconds, (s) => `${s.toFixed(2)} s`),
        ]
      : ["start"];
    show("search", words.filter((word) => word !== null).join(" · "));
    show("position", Board.placement(positions[ply]));
    const curve = document.getElementById("curve");
    if (curve.setCursor && ply) curve.setCursor(ply);
    history.replaceState(null, "", `#game-${game.number}-${ply}`);
  }

  step(by) {
    this.go(this.shown.ply + by);
  }

  onKey(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !this.shown || event.target.closest("select, input")) return;
    event.preventDefault();
    this.step(by);
  }
}
