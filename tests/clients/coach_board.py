"""The coach in `zebu board`: by keyboard and on a narrow screen, in chromium or what ZEBU_BROWSER names.

ZEBU_SHOTS names a folder for pictures of what is seen on the way, and ZEBU_GAMES a file of games of "Me".
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from browser import View, with_browser

ENGINE = sys.argv[1]
FILE = os.environ.get("ZEBU_GAMES")
ME = "Me" if FILE else "Ann"
BROKEN = "1. e4 e5 2. Ke3 *\n\n"


def games():
    """Three games of Ann's, repeated on different days until they make a first picture."""
    text = (Path(__file__).parent.parent / "coach" / "games.pgn").read_text()
    return "".join(text.replace("2026.03", f"2026.{month:02}") for month in range(1, 6))


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
    """Pastes games, one of them broken, and answers who the person is."""
    view.browser.open(view.address + "coach")
    view.says("There are no games yet")
    text = BROKEN + (Path(FILE).read_text() if FILE else games())
    view.type("document.querySelector('#add textarea')", text)
    view.press("Add them")
    view.says("1 left out")
    view.run(
        "[...document.querySelectorAll('#library details')].forEach((it) => { it.open = true; })"
    )
    view.says("line 1: 'Ke3'")
    view.says("Who are you?")
    view.shot("coach-names")
    box = f"document.querySelector('#library form input[value={ME}]')"
    view.until(box)
    view.press("That is me")
    view.says("Choose your name, or type it.")
    view.run(f"{box}.focus()")
    view.browser.key(" ")
    # More games come in meanwhile.
    view.type("document.querySelector('#add textarea')", '[White "Ida"]\n\n1. d4 d5 *')
    view.press("Add them")
    view.says("1 new game.")
    view.press("That is me")


def exercises(view, count):
    """Does an exercise by keyboard: a wrong move, hints, the answer, and its storage."""
    said = "document.querySelector('#trainer .said').innerText"
    view.until("document.querySelector('#trainer .board')")
    for number in range(count):
        view.until("document.querySelector('#trainer h3').textContent.startsWith('Exercise ')")
        view.type("$('move')", "xyz")
        view.browser.key("Enter")
        view.until(f"{said}.includes('no legal move')")
        for _ in range(3):
            view.press("Hint")
        view.until(f"{said}.startsWith('Play ')")
        move = view.run(said).removeprefix("Play ").rstrip(".")
        view.type("$('move')", move)
        view.browser.key("Enter")
        view.until(f"{said}.includes('It comes back in ')")
        view.shot(f"coach-exercise-{number}")
        view.press("Next ›")


def figures(view):
    """Sees the first picture, a position behind a figure and the tree, and adds an own line."""
    view.until("document.querySelectorAll('#figures tbody tr').length > 0")
    view.run("$('costs').scrollIntoView()")
    view.shot("coach-figures")
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
    view.run("$('openings').scrollIntoView()")
    view.shot("coach-tree")
    view.run("$('all').open = true")
    view.until("document.querySelectorAll('#library-games tbody tr').length > 3")
    view.type(
        "document.querySelector('#library-games').closest('#all').querySelector('input')", "zzz"
    )
    view.says("0 games")
    # A game of the library has its players on the board.
    view.run("$('all').querySelector('input').value = ''")
    view.type("$('all').querySelector('input')", ME)
    view.until("document.querySelector('#library-games td button')")
    view.run("document.querySelector('#library-games td button').click()")
    view.until(
        f"location.hash === '#analyse' && document.querySelector('#headline')?.textContent.includes({ME!r})"
    )
    view.browser.open(view.address + "coach")
    view.run("sessionStorage.clear()")


def at_the_board(view):
    """Sees what is due first and the tree beside the analysis, and plays an exercise out."""
    view.browser.open(view.address)
    view.until("document.querySelector('.due:not([hidden])')?.innerText.includes('due today')")
    view.shot("coach-due")
    view.press("Analyse")
    view.until("document.querySelectorAll('.own-games tr').length > 0")
    view.shot("coach-beside")
    view.press("Coach")
    view.press("Play it out")
    view.until("document.querySelector('dialog[open]')?.innerText.includes('Play from here')")
    view.press("Play")
    view.until(
        "!document.querySelector('dialog[open]') && document.querySelectorAll('#board use').length > 2"
    )


def exports(view):
    """Downloads everything that the coach has."""
    view.browser.open(view.address + "coach")
    place = view.folder / "downloads"
    view.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(place))
    for name, wanted in [("games.pgn", "[%eval "), ("games.json", '"exercises":[')]:
        view.until(f"document.querySelector('a[download=\"{name}\"]')?.checkVisibility()")
        view.run(f"document.querySelector('a[download=\"{name}\"]').click()")
        end = time.monotonic() + 60
        while not (place / name).exists():
            assert time.monotonic() < end, f"no {name}"
            time.sleep(0.05)
        assert wanted in (place / name).read_text(), name


def hands_over(view):
    """Gives a game of the list of games to the coach."""
    view.browser.open(view.address + "#review")
    view.type("document.querySelector('.drop textarea')", '[White "Zoe"]\n\n1. e4 e5 2. Nf3 *')
    view.press("Open")
    view.until("location.hash.startsWith('#game-')")
    view.press("Review")
    view.type("$('search')", "Zoe")
    view.until("document.querySelectorAll('#games tbody tr').length === 1")
    view.press("Give to the coach")
    view.press("To the coach")
    view.until("document.querySelector('#library')")
    view.says("1 new game")
    view.run("$('all').open = true")
    view.until("$('all').innerText.includes('Zoe')")


def use(folder, browser):
    view = Coach(folder, browser)
    try:
        size = {"height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.call("Emulation.setDeviceMetricsOverride", width=1200, **size)
        comes_in(view)
        view.until("/ [1-9][0-9]* of them yours/.test(document.body.innerText)")
        view.kill()
        # After the kill, nothing is lost and reviews go on.
        view.start()
        browser.open(view.address + "coach")
        view.says("All are reviewed.")
        figures(view)
        exercises(view, 2)
        browser.call("Emulation.setDeviceMetricsOverride", width=390, **size)
        browser.open(view.address + "coach")
        view.until("document.querySelectorAll('#figures tbody tr').length > 0")
        view.fits(390)
        view.shot("coach-narrow")
        exercises(view, 1)
        view.fits(390)
        browser.call("Emulation.setDeviceMetricsOverride", width=1200, **size)
        at_the_board(view)
        exports(view)
        hands_over(view)
        if browser.errors:
            raise SystemExit(str(browser.errors))
    finally:
        view.kill()


with_browser(use)
