// What was captured, and who has more.

const VALUES = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };

function numbers(position) {
  const found = {};
  for (const letter of Object.values(position)) found[letter] = (found[letter] ?? 0) + 1;
  return found;
}

// The pieces of the other side that are gone, and how much more a side has.
function material(start, position, white) {
  const [before, now] = [numbers(start), numbers(position)];
  const of = (kind, white) => (white ? kind.toUpperCase() : kind);
  const gone = [..."qrbnp"].flatMap((kind) => {
    const letter = of(kind, !white);
    return Array(Math.max((before[letter] ?? 0) - (now[letter] ?? 0), 0)).fill(letter);
  });
  const sum = (white) => [..."pnbrq"].reduce((sum, kind) => sum + VALUES[kind] * (now[of(kind, white)] ?? 0), 0);
  return { gone, more: sum(white) - sum(!white) };
}

// The same as a row of small pieces.
function materialRow(start, position, white) {
  const { gone, more } = material(start, position, white);
  const row = make("span", {
    class: "captured",
    role: "img",
    "aria-label": `Captured: ${gone.join(" ") || "nothing"}`,
  });
  for (const letter of gone) {
    const svg = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}` });
    const color = isWhite(letter) ? "white" : "black";
    svg.append(
      draw("use", {
        href: `#${look.pieces}${letter.toLowerCase()}`,
        class: "piece " + color,
        width: SIZE,
        height: SIZE,
      }),
    );
    row.append(svg);
  }
  if (more > 0) row.append(` +${more}`);
  return row;
}
