// The sections above the games, from the side of one engine.

// The games of an engine with its points: 1, 0.5 or 0, null without a result.
function gamesOf(data, me) {
  const mine = data.games.filter((game) => game.white === me || game.black === me);
  return mine.map((game) => {
    const points = game.points === null || game.white === me ? game.points : 1 - game.points;
    return { ...game, isWhite: game.white === me, myPoints: points };
  });
}

function countResults(games) {
  const count = (points) => games.filter((game) => game.myPoints === points).length;
  return [count(1), count(0.5), count(0)];
}

function groupBy(games, key) {
  const groups = new Map();
  for (const game of games) groups.set(key(game), [...(groups.get(key(game)) || []), game]);
  return groups;
}

function tile(name, value, note, kind) {
  return make(
    "div",
    { class: kind ? `tile ${kind}` : "tile" },
    make("span", {}, name),
    make("b", {}, value),
    make("small", {}, note),
  );
}

// An SPRT tests one engine against one other.
const hasSprt = (data) => data.sprt !== null && data.engines.length === 2;

function showTiles(data, me, games) {
  const engine = data.engines[me];
  const [won, drawn, lost] = countResults(games);
  const total = won + drawn + lost;
  const [low, high] = data.sprt?.bounds ?? [];
  const verdict = engine.llr >= high ? "accepted" : engine.llr <= low ? "rejected" : "undecided";
  const significance =
    engine.elo === null || engine.error === null
      ? ""
      : engine.elo > engine.error
        ? "good"
        : engine.elo < -engine.error
          ? "bad"
          : "";
  const largest = Math.max(...engine.pairs, 1);
  const pairs = make(
    "div",
    { class: "pairs" },
    engine.pairs.map((count, i) =>
      make(
        "div",
        { title: `${plural(count, "pair")} with ${pointsText(i / 2)} points` },
        make("i", {
          style: `height:${(34 * count) / largest}px`,
          class: i < 2 ? "lost" : i > 2 ? "won" : "drawn",
        }),
        make("small", {}, pointsText(i / 2)),
      ),
    ),
  );
  show(
    "tiles",
    tile(
      "Elo",
      eloText(engine.elo, engine.error, (won + drawn / 2) / total),
      engine.superiority === null ? "too few pairs to say more" : `${percent(engine.superiority)} likely the stronger`,
      significance,
    ),
    tile(
      "Score",
      total ? percent((won + drawn / 2) / total) : "–",
      `${pointsText(won + drawn / 2)} of ${plural(total, "game")}`,
    ),
    tile(
      "Won, drawn, lost",
      `${won} · ${drawn} · ${lost}`,
      total < games.length ? `${games.length - total} without a result` : "all games finished",
    ),
    hasSprt(data)
      ? tile(
          "LLR",
          signed(engine.llr, 2),
          `${verdict}: ${data.sprt.high} against ${data.sprt.low} normalised Elo, ${signed(low, 2)} to ${signed(high, 2)}`,
        )
      : "",
    make("div", { class: "tile" }, make("span", {}, "Pairs by points"), pairs),
  );
}

