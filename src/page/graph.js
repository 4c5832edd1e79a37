// The graph of White's chances, with its axes and a tooltip.

// `choose` is told the ply that is clicked. Returns what marks the present ply.
function drawGraph(place, game, choose) {
  const width = Math.max(place.clientWidth, 300);
  const height = 180;
  const left = 40;
  const bottom = 20;
  const last = Math.max(game.moves.length, 1);
  const plot = { width: width - left, height: height - bottom };
  const x = (ply) => left + (plot.width * ply) / last;
  const y = (win) => plot.height * (1 - win / 100);
  const svg = draw("svg", {
    class: "graph",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": "White's chance to win after each move",
  });
  svg.append(draw("rect", { class: "black", x: left, width: plot.width, height: plot.height }));
  if (game.wins.length) {
    const path = game.wins.map((win, ply) => `L${x(ply).toFixed(1)} ${y(win).toFixed(1)}`).join("");
    svg.append(
      draw("path", { class: "white", d: `M${left} ${plot.height}${path}L${x(game.wins.length - 1)} ${plot.height}z` }),
    );
  }
  for (const win of [0, 25, 50, 75, 100]) {
    svg.append(draw("path", { class: win === 50 ? "middle" : "line", d: `M${left} ${y(win)}h${plot.width}` }));
    svg.append(
      draw("text", { x: left - 4, y: Math.min(Math.max(y(win) + 4, 10), plot.height), class: "axis y" }, win + "%"),
    );
  }
  const offset = game.offset;
  const step = [1, 2, 5, 10, 20, 50, 100].find((step) => last / 2 / step <= width / 40) ?? 200;
  for (let ply = 1; ply <= last; ply++) {
    const number = game.firstMove + (ply + offset - 1) / 2;
    if (number % step === 0 && x(ply) < width - 10) {
      svg.append(draw("path", { class: "line", d: `M${x(ply)} 0v${plot.height}` }));
      svg.append(draw("text", { x: x(ply), y: height - 5, class: "axis x" }, number));
    }
  }
  // The clocks, where the file has them, as shares of the most there was.
  const clocks = game.clocks.map((clock) => clock && seconds(clock));
  const most = Math.max(...clocks);
  for (const white of most > 0 ? [true, false] : []) {
    const points = clocks.flatMap((clock, i) =>
      clock !== null && game.whiteToMove(i) === white
        ? [`${x(i + 1).toFixed(1)} ${(plot.height * (1 - clock / most)).toFixed(1)}`]
        : [],
    );
    svg.append(draw("polyline", { class: `clock ${white ? "of-white" : "of-black"}`, points: points.join(" ") }));
  }
  for (const [ply, note] of game.mistakes) {
    svg.append(draw("circle", { class: note.judgement, cx: x(ply), cy: y(game.wins[ply]), r: 5 }));
  }
  const now = draw("path", { class: "now", d: `M0 0v${plot.height}` });
  svg.append(now);
  const tip = make("output", { class: "tip", hidden: "" });
  const plyAt = (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    return Math.min(Math.max(Math.round(((at - left) / plot.width) * last), 0), game.moves.length);
  };
  svg.addEventListener("pointermove", (event) => {
    const ply = plyAt(event);
    const score = game.scores[ply];
    tip.hidden = score === undefined;
    if (tip.hidden) return;
    tip.textContent = `${game.name(ply)}  ${score}  (White ${Math.round(game.wins[ply])}%)`;
    const share = x(ply) / width;
    tip.style.left = share * 100 + "%";
    tip.style.transform = `translateX(-${share * 100}%)`;
  });
  svg.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  svg.addEventListener("click", (event) => choose(plyAt(event)));
  place.replaceChildren(svg, tip);
  return (ply) => now.setAttribute("transform", `translate(${x(ply)} 0)`);
}
