"""Plays, analyses and reviews in the web page that has the engine in it, in chromium or what ZEBU_BROWSER names.

scripts/web.sh builds it: target/web.html, or what ZEBU_PAGE names, and a folder beside it. Without them, or where they
are of another version, this is skipped.
ZEBU_SHOTS names a folder for pictures of what is seen on the way. Firefox and Safari are untried.
"""

import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from browser import View, with_browser
from skips import skip

ENGINE = sys.argv[1]
ROOT = Path(__file__).parent.parent.parent
SINGLE = Path(os.environ.get("ZEBU_PAGE", ROOT / "target" / "web.html")).absolute()
FOLDER = SINGLE.with_suffix("")
NODES = 20_000

GAMES = """[White "anna"]\n[Black "bob"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

1. f3 e5 2. g4 Qh4# 0-1

1. d4 d5 2. c4 dxc4 3. e3 b5 4. a4 c6 5. axb5 cxb5 6. Qf3 Nc6 7. Qxc6+ Bd7 1-0
"""

# A script for the position on the board.
SHOWN = """placement(Object.fromEntries([...document.querySelectorAll("#board use")].map((it) => {
    return [it.dataset.square, it.dataset.letter];
})))"""

# The moves of the game.
MOVES = '[...document.querySelectorAll("#moves > button")].map((it) => it.textContent)'

# A script that makes searches use a number of nodes and an empty table, and records when they stop.
EXACT = """(() => {
  const { order, stop, told } = EngineWorker.prototype, { ask } = Engine.prototype, bytes = (text) => new TextEncoder().encode(text);
  Object.assign(window, { nodes: 0, stops: [], engine: null });
  EngineWorker.prototype.order = function (data) {
    const text = new TextDecoder().decode(data.slice(0, 8));
    const what = nodes && text !== "library " ? JSON.parse(new TextDecoder().decode(data)) : {};
    if (what.Search) {
      order.call(this, bytes('"Clear"'));
      what.Search.megabytes = 16;
      what.Search.task.multi_pv = 1;
      what.Search.task.limits.nodes = nodes;
    }
    order.call(this, what.Search ? bytes(JSON.stringify(what)) : data);
  };
  EngineWorker.prototype.stop = function () {
    this.stopped ??= new Map();
    for (const number of this.orders.keys()) if (!this.stopped.has(number)) this.stopped.set(number, performance.now());
    stop.call(this);
  };
  EngineWorker.prototype.told = function (data) {
    told.call(this, data);
    if (!data.told && this.stopped?.has(data.number)) stops.push(performance.now() - this.stopped.get(data.number));
  };
  Engine.prototype.ask = function (question) {
    window.engine = this;
    return ask.call(this, question);
  };
})()"""


