// What a file says of its moves: clocks, drawings, an engine's figures, words, and lines of its own.

const COLORS = { G: "green", R: "red", Y: "yellow", B: "blue" };

// Keys that cutechess and fastchess write: time left, depth, White's score and more.
const FACTS = new Set([
  "ev",
  "d",
  "sd",
  "mt",
  "tl",
  "s",
  "n",
  "nps",
  "pv",
  "tb",
  "h",
  "hashfull",
  "ph",
  "wv",
  "R50",
  "Rd",
  "Rr",
  "mb",
  "latency",
]);

// Time left as fastchess writes it, "0.975s", or as cutechess does, in milliseconds or as a clock.
function clockOf(text) {
  if (text.includes(":")) return text;
  const left = parseFloat(text) / (text.endsWith("s") ? 1 : 1000);
  const tenths = Math.floor(left * 10) / 10;
  const part = (number) => String(Math.floor(number) % 60).padStart(2, "0");
  return (
    `${Math.floor(left / 3600)}:${part(left / 60)}:${part(left)}` + (left < 60 ? (tenths % 1).toFixed(1).slice(1) : "")
  );
}

// The parts of a comment. What programs write for programs is not shown as words.
function readComment(text) {
  const said = { words: "", clock: null, drawn: [], figures: "" };
  const words = text
    .replace(/\[%(\w+)\s+([^\]]*)\]/g, (_, name, value) => {
      if (name === "clk") said.clock = value.trim();
      if (name === "csl" || name === "cal") {
        for (const mark of value.split(",").map((mark) => mark.trim())) {
          const [, color, from, to = from] = mark.match(/^([GRYB])([a-h][1-8])([a-h][1-8])?$/) ?? [];
          if (color) said.drawn.push([from, to, COLORS[color]]);
        }
      }
      return "";
    })
    .trim();
  const [all, score, depth, time] = words.match(
    /^([+-]?(?:\d+\.\d+|M\d+))\/(\d+)\S*\s+(\d+(?:\.\d+)?)s?(?=$|[\s,;])[,;\s]*/,
  ) ?? [""];
  const facts = {};
  said.words = words
    .slice(all.length)
    .replace(/(?:^|,\s*|\s+)(\w+)=([^,]*)/g, (text, name, value) => {
      if (!FACTS.has(name)) return text;
      facts[name] = value.trim();
      return "";
    })
    .replace(/^[,\s]+|[,\s]+$/g, "");
  if (all) said.figures = `${score}, depth ${depth}, ${time} s`;
  else if (facts.wv && facts.d) said.figures = `${facts.wv}, depth ${facts.d}`;
  said.clock ??= facts.tl ? clockOf(facts.tl) : null;
  return said;
}

function readComments(texts = []) {
  const parts = texts.map(readComment);
  return {
    words: parts.map(({ words }) => words).filter(Boolean),
    clock: parts.map(({ clock }) => clock).find(Boolean) ?? null,
    drawn: parts.flatMap(({ drawn }) => drawn),
    figures: parts.map(({ figures }) => figures).find(Boolean) ?? "",
  };
}

// "0:04:40" in seconds.
const seconds = (clock) => clock.split(":").reduce((sum, part) => 60 * sum + parseFloat(part), 0);
// Parts of seconds count when they are few.
const shortClock = (clock) => (seconds(clock) < 10 ? clock : clock.replace(/\.\d+$/, "")).replace(/^0?0:(?=\d\d:)/, "");

const TOKENS =
  /\{([^}]*)\}|;([^\n]*)|([()])|\$(\d+)|(1-0|0-1|1\/2-1\/2|\*)|(0-0(?:-0)?[+#!?]*|O-O(?:-O)?[+#!?]*)|\d+\s*\.[\s.]*|([^\s(){};$]+)/g;

// A line of the file, as parts to show: moves with the path that leads to them, words, and lines within.
// It begins in the position after so many plies.
function readVariation(text, game, ply) {
  const begin = (path, spots) => ({ path, spots, parts: [], isLost: false });
  const first = begin({ ply, isFiled: true, moves: [] }, [
    { position: game.positions[ply], state: stateOf(game.states[ply]) },
  ]);
  const open = [first];
  for (const [token, braced, rest, bracket, nag, result, castling, word] of text.matchAll(TOKENS)) {
    const branch = open[open.length - 1];
    const { path, spots, parts } = branch;
    const comment = braced ?? rest;
    const move = castling ?? word;
    if (comment !== undefined) {
      const { words } = readComment(comment);
      if (words) parts.push({ words });
    } else if (bracket === "(") {
      const inner = begin(
        { ply, isFiled: true, moves: path.moves.slice(0, -1) },
        spots.slice(0, Math.max(spots.length - 1, 1)),
      );
      parts.push({ inner: inner.parts });
      open.push(inner);
    } else if (bracket === ")") {
      if (open.length > 1) open.pop();
    } else if (nag !== undefined) {
      parts.push({ words: NAGS[nag] ?? "", isSign: true });
    } else if (move !== undefined) {
      const { position, state } = spots[spots.length - 1];
      const uci = branch.isLost ? undefined : moveOf(position, state, move);
      if (uci) {
        path.moves.push({ uci, san: sanOf(position, state, uci) + (move.match(/[!?]+$/)?.[0] ?? "") });
        spots.push({ position: after(position, uci), state: stateAfter(position, state, uci) });
        parts.push({ path, count: path.moves.length });
      } else {
        // From here on the file's words stand as they are.
        branch.isLost = true;
        parts.push({ words: token });
      }
    } else if (result !== undefined || branch.isLost) {
      parts.push({ words: token.trim() });
    }
  }
  return first.parts;
}