function showStandings(data, choose) {
  const section = document.getElementById("standings");
  section.hidden = data.engines.length < 3;
  if (section.hidden) return;
  const rows = data.engines.map((engine, number) => {
    const games = gamesOf(data, number);
    const counts = countResults(games);
    const total = counts[0] + counts[1] + counts[2];
    return {
      engine,
      number,
      games,
      counts,
      total,
      score: total ? (counts[0] + counts[1] / 2) / total : 0,
    };
  });
  // An engine that won all games has no Elo and comes first, one that lost all comes last.
  const strength = (row) => (row.engine.elo === null ? (row.score > 0.5 ? Infinity : -Infinity) : row.engine.elo);
  rows.sort((a, b) => strength(b) - strength(a) || b.score - a.score);
  const against = (row, other) => {
    const games = row.games.filter(
      (game) => game.myPoints !== null && (game.white === other.number || game.black === other.number),
    );
    if (row === other || !games.length) return make("td", { class: "none" }, row === other ? "" : "·");
    const points = games.reduce((sum, game) => sum + game.myPoints, 0);
    const score = points / games.length;
    return make(
      "td",
      {
        style: `background:${scoreColour(score)}`,
        title: `${pointsText(points)} of ${games.length}`,
      },
      percent(score, 0),
    );
  };
  const cross = rows.length <= 16 ? rows : [];
  const head = make(
    "tr",
    {},
    ["", "Engine", "Elo", "Games", "Won", "Drawn", "Lost", "Score"].map((name) => make("th", {}, name)),
    cross.map((_, i) => make("th", {}, `${i + 1}`)),
  );
  const body = rows.map((row, i) =>
    make(
      "tr",
      { class: "link", onclick: () => choose(row.number) },
      make("td", {}, `${i + 1}`),
      make("th", {}, row.engine.name),
      make("td", {}, eloText(row.engine.elo, row.engine.error, row.score, 0)),
      make("td", {}, `${row.total}`),
      row.counts.map((count) => make("td", {}, `${count}`)),
      make("td", {}, percent(row.score)),
      cross.map((other) => against(row, other)),
    ),
  );
  show(
    "standings",
    make("h2", {}, "Standings"),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, body))),
  );
}

// A colour from lost over drawn to won.
function scoreColour(score) {
  const end = score < 0.5 ? "var(--lost)" : "var(--won)";
  return `color-mix(in srgb, ${end} ${Math.round(180 * Math.abs(score - 0.5))}%, var(--drawn))`;
}

function showCurves(data, me) {
  const llr = document.getElementById("llr");
  llr.parentElement.hidden = !hasSprt(data);
  llr.parentElement.previousElementSibling.classList.toggle("wide", !hasSprt(data));
  const shown = data.engines
    .map((engine, number) => ({ engine, number }))
    .filter(({ number }) => !hasSprt(data) || number === me);
  shown.sort((a, b) => (b.number === me) - (a.number === me));
  const bounded = (engine) => engine.curve.filter(([, elo]) => elo !== null);
  // The wide swings of the first games would flatten the rest.
  const last = data.engines[me].error;
  const settled = ([, , error]) => last === null || (error !== null && error < Math.max(100, 5 * last));
  lineChart(
    document.getElementById("elo"),
    shown.map(({ engine, number }) => ({
      name: engine.name,
      colour: colour(number),
      faint: number !== me && data.engines.length > COLOURS,
      points: bounded(engine)
        .filter(settled)
        .map(([games, elo, error]) => [games, elo, eloText(elo, error)]),
      band:
        number === me && last !== null
          ? bounded(engine)
              .filter(settled)
              .map(([games, elo, error]) => [games, elo - error, elo + error])
          : null,
    })),
    {
      xName: "games",
      format: (y) => signed(y, Number.isInteger(y) ? 0 : 1),
      marks: [{ y: 0, name: "" }],
      empty: "Too few games, or all of one kind, to tell.",
    },
  );
  if (!hasSprt(data)) return;
  const [low, high] = data.sprt.bounds;
  lineChart(
    llr,
    [
      {
        name: data.engines[me].name,
        colour: colour(me),
        points: data.engines[me].curve.map(([games, , , llr]) => [games, llr]),
      },
    ],
    {
      xName: "games",
      marks: [
        { y: low, name: `${data.sprt.low} is accepted` },
        { y: high, name: `${data.sprt.high} is accepted` },
      ],
    },
  );
}

function showColours(games, filter) {
  const white = games.filter((game) => game.isWhite);
  const black = games.filter((game) => !game.isWhite);
  const largest = Math.max(white.length, black.length);
  show(
    "colours",
    resultBar("As White", countResults(white), largest, () => filter({ colour: "white" })),
    resultBar("As Black", countResults(black), largest, () => filter({ colour: "black" })),
    make(
      "div",
      { class: "legend" },
      ["won", "drawn", "lost"].map((kind) => make("span", {}, make("i", { class: kind }), kind)),
    ),
  );
}

