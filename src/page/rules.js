// The rules: which moves a position allows, and how they are written.

const JUMPS = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];
const STRAIGHT = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];
const DIAGONAL = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
];
const STEPS = { n: JUMPS, b: DIAGONAL, r: STRAIGHT, q: [...STRAIGHT, ...DIAGONAL], k: [...STRAIGHT, ...DIAGONAL] };
const SLIDES = "brq";

// What a FEN says behind the pieces.
function stateOf(fields) {
  const [side, castling, passed, quiet, number] = fields.split(" ");
  return { white: side === "w", castling: castling.replace("-", ""), passed, quiet: +quiet, number: +number };
}

const fieldsOf = ({ white, castling, passed, quiet, number }) =>
  `${white ? "w" : "b"} ${castling || "-"} ${passed} ${quiet} ${number}`;

// The square so many files and ranks away, if it is on the board.
function beside(square, [files, ranks]) {
  const file = FILES[FILES.indexOf(square[0]) + files];
  const rank = +square[1] + ranks;
  return file && rank >= 1 && rank <= 8 ? file + rank : undefined;
}

// The squares that a piece would reach from here.
function reached(position, from, kind) {
  return STEPS[kind].flatMap((step) => {
    const squares = [];
    let to = beside(from, step);
    while (to) {
      squares.push(to);
      to = SLIDES.includes(kind) && !position[to] ? beside(to, step) : undefined;
    }
    return squares;
  });
}

function isAttacked(position, square, byWhite) {
  const is = (at, kind) => at && position[at] === (byWhite ? kind.toUpperCase() : kind);
  const behind = byWhite ? -1 : 1;
  return (
    [-1, 1].some((file) => is(beside(square, [file, behind]), "p")) ||
    Object.keys(STEPS).some((kind) => reached(position, square, kind).some((at) => is(at, kind)))
  );
}

const kingOf = (position, white) => Object.keys(position).find((square) => position[square] === (white ? "K" : "k"));
const inCheck = (position, white) => isAttacked(position, kingOf(position, white), !white);

// The squares of a rank from one to another, inclusive.
function between(from, to) {
  const [a, b] = [from, to].map((square) => FILES.indexOf(square[0])).sort();
  return [...FILES.slice(a, b + 1)].map((file) => file + from[1]);
}

// The rook of a castling right: the outermost on a side, or on the file that is named.
function rookOf(position, right) {
  const white = isWhite(right);
  const king = kingOf(position, white);
  const name = right.toLowerCase();
  const files = name === "k" ? [...FILES].reverse() : name === "q" ? [...FILES] : [name];
  const isRook = (square) => position[square] === (white ? "R" : "r");
  return files.map((file) => file + king[1]).find(isRook);
}

function castlings(position, { white, castling }) {
  const rights = [...castling].filter((right) => isWhite(right) === white);
  return rights.flatMap((right) => {
    const king = kingOf(position, white);
    const rook = rookOf(position, right);
    if (!rook) return [];
    const [kingTo, rookTo] = (king < rook ? ["g", "f"] : ["c", "d"]).map((file) => file + king[1]);
    const { [king]: itself, ...others } = position;
    const path = between(king, kingTo);
    const isFree = [...path, ...between(rook, rookTo)].every(
      (square) => square === king || square === rook || !position[square],
    );
    return isFree && path.every((square) => !isAttacked(others, square, !white)) ? [king + rook] : [];
  });
}

function pawnMoves(position, { white, passed }, from) {
  const ahead = white ? 1 : -1;
  const one = beside(from, [0, ahead]);
  const two = beside(from, [0, 2 * ahead]);
  const isEnemy = (square) => position[square] && isWhite(position[square]) !== white;
  const takes = [-1, 1].map((file) => beside(from, [file, ahead])).filter((to) => to && (to === passed || isEnemy(to)));
  const steps = position[one] ? [] : from[1] === (white ? "2" : "7") && !position[two] ? [one, two] : [one];
  const promotes = one[1] === (white ? "8" : "1");
  return [...takes, ...steps].flatMap((to) => (promotes ? [..."qrbn"].map((piece) => from + to + piece) : [from + to]));
}

