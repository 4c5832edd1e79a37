// The board: positions, moves on them, and their drawing. The pages of scripts/report.py have it too.

// The set of pieces, by what stands before their names.
const look = { pieces: "" };

const SIZE = 45;
const BOARD = 8 * SIZE;
const FILES = "abcdefgh";

function draw(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  return element;
}

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...children);
  return element;
}

// A position is its letters by square; an empty square has none.
function placed(fen) {
  const position = {};
  fen
    .split(" ")[0]
    .split("/")
    .forEach((rank, row) => {
      let file = 0;
      for (const letter of rank) {
        if (letter > "0" && letter < "9") file += +letter;
        else position[FILES[file++] + (8 - row)] = letter;
      }
    });
  return position;
}

function placement(position) {
  const ranks = [];
  for (let rank = 8; rank > 0; rank--) {
    const letters = [...FILES].map((file) => position[file + rank] ?? "1").join("");
    ranks.push(letters.replace(/1+/g, (empty) => empty.length));
  }
  return ranks.join("/");
}

const isWhite = (letter) => letter === letter.toUpperCase();
const takesOwnRook = (position, from, to) =>
  position[from]?.toLowerCase() === "k" &&
  position[to]?.toLowerCase() === "r" &&
  isWhite(position[from]) === isWhite(position[to]);

// The position after a move. Castling is written as the king taking its rook.
function after(position, move) {
  const from = move.slice(0, 2);
  const to = move.slice(2, 4);
  const next = { ...position };
  const letter = position[from];
  delete next[from];
  if (takesOwnRook(position, from, to)) {
    const rook = position[to];
    const [king, beside] = from < to ? "gf" : "cd";
    delete next[to];
    next[king + from[1]] = letter;
    next[beside + from[1]] = rook;
    return next;
  }
  const isPawn = letter?.toLowerCase() === "p";
  if (isPawn && from[0] !== to[0] && !position[to]) delete next[to[0] + from[1]];
  const promoted = move[4];
  next[to] = promoted ? (isWhite(letter) ? promoted.toUpperCase() : promoted) : letter;
  return next;
}

// Where a move goes on the board: the king's square for castling.
function target(position, move) {
  const from = move.slice(0, 2);
  const to = move.slice(2, 4);
  return takesOwnRook(position, from, to) ? (from < to ? "g" : "c") + from[1] : to;
}

// The corner of a square on the screen.
function corner(square, turned) {
  const file = FILES.indexOf(square[0]);
  const rank = square[1] - 1;
  return { x: SIZE * (turned ? 7 - file : file), y: SIZE * (turned ? rank : 7 - rank) };
}

function arrow(from, to, kind, turned) {
  if (from === to) {
    const { x, y } = corner(from, turned);
    return draw("circle", { class: "arrow " + kind, cx: x + SIZE / 2, cy: y + SIZE / 2, r: 20 });
  }
  const a = corner(from, turned);
  const b = corner(to, turned);
  const half = SIZE / 2;
  const x = b.x + half;
  const y = b.y + half;
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const wing = (side) => `M${x} ${y}L${x - 12 * Math.cos(angle + side)} ${y - 12 * Math.sin(angle + side)}`;
  const d = `M${a.x + half} ${a.y + half}L${x} ${y}${wing(0.5)}${wing(-0.5)}`;
  return draw("path", { class: "arrow " + kind, d });
}

// Shows a position: touched squares are marked, and those of a move that waits; dots say where a piece may
// go; arrows are [from, to, kind], and from a square to itself they are circles.
function show(
  svg,
  position,
  { touched = [], waiting = [], check = "", arrows = [], dots = [], turned = false, label = "" },
) {
  svg.setAttribute("viewBox", `0 0 ${BOARD} ${BOARD}`);
  svg.setAttribute("aria-label", label);
  svg.replaceChildren();
  const figures = [];
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const square = FILES[column] + (8 - row);
      const { x, y } = corner(square, turned);
      const shade = (row + column) % 2 ? "dark" : "light";
      const box = { x, y, width: SIZE, height: SIZE };
      svg.append(draw("rect", { ...box, class: "square " + shade, "data-square": square }));
      if (touched.includes(square)) svg.append(draw("rect", { ...box, class: "touched" }));
      if (waiting.includes(square)) svg.append(draw("rect", { ...box, class: "waiting" }));
      if (square === check)
        svg.append(draw("circle", { class: "check", cx: x + SIZE / 2, cy: y + SIZE / 2, r: SIZE / 2 - 1 }));
      if (y === 7 * SIZE) svg.append(draw("text", { class: "name", x: x + 38, y: y + 42 }, square[0]));
      if (x === 0) svg.append(draw("text", { class: "name", x: 2, y: y + 10 }, square[1]));
      const letter = position[square];
      if (letter) {
        const color = isWhite(letter) ? "white" : "black";
        figures.push(
          draw("use", {
            ...box,
            href: `#${look.pieces}${letter.toLowerCase()}`,
            class: "piece " + color,
            "data-square": square,
            "data-letter": letter,
          }),
        );
      }
    }
  }
  const marks = dots.map((square) => {
    const { x, y } = corner(square, turned);
    return draw("circle", { class: "dot", cx: x + SIZE / 2, cy: y + SIZE / 2, r: position[square] ? 20 : 7 });
  });
  for (const dot of marks.filter((_, i) => position[dots[i]])) dot.classList.add("ring");
  svg.append(...figures, ...marks, ...arrows.map(([from, to, kind]) => arrow(from, to, kind, turned)));
}

// The square under a pointer.
function squareAt(svg, event, turned) {
  const { left, top, width } = svg.getBoundingClientRect();
  const file = Math.floor(((event.clientX - left) / width) * 8);
  const rank = 7 - Math.floor(((event.clientY - top) / width) * 8);
  return turned ? FILES[7 - file] + (8 - rank) : FILES[file] + (rank + 1);
}
