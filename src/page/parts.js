// A file of games, in parts.

// A file is read in parts of so many bytes, of which the first is small so that its games are there at once, and
// asked about in parts of so many letters at most.
const FIRST_PART = 1 << 16;
const PART = 1 << 20;
const MOST_PART = 8 << 20;

// The text of a file, part by part: UTF-8, UTF-16 or Latin-1.
async function* textsOf(file) {
  const [a = 1, b = 1] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isWide = a === 0 || b === 0 || (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  const wide = isWide && new TextDecoder(a === 0 || a === 0xfe ? "utf-16be" : "utf-16le");
  let rest = new Uint8Array(0);
  let next = 0;
  for (let at = 0; at < file.size; at = next) {
    next = at + (at ? PART : FIRST_PART);
    const part = new Uint8Array(await file.slice(at, next).arrayBuffer());
    if (wide) {
      yield wide.decode(part, { stream: next < file.size });
      continue;
    }
    const bytes = new Uint8Array(rest.length + part.length);
    bytes.set(rest);
    bytes.set(part, rest.length);
    const end = next < file.size ? bytes.lastIndexOf(10) + 1 : bytes.length;
    rest = bytes.slice(end);
    const whole = bytes.subarray(0, end);
    try {
      yield new TextDecoder("utf-8", { fatal: true }).decode(whole);
    } catch {
      yield new TextDecoder("windows-1252").decode(whole);
    }
  }
}

// Texts in parts that begin with a game.
async function* partsOf(texts) {
  let text = "";
  for await (const more of texts) {
    text += more.replace(/\r\n?/g, "\n");
    // A game begins with tags behind an empty line.
    const cut = text.lastIndexOf("\n\n[");
    if (cut > 0 && /^\[\w+\s+"/.test(text.slice(cut + 2, cut + 40))) {
      yield text.slice(0, cut + 2);
      text = text.slice(cut + 2);
    } else if (text.length > MOST_PART) {
      yield text;
      text = "";
    }
  }
  if (text.trim()) yield text;
}
