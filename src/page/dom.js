// What all pages need: elements, texts of moves, files for the person.

const $ = (id) => document.getElementById(id);

function button(text, act, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", act);
  return element;
}

const labelled = (text, field) => make("label", {}, text + " ", field);

const counted = (count, name = "game") => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`;

// Moves, written as UCI and SAN by turns.
function pairs(text) {
  const words = text ? text.split(" ") : [];
  return words.flatMap((uci, i) => (i % 2 ? [] : [{ uci, san: words[i + 1] }]));
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from a file may not use the clipboard.
    const area = make("textarea", {}, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const { textContent } = button;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = textContent;
  }, 1200);
}

function save(text, name, type = "application/x-chess-pgn") {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
