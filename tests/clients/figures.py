"""Compares the statistics of a match with those of fastchess for the same games."""

import math
from pathlib import Path

import scripts  # noqa: F401 (puts lab on the path)
from lab import pgn, statistics
from lab.statistics import Sprt

HERE = Path(__file__).parent


def printed(value, digits=2):
    return f"{value:.{digits}f}"


def are_those_of_fastchess():
    games = pgn.read(HERE / "fastchess.pgn")
    tally = statistics.count(games, "more")
    assert (tally.wins, tally.draws, tally.losses) == (5, 21, 6), tally
    assert tally.pairs == (1, 4, 8, 1, 2), tally
    elo = statistics.elo(tally.pairs)
    assert (printed(elo.value), printed(elo.error)) == ("-10.86", "89.61"), elo
    assert printed(100 * statistics.superiority(tally.pairs)) == "40.40"
    sprt = Sprt(-10, 90)
    assert printed(sprt.llr(tally.pairs)) == "-1.48"
    assert [printed(bound) for bound in sprt.bounds] == ["-2.94", "2.94"]
    assert statistics.count(games, "less") == statistics.Tally(6, 21, 5, tally.pairs[::-1])
    assert statistics.count(games, "more", "nobody").games == 0


def are_those_of_long_matches():
    for pairs, low, high, llr in (
        ((365, 16618, 36229, 16974, 390), 0, 2, "2.25"),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "3.01"),
        ((0, 0, 0, 0, 5550), 0, 5, "111.80"),
    ):
        assert printed(Sprt(low, high).llr(pairs)) == llr, (pairs, Sprt(low, high).llr(pairs))


def are_finite_for_extreme_results():
    for pairs in ((0, 0, 0, 0, 0), (0, 0, 0, 0, 7), (7, 0, 0, 0, 0), (0, 0, 100, 0, 0)):
        statistics.elo(pairs)
        assert 0 <= statistics.superiority(pairs) <= 1
        assert math.isfinite(Sprt(0, 5).llr(pairs)) and math.isfinite(Sprt(-200, 200).llr(pairs))


def count_complete_pairs():
    games = pgn.read(HERE / "fastchess.pgn", with_moves=False)
    assert sum(statistics.count(games[:1], "more").pairs) == 0
    twice = statistics.count(games + games, "more")
    assert twice.pairs == (2, 8, 16, 2, 4) and twice.games == 64, twice


def read_games():
    first = pgn.read(HERE / "fastchess.pgn")[0]
    assert first.ending == "adjudication" and first.points is not None, first
    assert all(move.score is not None and move.nodes and move.depth for move in first.moves)
    assert first.moves[0].seconds >= 0 and first.fen.endswith("9"), first.moves[0]
    assert {game.white for game in pgn.read(HERE / "cutechess.pgn")} == {"more", "less"}
    for game in pgn.read(HERE / "cutechess.pgn"):
        assert game.ending == "adjudication", game.reason
        assert all(move.score is not None and move.depth for move in game.moves), game
    for comment, score, mate, reason in (
        ("+M13/22 0.5s, n=7", 9987, 13, ""),
        ("-M4/9 0.012s, White mates", -9996, -4, "White mates"),
        ("0.00/23\n0.006s, Draw by 3-fold repetition", 0, None, "Draw by 3-fold repetition"),
        ("book", None, None, ""),
        ("0s", None, None, ""),
        (
            "-0.25/7 1.5s, tl=3.0s, n=9, Black makes an illegal move: e2e5",
            -25,
            None,
            "Black makes an illegal move: e2e5",
        ),
    ):
        move = pgn.read_move("e4", None, comment)
        assert (move.score, move.mate) == (score, mate), (comment, move)
        assert pgn.read_reason(comment) == reason, (comment, pgn.read_reason(comment))


if __name__ == "__main__":
    are_those_of_fastchess()
    are_those_of_long_matches()
    are_finite_for_extreme_results()
    count_complete_pairs()
    read_games()
