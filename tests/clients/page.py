"""A monkey at the page of `zebu analyse`, in chromium or what ZEBU_BROWSER names.

It clicks, drags, swipes, types, turns the wheel, resizes and goes to addresses at random, in lessons too,
and looks after each step whether the page is whole and has raised no error. ZEBU_FUZZ_SECONDS makes that
longer and ZEBU_FUZZ_SEED different.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from browser import with_browser

ENGINE = sys.argv[1]
GAMES = Path(__file__).parent.parent / "analysis" / "games"
SECONDS = float(os.environ.get("ZEBU_FUZZ_SECONDS", "6"))
SEED = int(os.environ.get("ZEBU_FUZZ_SEED", "1"))
MATE = "1. f3 e5 2. g4 Qh4# 0-1\n"

# A script that lists what is wrong with the page, and what can be used.
STATE = """(() => {
  const wrong = [], ask = (fine, what) => { if (!fine) wrong.push(what); };
  const shown = (it) => it.checkVisibility() && it.getBoundingClientRect().width > 0;
  const [list, game] = [$("list"), $("game")], lesson = game.classList.contains("lesson");
  ask(list.hidden !== game.hidden, "one of list and game is shown");
  ask(!/\\b(undefined|NaN|null)\\b|\\[object/.test(document.body.innerText), "words of the script are shown");
  ask($("headline").textContent, "a headline");
  if (!game.hidden) {
    const board = $("board");
    ask(board.querySelectorAll(".square").length === 64, "64 squares");
    for (const king of ["K", "k"]) {
      ask(board.querySelectorAll(`use[data-letter="${king}"]`).length === 1, `one king ${king}`);
    }
    ask(/^#game-\\d+(-ply-\\d+|-learn)?$/.test(location.hash), `an address: ${location.hash}`);
    ask($("status").textContent, "something is said");
    ask(document.querySelectorAll("#moves > button.now").length < 2, "one move is marked");
    const hidden = [...$("moves").children].filter((it) => it.hidden).length;
    ask(lesson || !hidden, "all moves are shown outside lessons");
    ask(lesson === location.hash.endsWith("-learn"), "the address names the lesson");
    const asks = /What was better|better move\\. Try|not legal/.test($("status").textContent);
    ask(!asks || lesson && hidden && !board.querySelector(".arrow.best"), "a lesson keeps its answer");
    ask(!asks || ["moments", "graph"].every((id) => getComputedStyle($(id)).display === "none"), "and its charts");
  }
  const middle = (it) => { const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const kinds = { button: "button", link: 'a[href^="#"]', row: "tbody tr", figure: "figure", graph: "svg.graph", search: "#search" };
  const there = {};
  for (const kind in kinds) there[kind] = [...document.querySelectorAll(kinds[kind])].filter(shown).length;
  const dots = [...document.querySelectorAll("#board .dot")].map(middle);
  const squares = [...document.querySelectorAll("#board .square")].map(middle);
  const pieces = [...document.querySelectorAll("#board .piece")].map(middle);
  const choice = [...document.querySelectorAll("select")].some(shown);
  return { wrong, there, kinds, dots, squares, pieces, choice, lesson, hash: location.hash };
})()"""

# A script that brings an element into view and returns its place.
PLACE = """(([selector, number]) => {
  const all = [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility() && it.getBoundingClientRect().width > 0);
  const it = all[number % all.length];
  it.scrollIntoView({ block: "center" });
  const box = it.getBoundingClientRect();
  return [box.x + box.width * SHARE, box.y + box.height / 2, it.id || it.textContent.slice(0, 20)];
})(WANTED)"""


class Monkey:
    def __init__(self, browser, seed):
        self.browser, self.random, self.done = browser, random.Random(seed), []

    def step(self, state):
        """Does something at random, and returns its description."""
        browser, pick = self.browser, self.random.choice
        acts = ["key"] * 3 + ["address", "size", "back"]
        there = [kind for kind, count in state["there"].items() if count]
        acts += there * 3 + ["button"] * (6 if "button" in there else 0)
        if state["squares"]:
            acts += (
                ["tap", "drag", "swipe", "wheel"] * 2
                + ["piece"] * 6
                + ["dot"] * 12 * bool(state["dots"])
            )
        acts += ["choice"] * 3 * state["choice"] + ["lesson"] * 4
        act = pick(acts)
        if act in state["kinds"]:
            share = round(self.random.uniform(0.02, 0.98), 3) if act == "graph" else 0.5
            wanted = json.dumps([state["kinds"][act], self.random.randrange(1000)])
            place = browser.run(PLACE.replace("SHARE", str(share)).replace("WANTED", wanted))
            if place:
                browser.click(*place[:2])
                act += f" {place[2]!r}"
        elif act == "key":
            keys = [
                "ArrowLeft",
                "ArrowRight",
                "ArrowUp",
                "ArrowDown",
                "Home",
                "End",
                "f",
                "Tab",
                "Enter",
                "Escape",
                "a",
                " ",
            ]
            key = pick(keys)
            browser.key(key)
            act += f" {key!r}"
        elif act in ("address", "lesson"):
            game, ply = self.random.randrange(8), pick([0, 1, 7, 33, 9999])
            plain = [
                f"#game-{game}",
                f"#game-{game}-ply-{ply}",
                "#",
                "#game-x",
                "#game-1-ply-",
                "#%ff",
            ]
            address = f"#game-{game}-learn" if act == "lesson" else pick(plain)
            browser.run(f"location.hash = {json.dumps(address)}; 0")
            act += " " + address
        elif act == "size":
            width, height = pick([(390, 800), (1280, 800), (320, 480), (2000, 1200)])
            browser.call(
                "Emulation.setDeviceMetricsOverride",
                width=width,
                height=height,
                deviceScaleFactor=1,
                mobile=False,
            )
            act += f" {width}"
        elif act == "back":
            browser.run(f"history.go({pick([-1, 1])}); 0")
        elif act == "choice":
            value = pick(["", "white", "black"])
            browser.run(f"""(() => {{ const it = [...document.querySelectorAll("select")].find((it) => it.checkVisibility());
                it.value = "{value}"; it.dispatchEvent(new Event("change")); }})()""")
            act += f" {value!r}"
        else:
            browser.run('$("board").scrollIntoView({ block: "center" })')
            now = browser.run(STATE)
            if act == "tap":
                browser.touch(pick(now["squares"]))
            elif act in ("piece", "dot") and (now["pieces"] if act == "piece" else now["dots"]):
                browser.click(*pick(now["pieces"] if act == "piece" else now["dots"]))
            elif act == "drag":
                browser.drag(pick(now["squares"]), pick(now["squares"]))
            elif act == "swipe":
                browser.touch(pick(now["squares"]), pick(now["squares"]))
            elif act == "wheel":
                browser.mouse(
                    "mouseWheel", *pick(now["squares"]), deltaX=0, deltaY=pick([-100, 100])
                )
        return act

    def look(self):
        """Reads the state of the page, which must be consistent."""
        # Waits for delayed effects, like a change of address.
        self.browser.run("new Promise((done) => setTimeout(done, 5))")
        if self.browser.run("typeof $") != "function":
            raise SystemExit(f"it left the page: {self.done[-10:]}")
        state = self.browser.run(STATE)
        if self.browser.errors or not state or state["wrong"]:
            wrong = self.browser.errors or state and state["wrong"]
            raise SystemExit(
                f"seed {SEED}, step {len(self.done)}: {wrong}\nafter {self.done[-12:]}"
            )
        return state

    def run(self, seconds):
        # Goes from each lesson to another game and back.
        for number in range(1, 10):
            for address in [
                f"#game-{number}-learn",
                f"#game-{number + 1}",
                f"#game-{number}-learn",
                "#",
            ]:
                self.browser.run(f"location.hash = '{address}'; 0")
                self.done.append(address)
                state = self.look()
        end, lessons, directed = time.monotonic() + seconds, 0, len(self.done)
        # Even a busy machine does this many steps.
        while time.monotonic() < end or len(self.done) < directed + 50:
            self.done.append(self.step(state))
            state = self.look()
            lessons += state["lesson"]
        return lessons


def page(folder, name, text):
    """Analyses games, and returns the address of their page."""
    games = folder / f"{name}.pgn"
    games.write_bytes(text)
    command = [ENGINE, "analyse", "--nodes", "2000", "--multipv", "2", str(games)]
    environment = {**os.environ, "XDG_CONFIG_HOME": "/nowhere"}
    subprocess.run(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return (folder / f"{name}.analysed.html").as_uri()


def use(folder, browser):
    files = {
        name: (GAMES / f"{name}.pgn").read_bytes()
        for name in ["lichess", "remarks", "chess960", "immortal", "broken_move", "black_begins"]
    }
    tags = '[White "<b>a</b>"]\n[Black "\\"; alert(1) //"]\n[Date "????.??.??"]\n[WhiteElo "-"]\n\n'
    hostile = (
        tags
        + "1. e4 {[%clk x] [%cal Gz9a1,Ga1,] [%csl ] </script>} (1. d4 (1. c4 {a} x9 $999) 1-0) $200 e5 {[%clk 1:60:00.5]} 1/2-1/2\n"
    )
    pages = {
        "games": b"\n".join([*files.values(), hostile.encode()]),
        "single": files["lichess"],
        "hostile": hostile.encode(),
        "mate": MATE.encode(),
        "mated": b'[FEN "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]\n\n*\n',
        "broken": b"1. e5\n",
    }
    for name, text in pages.items():
        address, monkey = page(folder, name, text), Monkey(browser, f"{SEED} {name}")
        browser.open(address)
        if browser.errors:
            raise SystemExit(f"{name}: {browser.errors}")
        lessons = monkey.run(SECONDS / len(pages))
        print(f"page {name}: {len(monkey.done)} steps, {lessons} of them in lessons")


with_browser(use)
