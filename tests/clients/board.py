"""Plays, analyses and reviews at `zebu board`, in chromium or what ZEBU_BROWSER names.

ZEBU_SHOTS names a folder for pictures of what is seen on the way.
"""

import json
import os
import re
import subprocess
import sys
import time

from browser import View, with_browser

ENGINE = sys.argv[1]

# Kf7 leaves Black one move, and then Rh1 mates.
MATE = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
# Games as lichess exports them, the last one broken.
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

# A script for the position on the board.
SHOWN = """...Object.fromEntries([...document.querySelectorAll("#board use")].map((it) => {
    return [it.dataset.square, it.dataset.letter];
}))"""


class Board(View):
    """`zebu board` with its own configuration folder, and a browser."""

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

    def set(self, *texts):
        """Toggles settings."""
        self.press("Settings")
        for text in texts:
            self.tick(text)
        self.press("Done")

    def kept(self):
        """The games in the library as PGN."""
        return self.run('fetch("games.pgn").then((it) => it.text())')

    def tick(self, text):
        """Toggles a checkbox."""
        self.run(f"""[...document.querySelectorAll("label")].find((it) => it.textContent.trim() === {json.dumps(text)} && it.checkVisibility())
            .querySelector("input").click()""")

    def begin(self, level=""):
        """Fills the form of a new game as White."""
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
    """Plays a game to mate by clicks and keys, with a takeback, a reload and a restart of the server."""
    board.browser.open(board.address)
    board.shot("start")
    board.press("Play White")
    board.says("Your move")
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
    # A finished game has a summary.
    board.says("accuracy")
    seen = board.run(
        '[...document.querySelectorAll(".in-play button")].filter((it) => it.checkVisibility()).map((it) => it.textContent).join()'
    )
    assert seen == "Take back,New game", seen
    # Its moments are a click away, and what was no mistake is none.
    board.says("None of your moves lost much.")
    # From there one can step back, and on again.
    board.run("document.activeElement.blur()")
    for key, wanted in [("ArrowLeft", "To its end"), ("ArrowRight", "accuracy")]:
        board.browser.key(key)
        board.says(wanted)
    board.shot("mate")
    board.press("Again with colours changed")
    board.until('document.querySelectorAll("#moves > button").length === 1')
    assert board.run('$("below").textContent').startswith("Zebu") is False
    games = board.kept()
    assert "2. Rh1# 1-0" in games.replace("\n", " "), games


def leads(board):
    """Loses by a mistake, and is led to it: analysed unasked, asked on the board, answered."""
    board.show("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2")
    board.press("Play from here")
    board.until('document.querySelector("dialog[open]")')
    for field, value in enumerate(["white", ""]):
        board.run(f'document.querySelectorAll("dialog[open] select")[{field}].value = "{value}"')
    board.press("Play")
    board.says("Your move")
    board.type("g4")
    board.says("Checkmate, Black wins.")
    begun = time.monotonic()
    assert "100.0%" not in board.run('$("status").textContent'), "nothing is faultless yet"
    board.press("See the moment that decided it")
    board.says("You played 2. g4. What was better?")
    print(f"board: from mate to its first moment {time.monotonic() - begun:.2f} s")
    board.shot("moment")
    board.press("Show me")
    board.press("Finish")
    board.press("Play")


def minds(board):
    """Drags pieces, premoves, has moves judged, hears sounds, and starts Chess960."""
    board.begin("1000")
    board.press("Play")
    board.moves(0)
    board.run("""window.heard = 0; const Real = AudioContext;
        window.AudioContext = class extends Real { createOscillator() { heard += 1; return super.createOscillator(); } }""")
    board.set("Sound", "Judge my moves")
    # Zebu takes its time at this level, so there is time for a premove.
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
    # A judgement outlives a reload.
    sign = board.run('$("moves").querySelectorAll("button")[2].className')
    board.browser.open(board.address)
    board.until(
        f'$("moves").querySelectorAll("button")[2]?.className.includes({json.dumps(sign.split()[0])})'
    )
    board.set("Sound", "Judge my moves")
    board.begin()
    board.tick("Chess960")
    board.run("Math.random = () => 0")
    board.press("Play")
    board.until(f'placement({{{SHOWN}}}).startsWith("bbqnnrkr/")')
    board.drag("d2", "d4")
    board.moves(2)


