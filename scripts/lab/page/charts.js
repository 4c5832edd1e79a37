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
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    found.push(i * step);
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
    container.replaceChildren(make("p", { class: "empty" }, options.empty || "Nothing to show."));
    return;
  }
  const width = Math.max(container.clientWidth, 280);
  const height = options.height || 230;
  const marks = options.marks || [];
  const [x0, x1] = rangeOf(lines.flatMap((line) => line.points.map(([x]) => x)));
  const all = lines
    .flatMap((line) => line.points.map(([, y]) => y))
    .concat(marks.map((mark) => mark.y));
  let [y0, y1] = options.yRange || rangeOf(all);
  if (!options.yRange) [y0, y1] = [y0 - 0.06 * (y1 - y0), y1 + 0.06 * (y1 - y0)];
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const atX = (x) => MARGIN.left + ((x - x0) / (x1 - x0)) * (right - MARGIN.left);
  const atY = (y) =>
    bottom - ((Math.min(Math.max(y, y0), y1) - y0) / (y1 - y0)) * (bottom - MARGIN.top);
  const path = (points) =>
    points.map(([x, y], i) => `${i ? "L" : "M"}${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join("");
  const format = options.format || ((y) => `${+y.toFixed(2)}`);

  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  for (const y of options.yTicks || ticks(y0, y1, 5)) {
    svg.append(
      makeSvg("line", {
        x1: MARGIN.left,
        x2: right,
        y1: atY(y),
        y2: atY(y),
        class: y === 0 ? "zero" : "grid",
      }),
      makeSvg("text", { x: MARGIN.left - 7, y: atY(y) + 4, class: "end" }, format(y)),
    );
  }
  for (const x of ticks(x0, x1, Math.max(2, width / 90)).filter(Number.isInteger)) {
    svg.append(makeSvg("text", { x: atX(x), y: bottom + 16, class: "middle" }, `${x}`));
  }
  if (options.yName)
    svg.append(
      makeSvg("text", { x: MARGIN.left + 6, y: MARGIN.top + 4, class: "name" }, options.yName),
    );
  if (options.xName)
    svg.append(makeSvg("text", { x: right, y: height - 3, class: "end name" }, options.xName));
  for (const { y, name } of marks) {
    svg.append(
      makeSvg("line", { x1: MARGIN.left, x2: right, y1: atY(y), y2: atY(y), class: "mark" }),
      makeSvg(
        "text",
        { x: right - 2, y: atY(y) + (atY(y) < MARGIN.top + 16 ? 14 : -5), class: "end name" },
        name,
      ),
    );
  }
  for (const line of lines) {
    if (line.band && line.band.length > 1) {
      const upper = line.band.map(([x, , high]) => [x, high]);
      const lower = line.band.map(([x, low]) => [x, low]).reverse();
      svg.append(
        makeSvg("path", {
          d: `${path(upper)}L${path(lower).slice(1)}Z`,
          fill: line.colour,
          class: "band",
        }),
      );
    }
  }
  for (const line of [...lines].reverse()) {
    svg.append(
      line.points.length === 1
        ? makeSvg("circle", {
            cx: atX(line.points[0][0]),
            cy: atY(line.points[0][1]),
            r: 3,
            fill: line.colour,
          })
        : makeSvg("path", {
            d: path(line.points),
            stroke: line.colour,
            class: line.faint ? "line faint" : "line",
          }),
    );
  }
  const cursor = makeSvg("line", {
    y1: MARGIN.top,
    y2: bottom,
    class: "cursor",
    visibility: "hidden",
  });
  const tip = make("div", { class: "tip" });
  svg.append(cursor);
  const setCursor = (x) => {
    cursor.setAttribute("x1", atX(x));
    cursor.setAttribute("x2", atX(x));
    cursor.setAttribute("visibility", "visible");
  };

  const xAt = (event) =>
    x0 +
    ((event.clientX - svg.getBoundingClientRect().left - MARGIN.left) / (right - MARGIN.left)) *
      (x1 - x0);
  const nearest = (points, x) =>
    points.reduce((best, point) => (Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best));
  svg.addEventListener("pointermove", (event) => {
    const [x] = nearest(lines[0].points, xAt(event));
    setCursor(x);
    const rows = lines
      .filter((line) => !line.faint)
      .map((line) => {
        const [, y, text] = nearest(line.points, x);
        return make(
          "div",
          {},
          make("i", { style: `background:${line.colour}` }),
          `${line.name} ${text || format(y)}`,
        );
      });
    tip.replaceChildren(make("b", {}, `${options.xName || ""} ${+x.toFixed(1)}`), ...rows);
    tip.style.display = "block";
    tip.style.left = `${Math.min(atX(x) + 12, width - tip.offsetWidth)}px`;
  });
  svg.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    tip.style.display = "none";
  });
  if (options.onpick) {
    svg.style.cursor = "pointer";
    svg.addEventListener("click", (event) => options.onpick(xAt(event)));
  }
  const named = lines.filter((line) => line.name && !line.faint);
  const legend = make(
    "div",
    { class: "legend" },
    named.map((line) =>
      make("span", {}, make("i", { style: `background:${line.colour}` }), line.name),
    ),
  );
  container.replaceChildren(make("div", { class: "chart" }, svg, tip), lines.length > 1 ? legend : "");
  container.setCursor = setCursor;
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
