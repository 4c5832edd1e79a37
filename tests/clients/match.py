"""Matches as a user plays them: results, broken engines, stopping and resuming, errors.

usage: match.py ENGINE
"""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import scripts
from lab import pgn

HERE = Path(__file__).parent

# A link in the folder of the matches, which shows in the arguments of its processes.
ZEBU = "./zebu"
OPENINGS = (
    "rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 1 2",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;",
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 2",
    "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
)


class Lab:
    """A folder with matches."""

    def __init__(self, folder):
        self.folder = folder
        self.openings = folder / "openings.epd"
        self.openings.write_text("\n".join(OPENINGS) + "\n")
        (folder / "zebu").symlink_to(Path(sys.argv[1]).resolve())

    def start(self, *arguments, out="match"):
        usual = ("--out", out, "--openings", self.openings)
        command = [sys.executable, scripts.SCRIPTS / "match.py", *usual, *arguments]
        return subprocess.Popen(
            list(map(str, command)),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def play(self, *arguments, out="match"):
        """Plays a match to its end, and reads its files."""
        match = self.start(*arguments, out=out)
        output, errors = match.communicate(timeout=120)
        assert match.returncode == 0, (output, errors)
        out = self.folder / out
        assert out.with_suffix(".html").stat().st_size > 1000
        summary = json.loads(out.with_suffix(".json").read_text())
        assert summary["state"] == "finished", summary["state"]
        return summary, pgn.read(out.with_suffix(".pgn"))

    def fails(self, error, *arguments):
        match = self.start(*arguments, out="wrong")
        output, errors = match.communicate(timeout=60)
        assert match.returncode in (1, 2) and "Traceback" not in errors, (arguments, errors)
        assert error in errors.splitlines()[-1], (arguments, errors)

    def processes(self):
        """The running processes with this folder in their arguments."""
        found = []
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = place.read_bytes().decode(errors="replace")
            except OSError:
                continue
            if str(self.folder) in words:
                found.append(words.replace("\0", " "))
        return found

    def has_no_processes(self):
        end = time.monotonic() + 20
        while self.processes() and time.monotonic() < end:
            time.sleep(0.1)
        assert not self.processes(), self.processes()


def mirrors_itself(lab):
    """With fixed nodes both games of a pair are the same."""
    summary, games = lab.play(ZEBU, ZEBU, "--nodes", "300", "--games", "8", out="mirror")
    figures = summary["encounters"][0]
    assert figures["pairs"] == [0, 0, 4, 0, 0], figures
    assert (figures["elo"], figures["elo_error"], figures["los"]) == (0, 0, 0.5), figures
    assert {game.white for game in games} == {"zebu-1", "zebu-2"}
    assert all(move.nodes for game in games for move in game.moves)
    assert sorted(game.round for game in games) == [*"11223344"]


def stops_when_decided(lab):
    """Many times the nodes win, and the SPRT stops the match early."""
    summary, games = lab.play(
        ZEBU, "name=more", "nodes=2000", ZEBU, "name=less", "nodes=50",
        "--games", "400", "--sprt", "0", "100",
        "--resign", "3", "500", "--draw", "30", "6", "20",
        out="sprt",
    )
    figures = summary["encounters"][0]
    assert figures["taken_to_be_true"] == 100 and figures["los"] > 0.99, figures
    assert figures["llr"] >= figures["llr_bounds"][1] and len(games) < 100, figures
    assert any(game.ending == "adjudication" for game in games)


def broken_engines_lose(lab):
    """A gauntlet against broken engines: each loses with its reason, the others play on."""
    engine = lab.folder / "broken.py"
    shutil.copy(HERE / "broken.py", engine)
    reasons = {
        "sound": None,
        "crash": "crash",
        "hang": "time",
        "illegal": "illegal move",
        "silent": "silence",
    }
    words = []
    for how in reasons:
        words += [sys.executable, f"name={how}", f"args={engine} {how}", "tc=3+1"]
    summary, games = lab.play(
        ZEBU, "nodes=500", *words, "--gauntlet", "--games", "2", "--concurrency", "4", out="broken"
    )
    assert len(games) == 10 and len(summary["ranking"]) == 6
    for how, reason in reasons.items():
        ends = [(game.winner, game.ending) for game in games if how in (game.white, game.black)]
        if reason:
            assert ends == [("zebu", reason)] * 2, (how, ends)
        else:
            assert all(winner == "zebu" for winner, _ in ends), ends
    lab.has_no_processes()


def resumes(lab):
    """A match that was stopped, and then killed, ends as if it had not been."""
    arguments = (ZEBU, ZEBU, "--tc", "1+0.01", "--games", "10", "--concurrency", "2")
    for number in (signal.SIGINT, signal.SIGKILL):
        match = lab.start(*arguments)
        seen = count_games(lab)
        end = time.monotonic() + 60
        while count_games(lab) <= seen and time.monotonic() < end:
            time.sleep(0.05)
        match.send_signal(number)
        _, errors = match.communicate(timeout=30)
        assert match.returncode in (130, -signal.SIGKILL), match.returncode
        assert number == signal.SIGKILL or "goes on" in errors, errors
        lab.has_no_processes()
    summary, games = lab.play(*arguments)
    assert Counter(game.round for game in games) == Counter([*"1122334455"]), games
    assert len({(game.round, game.white) for game in games}) == 10
    assert all(game.points is not None for game in games)
    lab.has_no_processes()
    lab.fails("another match", ZEBU, ZEBU, "--nodes", "10", "--out", "match")


def count_games(lab):
    path = lab.folder / "match.pgn"
    return path.read_text().count("[Event ") if path.exists() else 0


def plays_a_round_robin(lab):
    """Three engines, Chess960 from the games of a PGN, a draw after two moves."""
    openings = lab.folder / "openings.pgn"
    openings.write_text(
        '[Variant "Chess960"]\n[SetUp "1"]\n'
        '[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]\n\n1. e4 e5 2. d4 *\n'
    )
    summary, games = lab.play(
        ZEBU, ZEBU, ZEBU, "--depth", "2", "--games", "2", "--openings", openings, "--plies", "2",
        "--chess960", "--most-moves", "2", "--option", "Hash=1", out="all",
    )
    assert len(summary["encounters"]) == 3 and len(games) == 6
    assert {game.ending for game in games} == {"adjudication"}, games
    assert all("/4P3/" in game.fen and len(game.moves) == 4 for game in games), games


def reports_errors(lab):
    empty = lab.folder / "empty.epd"
    empty.write_text("\n")
    wrong = lab.folder / "wrong.epd"
    wrong.write_text(OPENINGS[0] + "\nnonsense\n")
    text = lab.folder / "text"
    text.write_text("not a program")
    both = (ZEBU, ZEBU, "--nodes", "10")
    lab.fails("no engine nowhere/zebu", "nowhere/zebu", *both)
    lab.fails("may not be executed", text, *both)
    lab.fails("two engines", ZEBU, "--nodes", "10")
    lab.fails("needs one of", ZEBU, ZEBU)
    lab.fails("two limits", *both, "--depth", "3")
    lab.fails("no clock", ZEBU, ZEBU, "--tc", "fast")
    lab.fails("no int", ZEBU, "nodes=-1", ZEBU, "--nodes", "10")
    lab.fails("same name", ZEBU, "name=a-1", ZEBU, "name=a", ZEBU, "name=a", "--nodes", "10")
    lab.fails("no openings", *both, "--openings", empty)
    lab.fails("line 2", *both, "--openings", wrong)
    lab.fails("no text", *both, "--openings", lab.folder / "zebu")
    lab.fails("there is no file", *both, "--openings", "none.epd")
    lab.fails("Nonsense", *both, "--option", "Nonsense=1")
    lab.fails("below HIGH", *both, "--sprt", "5", "0")
    lab.fails("for two engines", *both, ZEBU, "--sprt", "0", "5")
    lab.fails("no Syzygy tables", *both, "--tables", lab.folder)
    lab.fails("error:", *both, "--games", "0")


def main():
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder))
        for test in (mirrors_itself, stops_when_decided, plays_a_round_robin, reports_errors,
                     broken_engines_lose, resumes):
            begin = time.monotonic()
            test(lab)
            print(f"{test.__name__.replace('_', ' ')}: {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
