// The graph of White's chances, with its axes and a tooltip.

// A mark of a move that lost something: the worse, the more corners.
function markAt(kind, x, y) {
  const shapes = {
    inaccuracy: `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z`,
    mistake: `M${x} ${y - 6}l6 10h-12z`,
    blunder: `M${x - 5} ${y - 5}h10v10h-10z`,
  };
  return draw("path", { class: "mark " + kind, d: shapes[kind] });
}

// The seconds that each move took, where the file has clocks.
function timesSpent(game) {
  const [start = "", increment = "0"] = (game.tag.TimeControl ?? "").split("+");
  const clocks = game.clocks.map((clock) => (clock ? seconds(clock) : null));
  return clocks.map((clock, i) => {
    const before = i > 1 ? clocks[i - 2] : /^\d+$/.test(start) ? +start : null;
    return clock === null || before === null
      ? null
      : Math.max(before + (i > 1 || clock < before ? +increment || 0 : 0) - clock, 0);
  });
}

const took = (time) =>
  time < 10
    ? `${time.toFixed(1)} s`
    : time < 60
      ? `${Math.round(time)} s`
      : `${Math.floor(time / 60)} min ${Math.round(time) % 60} s`;

// `choose` is told the ply that is clicked. Returns what marks the present ply.
function drawGraph(place, game, choose) {
  const width = Math.max(place.clientWidth, 300);
  const spent = timesSpent(game);
  const longest = Math.max(...spent, 0);
  const bars = longest > 0 ? 46 : 0;
  const height = 180 + bars;
  const left = 40;
  const bottom = 20;
  const last = Math.max(game.moves.length, 1);
  const plot = { width: width - left, height: height - bottom - bars };
  const x = (ply) => left + (plot.width * ply) / last;
  const y = (win) => plot.height * (1 - win / 100);
  const svg = draw("svg", {
    class: "graph",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": "White's chance to win after each move",
  });
  svg.append(draw("rect", { class: "black", x: left, width: plot.width, height: plot.height }));
  // While a game is analysed, some positions are not known yet.
  const known = Object.keys(game.wins);
  if (known.length) {
    const path = known.map((ply) => `L${x(+ply).toFixed(1)} ${y(game.wins[ply]).toFixed(1)}`).join("");
    svg.append(
      draw("path", { class: "white", d: `M${x(+known[0])} ${plot.height}${path}L${x(+known.at(-1))} ${plot.height}z` }),
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
      svg.append(draw("text", { x: x(ply), y: plot.height + 15, class: "axis x" }, number));
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
    svg.append(markAt(note.judgement, x(ply), y(game.wins[ply])));
  }
  if (longest > 0) {
    svg.append(draw("text", { x: left - 4, y: height - 2, class: "axis y" }, "0"));
    svg.append(draw("text", { x: left - 4, y: height - bars + 14, class: "axis y" }, took(longest)));
    const wide = Math.max(plot.width / last - 1, 1);
    spent.forEach((time, i) => {
      if (time === null) return;
      const tall = Math.max(((bars - 4) * time) / longest, 0.5);
      const color = game.whiteToMove(i) ? "of-white" : "of-black";
      svg.append(
        draw("rect", { class: "spent " + color, x: x(i + 1) - wide, y: height - tall, width: wide, height: tall }),
      );
    });
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
    const time = spent[ply - 1] ?? null;
    tip.hidden = score === undefined && time === null;
    if (tip.hidden) return;
    tip.textContent =
      game.name(ply) +
      (score === undefined ? "" : `  ${score}  (White ${Math.round(game.wins[ply])}%)`) +
      (time === null ? "" : `  ${took(time)}`);
    const share = x(ply) / width;
    tip.style.left = share * 100 + "%";
    tip.style.transform = `translateX(-${share * 100}%)`;
  });
  svg.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  svg.addEventListener("click", (event) => choose(plyAt(event)));
  const key = (text, whose) => make("span", { class: whose }, text);
  const legend = make(
    "p",
    { class: "legend quiet" },
    "Clocks: ",
    key("━ White", "of-white"),
    " ",
    key("━ Black", "of-black"),
  );
  place.replaceChildren(svg, tip, ...(most > 0 ? [legend] : []));
  return (ply) => now.setAttribute("transform", `translate(${x(ply)} 0)`);
}
