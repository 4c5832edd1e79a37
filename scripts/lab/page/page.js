// Builds the page, and redraws it when its width or the engine changes.

const data = JSON.parse(document.getElementById("data").textContent);
data.games.forEach((game, i) => (game.number = i + 1));
const games = new Games(data);
let me = 0;

function choose(number) {
  me = number;
  document.getElementById("engine").value = `${me}`;
  const mine = gamesOf(data, me);
  const filter = (change) => games.filter(change);
  showTiles(data, me, mine);
  showStandings(data, choose);
  showColours(mine, filter);
  showEndings(mine, filter);
  showOpenings(data, mine, filter);
  drawCharts();
  games.reset(mine);
}

function drawCharts() {
  showCurves(data, me);
  showSearch(data, me);
}

// A link may name a game and a ply: #game-12-40.
function openFirst() {
  const [, number, ply] = location.hash.match(/^#game-(\d+)-(\d+)$/) || [];
  const linked = data.games[number - 1];
  if (linked && linked.white !== me && linked.black !== me) choose(linked.white);
  const game = games.games.find((game) => (linked ? game.number === linked.number : games.isListed(game)));
  if (game) games.open(game, linked ? Number(ply) : undefined);
  if (linked) document.getElementById("games").scrollIntoView();
}

function listenToWidth() {
  let waiting = 0;
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      drawCharts();
      if (games.shown) games.drawCurve();
    }, 150);
  });
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

show(
  "notes",
  [plural(data.games.length, "game"), ...data.notes.map(([name, value]) => `${name} ${value}`)].join(" · "),
);
show(
  "engine",
  data.engines.map((engine, number) => make("option", { value: number }, engine.name)),
);
document.getElementById("engine").addEventListener("change", (event) => choose(Number(event.target.value)));
document.getElementById("theme").addEventListener("click", switchTheme);
choose(0);
openFirst();
listenToWidth();
