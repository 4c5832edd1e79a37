// Lines of one's own beside a game: a list of paths, which is shown as a tree and written to PGN.

// Paths from one position, as parts to show: a list of parts for each first move.
function branches(paths) {
  const firsts = [...new Set(paths.map(({ moves }) => moves[0].uci))];
  return firsts.map((uci) =>
    woven(
      paths.filter(({ moves }) => moves[0].uci === uci),
      0,
    ),
  );
}

// Paths that are alike before a move: the first of them, and within it the others where they leave it.
function woven([main, ...others], from) {
  const parts = [];
  let rest = others;
  main.moves.slice(from).forEach(({ uci }, i) => {
    const at = from + i;
    const leaves = ({ moves }) => moves[at].uci !== uci;
    parts.push({ path: main, count: at + 1 });
    const { nag, words } = main.mine?.[at + 1] ?? {};
    if (nag) parts.push({ words: NAGS[nag], isSign: true, nag });
    if (words) parts.push({ words });
    const leaving = rest.filter(leaves);
    rest = rest.filter((path) => !leaves(path));
    for (const first of new Set(leaving.map(({ moves }) => moves[at].uci))) {
      parts.push({
        inner: woven(
          leaving.filter(({ moves }) => moves[at].uci === first),
          at,
        ),
      });
    }
  });
  return parts;
}

const braced = (text) => `{${text.replaceAll("}", ")")}}`;

// The parts in PGN.
function movetext(game, parts) {
  let numbered = true;
  return parts
    .map(({ path, count, inner, nag, words }) => {
      if (nag) return "$" + nag;
      if (!path) numbered = true;
      if (words) return braced(words);
      if (inner) return `(${movetext(game, inner)})`;
      const at = path.ply + count - 1;
      const number = numbered || game.whiteToMove(at) ? game.prefix(at).replace("…", "...") + " " : "";
      numbered = false;
      return number + path.moves[count - 1].san;
    })
    .join(" ");
}

const SIGNS = { inaccuracy: 6, mistake: 2, blunder: 4 };

// A game as PGN: as its analysis wrote it, or with the lines of one's own.
function pgnOf(game) {
  if (game.pgn && !game.own.length && !Object.keys(game.mine).length) return game.pgn;
  const quoted = (value) => value.replace(/["\\]/g, "\\$&");
  const tags = new Map([
    ["Event", "?"],
    ["Site", "?"],
    ["Date", "????.??.??"],
    ["Round", "?"],
    ["White", "?"],
    ["Black", "?"],
    ...game.tags,
  ]);
  tags.set("Result", game.result);
  if (game.start !== START) tags.set("SetUp", "1").set("FEN", game.start);
  const words = (game.preface ?? []).map(braced);
  const own = (from) =>
    branches(game.own.filter(({ ply }) => ply === from)).map((parts) => `(${movetext(game, parts)})`);
  let numbered = true;
  game.moves.forEach((move, i) => {
    const note = game.notes[i + 1] ?? {};
    const score = game.scores[i + 1] ?? "";
    const mine = game.mine[i + 1] ?? {};
    const nags = mine.nag ? [mine.nag] : (note.nags ?? (note.judgement ? [SIGNS[note.judgement]] : []));
    const found = /^[-+#\d]/.test(score) && !/^\d-/.test(score) ? [`[%eval ${score.replace("+", "")}]`] : [];
    if (numbered || game.whiteToMove(i)) words.push(game.prefix(i).replace("…", "..."));
    const said = words.push(move.san, ...nags.map((nag) => "$" + nag));
    numbered =
      said <
      words.push(
        ...[...found, ...(note.comments ?? []), ...(mine.words ? [mine.words] : [])].map(braced),
        ...[...(note.variations ?? [])].map((text) => `(${text})`),
        ...own(i),
      );
  });
  words.push(...own(game.moves.length).map((line) => braced(line.slice(1, -1))), game.result);
  const head = [...tags].map(([name, value]) => `[${name} "${quoted(value)}"]\n`).join("");
  return `${head}\n${words.join(" ").replace(/(.{1,79})(?:\s|$)/g, "$1\n")}\n`;
}

// A note as words: what a move lost, and what was better.
function judged(san, note) {
  if (note.praise) return [make("b", { class: "praise" }, `${san}!`), ` ${note.praise}.`];
  if (!note.judgement) return [make("b", {}, san), " is a good move."];
  return [
    make("b", { class: note.judgement }, san + note.sign),
    ` ${note.why}${note.best ? `; ${note.best} was best` : ""}.`,
  ];
}

// What an engine says of a move of one's own line, or the analysis of one that leaves the game.
function judgementOf(game, path, count) {
  const { uci, san } = path.moves[count - 1];
  const note = path.notes?.[count];
  if (note) return judged(san, note);
  const best = game.paths[path.ply]?.moves[0];
  const score = game.scores[path.ply];
  if (count > 1 || !best) return null;
  if (uci === best.uci) return [`${san} is the best move, ${score}.`];
  const other = (game.others[path.ply] ?? []).find((other) => other.path.moves[0]?.uci === uci);
  if (other) return [`${san} has ${other.score}; ${best.san}, the best move, ${score}.`];
  if (pairs(game.notes[path.ply + 1]?.right).some((right) => right.uci === uci))
    return [`${san} is as good as ${best.san}.`];
  return [`The analysis does not know ${san}; the best move is ${best.san}, ${score}.`];
}
