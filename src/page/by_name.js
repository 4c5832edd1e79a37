// Bringing games: from a file, or by a player's name from lichess or chess.com, which are asked only then.

const SOURCES = { lichess: "lichess", "chess.com": "chess.com", file: "a file" };

// Promises what a server sends; what is wrong is thrown, in words.
async function fetched(site, address, name, signal) {
  const response = await fetch(address, { signal }).catch((error) => {
    throw signal.aborted ? error : new Error(`${site} does not answer. Are you online?`);
  });
  if (response.status === 404) throw new Error(`${site} knows no player ${name}.`);
  if (response.status === 429) throw new Error(`${site} asks to wait: try again in a minute.`);
  if (!response.ok) throw new Error(`${site} refuses (${response.status}).`);
  return response;
}

// The texts of a stream.
async function* streamed(response, site) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(`The connection to ${site} broke. What came is kept: fetch again for the rest.`);
  }
}

async function* ofLichess(name, since, signal) {
  const query = new URLSearchParams({ clocks: true, opening: true, ...(since ? { since } : {}) });
  const address = `https://lichess.org/api/games/user/${encodeURIComponent(name)}?${query}`;
  yield* streamed(await fetched("lichess", address, name, signal), "lichess");
}

// The newest month first.
async function* ofChessCom(name, since, signal) {
  const player = `https://api.chess.com/pub/player/${encodeURIComponent(name.toLowerCase())}/games/archives`;
  const { archives } = await (await fetched("chess.com", player, name, signal)).json();
  const [year, month] = new Date(since).toISOString().split("-");
  const isNew = (address) => address.split("/").slice(-2).join("-") >= `${year}-${month}`;
  for (const address of archives.filter(isNew).reverse()) {
    yield* streamed(await fetched("chess.com", `${address}/pgn`, name, signal), "chess.com");
    yield "\n\n";
  }
}

class Bring {
  constructor(app) {
    Object.assign(this, { app, done: () => {} });
    this.name = make("input", { placeholder: "your user name", "aria-label": "Your user name", autocomplete: "off" });
    this.all = check(false);
    this.go = button("Fetch", () => this.fetch());
    this.file = make("input", { type: "file", accept: ".pgn,text/plain", "aria-label": "A file of games", hidden: "" });
    this.file.addEventListener("change", () => this.file.files[0] && this.take(this.file.files[0]));
    this.choose = button("Choose a file", () => this.file.click());
    this.said = make("p", { role: "status", class: "quiet" });
    this.trouble = make("p", { class: "wrong", role: "alert" });
    this.row = make("div", { class: "row" }, this.name, this.go);
    this.again = labelled("", this.all);
    this.again.append("all of them, not only the new ones");
    this.name.addEventListener("keydown", ({ key }) => key === "Enter" && this.fetch());
    const sources = segmented("From where", Object.entries(SOURCES), "lichess", (site) => {
      this.site = site;
      const isFile = site === "file";
      this.row.hidden = isFile;
      this.choose.hidden = !isFile;
      this.name.value = isFile ? "" : kept(`name on ${site}`, "");
      this.offer();
    });
    this.name.addEventListener("input", () => this.offer());
    this.element = make(
      "div",
      { class: "bring" },
      sources,
      this.row,
      this.again,
      this.choose,
      this.file,
      this.said,
      this.trouble,
    );
  }

  get last() {
    return +kept(`fetched ${this.site} ${this.name.value.trim().toLowerCase()}`, 0);
  }

  offer() {
    this.again.hidden = this.site === "file" || !this.last;
  }

  async take(file) {
    await this.app.open(file, this.trouble);
    if (!this.trouble.textContent) this.done();
  }

  stop() {
    this.running?.abort();
  }

  async fetch() {
    if (this.running) return this.stop();
    const { app, site } = this;
    const name = this.name.value.trim();
    this.trouble.textContent = name ? "" : "Type your user name there.";
    if (!name) return;
    const before = Date.now();
    const since = this.all.checked ? 0 : this.last;
    this.running = new AbortController();
    this.go.textContent = "Stop";
    let count = 0;
    try {
      const texts = (site === "lichess" ? ofLichess : ofChessCom)(name, since, this.running.signal);
      for await (const text of partsOf(texts)) {
        // Each part is a file of its own: the next may be long in coming.
        const part = await app.import([text], this.trouble);
        if (!part) return;
        if (!count) await this.isMe(name);
        count += text.match(/^\[Event /gm)?.length ?? 0;
        this.said.textContent = `${counted(count)} so far …`;
      }
      keep(`name on ${site}`, name);
      keep(`fetched ${site} ${name.toLowerCase()}`, before);
      this.said.textContent = "";
      app.say(
        count
          ? `${counted(count)} of ${name}. They are reviewed now, the newest first.`
          : `${name} has no new games there.`,
      );
      this.done();
      if (count) location.hash = "#coach";
    } catch (error) {
      const isStopped = error.name === "AbortError";
      this.said.textContent = isStopped ? `Stopped. ${counted(count)} came, and they are kept.` : "";
      this.trouble.textContent = isStopped ? "" : error.message;
    } finally {
      this.running = null;
      this.go.textContent = "Fetch";
    }
  }

  // Whose games are fetched is the person.
  async isMe(name) {
    const names = this.app.state.names ?? [];
    if (names.some((one) => one.toLowerCase() === name.toLowerCase())) return;
    await this.app.want({ want: "names", names: [...names.filter((one) => one !== "Player"), name] }, this.trouble);
  }
}