function showEndings(games, filter) {
  const groups = [...groupBy(games, (game) => game.ending)].sort(([, a], [, b]) => b.length - a.length);
  const largest = Math.max(...groups.map(([, group]) => group.length), 1);
  show(
    "endings",
    groups.map(([ending, group]) => resultBar(ending, countResults(group), largest, () => filter({ ending }))),
  );
}

function showOpenings(data, games, filter) {
  const rated = games.filter((game) => game.myPoints !== null);
  const score = (group) => group.reduce((sum, game) => sum + game.myPoints, 0) / group.length;
  const groups = [...groupBy(rated, (game) => game.opening)].sort(([, a], [, b]) => score(a) - score(b));
  const preview = make("div", { class: "preview" });
  const height = Math.max(12, Math.min(34, Math.sqrt(60000 / Math.max(groups.length, 1))));
  const half = (group) =>
    make("i", { style: `background:${group.length ? scoreColour(score(group)) : "transparent"}` });
  const pointsOf = (group) =>
    group.length ? `${pointsText(group.reduce((sum, game) => sum + game.myPoints, 0))} of ${group.length}` : "no game";
  const cells = groups.map(([number, group]) => {
    const white = group.filter((game) => game.isWhite);
    const black = group.filter((game) => !game.isWhite);
    const opening = data.openings[number];
    const name = `Opening ${opening.name}: as White ${pointsOf(white)}, as Black ${pointsOf(black)}`;
    const showPreview = () =>
      preview.replaceChildren(drawBoard(Board.placed(opening.fen), { small: true }), make("small", {}, name));
    return make(
      "button",
      {
        class: "cell",
        style: `height:${height}px;width:${1.6 * height}px`,
        title: name,
        onpointerenter: showPreview,
        onfocus: showPreview,
        onclick: () => filter({ opening: number }),
      },
      half(white),
      half(black),
    );
  });
  if (cells.length) cells[0].dispatchEvent(new Event("focus"));
  show(
    "openings",
    make(
      "p",
      { class: "hint" },
      `${plural(groups.length, "opening")}, from the worst to the best: the left half is the score as White, the right half as Black. Press one to list its games.`,
    ),
    make("div", { class: "openings" }, make("div", { class: "cells" }, cells), preview),
  );
}

function showSearch(data, me) {
  const order = data.engines
    .map((engine, number) => ({ engine, number }))
    .sort((a, b) => (b.number === me) - (a.number === me));
  const lines = (column) =>
    order.map(({ engine, number }) => ({
      name: engine.name,
      colour: colour(number),
      faint: number !== me && data.engines.length > COLOURS,
      points: engine.byMove.filter((row) => row[column] !== null).map((row) => [row[0], row[column]]),
    }));
  lineChart(document.getElementById("depth"), lines(1), {
    xName: "move",
    yName: "median depth",
    empty: "No depths in the games.",
  });
  const chart = make("div");
  const number = (value, digits) => (value === null ? "–" : value.toFixed(digits));
  const table = make(
    "table",
    {},
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        ["Engine", "Median depth", "Seconds a move", "Nodes/s"].map((name) => make("th", {}, name)),
      ),
    ),
    make(
      "tbody",
      {},
      order.map(({ engine }) =>
        make(
          "tr",
          {},
          make("th", {}, engine.name),
          make("td", {}, number(engine.depth, 0)),
          make("td", {}, number(engine.seconds, 3)),
          make("td", {}, engine.speed === null ? "–" : `${Math.round(engine.speed / 1000)} k`),
        ),
      ),
    ),
  );
  show("speed", chart, make("div", { class: "scroll" }, table));
  lineChart(chart, lines(2), {
    height: 170,
    xName: "move",
    yName: "seconds",
    format: (y) => `${+y.toFixed(3)}`,
    empty: "No times in the games.",
  });
}