// The legal moves, castling as the king taking its rook.
function legalMoves(position, state) {
  const own = Object.entries(position).filter(([, letter]) => isWhite(letter) === state.white);
  const moves = own.flatMap(([from, letter]) => {
    const kind = letter.toLowerCase();
    if (kind === "p") return pawnMoves(position, state, from);
    const free = (to) => !position[to] || isWhite(position[to]) !== state.white;
    return reached(position, from, kind)
      .filter(free)
      .map((to) => from + to);
  });
  return [...moves, ...castlings(position, state)].filter((move) => !inCheck(after(position, move), state.white));
}

const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

// Why a piece may not go somewhere.
function whyNot(position, state, from, to) {
  const letter = position[from];
  if (!letter) return `There is no piece on ${from}.`;
  const kind = letter.toLowerCase();
  const name = PIECES[kind];
  if (isWhite(letter) !== state.white) return `It is ${state.white ? "White" : "Black"}'s move.`;
  const own = position[to] && isWhite(position[to]) === state.white;
  if (own) return `Your own ${PIECES[position[to].toLowerCase()]} stands on ${to}.`;
  const isCastling = kind === "k" && from[1] === to[1] && Math.abs(FILES.indexOf(from[0]) - FILES.indexOf(to[0])) === 2;
  if (isCastling) {
    const right = (to[0] === "g" ? "k" : "q")[state.white ? "toUpperCase" : "toString"]();
    if (!state.castling.includes(right)) return "The king or that rook has moved, so castling is over.";
    if (inCheck(position, state.white)) return "A king in check may not castle.";
    const king = to[0] === "g" ? ["f", "g"] : ["d", "c"];
    if (king.some((file) => isAttacked(position, file + from[1], !state.white)))
      return "The king would pass a square that is attacked.";
    return "Pieces stand between the king and the rook.";
  }
  const reaches =
    kind === "p"
      ? pawnMoves(position, state, from).some((move) => move.slice(2, 4) === to)
      : reached(position, from, kind).includes(to);
  if (!reaches) {
    if (kind === "p" && from[0] === to[0] && position[to]) return `The pawn is blocked: it takes only diagonally.`;
    if (kind === "p" && from[0] !== to[0]) return "A pawn goes diagonally only when it takes.";
    const isFree = kind !== "p" && reached({}, from, kind).includes(to);
    return isFree ? `Something stands in the ${name}'s way.` : `A ${name} does not move like that.`;
  }
  if (kind === "k") return `The king would be attacked on ${to}.`;
  return inCheck(position, state.white)
    ? "The king is in check, and that does not stop it."
    : `The ${name} is pinned: the king would be in check.`;
}

// The state after a legal move.
function stateAfter(position, state, move) {
  const from = move.slice(0, 2);
  const to = move.slice(2, 4);
  const letter = position[from];
  const kind = letter.toLowerCase();
  const isLost = (right) =>
    (kind === "k" && isWhite(right) === state.white) || [from, to].includes(rookOf(position, right));
  const castling = [...state.castling].filter((right) => !isLost(right)).join("");
  const isDouble = kind === "p" && Math.abs(from[1] - to[1]) === 2;
  const enemy = state.white ? "p" : "P";
  const isSeen = isDouble && [-1, 1].some((file) => position[beside(to, [file, 0])] === enemy);
  const passed = isSeen ? from[0] + (+from[1] + +to[1]) / 2 : "-";
  const isCapture = position[to] && !takesOwnRook(position, from, to);
  const quiet = kind === "p" || isCapture ? 0 : state.quiet + 1;
  return { white: !state.white, castling, passed, quiet, number: state.number + (state.white ? 0 : 1) };
}

