// How the page looks: light or dark, the size and the colours of the board, its pieces and arrows. It is kept.

const LOOKS = {
  board: [
    ["wood", "Wood"],
    ["green", "Green"],
    ["blue", "Blue"],
  ],
  pieces: [
    ["", "Carved"],
    ["flat-", "Flat"],
    ["letter-", "Letters"],
  ],
  arrows: [
    ["green", "Green and red"],
    ["blue", "Blue and orange"],
    ["violet", "Violet and brown"],
  ],
};

const kept = (name, usual) => {
  try {
    return localStorage.getItem(name) ?? usual;
  } catch {
    return usual;
  }
};

const keep = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A page from a file may have no storage.
  }
};

class Look {
  // `changed` paints the boards anew.
  constructor(changed) {
    this.changed = changed;
    this.root = document.documentElement;
    const theme = kept("theme", "");
    if (theme) this.root.dataset.theme = theme;
    for (const name in LOOKS) this.take(name, kept("look-" + name, LOOKS[name][0][0]));
    this.resize(+kept("look-size", 100));
    $("theme").addEventListener("click", () => this.toggleTheme());
    $("look").addEventListener("click", () => this.open());
  }

  toggleTheme() {
    const isDark =
      (this.root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    this.root.dataset.theme = isDark ? "light" : "dark";
    keep("theme", this.root.dataset.theme);
  }

  take(name, value) {
    const known = LOOKS[name].some(([other]) => other === value) ? value : LOOKS[name][0][0];
    if (name === "pieces") look.pieces = known;
    else this.root.dataset[name] = known;
  }

  // The board's width in percent of what there is room for.
  resize(percent) {
    this.size = Math.min(Math.max(percent || 100, 40), 100);
    this.root.style.setProperty("--size", this.size / 100);
  }

  // `more` are other settings of the page.
  open(more = []) {
    const titles = { board: "Board", pieces: "Pieces", arrows: "Arrows" };
    const fields = Object.entries(LOOKS).map(([name, options]) => {
      const select = make("select", {}, ...options.map(([value, text]) => make("option", { value }, text)));
      select.value = name === "pieces" ? look.pieces : this.root.dataset[name];
      select.addEventListener("change", () => {
        keep("look-" + name, select.value);
        this.take(name, select.value);
        this.changed();
      });
      return make("label", {}, titles[name] + " ", select);
    });
    const size = make("input", { type: "range", min: "40", max: "100", value: String(this.size) });
    size.addEventListener("input", () => {
      this.resize(+size.value);
      keep("look-size", size.value);
    });
    size.addEventListener("change", () => this.changed());
    const dialog = make("dialog", { "aria-labelledby": "look-title" });
    const done = make("button", {}, "Done");
    dialog.append(
      make(
        "form",
        { method: "dialog" },
        make("h2", { id: "look-title" }, more.length ? "Settings" : "The board"),
        ...more,
        make("label", {}, "Size ", size),
        ...fields,
        ...(more.length ? [button("Light or dark", () => this.toggleTheme())] : []),
        make("div", { class: "answers" }, done),
      ),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

// Asks before something ends. Promises whether it may.
function sure(question, yes) {
  return new Promise((resolve) => {
    const dialog = make("dialog", { "aria-label": question });
    const answer = (text, value) => {
      const button = make("button", { type: "button" }, text);
      button.addEventListener("click", () => {
        dialog.close();
        resolve(value);
      });
      return button;
    };
    dialog.append(
      make("p", {}, question),
      make("div", { class: "answers" }, answer(yes, true), answer("Cancel", false)),
    );
    dialog.addEventListener("cancel", () => resolve(false));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  });
}
