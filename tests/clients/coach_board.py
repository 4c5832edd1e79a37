"""The coach in `zebu board`: by keyboard and on a narrow screen, in chromium or what ZEBU_BROWSER names.

ZEBU_SHOTS names a folder for pictures of what is seen on the way, and ZEBU_GAMES a file of games of "Me".
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from browser import View, with_browser

ENGINE = sys.argv[1]
FILE = os.environ.get("ZEBU_GAMES")
ME = "Me" if FILE else "Ann"
BROKEN = "1. e4 e5 2. Ke3 *\n\n"


def games():
    """Three games of Ann's, repeated on different days until they make a first picture."""
    text = (Path(__file__).parent.parent / "coach" / "games.pgn").read_text()
    return "".join(text.replace("2026.03", f"2026.{month:02}") for month in range(1, 4))


class Coach(View):
    def __init__(self, folder, browser):
        super().__init__(browser)
        self.folder = folder
        self.start()

    def start(self):
        command = [ENGINE, "board", "--no-open", "--port", "0"]
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder)}
        self.program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.address = self.program.stdout.readline().split()[-1]

    def kill(self):
        self.program.send_signal(signal.SIGKILL)
        self.program.wait()

    def type(self, field, text):
        self.run(f"{field}.focus()")
        self.browser.call("Input.insertText", text=text)

    def says(self, text):
        self.until(f"document.body.innerText.includes({json.dumps(text)})")

    def fits(self, width):
        wide = self.run("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} of {width} pixels"


def comes_in(view):
    """Brings a file of games, one of them broken, and answers who the person is."""
    view.browser.open(view.address + "#coach")
    view.says("Bring your games")
    view.press("Bring my games")
    view.press("a file")
    text = BROKEN + (Path(FILE).read_text() if FILE else games())
    view.run(f"""(() => {{ const it = new DataTransfer(); it.items.add(new File([{json.dumps(text)}], "games.pgn"));
        const field = document.querySelector("dialog[open] input[type=file]");
        field.files = it.files; field.dispatchEvent(new Event("change")); }})()""")
    view.until("location.hash === '#games'")
    view.says("line 1: 'Ke3'")
    view.press("Coach")
    view.says("Who are you?")
    view.shot("coach-names")
    box = f"document.querySelector('#coach-mode form input[value={ME}]')"
    view.until(box)
    view.run(f"{box}.checked = false")
    view.press("That is me")
    view.says("Choose your name, or type it.")
    view.run(f"{box}.focus()")
    view.browser.key(" ")
    # More games come in meanwhile.
    view.run("""dispatchEvent(Object.assign(new Event("drop"), { dataTransfer: { files: [new File(
        ['[White "Ida"]\\n\\n1. d4 d5 *'], "more.pgn")], getData: () => "" } }))""")
    view.until("location.hash.startsWith('#game-')")
    view.press("Coach")
    view.press("That is me")
    view.says(f" of {ME}")


def exercises(view, count):
    """Does exercises by keyboard: a wrong move, hints, the answer, and its storage."""
    view.run("location.hash = '#coach'")
    view.press("Start")
    said = "(document.querySelector('.exercise .card')?.innerText ?? '')"
    for number in range(count):
        view.until(f"{said}.startsWith('Exercise {number + 1} of ')")
        view.type("$('move')", "xyz")
        view.browser.key("Enter")
        view.until(f"{said}.includes('xyz is not a legal move.')")
        for _ in range(3):
            view.press("A hint")
        hint = "document.querySelector('.exercise .said').innerText"
        view.until(f"{hint}.startsWith('Play ')")
        move = view.run(hint).removeprefix("Play ").rstrip(".")
        view.type("$('move')", move)
        view.browser.key("Enter")
        view.until(f"{said}.includes('It comes back in ')")
        view.shot(f"coach-exercise-{number}")
        view.press("Next")


def figures(view):
    """Sees the cards, a position behind a figure and the tree, and adds an own line."""
    view.until("document.querySelectorAll('.weakness').length > 0")
    view.shot("coach-cards")
    view.run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    view.until("document.querySelectorAll('#figures tbody tr').length > 0")
    view.press("Phase")
    opener = "document.querySelector('#figures td button')"
    view.run(f"{opener}.focus()")
    view.browser.key("Enter")
    view.until("document.activeElement.closest('#viewer') && document.querySelector('#viewer use')")
    view.shot("coach-positions")
    view.browser.key("Escape")
    view.until("$('viewer').hidden")
    view.until("document.querySelector('#tree td button')")
    for _ in range(2):
        view.run("document.querySelector('#tree td button').click()")
    view.press("This is my line")
    view.says("It is asked from now on.")
    view.says("Lines that are yours")
    view.run("$('coach-openings').scrollIntoView()")
    view.shot("coach-tree")


def at_the_board(view):
    """Sees what is due beside the modes and the tree beside the analysis, and plays an exercise out."""
    view.browser.open(view.address)
    view.until("+document.querySelector('.rail [data-mode=coach]').dataset.due > 0")
    view.press("Analyse")
    view.until("document.querySelectorAll('#own-games tr').length > 0")
    view.shot("coach-beside")
    view.press("Coach")
    view.press("Start")
    view.press("Show me")
    view.press("Play it out")
    view.until("document.querySelector('dialog[open]')?.innerText.includes('Play from here')")
    view.press("Play")
    view.until(
        "!document.querySelector('dialog[open]') && document.querySelectorAll('#board use').length > 2"
    )


def exports(view):
    """Downloads everything that the library has."""
    for name, wanted in [("games.pgn", "[%eval "), ("games.json", '"exercises":[')]:
        assert wanted in view.run(f"fetch('{name}').then((it) => it.text())"), name


def use(folder, browser):
    view = Coach(folder, browser)
    try:
        size = {"height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.call("Emulation.setDeviceMetricsOverride", width=1200, **size)
        comes_in(view)
        view.kill()
        # After the kill, nothing is lost and reviews go on.
        view.start()
        browser.open(view.address + "#coach")
        view.says(f" of {ME} · reviewed")
        figures(view)
        exercises(view, 2)
        browser.call("Emulation.setDeviceMetricsOverride", width=390, **size)
        browser.open(view.address + "#coach")
        view.until("document.querySelectorAll('.weakness').length > 0")
        view.fits(390)
        view.shot("coach-narrow")
        exercises(view, 1)
        view.fits(390)
        browser.call("Emulation.setDeviceMetricsOverride", width=1200, **size)
        at_the_board(view)
        exports(view)
        if browser.errors:
            raise SystemExit(str(browser.errors))
    finally:
        view.kill()


with_browser(use)
