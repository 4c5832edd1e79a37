"""The report of a match in a browser: its figures, and the boards that it replays.

usage: report.py ENGINE
"""

import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import chess
import chess.pgn

import scripts
from skips import skip

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# All kinds of moves: both castlings, en passant, promotions with and without a capture, and
# castling in Chess960 with the king crossing the square of the rook.
LINES = (
    (chess.STARTING_FEN, "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O", "1-0"),
    (chess.STARTING_FEN, "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O", "0-1"),
    ("4k3/8/8/8/1p6/8/P6P/4K3 w - - 0 40", "a4 bxa3 h4 a2 h5 a1=N h6 Kf8 h7 Kg7 h8=Q+", "0-1"),
    ("1r2k3/P7/8/8/8/8/6p1/4K2R b - - 0 1", "gxh1=Q+ Kd2 Qh2+ Kd1 Ra8 Kc1 Qh6+ Kd1", "1/2-1/2"),
    ("1k1r4/8/8/8/8/8/8/5KR1 w GD - 0 1", "O-O Rd1 Rxd1 Kc7", "1-0"),
    ("rk6/8/8/8/8/8/8/RK6 w Aa - 0 1", "O-O-O O-O-O Rd8+", "*"),
)

NAMES = ("Zebu </script><b>", 'Öther & "co"')


def write_games(path, copies):
    """The lines, each played with both colours."""
    with open(path, "w", encoding="utf-8") as file:
        for number in range(copies):
            for fen, moves, result in LINES:
                for swapped in (False, True):
                    game = make_game(fen, moves.split())
                    game.headers["White"], game.headers["Black"] = NAMES[:: -1 if swapped else 1]
                    game.headers["Result"] = result
                    game.headers["Round"] = str(number)
                    print(game, file=file, end="\n\n")


def make_game(fen, moves):
    board = chess.Board(fen, chess960="G" in fen or "Aa" in fen)
    game = chess.pgn.Game()
    game.setup(board)
    node = game
    for ply, san in enumerate(moves):
        node = node.add_variation(node.board().parse_san(san))
        node.comment = f"{'-' if ply % 2 else '+'}0.{ply}1/{ply + 5} 0.0{ply}1s, n=1000"
    node.comment += ', White makes an illegal move: "<i>e2e5</i>"'
    return game


def report(pgn, page, *arguments):
    return scripts.run("report.py", pgn, page, *arguments)


def browse(browser, page, place=""):
    """Returns the DOM after the page's script has run."""
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,1000")
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *options, f"--user-data-dir={profile}", "--dump-dom"]
        command.append(page.as_uri() + place)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_self_contained(page):
    text = page.read_text(encoding="utf-8")
    links = set(re.findall(r"https?://[^\"'\\ ]+", text)) - {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert not links, links
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert len(json.loads(data)["games"]) == 2 * len(LINES)
    assert text.count("</script>") == 2, "a name ends the script"


def shows_the_match(dom):
    words = re.sub(r"<(script|style).*?</\1>", " ", dom, flags=re.DOTALL)
    words = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", words)))
    texts = (
        "2 without a result",
        "5 of 10 games",
        "– too few pairs to say more",
        "Lost 4",
        "All 12",
    )
    for wanted in (*NAMES, *texts):
        assert wanted in words, (wanted, words)
    for place in ("elo", "llr", "depth", "speed", "curve"):
        assert re.search(rf'id="{place}">.*?<path', dom, re.DOTALL), f"{place} has no line"
    assert dom.count('class="cell"') == 4, "openings with a result"
    assert dom.count('data-game="') == 4, "lost games"
    assert dom.count('class="spark"') == 4


def replays(browser, page):
    for number, (fen, moves, _) in enumerate(LINES):
        moves = moves.split()
        dom = browse(browser, page, f"#game-{2 * number + 1}-{len(moves)}")
        shown = re.search(r'id="position"[^>]*>([^<]*)<', dom)[1]
        wanted = make_game(fen, moves).end().board().board_fen()
        assert shown == wanted, (moves, shown, wanted)
        pieces = len(chess.Board(wanted).piece_map())
        assert dom.count('class="piece ') >= pieces


def lists_many_games(browser, folder):
    write_games(folder / "many.pgn", 50)
    done = report(folder / "many.pgn", folder / "many.html")
    assert done.returncode == 0, done
    dom = browse(browser, folder / "many.html")
    assert dom.count('data-game="') == 40 and ">160 more<" in dom, "not all lost games at once"


def reports_errors(folder):
    wrong = folder / "wrong.pgn"
    wrong.write_text('[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 1-0\n')
    page = folder / "page.html"
    for pgn, arguments, error in (
        (folder / "none.pgn", (), "none.pgn"),
        (wrong, (), "game 1"),
        (folder / "few.pgn", ("--engine", "nobody"), "no game of nobody"),
    ):
        scripts.fails(error, "report.py", pgn, page, *arguments)
    scripts.fails("no", "report.py", folder / "few.pgn", folder / "no" / "page.html")
    assert report(folder / "few.pgn", page, "--sprt", "5", "0").returncode == 2


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "few.html"
        write_games(folder / "few.pgn", 1)
        done = report(folder / "few.pgn", page, "--sprt", "0", "5")
        assert done.returncode == 0, done
        is_self_contained(page)
        reports_errors(folder)
        browser = next(filter(None, map(shutil.which, BROWSERS)), None)
        if not browser:
            skip("browser", "no Chromium in PATH")
            return
        shows_the_match(browse(browser, page))
        replays(browser, page)
        lists_many_games(browser, folder)


if __name__ == "__main__":
    main()