class Native:
    """The engine as a program."""

    def __init__(self):
        self.program = subprocess.Popen(
            [ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def say(self, *lines):
        self.program.stdin.write("".join(f"{line}\n" for line in lines))
        self.program.stdin.flush()

    def search(self, fen, nodes):
        """The last score from White's point of view, and the best move."""
        self.say("ucinewgame", f"position fen {fen}", f"go nodes {nodes}")
        score = None
        for line in self.program.stdout:
            words = line.split()
            if "score" in words and "multipv" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                number = int(number) * (1 if fen.split()[1] == "w" else -1)
                score = (
                    f"#{number}" if kind == "mate" else f"{number / 100:+.2f}" if number else "0.00"
                )
            if words[:1] == ["bestmove"]:
                return score, words[1]
        raise SystemExit("the engine is gone")

    def move(self, moves, nodes):
        """Searches the current position of a game, with its repetitions."""
        self.say(f"position startpos moves {' '.join(moves)}", f"go nodes {nodes}")
        return next(line.split()[1] for line in self.program.stdout if line.startswith("bestmove"))


class Page(View):
    def open(self, address):
        begun = time.monotonic()
        self.browser.open(address)
        if self.run("location.hash") in ("", "#start"):
            self.press("Play White")
        self.until('$("status").textContent.includes("Your move")')
        return time.monotonic() - begun

    def type(self, move):
        self.run(f'$("san").value = "{move}"; document.querySelector(".typed").requestSubmit()')

    def size(self, width, height):
        self.browser.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )


def plays(page, native):
    """Plays to mate against level 1200, with the tab put to sleep in between."""
    took = page.open(SINGLE.as_uri())
    begun = time.monotonic()
    page.type("e4")
    page.until('document.querySelectorAll("#moves > button").length === 2')
    print(
        f"in_page: cold start {took:.2f} s, the first move after {time.monotonic() - begun:.2f} s more"
    )
    page.shot("own-play")
    page.press("New game")
    page.run("""document.querySelectorAll("dialog select")[0].value = "white"; document.querySelectorAll("dialog select")[1].value = "1200"
        document.querySelector("dialog input[type=number]").value = "0.1" """)
    page.press("Play")
    page.until('document.querySelectorAll("#moves > button").length === 0')
    page.press("Settings")
    page.run(
        """[...document.querySelectorAll("label")].find((it) => it.textContent.includes("takes its time")).querySelector("input").click()"""
    )
    page.press("Done")
    count = 0
    while not page.run('/mate|draw/i.test($("status").textContent)'):
        page.until('/Your move|mate|draw/i.test($("status").textContent)')
        if page.run('/mate|draw/i.test($("status").textContent)'):
            break
        page.type(native.move(page.run(MOVES), NODES))
        count += 1
        if count == 3:
            page.browser.call("Page.setWebLifecycleState", state="frozen")
            time.sleep(1)
            page.browser.call("Page.setWebLifecycleState", state="active")
        page.until(f'document.querySelectorAll("#moves > button").length > {2 * count - 2}')
        page.until('!$("status").textContent.includes("thinking")')
        assert count < 200
    assert "Checkmate, White wins" in page.run('$("status").textContent'), page.run(
        '$("status").textContent'
    )
    page.shot("own-mate")
    print(f"in_page: mate in move {count}")


def analyses(page, native):
    """Compares the scores of ten positions with the program's, and times the end of stopped searches."""
    page.run(EXACT)
    fens = (ROOT / "src" / "engine" / "bench.fens").read_text().splitlines()[:40:4]
    page.press("Analyse")
    page.run(f"nodes = {NODES}")
    for fen in fens:
        score, _ = native.search(fen, NODES)
        # Skips the lines of the previous position.
        page.run('document.querySelector("#engine .quiet").textContent = ""')
        page.run(f'$("fen").value = "{fen}"; $("fen").form.requestSubmit()')
        page.until(f'{SHOWN} === "{fen.split()[0]}"')
        page.until('$("engine").textContent.includes("done")')
        shown = page.run('document.querySelector(".found .score").textContent')
        assert shown == score, (fen, shown, score)
    page.run("nodes = 0")
    for _ in range(8):
        page.press("Start anew")
        page.until(
            'document.querySelector(".found li") && !$("engine").textContent.includes("done")'
        )
        time.sleep(0.3)
        before = page.run("stops.length")
        page.press("Engine on")
        page.until(f"stops.length > {before}")
        page.press("Engine off")
    page.shot("own-analysis")
    stops = sorted(page.run("stops"))
    print(
        f"in_page: {len(fens)} scores like the program's; searches end {stops[len(stops) // 2]:.0f} ms after a stop, at most {stops[-1]:.0f}"
    )
    # The machine may be busy.
    assert stops[len(stops) // 2] < 1000


ROWS = 'document.querySelectorAll("#library tbody tr").length'


def want(page, request, **fields):
    """Asks the library."""
    question = json.dumps({"ask": "library", "want": request, **fields})
    return page.run(f"engine.ask({question})")


def reviews(page, folder):
    """Compares reviews of three games with the program's, and reloads the page."""
    # What was played is among the games, and the one that ended is analysed.
    page.press("Games")
    page.until(f"{ROWS} === 2")
    page.until('/[12] reviewed/.test(document.querySelector(".facts").textContent)')
    want(page, "delete", games=want(page, "ids"))
    page.until(f"{ROWS} === 0")
    found = want(page, "import", text=GAMES, file=1, is_first=True, is_last=True)
    page.until(f"{ROWS} === 3")
    want(page, "analyse", games=found["ids"], nodes=NODES)
    page.until('document.querySelector(".facts").textContent.includes("3 reviewed")')
    ours = [want(page, "game", id=number) for number in found["ids"]]
    page.shot("own-review")
    (folder / "games.pgn").write_text(GAMES)
    options = ["--nodes", str(NODES), "--threads", "1", "--json", "--out", folder / "native"]
    command = [ENGINE, "analyse", folder / "games.pgn", *options]
    subprocess.run(command, check=True, capture_output=True)
    games = json.loads((folder / "native.json").read_text())["games"]
    for own, theirs in zip(ours, games, strict=True):
        for field in ["notes", "scores", "lines", "sides"]:
            assert own[field] == theirs[field], (field, own[field], theirs[field])
    page.browser.open(SINGLE.as_uri() + "#games")
    page.until(f"{ROWS} === 3")
    page.run('document.querySelector("#library tbody a").click()')
    page.until('document.querySelector("svg.graph")')
    print("in_page: three games reviewed like by the program")
    coaches(page)
    keeps_what_it_came_with(page, folder, games[0])


def coaches(page):
    """Is coached without a server: names, exercises, an answer, and all of it after a reload."""
    text = '[White "Ann"]\n\n1. e4 e5 2. Nf3 Qg5 3. a3 Qd8 1/2-1/2\n'
    page.press("Coach")
    page.run(f"""dispatchEvent(Object.assign(new Event("drop"), {{ dataTransfer: {{ files: [new File(
        [{json.dumps(text)}], "ann.pgn")], getData: () => "" }} }}))""")
    page.until('location.hash.startsWith("#game-")')
    page.press("Coach")
    page.until('document.querySelector("#coach-mode form input[value=Ann]")')
    page.run('document.querySelector("#coach-mode form input[value=Ann]").checked = true')
    page.press("That is me")
    page.until('+document.querySelector(".rail [data-mode=coach]").dataset.due > 0')
    page.shot("own-coach")
    page.press("Start")
    page.until('document.querySelector(".exercise h2")')
    page.press("Show me")
    page.until('document.querySelector(".exercise .said").innerText.includes("It comes back in ")')
    page.shot("own-exercise")
    page.browser.open(SINGLE.as_uri() + "#coach")
    page.until('document.body.innerText.includes(" of Ann")')
    # Another tab has the games, and says that it keeps nothing.
    first = page.browser.tab()
    page.browser.open(SINGLE.as_uri() + "#games")
    page.until(f"{ROWS} === 4")
    page.until(
        'document.querySelector(".work").innerText.includes("another tab has this library open")'
    )
    page.browser.call("Page.close")
    page.browser.session = first
    print("in_page: the coach works in the page")


def keeps_what_it_came_with(page, folder, game):
    """Opens a game that was written into the page, beside the library's."""
    data = json.dumps(game, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    script = f'<script type="application/json" class="game">{data}</script>'
    written = folder / "written.html"
    written.write_text(SINGLE.read_text().replace("</body>", script + "</body>"))
    page.browser.open(written.as_uri())
    page.until('location.hash === "#page"')
    page.press("Play")
    page.until('$("welcome").checkVisibility() || $("status").checkVisibility()')
    page.press("This page")
    page.run("""document.querySelector('#games a[href="#game-page-1"]').click()""")
    page.until('document.querySelectorAll("#moves > button").length === 7')
    page.until('document.querySelector("svg.graph")')


def fits(page):
    page.browser.open(SINGLE.as_uri())
    page.size(390, 800)
    for mode in ["Play", "Analyse", "Games", "Coach"]:
        page.press(mode)
        page.until(f'document.querySelector("[aria-current]").textContent === "{mode}"')
        time.sleep(0.3)
        assert page.run("document.documentElement.scrollWidth") <= 390, mode
        page.shot(f"own-phone-{mode.lower()}")
    page.size(1280, 850)


def offline(page):
    """Opens the folder again without its host."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(FOLDER))

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    page.open(address)
    page.run("navigator.serviceWorker.ready.then(() => true)")
    server.shutdown()
    server.server_close()
    took = page.open(address)
    page.type("d4")
    page.until('document.querySelectorAll("#moves > button").length === 2')
    print(f"in_page: without its host it begins in {took:.2f} s")


def same_tree():
    """Compares the benchmark in node with the program's."""
    if not shutil.which("node"):
        return skip("node", "no node in PATH")
    depth = "8"

    def run(*command):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout.split("\n")[-2]

    native, node = (
        run(ENGINE, "bench", depth),
        run("node", ROOT / "scripts" / "web.mjs", "bench", FOLDER / "zebu.bin", depth),
    )
    assert native.split()[:2] == node.split()[:2], (native, node)
    print(f"in_page: bench {depth}: {native} as a program, {node} in node")


def use(folder, browser):
    native = Native()
    browser.call("Network.enable")
    page = Page(browser)
    try:
        page.size(1280, 850)
        plays(page, native)
        analyses(page, native)
        reviews(page, folder)
        fits(page)
        foreign = [
            url
            for url in browser.asked
            if not url.startswith(("file:", "data:", "about:", "blob:"))
        ]
        assert not foreign and not browser.errors, (foreign, browser.errors)
        offline(page)
        assert not browser.errors, browser.errors
    finally:
        native.program.kill()


def main():
    if not SINGLE.exists():
        return skip("wasm", f"there is no {SINGLE}, which scripts/web.sh builds")
    version = subprocess.run(
        [ENGINE, "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()
    if version.replace("zebu", "Zebu") not in (FOLDER / "index.html").read_text():
        return skip("wasm", f"{SINGLE} is of another version than {version}")
    same_tree()
    with_browser(use)


main()
