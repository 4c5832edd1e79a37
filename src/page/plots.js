// Plots of the coach: what I lose and what the opponents lose, with what is uncertain of it.

// An excess with its range, against zero. All rows of a table have one scale.
function whisker({ excess, error }, scale) {
  const width = 176;
  const height = 19;
  const x = (value) => Math.min(Math.max(width / 2 + (value / scale) * (width / 2 - 4), 2), width - 2);
  const svg = draw("svg", { class: "whisker", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const middle = height / 2;
  svg.append(
    draw("path", { class: "zero", d: `M${x(0)} 0v${height}` }),
    draw("path", { class: "range", d: `M${x(excess - 2 * error)} ${middle}H${x(excess + 2 * error)}` }),
    draw("circle", { class: "point", cx: x(excess), cy: middle, r: 4 }),
  );
  return svg;
}

// Lines over named places: each of `points` has a name, mine, theirs, and the error of mine.
function plot(title, points, { names = { mine: "you", theirs: "your opponents" }, digits = 2 } = {}) {
  const width = 420;
  const height = 220;
  const [left, bottom, top] = [42, 40, 10];
  // The axes are those of the values: a long range of doubt is cut off.
  const values = points.flatMap(({ mine, theirs }) => [mine, theirs]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max((high - low) / 2, high / 8, 0.001);
  const most = high + room;
  // Ratings do not begin at nothing.
  const least = digits ? 0 : low - room;
  const x = (i) => left + ((i + 0.5) * (width - left - 8)) / points.length;
  const cut = (value) => Math.min(Math.max(value, least), most);
  const y = (value) => top + (height - bottom - top) * (1 - (cut(value) - least) / (most - least));
  const svg = draw("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  for (const share of [0, 0.5, 1]) {
    const value = least + share * (most - least);
    svg.append(draw("path", { class: "axis", d: `M${left} ${y(value)}H${width}` }));
    svg.append(draw("text", { x: left - 4, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(digits)));
  }
  const every = Math.ceil(points.length / 6);
  points.forEach(({ name, mine, error }, i) => {
    if (i % every === 0) {
      const label = draw("text", { x: x(i), y: height - bottom + 16, "text-anchor": "middle" });
      // Long names have two lines.
      const words = name.split(" ");
      const half = name.length > 12 ? Math.ceil(words.length / 2) : words.length;
      label.append(draw("tspan", { x: x(i) }, words.slice(0, half).join(" ")));
      label.append(draw("tspan", { x: x(i), dy: 13 }, words.slice(half).join(" ")));
      svg.append(label);
    }
    svg.append(draw("path", { class: "doubt", d: `M${x(i)} ${y(mine - 2 * error)}V${y(mine + 2 * error)}` }));
  });
  for (const whose of ["theirs", "mine"]) {
    const line = points.map((point, i) => `${x(i)},${y(point[whose])}`).join(" ");
    svg.append(draw("polyline", { class: whose, points: line }));
    points.forEach((point, i) => {
      const dot = draw("circle", { class: whose, cx: x(i), cy: y(point[whose]), r: 3.5 });
      dot.append(draw("title", {}, `${point.name}, ${names[whose]}: ${point[whose].toFixed(digits)}`));
      svg.append(dot);
    });
  }
  const legend = make("p", { class: "legend quiet" }, `${title}: `);
  legend.append(make("b", { class: "mine" }, names.mine), ", ", make("b", { class: "theirs" }, names.theirs));
  return make("figure", {}, svg, legend);
}
