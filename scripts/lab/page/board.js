// A board that games are replayed on. Squares count from a8 to h1, as a FEN does.

const square = (name) => name.charCodeAt(0) - 97 + 8 * (56 - name.charCodeAt(1));

function readFen(fen) {
  const [ranks, side, , , , number] = fen.split(" ");
  const board = [];
  for (const letter of ranks.replaceAll("/", "")) {
    if (letter >= "1" && letter <= "8") board.push(...Array(Number(letter)).fill(null));
    else board.push(letter);
  }
  return { board, whiteToMove: side === "w", number: Number(number) || 1 };
}

function writeRanks(board) {
  const rank = (i) =>
    board
      .slice(8 * i, 8 * i + 8)
      .map((piece) => piece || "1")
      .join("");
  return [0, 1, 2, 3, 4, 5, 6, 7]
    .map(rank)
    .join("/")
    .replace(/1+/g, (run) => `${run.length}`);
}

const isWhite = (piece) => piece === piece.toUpperCase();

// The board after a move in UCI's words. Castling is a king that takes its own rook, or goes two files.
function play(board, move) {
  const next = [...board];
  const [from, to] = [square(move.slice(0, 2)), square(move.slice(2, 4))];
  const piece = board[from];
  next[from] = null;
  if (piece.toLowerCase() === "k") {
    const takesOwnRook = board[to] === (piece === "K" ? "R" : "r");
    if (takesOwnRook || (Math.abs(to - from) === 2 && from >> 3 === to >> 3 && from % 8 === 4)) {
      const short = to > from;
      const home = 8 * (from >> 3);
      const rook = takesOwnRook ? to : home + (short ? 7 : 0);
      next[rook] = null;
      next[home + (short ? 5 : 3)] = board[rook];
      next[home + (short ? 6 : 2)] = piece;
      return next;
    }
  }
  if (piece.toLowerCase() === "p" && from % 8 !== to % 8 && !board[to]) {
    next[8 * (from >> 3) + (to % 8)] = null;
  }
  const promoted = move[4];
  next[to] = promoted ? (isWhite(piece) ? promoted.toUpperCase() : promoted) : piece;
  return next;
}

// All boards of a game, from the first to the last.
function replay(fen, moves) {
  const boards = [readFen(fen).board];
  for (const move of moves) boards.push(play(boards.at(-1), move));
  return boards;
}

function pictures(pieces) {
  return Object.fromEntries(
    Object.entries(pieces).map(([piece, svg]) => [
      piece,
      `data:image/svg+xml,${encodeURIComponent(svg)}`,
    ]),
  );
}

// The squares as an element; White is below unless the board is turned.
function drawBoard(board, images, { turned = false, move = "", small = false } = {}) {
  const lit = move ? [square(move.slice(0, 2)), square(move.slice(2, 4))] : [];
  const element = make("div", { class: small ? "board small" : "board" });
  for (let i = 0; i < 64; i++) {
    const at = turned ? 63 - i : i;
    const dark = (at + (at >> 3)) % 2 === 1;
    const cell = make("div", {
      class: `${dark ? "dark" : "light"}${lit.includes(at) ? " lit" : ""}`,
    });
    if (!small && i % 8 === 0) cell.append(make("small", { class: "rank" }, `${8 - (at >> 3)}`));
    if (!small && i >= 56) cell.append(make("small", { class: "file" }, "abcdefgh"[at % 8]));
    if (board[at]) cell.append(make("img", { src: images[board[at]], alt: board[at] }));
    element.append(cell);
  }
  return element;
}
