// What the person's games have in the position that is analysed.

class OwnGames {
  constructor(app, root) {
    Object.assign(this, { app, root });
  }

  // A position is on the board, by the moves that lead to it; null where there is none to look up.
  show(way) {
    clearTimeout(this.waiting);
    this.way = String(way);
    this.root.replaceChildren();
    if (!this.app.state.mine || !way) return;
    this.waiting = setTimeout(async () => {
      const found = await this.app.engine.ask({ ask: "library", want: "moves", moves: way }).catch(() => null);
      if (found && this.way === String(way)) this.list(found);
    }, 60);
  }

  list(found) {
    const percent = (value) => `${Math.round(100 * value)}%`;
    const tables = found.map((moves, i) => {
      const rows = moves.slice(0, 6).map(({ uci, san, games, points, results, loss, better }) => {
        const costs = loss ? `costs ${loss.toFixed(2)}${better ? `, ${better} is better` : ""}` : "";
        const cells = [counted(games), results ? `${percent(points / results)} scored` : "–", costs];
        const play = make(
          "td",
          {},
          button(san, () => this.app.view.play(uci), { class: "plain" }),
        );
        return make("tr", {}, play, ...cells.map((text) => make("td", {}, text)));
      });
      return rows.length
        ? [make("h3", {}, `Your games with ${i ? "Black" : "White"}`), make("table", {}, ...rows)]
        : [];
    });
    this.root.replaceChildren(...tables.flat());
  }
}
