// Creates elements of the page, and formats numbers.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function show(id, ...children) {
  document.getElementById(id).replaceChildren(...children.flat());
}

function signed(value, digits = 1) {
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
}

// An Elo difference with its error, if the games tell one; the difference is null for an engine that
// won or lost all games.
function eloText(value, error, score, digits = 1) {
  if (value === null) return score > 0.5 ? "won all" : "lost all";
  return error === null ? "–" : `${signed(value, digits)} ± ${error.toFixed(digits)}`;
}

function percent(score, digits = 1) {
  return `${(100 * score).toFixed(digits)} %`;
}

function pointsText(points) {
  const whole = Math.floor(points);
  return points === whole ? `${whole}` : `${whole || ""}½`;
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