// A legal move in standard notation.
function sanOf(position, state, move) {
  const from = move.slice(0, 2);
  const to = move.slice(2, 4);
  const kind = position[from].toUpperCase();
  const next = after(position, move);
  const white = !state.white;
  const check = !inCheck(next, white) ? "" : legalMoves(next, stateAfter(position, state, move)).length ? "+" : "#";
  if (takesOwnRook(position, from, to)) return (from < to ? "O-O" : "O-O-O") + check;
  const takes = position[to] || (kind === "P" && from[0] !== to[0]) ? "x" : "";
  if (kind === "P") return (takes && from[0] + takes) + to + (move[4] ? "=" + move[4].toUpperCase() : "") + check;
  const others = legalMoves(position, state)
    .filter(
      (other) =>
        other !== move &&
        other.slice(2) === to &&
        position[other.slice(0, 2)] === position[from] &&
        !takesOwnRook(position, other.slice(0, 2), to),
    )
    .map((other) => other.slice(0, 2));
  const file =
    others.length && !(others.some((other) => other[0] === from[0]) && !others.some((other) => other[1] === from[1]));
  const rank = others.some((other) => other[0] === from[0]);
  return kind + (file ? from[0] : "") + (rank ? from[1] : "") + takes + to + check;
}

// The only legal move that a text in standard notation can mean.
function moveOf(position, state, text) {
  const word = text.replace(/[+#!?]+$/, "").replace(/0/g, "O");
  const legal = legalMoves(position, state);
  if (/^O-O(-O)?$/.test(word)) {
    const isLong = word.length > 3;
    return legal.find(
      (move) =>
        takesOwnRook(position, move.slice(0, 2), move.slice(2, 4)) && move.slice(0, 2) > move.slice(2, 4) === isLong,
    );
  }
  const [, kind = "P", file, rank, to, piece = ""] =
    word.match(/^([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])=?([QRBN])?$/) ?? [];
  const found = legal.filter(
    (move) =>
      move.slice(2) === (to ?? "") + piece.toLowerCase() &&
      position[move.slice(0, 2)].toUpperCase() === kind &&
      !takesOwnRook(position, move.slice(0, 2), to) &&
      (!file || move[0] === file) &&
      (!rank || move[1] === rank),
  );
  return found.length === 1 ? found[0] : undefined;
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// Where the pieces stand, for those who hear it.
function described(position) {
  const side = (white) =>
    Object.keys(position)
      .filter((square) => isWhite(position[square]) === white)
      .map((square) => position[square].toUpperCase().replace("P", "") + square)
      .sort()
      .join(" ");
  return `White: ${side(true)}. Black: ${side(false)}.`;
}

// Where a piece might go when the other side has moved: whatever its steps reach.
function premoves(position, white, from) {
  const kind = position[from].toLowerCase();
  const ahead = white ? 1 : -1;
  const steps =
    kind !== "p"
      ? reached({}, from, kind)
      : [
          [0, 1],
          [0, 2],
          [1, 1],
          [-1, 1],
        ]
          .map(([file, rank]) => beside(from, [file, rank * ahead]))
          .filter(Boolean);
  const rooks =
    kind === "k"
      ? Object.keys(position).filter((square) => position[square] === (white ? "R" : "r") && square[1] === from[1])
      : [];
  const isLast = (to) => kind === "p" && to[1] === (white ? "8" : "1");
  return [...steps, ...rooks].map((to) => from + to + (isLast(to) ? "q" : ""));
}

// A start of Chess960: bishops on both shades, the king between the rooks.
function shuffled() {
  const rank = Array(8).fill("");
  const random = (count) => Math.floor(Math.random() * count);
  const free = () => [...rank.keys()].filter((file) => !rank[file]);
  rank[2 * random(4)] = "b";
  rank[2 * random(4) + 1] = "b";
  for (const piece of "qnn") rank[free()[random(free().length)]] = piece;
  for (const piece of "rkr") rank[free()[0]] = piece;
  const row = rank.join("");
  return `${row}/pppppppp/8/8/8/8/PPPPPPPP/${row.toUpperCase()} w KQkq - 0 1`;
}
