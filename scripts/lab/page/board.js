// The board that replays games. Squares count from a8 to h1, as in a FEN.

const squareOf = (name) => name.charCodeAt(0) - 97 + 8 * (56 - name.charCodeAt(1));

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

// The board after a UCI move. The king castles by taking its own rook or by moving two files.
function play(board, move) {
  const next = [...board];
  const [from, to] = [squareOf(move.slice(0, 2)), squareOf(move.slice(2, 4))];
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

function replay(fen, moves) {
  const boards = [readFen(fen).board];
  for (const move of moves) boards.push(play(boards.at(-1), move));
  return boards;
}

function pieceImages(pieces) {
  return Object.fromEntries(
    Object.entries(pieces).map(([piece, svg]) => [
      piece,
      `data:image/svg+xml,${encodeURIComponent(svg)}`,
    ]),
  );
}

// White is at the bottom unless the board is flipped.
function drawBoard(board, images, { flipped = false, move = "", small = false } = {}) {
  const lastMove = move ? [squareOf(move.slice(0, 2)), squareOf(move.slice(2, 4))] : [];
  const element = make("div", { class: small ? "board small" : "board" });
  for (let i = 0; i < 64; i++) {
    const at = flipped ? 63 - i : i;
    const dark = (at + (at >> 3)) % 2 === 1;
    const cell = make("div", {
      class: `${dark ? "dark" : "light"}${lastMove.includes(at) ? " last" : ""}`,
    });
    if (!small && i % 8 === 0) cell.append(make("small", { class: "rank" }, `${8 - (at >> 3)}`));
    if (!small && i >= 56) cell.append(make("small", { class: "file" }, "abcdefgh"[at % 8]));
    if (board[at]) cell.append(make("img", { src: images[board[at]], alt: board[at] }));
    element.append(cell);
  }
  return element;
}
