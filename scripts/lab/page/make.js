// Elements of the page, and numbers in words.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function show(id, ...children) {
  document.getElementById(id).replaceChildren(...children.flat());
}

function signed(value, digits = 1) {
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
}

// An Elo difference. There is none, but null, for one who scored all points or none.
function withError(value, error, share, digits = 1) {
  if (value === null) return share > 0.5 ? "won all" : "lost all";
  return signed(value, digits) + (error === null ? " ± ∞" : ` ± ${error.toFixed(digits)}`);
}

function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)} %`;
}

function halves(points) {
  const whole = Math.floor(points);
  return points === whole ? `${whole}` : `${whole || ""}½`;
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
