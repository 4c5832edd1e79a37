// Charts: lines over a common axis, and bars of won, drawn and lost games.

const COLOURS = 8;
const MARGIN = { left: 46, right: 18, top: 10, bottom: 34 };

function colour(number) {
  return `var(--line-${number % COLOURS})`;
}

// Round numbers that divide an interval into about this many parts.
function ticks(low, high, parts) {
  const raw = (high - low) / parts || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.99);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(i * step);
  return found;
}

function rangeOf(values) {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (low > high) return [0, 1];
  return low === high ? [low - 1, high + 1] : [low, high];
}

// Draws lines [{name, colour, points: [[x, y]], band: [[x, low, high]], faint}] into an element.
// options: height, xName, yName, format, marks [{y, name}] for horizontal lines, yRange, yTicks,
// empty, onpick(x).
function lineChart(container, lines, options) {
  lines = lines.filter((line) => line.points.length);
  if (!lines.length) {
    container.replaceChildren(make("p", { class: "empty" }, options.empty));
    return;
  }
  options = { height: 230, marks: [], format: (y) => `${+y.toFixed(2)}`, ...options };
  const width = Math.max(container.clientWidth, 280);
  const { height } = options;
  const scale = chartScale(lines, options, width);
  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  drawAxes(svg, scale, options);
  drawLines(svg, scale, lines);
  const tip = make("div", { class: "tip" });
  container.setCursor = addCursor(svg, tip, scale, lines, options);
  const legend = make(
    "div",
    { class: "legend" },
    lines
      .filter((line) => line.name && !line.faint)
      .map((line) => make("span", {}, make("i", { style: `background:${line.colour}` }), line.name)),
  );
  container.replaceChildren(make("div", { class: "chart" }, svg, tip), lines.length > 1 ? legend : "");
}

function chartScale(lines, { height, marks, yRange }, width) {
  const [x0, x1] = rangeOf(lines.flatMap((line) => line.points.map(([x]) => x)));
  const values = lines.flatMap((line) => line.points.map(([, y]) => y));
  let [y0, y1] = yRange || rangeOf(values.concat(marks.map((mark) => mark.y)));
  if (!yRange) [y0, y1] = [y0 - 0.06 * (y1 - y0), y1 + 0.06 * (y1 - y0)];
  const { left, top } = MARGIN;
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  return {
    ...{ x0, x1, y0, y1, left, top, right, bottom, width },
    atX: (x) => left + ((x - x0) / (x1 - x0)) * (right - left),
    atY: (y) => bottom - ((Math.min(Math.max(y, y0), y1) - y0) / (y1 - y0)) * (bottom - top),
    xAt: (pixels) => x0 + ((pixels - left) / (right - left)) * (x1 - x0),
  };
}

function drawAxes(svg, scale, { height, xName, yName, format, marks, yTicks }) {
  const { left, top, right, bottom, atX, atY } = scale;
  const across = (y, kind) => makeSvg("line", { x1: left, x2: right, y1: atY(y), y2: atY(y), class: kind });
  const text = (x, y, kind, content) => makeSvg("text", { x, y, class: kind }, content);
  for (const y of yTicks || ticks(scale.y0, scale.y1, 5)) {
    svg.append(across(y, y === 0 ? "zero" : "grid"), text(left - 7, atY(y) + 4, "end", format(y)));
  }
  for (const x of ticks(scale.x0, scale.x1, Math.max(2, scale.width / 90))) {
    if (Number.isInteger(x)) svg.append(text(atX(x), bottom + 16, "middle", `${x}`));
  }
  if (yName) svg.append(text(left + 6, top + 4, "name", yName));
  if (xName) svg.append(text(right, height - 3, "end name", xName));
  for (const { y, name } of marks) {
    const above = atY(y) >= top + 16;
    svg.append(across(y, "mark"), text(right - 2, atY(y) + (above ? -5 : 14), "end name", name));
  }
}

function drawLines(svg, { atX, atY }, lines) {
  const path = (points) =>
    points.map(([x, y], i) => `${i ? "L" : "M"}${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join("");
  for (const { band, colour } of lines) {
    if (!band || band.length < 2) continue;
    const upper = path(band.map(([x, , high]) => [x, high]));
    const lower = path(band.map(([x, low]) => [x, low]).reverse());
    svg.append(makeSvg("path", { d: `${upper}L${lower.slice(1)}Z`, fill: colour, class: "band" }));
  }
  for (const { points, colour, faint } of [...lines].reverse()) {
    const [[x, y]] = points;
    svg.append(
      points.length === 1
        ? makeSvg("circle", { cx: atX(x), cy: atY(y), r: 3, fill: colour })
        : makeSvg("path", {
            d: path(points),
            stroke: colour,
            class: faint ? "line faint" : "line",
          }),
    );
  }
}

// A cursor that follows the pointer, and a tip with the values there. Returns what moves the cursor.
function addCursor(svg, tip, scale, lines, { xName, format, onpick }) {
  const { top, bottom, width, atX } = scale;
  const cursor = makeSvg("line", { y1: top, y2: bottom, class: "cursor", visibility: "hidden" });
  svg.append(cursor);
  const setCursor = (x) => {
    cursor.setAttribute("x1", atX(x));
    cursor.setAttribute("x2", atX(x));
    cursor.setAttribute("visibility", "visible");
  };
  const xAt = (event) => scale.xAt(event.clientX - svg.getBoundingClientRect().left);
  const nearest = (points, x) =>
    points.reduce((best, point) => (Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best));
  svg.addEventListener("pointermove", (event) => {
    const [x] = nearest(lines[0].points, xAt(event));
    setCursor(x);
    const rows = lines
      .filter((line) => !line.faint)
      .map((line) => {
        const [, y, text] = nearest(line.points, x);
        const key = make("i", { style: `background:${line.colour}` });
        return make("div", {}, key, `${line.name} ${text || format(y)}`);
      });
    tip.replaceChildren(make("b", {}, `${xName || ""} ${+x.toFixed(1)}`), ...rows);
    tip.style.display = "block";
    tip.style.left = `${Math.min(atX(x) + 12, width - tip.offsetWidth)}px`;
  });
  svg.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    tip.style.display = "none";
  });
  if (onpick) {
    svg.style.cursor = "pointer";
    svg.addEventListener("click", (event) => onpick(xAt(event)));
  }
  return setCursor;
}

// A bar of won, drawn and lost games, in proportion to the largest one.
function resultBar(name, [won, drawn, lost], largest, onclick) {
  const total = won + drawn + lost;
  const part = (count, kind) =>
    count
      ? make(
          "span",
          { class: kind, style: `flex:${count}`, title: `${count} ${kind}` },
          count > largest / 25 ? `${count}` : "",
        )
      : null;
  return make(
    "div",
    { class: onclick ? "bar link" : "bar", onclick: onclick || (() => {}) },
    make("label", { title: name }, name),
    make(
      "div",
      { class: "track" },
      make(
        "div",
        { class: "shares", style: `width:${(100 * total) / Math.max(largest, 1)}%` },
        part(won, "won"),
        part(drawn, "drawn"),
        part(lost, "lost"),
      ),
    ),
    make("output", {}, total ? `${percent((won + drawn / 2) / total, 0)} of ${total}` : "–"),
  );
}