def refuses(board):
    """Gets reasons for illegal moves, and sets its own clock."""
    board.begin()
    board.run("""(() => { const [, , clock] = document.querySelectorAll("dialog[open] select");
        clock.value = "own"; clock.dispatchEvent(new Event("change"));
        const [minutes, seconds] = document.querySelectorAll("dialog[open] .own-clock input");
        minutes.value = 4; seconds.value = 7; })()""")
    board.shot("own-clock")
    assert "stays among your games" in board.run(
        'document.querySelector("dialog[open]").textContent'
    )
    board.press("Play")
    board.until('document.querySelector(".clock[data-side=white]").textContent.startsWith("4:0")')
    for start, end, wanted in [
        ("e2", "e5", "A pawn does not move like that."),
        ("e2", "d3", "A pawn goes diagonally only when it takes."),
        ("a1", "a4", "Something stands in the rook's way."),
        ("b1", "d3", "A knight does not move like that."),
    ]:
        board.drag(start, end)
        board.until(f'$("trouble").textContent === {json.dumps(wanted)}')
    whys = board.run("""[
        ["4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2", "d3"], ["4r1k1/8/8/8/8/8/8/3NK3 w - - 0 1", "d1", "b2"],
        ["5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "e1", "g1"], ["4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1", "g1"], ["4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1", "e2"]]
        .map(([fen, from, to]) => whyNot(placed(fen), stateOf(fen.split(" ").slice(1).join(" ")), from, to)).join("|")""")
    assert whys == (
        "The bishop is pinned: the king would be in check.|The king is in check, and that does not stop it."
        "|The king would pass a square that is attacked."
        "|The king or that rook has moved, so castling is over.|The king would be attacked on e2."
    ), whys


