"""The coach's page in a browser, by keyboard and on a narrow screen. Argument: the program."""

import json
import os
import subprocess
import sys
from pathlib import Path

from browser import View, with_browser

ENGINE = sys.argv[1]
GAMES = Path(__file__).parent.parent / "coach" / "games.pgn"


def page(folder):
    """Makes the page of Ann, whose name contains a script."""
    games = folder / "games.pgn"
    games.write_text(GAMES.read_text().replace('"Club"', '"</script><b>Club</b>"'))
    command = [ENGINE, "coach", "--library", str(folder / "l.zebu"), "--me", "Ann", str(games)]
    environment = {**os.environ, "XDG_CONFIG_HOME": "/nowhere"}
    subprocess.run(command, env=environment, stderr=subprocess.DEVNULL, check=True)
    return (folder / "games.coach.html").as_uri()


def positions(view):
    """Opens the positions of a figure, steps through them with arrows, and returns with Escape."""
    opener = "[...document.querySelectorAll('#figures td button, #weaknesses button')][0]"
    view.run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    view.press("Allowed")
    view.run(f"{opener}.focus()")
    view.browser.key("Enter")
    view.until("document.activeElement.closest('#viewer') && document.querySelector('#viewer use')")
    first = view.run("document.querySelector('#viewer h3').textContent")
    view.shot("positions")
    view.browser.key("ArrowRight")
    view.until("document.querySelector('#viewer .arrow.played')")
    assert ": 1 of " in first, first
    view.browser.key("Escape")
    view.until(f"document.querySelector('#viewer').hidden && document.activeElement === {opener}")


def openings(view):
    """Walks down the tree by its moves and back by its path."""
    view.until("document.querySelectorAll('#tree tbody tr').length > 0")
    view.press("With Black (1)")
    view.until("document.querySelector('#tree').innerText.includes('No move was played twice')")
    view.press("With White (2)")


def exercises(view):
    """Types a wrong move, asks for hints, and types the right move."""
    data = json.loads(view.run("document.getElementById('data').textContent"))
    assert data["exercises"], "there is an exercise"
    exercise = data["exercises"][0]
    field = "document.getElementById('move')"
    said = "document.querySelector('#trainer .card').innerText"
    for text, answer in [
        ("xyz", "xyz is not a legal move."),
        (exercise["played"].split(" ")[1], "is what you played"),
        (exercise["good"].split(" ")[1], "Right: "),
    ]:
        view.run(f"{field}.focus()")
        for letter in text:
            view.browser.key(letter)
        view.browser.key("Enter")
        view.until(f"{said}.includes({json.dumps(answer)})")
        if answer != "Right: ":
            view.press("A hint")
    view.until("document.querySelectorAll('#trainer .arrow.best').length > 0")
    view.run("document.getElementById('training').scrollIntoView()")
    view.shot("exercise")


def use(folder, browser):
    address = page(folder)
    view = View(browser)
    for width in (1200, 390):
        browser.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        browser.open(address)
        view.until("document.querySelectorAll('#figures tbody tr').length >= 0")
        view.shot(f"page-{width}")
        positions(view)
        openings(view)
        exercises(view)
        wide = view.run("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} of {width} pixels"
    if browser.errors:
        raise SystemExit(str(browser.errors))


with_browser(use)
