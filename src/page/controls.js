// Controls of the modes: choices, icons, progress.

// A choice of values, each with a text.
function choice(options, value, attributes = {}) {
  const select = make("select", attributes, ...options.map(([value, text]) => make("option", { value }, text)));
  select.value = value;
  return select;
}

function check(value, attributes = {}) {
  const box = make("input", { type: "checkbox", ...attributes });
  box.checked = value;
  return box;
}

// Buttons of which one is pressed. `choose` is told its value.
function segmented(label, options, value, choose) {
  const group = make("div", { class: "segmented", role: "group", "aria-label": label });
  const press = (chosen) => {
    for (const other of group.children) other.setAttribute("aria-pressed", other.value === String(chosen));
    choose(chosen);
  };
  group.append(...options.map(([value, text]) => button(text, () => press(value), { value })));
  press(value);
  return group;
}

const ICONS = {
  play: "M8 5l11 7-11 7z",
  analyse: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5.5 5.5",
  games: "M4 6h16M4 12h16M4 18h16",
  coach: "M2.5 9.5L12 5l9.5 4.5L12 14zM6.5 11.5v5c3 2.5 8 2.5 11 0v-5M21.5 9.5v5.5",
  settings:
    "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l2.8 2.8M16.2 16.2L19 19M19 5l-2.8 2.8M7.8 16.2L5 19",
  bring: "M12 3v12M7 11l5 5 5-5M4 20h16",
  back: "M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c1 1 1.5 2 1.5 3h5c0-1 .5-2 1.5-3A6 6 0 0 0 12 3z",
  draw: "M5 9h14M5 15h14",
  resign: "M6 21V4h11l-2.5 4 2.5 4H6",
};

function icon(name) {
  const svg = draw("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
  svg.append(draw("path", { d: ICONS[name] }));
  return svg;
}

// A button with an icon above its name.
function iconed(name, text, act) {
  const element = button("", act, { class: "iconed" });
  element.append(icon(name), make("span", {}, text));
  return element;
}

const duration = (seconds) =>
  seconds < 60
    ? `${Math.ceil(seconds)} s`
    : seconds < 3600
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`;

// A number with its unit: 1.2 M.
function short(number) {
  const unit = [
    [1e9, " G"],
    [1e6, " M"],
    [1e3, " k"],
  ].find(([size]) => number >= size);
  return unit ? (number / unit[0]).toPrecision(3) + unit[1] : String(number);
}
