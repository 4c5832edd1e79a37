"""Plays, analyses and reviews at `zebu board`, in chromium or what ZEBU_BROWSER names.

ZEBU_SHOTS names a folder for pictures of what is seen on the way.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from browser import Browser, View, find
from skips import skip

ENGINE = sys.argv[1]

# Kf7 leaves Black one move, and then Rh1 mates.
MATE = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
# As lichess writes them, and one that is broken.
GAMES = """[Event "Rated blitz game"]
[Site "https://lichess.org/AbCdEfGh"]
[White "anna"]
[Black "bob"]
[Result "1-0"]

1. e4 { [%clk 0:05:00] } 1... e5 { [%clk 0:05:00] } 2. Qh5 { [%clk 0:04:58] } 2... Nc6 { [%clk 0:04:51] }
3. Bc4 { [%clk 0:04:57] } 3... Nf6 { [%clk 0:04:44] } 4. Qxf7# { [%clk 0:04:56] } 1-0

1. e4 e5 2. Ke3 *
"""
PROMOTION = "8/4P3/8/8/8/k7/8/4K3 w - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"

# The position on the board.
SHOWN = """...Object.fromEntries([...document.querySelectorAll("#board use")].map((it) => {
    const letter = it.getAttribute("href")[1];
    return [it.dataset.square, it.classList.contains("white") ? letter.toUpperCase() : letter];
}))"""


class Board(View):
    """`zebu board` with a configuration folder, and a browser before it."""

    def __init__(self, folder, browser):
        super().__init__(browser)
        self.folder, self.port = folder, "0"
        self.start()

    def start(self):
        command = [ENGINE, "board", "--no-open", "--port", self.port]
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder)}
        self.program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.address = self.program.stdout.readline().split()[-1]
        self.port = self.address.split(":")[2].split("/")[0]

    def end(self):
        self.program.terminate()
        assert self.program.wait(10) == 0

    def square(self, name):
        return self.run(f"""(() => {{ $("board").scrollIntoView({{ block: "nearest" }});
            const box = $("board").querySelector('[data-square="{name}"]').getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")

    def move(self, start, end):
        self.browser.click(*self.square(start))
        self.browser.click(*self.square(end))

    def drag(self, start, end):
        self.browser.drag(self.square(start), self.square(end))

    def tick(self, text):
        """Ticks a box, or takes the tick away."""
        self.run(f"""[...document.querySelectorAll("label")].find((it) => it.textContent.trim() === {json.dumps(text)} && it.checkVisibility())
            .querySelector("input").click()""")

    def begin(self, level=""):
        """The form of a new game as White."""
        self.press("New game")
        self.until('document.querySelector("dialog[open]")')
        for field, value in enumerate(["white", level]):
            self.run(f'document.querySelectorAll("dialog[open] select")[{field}].value = "{value}"')

    def type(self, move):
        self.run('$("san").focus()')
        self.browser.call("Input.insertText", text=move)
        self.browser.key("Enter")

    def moves(self, count):
        self.until(f'document.querySelectorAll("#moves > button").length === {count}')

    def says(self, text):
        self.until(f'$("status").textContent.includes({json.dumps(text)})')

    def show(self, fen):
        """Analyses a position."""
        self.press("Analyse")
        self.until('$("fen").checkVisibility()')
        self.run('$("fen").value = ""; $("fen").focus()')
        self.browser.call("Input.insertText", text=fen)
        self.browser.key("Enter")
        wanted = fen.split(" ")[0]
        self.until(f"placement({{{SHOWN}}}) === {json.dumps(wanted)}")

    def size(self, width, height, scheme="light"):
        self.browser.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        self.browser.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )


def plays(board):
    """A game to mate by clicks and keys, with a takeback, a reload and a restart of the server on the way."""
    board.browser.open(board.address)
    board.says("Your move")
    board.shot("start")
    begun = time.monotonic()
    board.move("e2", "e4")
    board.moves(2)
    print(f"board: a move and its reply after {time.monotonic() - begun:.2f} s")
    board.shot("play")
    board.press("Take back")
    board.moves(0)
    board.show(MATE)
    board.press("Play from here")
    board.until('document.querySelector("dialog[open]")')
    board.shot("terms")
    board.run('document.querySelector("dialog select").value = "white"')
    board.press("Play")
    board.says("Your move")
    board.move("f6", "f7")
    board.moves(2)
    board.browser.open(board.address)
    board.moves(2)
    board.end()
    board.until('$("lost").checkVisibility()')
    board.shot("lost")
    board.start()
    board.until('!$("lost").checkVisibility()')
    board.moves(2)
    board.type("Rh1")
    board.says("Checkmate, White wins.")
    board.shot("mate")
    games = (board.folder / "zebu" / "board" / "games.pgn").read_text()
    assert "1. Kf7 Kh7 2. Rh1#" in games.replace("\n", " "), games


def minds(board):
    """Pieces are dragged, a move is made ahead of its turn, moves are judged and heard, and Chess960 begins elsewhere."""
    board.begin("1000")
    board.press("Play")
    board.moves(0)
    board.run("""window.heard = 0; const Real = AudioContext;
        window.AudioContext = class extends Real { createOscillator() { heard += 1; return super.createOscillator(); } }""")
    board.tick("Sound")
    board.tick("Judge my moves")
    # A person of that level does not reply at once, so there is time for the next move.
    board.drag("f2", "f3")
    board.moves(1)
    board.drag("g2", "g4")
    board.until('document.querySelector("#board .waiting")')
    board.shot("premove")
    board.until('document.querySelectorAll("#moves > button").length >= 3')
    board.until('document.querySelectorAll("#moves > button")[2].textContent.startsWith("g4")')
    board.until('$("verdict").textContent.includes("g4")')
    board.shot("judged")
    assert board.run("heard") >= 3, "moves are heard"
    board.tick("Sound")
    board.tick("Judge my moves")
    board.begin()
    board.tick("Chess960")
    board.run("Math.random = () => 0")
    board.press("Play")
    board.until(f'placement({{{SHOWN}}}).startsWith("bbqnnrkr/")')
    board.drag("d2", "d4")
    board.moves(2)


def shares(board):
    """Two tabs have one game."""
    first = board.browser.tab()
    board.browser.open(board.address)
    board.moves(2)
    board.type("a3")
    board.moves(4)
    board.browser.call("Page.close")
    board.browser.session = first
    board.moves(4)


def analyses(board):
    """A move's lines come, stop, and begin anew elsewhere; promotions ask; castling may be typed by the king's squares."""
    board.show(CASTLING)
    board.type("e1g1")
    board.moves(1)
    # A judgement may stand behind the move already.
    assert re.search("O-O(?!-O)", board.run('$("moves").textContent'))
    board.show(PROMOTION)
    lines = 'document.querySelectorAll(".found li").length'
    # Moves are judged where enough is known of the position before.
    board.until('/depth [1-9][0-9]/.test($("engine").textContent)')
    board.type("e8")
    board.until('$("trouble").textContent.includes("e8=Q, e8=R, e8=B, e8=N")')
    board.move("e7", "e8")
    board.press("Knight")
    board.moves(1)
    assert not board.run('$("trouble").textContent')
    board.until('document.querySelector(".found li")')
    board.until('$("verdict").textContent.includes("e8=N")')
    board.shot("analysis")
    board.press("Edit the position")
    board.run("document.querySelector('.palette [data-letter=Q]').click()")
    board.browser.click(*board.square("h1"))
    board.run('$("square").focus()')
    board.browser.call("Input.insertText", text="a8")
    board.browser.key("Enter")
    board.until(f'placement({{{SHOWN}}}).startsWith("Q")')
    board.browser.key("Enter")
    board.until(f'!placement({{{SHOWN}}}).startsWith("Q")')
    board.press("Done")
    board.moves(0)
    board.until("document.querySelector('.found li')")
    board.type("Kb4")
    board.moves(1)
    board.press("Engine on")
    board.until(f"{lines} === 0 || !document.querySelector('.found').checkVisibility()")
    board.press("Engine off")
    board.until(lines)
    before = board.run("document.querySelector('.found').textContent")
    board.browser.key("ArrowLeft")
    board.until(f"document.querySelector('.found').textContent !== {json.dumps(before)}")


def reviews(board):
    """A file that is dropped becomes games with lessons, one of them broken."""
    board.press("Review")
    board.run('document.querySelector(".drop select").value = "100"')
    board.run(f"""(() => {{ const it = new DataTransfer(); it.items.add(new File([{json.dumps(GAMES)}], "games.pgn"));
        document.body.dispatchEvent(new DragEvent("drop", {{ dataTransfer: it, bubbles: true, cancelable: true }})); }})()""")
    board.until('document.querySelector("progress").checkVisibility()')
    board.shot("reviewing")
    board.until('document.querySelectorAll("#games tbody tr").length === 2')
    board.until('document.querySelector("#list > .wrong")?.textContent.includes("game 2")')
    board.shot("reviewed")
    board.run('document.querySelector("#games tbody a").click()')
    board.until('document.querySelector("svg.graph")')
    board.shot("game")
    board.press("Learn from mistakes")
    board.says("Find a better move than")
    board.size(390, 800)
    board.until('$("status").getBoundingClientRect().top < 800')
    board.shot("lesson-phone")
    board.press("End the lesson")


def looks(board):
    """A phone and the dark: nothing is wider than the screen."""
    for name, width, height, scheme in [("phone", 390, 800, "light"), ("dark", 1280, 850, "dark")]:
        board.size(width, height, scheme)
        for mode in ["Play", "Analyse", "Review"]:
            board.press(mode)
            board.until(f'document.querySelector("[aria-current]").textContent === "{mode}"')
            time.sleep(0.3)
            wide = board.run("document.documentElement.scrollWidth")
            assert wide <= width, f"{mode} is {wide} wide on a screen of {width}"
            board.shot(f"{name}-{mode.lower()}")


def main():
    program = find()
    if not program:
        skip("browser", "no Chromium in PATH")
        return
    with tempfile.TemporaryDirectory(prefix="zebu-board-", ignore_cleanup_errors=True) as folder:
        folder = Path(folder)
        browser = Browser(program, folder / "profile")
        browser.call("Network.enable")
        board = Board(folder, browser)
        try:
            board.size(1280, 850)
            for part in [plays, minds, shares, analyses, reviews, looks]:
                begun = time.monotonic()
                part(board)
                print(f"board: it {part.__name__} ({time.monotonic() - begun:.1f} s)")
            foreign = [
                url
                for url in browser.asked
                if not url.startswith(board.address)
                and not url.startswith(("data:", "about:", "blob:"))
            ]
            assert not foreign and not browser.errors, (foreign, browser.errors)
            board.end()
        finally:
            board.program.kill()
            browser.close()


main()