def branches(board):
    """Promotes, cuts and annotates lines, undoes that, and follows an engine line and returns."""
    board.show("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    board.type("e4")
    board.moves(1)
    step = """document.querySelector("[data-step=NAME]").click()"""
    board.run(step.replace("NAME", "back"))
    board.type("e3")
    board.says("Your line")
    board.run(
        """(() => { const it = $("edits").querySelector("input"); it.value = "slow"; it.dispatchEvent(new Event("change")); })()"""
    )
    board.until('$("moves").textContent.includes("slow")')
    board.run(
        """(() => { const it = $("edits").querySelector("select"); it.value = "6"; it.dispatchEvent(new Event("change")); })()"""
    )
    board.until('$("moves").textContent.includes("?!")')
    board.press("Promote")
    board.until('document.querySelector("#moves > button").textContent.startsWith("e3?!")')
    assert "slow" in board.run('$("moves").textContent')
    board.shot("branches")
    board.press("Undo")
    board.until('document.querySelector("#moves > button").textContent.startsWith("e4")')
    board.says("Your line")
    board.run(step.replace("NAME", "last"))
    # Until the position's own lines are there, those of the position before are.
    board.until(
        'document.querySelector(".found .line:has(button:nth-of-type(2))")?.textContent.startsWith("1…")'
    )
    board.run('document.querySelector(".found .line button:nth-of-type(2)").click()')
    board.says("The engine's line after 1. e4")
    board.until('document.querySelector("#status .line button.now")')
    board.press("Back to the game")
    board.until('document.querySelector("#moves > button.now")')
    board.run(step.replace("NAME", "first"))
    board.press("Cut from here")
    board.moves(0)
    # Dragging a piece in the editor moves it, or removes it off the board.
    board.press("Edit the position")
    board.drag("e2", "d4")
    board.until(f'placement({{{SHOWN}}}) === "4k3/8/8/8/3P4/8/8/4K3"')
    x, y = board.square("d4")
    board.browser.drag((x, y), (5, y))
    board.until(f'placement({{{SHOWN}}}) === "4k3/8/8/8/8/8/8/4K3"')
    board.press("Cancel")


def shares(board):
    """Shows one game in two tabs."""
    first = board.browser.tab()
    board.browser.open(board.address)
    board.moves(2)
    board.type("a3")
    board.moves(4)
    board.browser.call("Page.close")
    board.browser.session = first
    board.moves(4)


def analyses(board):
    """Analyses positions, stops, and goes on elsewhere; promotes; types castling as a king's move."""
    board.show(CASTLING)
    board.type("e1g1")
    board.moves(1)
    # A judgement may already follow the move.
    assert re.search("O-O(?!-O)", board.run('$("moves").textContent'))
    board.show(PROMOTION)
    lines = 'document.querySelectorAll(".found li").length'
    # A move is judged once the position before it is analysed deeply enough.
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


def drop(board, text, name="games.pgn"):
    """Drops a file on the page; `text` is a script for its parts."""
    board.run(f"""(() => {{ const it = new DataTransfer(); it.items.add(new File({text}, "{name}"));
        document.body.dispatchEvent(new DragEvent("drop", {{ dataTransfer: it, bubbles: true, cancelable: true }})); }})()""")


ROWS = 'document.querySelectorAll("#library tbody tr").length'


def paste(board, text):
    """Pastes a text on the first page."""
    board.run('location.hash = "#start"')
    board.until('$("welcome").checkVisibility()')
    board.run(f"document.querySelector('#welcome textarea').value = {json.dumps(text)}")
    board.press("Show")


def clear(board):
    """Deletes all games, takes that back, and deletes them again."""
    board.press("Games")
    board.until(ROWS)
    count = board.run(ROWS)
    for _ in range(2):
        board.run(
            """[...document.querySelectorAll(".of-games button")].find((it) => it.textContent === "Delete").click()"""
        )
        board.until(
            f'document.querySelector("dialog[open]")?.textContent.includes("{count} games") || $("notice").checkVisibility()'
        )
        board.run('document.querySelector("dialog[open] button")?.click()')
        board.until(f"{ROWS} === 0")
        if board.run("window.undone"):
            return
        board.press("Undo")
        board.until(f"{ROWS} === {count}")
        board.run("window.undone = true")


def opens(board):
    """Opens files: games are listed at once, broken ones reported, and Latin-1 and UTF-16 read."""
    # The person has one name in all lists.
    board.press("Games")
    names = '[...document.querySelectorAll("#library tbody a")].map((it) => it.textContent).join()'
    board.until(f'{names}.includes("You")')
    assert "Player" not in board.run(names)
    clear(board)
    drop(board, json.dumps([GAMES]))
    board.until(f"{ROWS} === 2")
    board.until('$("notice").textContent.includes("game 2")')
    drop(
        board,
        r"""[new Uint8Array([..."[White \"J\xfcrgen\"]\n\n1. e4 e5 *"].map((it) => it.charCodeAt(0)))]""",
    )
    board.until(
        'location.hash.startsWith("#game-") && $("above").parentNode.textContent.includes("Jürgen")'
    )
    board.moves(2)
    board.press("Games")
    drop(
        board,
        r"""[new Uint16Array([..."\ufeff[White \"Zoë\"]\n\n1. d4 *"].map((it) => it.charCodeAt(0)))]""",
    )
    board.until('$("above").parentNode.textContent.includes("Zoë")')
    for text, wanted in [
        ("e4 e5 Nf3", 3),
        ("1. e4 $999 {[%odd]} (1. -- e5) e5 *", 2),
        ('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Ke7 *', 2),
    ]:
        paste(board, text)
        board.until('location.hash.startsWith("#game-")')
        board.moves(wanted)
    # A position is analysed, and what was analysed before is among the games from then on.
    paste(board, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    board.until(
        f'location.hash === "#analyse" && placement({{{SHOWN}}}) === "8/8/8/4k3/8/8/4P3/4K3"'
    )
    for text, wanted in [
        ("https://lichess.org/AbCdEfGh", "Zebu opens no links."),
        ("hello", "move 1"),
        (" ", "There is no game in it."),
    ]:
        paste(board, text)
        board.until(
            f'document.querySelector("#welcome > .card:last-child .wrong").textContent.includes({json.dumps(wanted)})'
        )
    paste(board, "1. e4 e5 2. Ke3 *")
    board.until("""$("notice").textContent.includes("'Ke3'")""")
    board.press("Games")
    search = 'document.querySelector("#games-mode input[type=search]")'
    board.run(f'{search}.value = "anna"; {search}.dispatchEvent(new Event("input"))')
    board.until(f"{ROWS} === 1")
    assert board.run('document.querySelector(".facts").textContent').startswith("1 game ·")
    # Whoever goes elsewhere gets there, though a position is shown meanwhile.
    board.run('document.querySelector("#library tbody a").click()')
    board.moves(7)
    board.run('location.hash = "#games"; document.querySelector("[data-step=on]").click()')
    board.until('$("games-mode").checkVisibility()')


def reviews(board):
    """Analyses a game of the list, tags it, takes a lesson, and finds all again after a restart."""
    board.press("Analyse it")
    board.until(f'{ROWS} === 1 && document.querySelector("#library .accuracy:not(th)").textContent')
    board.press("Tag")
    board.until('document.querySelector("dialog[open] input")')
    board.run('document.querySelector("dialog[open] input").focus()')
    board.browser.call("Input.insertText", text="club")
    board.browser.key("Enter")
    board.until('document.querySelector("#library .marks")?.textContent.includes("club")')
    board.shot("reviewed")
    board.end()
    board.until('$("lost").checkVisibility()')
    board.start()
    board.browser.open(board.address + "#games")
    board.until(f"{ROWS} > 1")
    count = board.run(ROWS)
    board.run("saved = ''; save = (text) => { saved = text; }")
    board.press("Download PGN")
    board.until(f'saved.match(/^.White /gm)?.length === {count} && saved.includes("[%eval ")')
    board.run("""(() => { const tag = document.querySelector('select[aria-label=Tag]');
        tag.value = "club"; tag.dispatchEvent(new Event("change")); })()""")
    board.until(f"{ROWS} === 1")
    board.until('document.querySelector(".preview").textContent.includes("anna")')
    board.shot("games")
    board.press("Open")
    board.until('document.querySelector("svg.graph path.white")')
    board.until('document.querySelector("#moves .blunder")')
    board.shot("game")
    # A line of one's own is kept with the game.
    board.type("d4")
    board.says("Your line")
    board.browser.open(board.address + board.run("location.hash"))
    board.until('document.querySelector("#moves .line")?.textContent.includes("d4")')
    board.press("Learn from mistakes")
    board.says("What was better?")
    board.run("""[...document.querySelectorAll("#status select")].forEach((it) => {
        it.value = "black"; it.dispatchEvent(new Event("change")); })""")
    board.says("Black played 3… Nf6.")
    board.type("a6")
    board.says("There is a better move.")
    board.size(390, 800)
    board.until('$("status").getBoundingClientRect().top < 800')
    board.shot("lesson-phone")
    board.press("End")


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [it / 12.92 if it <= 0.03928 else ((it + 0.055) / 1.055) ** 2.4 for it in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def chooses(board):
    """Keeps choices over a reload, and checks the contrast of arrows on all boards."""
    board.size(1280, 850)
    board.press("Play")
    board.press("Settings")
    for field, value in enumerate(["blue", "letter-", "violet"]):
        board.run(f"""(() => {{ const it = document.querySelectorAll("dialog[open] select")[{field} + 3];
            it.value = "{value}"; it.dispatchEvent(new Event("change")); }})()""")
    board.run("""(() => { const it = document.querySelector("dialog[open] [type=range]");
        it.value = 60; it.dispatchEvent(new Event("input")); })()""")
    board.press("Light or dark")
    board.press("Done")
    small = board.run('$("board").getBoundingClientRect().height')
    board.browser.open(board.address)
    board.until('document.querySelector("#board use")')
    assert board.run('document.querySelector("#board use").getAttribute("href")').startswith(
        "#letter-"
    )
    assert (
        board.run(
            "[document.documentElement.dataset.theme, document.documentElement.dataset.board].join()"
        )
        == "dark,blue"
    )
    assert abs(board.run('$("board").getBoundingClientRect().height') - small) < 2
    board.shot("chosen")
    for name in ["wood", "green", "blue"]:
        for arrows in ["green", "blue", "violet"]:
            colors = board.run(f"""(() => {{ const {{ dataset }} = document.documentElement; dataset.board = "{name}"; dataset.arrows = "{arrows}";
                const style = getComputedStyle(document.documentElement);
                return ["light", "dark", "best", "played"].map((name) => style.getPropertyValue("--" + name).trim()); }})()""")
            for arrow in colors[2:]:
                for square in colors[:2]:
                    assert contrast(arrow, square) >= 3, (
                        name,
                        arrows,
                        arrow,
                        square,
                        contrast(arrow, square),
                    )
    board.run("localStorage.clear()")
    board.browser.open(board.address)
    board.until('document.querySelector("#board use")')


def looks(board):
    """Checks on several screens that nothing overflows, and that the board takes 70 % of the height or all the width."""
    board.run('location.hash = "#start"')
    board.press("Play White")
    board.says("Your move")
    screens = [("phone", 390, 800), ("lap", 1200, 800), ("desk", 1440, 900), ("wide", 2560, 1440)]
    for name, width, height in screens:
        for scheme in ["light", "dark"]:
            board.size(width, height, scheme)
            for mode in ["Play", "Analyse", "Games", "Coach"]:
                board.press(mode)
                board.until(f'document.querySelector("[aria-current]").textContent === "{mode}"')
                time.sleep(0.3)
                wide = board.run("document.documentElement.scrollWidth")
                assert wide <= width, f"{mode} is {wide} wide on a screen of {width}"
                board.shot(f"{name}-{scheme}-{mode.lower()}")
                if mode in ("Games", "Coach"):
                    continue
                tall = board.run('$("board").getBoundingClientRect().height')
                assert tall >= (0.9 * width if width < 500 else 0.7 * height), (name, mode, tall)
            if name == "phone":
                board.press("Play")
                board.until(
                    '[...document.querySelectorAll(".acts.in-play button")].every((it) => it.getBoundingClientRect().bottom <= 800)'
                )
    board.press("Analyse")
    board.press("Edit the position")
    for width in [900, 950, 1000]:
        board.size(width, 900)
        board.until(f"document.documentElement.scrollWidth <= {width}")
    board.size(1440, 900)
    board.until('$("below").getBoundingClientRect().bottom <= 900')
    board.press("Cancel")


def use(folder, browser):
    browser.call("Network.enable")
    board = Board(folder, browser)
    try:
        board.size(1280, 850)
        for part in [
            plays,
            leads,
            minds,
            shares,
            refuses,
            analyses,
            branches,
            opens,
            reviews,
            chooses,
            looks,
        ]:
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


with_browser(use)
