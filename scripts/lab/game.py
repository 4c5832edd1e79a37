"""One game between two engines, played through python-chess and written down as a PGN."""

import datetime

import chess
import chess.engine
import chess.pgn

from lab.arbiter import colour_name, win
from lab.player import START, Forfeit


class Watch:
    """What time an engine has left; without a clock, the patience with one move."""

    def __init__(self, limit, margin, patience):
        self.limit = limit
        self.margin = margin
        self.patience = patience
        self.moves = 0
        self.left = limit.clock.seconds if limit.clock else limit.movetime

    @property
    def longest(self):
        return self.left + self.margin if self.limit.is_timed else self.patience

    def spend(self, seconds):
        """Takes the time of a move, and says what is wrong with it."""
        if not self.limit.is_timed:
            return
        if seconds > self.left + self.margin:
            over = round(1000 * (seconds - self.left))
            raise Forfeit(f"{{}} loses on time ({over}ms overrun)")
        clock = self.limit.clock
        if clock:
            self.moves += 1
            self.left = max(self.left - seconds, 0) + clock.increment
            if clock.moves and self.moves % clock.moves == 0:
                self.left += clock.seconds

    def late(self):
        """What it is if no answer comes at all."""
        reason = "{} loses on time" if self.limit.is_timed else "{}'s connection stalls"
        return Forfeit(reason)


def limit_of(watches, turn):
    """What an engine is told of its time and its opponent's."""
    limit = watches[turn].limit
    told = chess.engine.Limit(time=limit.movetime, nodes=limit.nodes, depth=limit.depth)
    if limit.clock:
        white, black = watches[chess.WHITE], watches[chess.BLACK]
        if white.limit.clock:
            told.white_clock, told.white_inc = white.left, white.limit.clock.increment
        if black.limit.clock:
            told.black_clock, told.black_inc = black.left, black.limit.clock.increment
        if limit.clock.moves:
            told.remaining_moves = limit.clock.moves - watches[turn].moves % limit.clock.moves
    return told


class Table:
    """Two players, a board, and the record of what they play."""

    def __init__(self, players, pairing, arbiter, conditions):
        self.players = {
            chess.WHITE: players[pairing.white.name],
            chess.BLACK: players[pairing.black.name],
        }
        self.board = pairing.opening.copy()
        self.arbiter = arbiter
        self.watches = {
            colour: Watch(player.engine.limit, conditions.margin, conditions.patience)
            for colour, player in self.players.items()
        }
        self.tree = chess.pgn.Game()
        self.tree.setup(self.board)
        self.node = self.tree
        self.write_headers(pairing.number)

    def write_headers(self, number):
        headers, now = self.tree.headers, datetime.datetime.now(datetime.UTC)
        white, black = (self.players[colour].engine for colour in chess.COLORS)
        headers["Event"] = "Match"
        headers["Date"] = now.strftime("%Y.%m.%d")
        headers["Round"] = str(number)
        headers["White"], headers["Black"] = white.name, black.name
        headers["GameStartTime"] = now.strftime("%Y-%m-%dT%H:%M:%S +0000")
        if white.limit == black.limit:
            headers["TimeControl"] = str(white.limit)
        else:
            headers["WhiteTimeControl"] = str(white.limit)
            headers["BlackTimeControl"] = str(black.limit)

    async def play(self):
        """Plays to the end; who breaks the rules loses, and is put away."""
        verdict = await self.ready()
        while verdict is None:
            turn = self.board.turn
            try:
                verdict = await self.move(turn)
            except Forfeit as forfeit:
                verdict = await self.forfeit(turn, forfeit)
        self.tree.headers["Result"] = verdict.result
        self.tree.headers["Termination"] = verdict.termination
        self.tree.headers["PlyCount"] = str(self.node.ply() - self.tree.ply())
        self.node.comment = ", ".join(part for part in (self.node.comment, verdict.reason) if part)
        return str(self.tree) + "\n\n"

    async def ready(self):
        for colour in chess.COLORS:
            try:
                await self.players[colour].start()
            except Forfeit as forfeit:
                return await self.forfeit(colour, forfeit)
        return None

    async def forfeit(self, colour, forfeit):
        await self.players[colour].leave()
        reason = str(forfeit).format(colour_name(colour))
        kinds = {"time": "time forfeit", "illegal": "illegal move"}
        kind = next((kind for word, kind in kinds.items() if word in reason), "abandoned")
        return win(not colour, reason, kind)

    async def move(self, turn):
        player, watch = self.players[turn], self.watches[turn]
        limit = limit_of(self.watches, turn)
        # Before its first move an engine gets ready, which no clock counts.
        longest = watch.longest + (START if self.arbiter.moves < 2 else 0)
        try:
            answer = await player.play(self.board, limit, self, longest)
        except TimeoutError as error:
            raise watch.late() from error
        watch.spend(answer.seconds)
        self.board.push(answer.move)
        self.node = self.node.add_variation(answer.move)
        self.node.comment = thought(answer, turn)
        return self.arbiter.judge(self.board, answer.info.get("score"))


def thought(answer, turn):
    """What fastchess writes after a move."""
    score = answer.info.get("score")
    said = f"{score_text(score.pov(turn))}/{answer.info.get('depth', 0)} " if score else ""
    nodes = f", n={answer.info['nodes']}" if "nodes" in answer.info else ""
    return f"{said}{answer.seconds:.3f}s{nodes}"


def score_text(score):
    if not score.is_mate():
        return f"{score.score() / 100:+.2f}" if score.score() else "0.00"
    moves = score.mate()
    return f"+M{2 * moves - 1}" if moves > 0 else f"-M{-2 * moves}"
