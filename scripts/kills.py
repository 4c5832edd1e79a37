#!/usr/bin/env python3
"""Kills the board at random moments and fills its disk: whatever it told as kept must be there afterwards.

scripts/kills.py ZEBU [ROUNDS]       kills, a fifth of them in each of five situations (200)
scripts/kills.py ZEBU --full FOLDER  the same situations on a full disk; FOLDER is on a small one, such as
                                     mount -t tmpfs -o size=8m tmpfs FOLDER
"""

import argparse
import http.client
import json
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

OPENINGS = ["e4 e5 Nf3", "d4 d5 c4", "c4 e5 Nc3", "Nf3 d5 g3"]


def games(numbers):
    return "".join(
        f'[White "Ann"]\n[Black "{number}"]\n\n{OPENINGS[number % 4]} *\n\n' for number in numbers
    )


class Board:
    """`zebu board` in a folder of its own."""

    def __init__(self, zebu, folder):
        command = [zebu, "board", "--no-open", "--port", "0"]
        environment = {"XDG_CONFIG_HOME": str(folder)}
        self.program = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.keeps = True

    def address(self):
        """Waits until it serves."""
        while "The board is at" not in (line := self.program.stdout.readline()):
            self.keeps = self.keeps and "Nothing is kept" not in line
        host, self.key = line.strip().removeprefix("The board is at http://").split("/")[:2]
        self.server = http.client.HTTPConnection(host, timeout=60)

    def want(self, want, **fields):
        """What the library answers; an OSError if the board is gone."""
        question = json.dumps({"ask": "library", "want": want, **fields})
        try:
            self.server.request(
                "POST", f"/{self.key}/ask", question, {"Content-Type": "application/json"}
            )
            answer = json.loads(self.server.getresponse().read())
        except (http.client.HTTPException, ValueError) as error:
            raise OSError(error) from error
        return answer.get("found", answer)

    def end(self):
        self.program.kill()
        self.program.wait()


class Situation:
    """What was told as kept."""

    def __init__(self, chance):
        self.chance = chance
        self.ids, self.tags, self.gone, self.reviewed = set(), {}, set(), set()

    def imports(self, board):
        """Imports small files."""
        for file in range(1000):
            text = games(range(20 * file, 20 * file + 20))
            found = board.want("import", text=text, file=file, is_first=True, is_last=True)
            if "ids" not in found:
                return found
            self.ids.update(found["ids"])
        return None

    def edits(self, board):
        """Tags games, and deletes and restores them."""
        for number in range(2000):
            if not self.ids:
                found = board.want("import", text=games(range(40)), is_first=True, is_last=True)
                if "ids" not in found:
                    return found
                self.ids.update(found["ids"])
            game = self.chance.choice(sorted(self.ids))
            found = board.want("tag", games=[game], tag=f"t{number}", on=True)
            if found is not None:
                return found
            self.tags.setdefault(game, set()).add(f"t{number}")
        return None

    def reviews(self, board):
        """Analyses games, and looks which of them are analysed."""
        found = board.want("import", text=games(range(60)), is_first=True, is_last=True)
        if "ids" not in found:
            return found
        self.ids.update(found["ids"])
        found = board.want("names", names=["Ann"])
        if found is not None:
            return found
        board.want("analyse", games=sorted(self.ids), nodes=300)
        for _ in range(200):
            self.reviewed.update(board.want("ids", reviewed=True))
            time.sleep(0.01)
        return None

    def check(self, board):
        """Everything is there."""
        there = set(board.want("ids"))
        assert self.ids <= there, f"games are lost: {sorted(self.ids - there)[:5]}"
        for game, tags in self.tags.items():
            rows = board.want("games", tag=next(iter(tags)))
            found = {row["id"]: set(row["head"]["tags"]) for row in rows["games"]}
            assert tags <= found[game], f"tags of {game} are lost: {tags - found[game]}"
        reviewed = set(board.want("ids", reviewed=True))
        assert self.reviewed <= reviewed, f"reviews are lost: {self.reviewed - reviewed}"
        new = board.want("import", text=games([10**6]), is_first=True, is_last=True)
        assert len(new.get("ids", [])) == 1, f"it is closed: {new}"


def old_version(folder):
    """The files of an earlier version, of 2,000 games."""
    place = folder / "zebu" / "board"
    place.mkdir(parents=True)
    (place / "games.pgn").write_text(games(range(2000)))


SITUATIONS = ["first start", "migration", "imports", "edits", "reviews"]


def kills(zebu, rounds):
    chance = random.Random(1)
    for number in range(rounds):
        situation = SITUATIONS[number % len(SITUATIONS)]
        with tempfile.TemporaryDirectory(prefix="zebu-kills-") as folder:
            folder = Path(folder)
            told = Situation(chance)
            if situation == "migration":
                old_version(folder)
            board = Board(zebu, folder)
            if situation in ("first start", "migration"):
                time.sleep(chance.uniform(0, 0.15))
                board.end()
            else:
                board.address()
                moment = chance.uniform(0, 0.8)
                killer = subprocess.Popen(
                    ["sh", "-c", f"sleep {moment}; kill -9 {board.program.pid}"]
                )
                try:
                    getattr(told, situation)(board)
                except OSError:
                    pass
                killer.wait()
                board.program.wait()
            board = Board(zebu, folder)
            board.address()
            told.check(board)
            if situation == "migration":
                assert board.want("games")["count"] == 2001, "the migration lost games"
            board.end()
    print(f"{rounds} kills, nothing was lost")


def full(zebu, folder):
    for situation in SITUATIONS:
        for free in [0, 20_000, 200_000, 2_000_000, 3_000_000]:
            for entry in folder.iterdir():
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
            if situation == "migration":
                old_version(folder)
            filler = folder / "filler"
            with filler.open("wb") as file:
                file.truncate(0)
                size = max(shutil.disk_usage(folder).free - free, 0)
                file.write(bytes(size))
            chance = random.Random(free)
            told = Situation(chance)
            board = Board(zebu, folder)
            board.address()
            refusal = None
            if situation not in ("first start", "migration"):
                refusal = getattr(told, situation)(board)
            filler.unlink()
            begun = board.want("import", text=games([10**7]), is_first=True, is_last=True)
            assert "ids" in begun, f"{situation}, {free}: with space it is still closed: {begun}"
            kept = len(told.ids) if board.keeps else "it said that nothing is"
            if not board.keeps:
                told = Situation(chance)
            board.end()
            board = Board(zebu, folder)
            board.address()
            told.check(board)
            if situation == "migration":
                count = board.want("games")["count"]
                assert count >= 2001, f"the migration lost games: {count}"
            board.end()
            print(f"{situation}, {free:,} bytes free: {kept} kept, {refusal}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("zebu")
    parser.add_argument("rounds", nargs="?", type=int, default=200)
    parser.add_argument("--full", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    zebu = str(Path(arguments.zebu).absolute())
    if arguments.full:
        full(zebu, arguments.full)
    else:
        kills(zebu, arguments.rounds)


main()
