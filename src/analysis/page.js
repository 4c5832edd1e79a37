"use strict";
// Draws the boards, and steps through the games.

const SIZE = 45;

function draw(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text) element.textContent = text;
  return element;
}

// The corner of a square, such as "e4", on the screen.
function corner(square, turned) {
  const file = square.charCodeAt(0) - 97, rank = square.charCodeAt(1) - 49;
  return { x: SIZE * (turned ? 7 - file : file), y: SIZE * (turned ? rank : 7 - rank) };
}

function arrow(move, kind, turned) {
  const from = corner(move.slice(0, 2), turned), to = corner(move.slice(2, 4), turned);
  const half = SIZE / 2, x = to.x + half, y = to.y + half;
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const wing = (side) => `M${x} ${y}L${x - 12 * Math.cos(angle + side)} ${y - 12 * Math.sin(angle + side)}`;
  const d = `M${from.x + half} ${from.y + half}L${x} ${y}${wing(0.5)}${wing(-0.5)}`;
  return draw("path", { class: "arrow " + kind, d });
}

// Shows a board: its pieces as in FEN, the squares of the last move, and arrows.
function show(svg, pieces, { touched = "", played = "", best = "", turned = false }) {
  svg.setAttribute("viewBox", `0 0 ${8 * SIZE} ${8 * SIZE}`);
  svg.replaceChildren();
  const ranks = pieces.replace(/\d/g, (digit) => " ".repeat(digit)).split("/");
  const figures = [];
  ranks.forEach((letters, row) => [...letters].forEach((letter, file) => {
    const square = "abcdefgh"[file] + (8 - row);
    const { x, y } = corner(square, turned);
    const light = (row + file) % 2 === 0;
    const box = { x, y, width: SIZE, height: SIZE };
    svg.append(draw("rect", { ...box, class: "square " + (light ? "light" : "dark") }));
    if (touched.slice(0, 2) === square || touched.slice(2, 4) === square) {
      svg.append(draw("rect", { ...box, class: "touched" }));
    }
    if (y === 7 * SIZE) svg.append(draw("text", { class: "name", x: x + 38, y: y + 42 }, square[0]));
    if (x === 0) svg.append(draw("text", { class: "name", x: 2, y: y + 10 }, square[1]));
    if (letter !== " ") {
      const color = letter === letter.toUpperCase() ? "white" : "black";
      figures.push(draw("use", { ...box, href: "#" + letter.toLowerCase(), class: "piece " + color }));
    }
  }));
  svg.append(...figures);
  if (best && best !== played) svg.append(arrow(best, "best", turned));
  if (played) svg.append(arrow(played, "played", turned));
}

function prepare(game) {
  const moves = [...game.querySelectorAll(".moves button")];
  const board = game.querySelector(".viewer .board"), status = game.querySelector(".status");
  const graph = game.querySelector(".graph"), list = game.querySelector(".moves");
  let now = 0, turned = false;

  function go(to) {
    now = Math.min(Math.max(to, 0), moves.length - 1);
    const data = moves[now].dataset;
    show(board, data.board, { touched: data.played, best: data.best, turned });
    moves.forEach((move, i) => move.classList.toggle("now", i === now));
    const top = moves[now].offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) list.scrollTop = top - 60;
    const score = document.createElement("b");
    score.textContent = data.score ?? "";
    const line = data.line ? " " + data.line : data.score ? "" : "This position was not analysed.";
    status.replaceChildren(score, line);
    graph?.querySelector(".now").setAttribute("transform", `translate(${800 * now / Math.max(moves.length - 1, 1)} 0)`);
  }

  const steps = {
    first: () => go(0), back: () => go(now - 1), on: () => go(now + 1), last: () => go(moves.length - 1),
    turn: () => { turned = !turned; go(now); },
  };
  moves.forEach((move, i) => move.addEventListener("click", () => go(i)));
  for (const button of game.querySelectorAll("[data-step]")) {
    button.addEventListener("click", steps[button.dataset.step]);
  }
  for (const figure of game.querySelectorAll("figure")) {
    const svg = figure.querySelector(".board"), data = svg.dataset;
    show(svg, data.board, { played: data.played, best: data.best, turned: "turned" in data });
    figure.addEventListener("click", () => { go(+figure.dataset.move); board.scrollIntoView({ block: "nearest" }); });
  }
  graph?.addEventListener("click", (event) => {
    const { left, width } = graph.getBoundingClientRect();
    go(Math.round((event.clientX - left) / width * (moves.length - 1)));
  });
  go(0);
  return steps;
}

document.addEventListener("DOMContentLoaded", () => {
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "turn" };
  const games = new Map();
  let present = null;
  // A game is drawn when it is first opened: a page may hold thousands.
  function open(game) {
    if (!games.has(game)) games.set(game, prepare(game));
    present = games.get(game);
  }
  for (const game of document.querySelectorAll(".game")) {
    if (game.open) open(game);
    game.addEventListener("toggle", () => { if (game.open) open(game); });
    game.addEventListener("click", () => { if (games.has(game)) present = games.get(game); });
  }
  document.addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || !present || event.ctrlKey || event.metaKey || event.altKey) return;
    present[step]();
    event.preventDefault();
  });
});
