"""One game between two engines, played through python-chess and recorded as PGN."""

import datetime

import chess
import chess.engine
import chess.pgn

from lab.arbiter import colour_name, win
from lab.player import START, Forfeit


class Clock:
    """The time that an engine has left; without a time limit, the patience with each move."""

    def __init__(self, limit, margin, patience):
        self.limit = limit
        self.margin = margin
        self.patience = patience
        self.moves = 0
        self.left = limit.tc.seconds if limit.tc else limit.movetime

    @property
    def longest(self):
        return self.left + self.margin if self.limit.is_timed else self.patience

    def spend(self, seconds):
        """Subtracts the time of a move, or forfeits the game."""
        if not self.limit.is_timed:
            return
        if seconds > self.left + self.margin:
            over = round(1000 * (seconds - self.left))
            raise Forfeit(f"{{}} loses on time ({over}ms overrun)")
        tc = self.limit.tc
        if tc:
            self.moves += 1
            self.left = max(self.left - seconds, 0) + tc.increment
            if tc.moves and self.moves % tc.moves == 0:
                self.left += tc.seconds

    def no_answer(self):
        reason = "{} loses on time" if self.limit.is_timed else "{}'s connection stalls"
        return Forfeit(reason)


def go_limit(clocks, turn):
    """The limit in the go command of an engine."""
    limit = clocks[turn].limit
    go = chess.engine.Limit(time=limit.movetime, nodes=limit.nodes, depth=limit.depth)
    if limit.tc:
        white, black = clocks[chess.WHITE], clocks[chess.BLACK]
        if white.limit.tc:
            go.white_clock, go.white_inc = white.left, white.limit.tc.increment
        if black.limit.tc:
            go.black_clock, go.black_inc = black.left, black.limit.tc.increment
        if limit.tc.moves:
            go.remaining_moves = limit.tc.moves - clocks[turn].moves % limit.tc.moves
    return go


class EngineGame:
    """Two players, a board, and the PGN of their game."""

    def __init__(self, players, pairing, arbiter, conditions):
        self.players = {
            chess.WHITE: players[pairing.white.name],
            chess.BLACK: players[pairing.black.name],
        }
        self.board = pairing.opening.copy()
        self.arbiter = arbiter
        self.clocks = {
            colour: Clock(player.engine.limit, conditions.margin, conditions.patience)
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
        """Plays to the end and returns the PGN; an engine that forfeits the game is closed."""
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
        await self.players[colour].quit()
        reason = str(forfeit).format(colour_name(colour))
        kinds = {"time": "time forfeit", "illegal": "illegal move"}
        kind = next((kind for word, kind in kinds.items() if word in reason), "abandoned")
        return win(not colour, reason, kind)

    async def move(self, turn):
        player, clock = self.players[turn], self.clocks[turn]
        limit = go_limit(self.clocks, turn)
        # The first move includes ucinewgame and isready, which no clock counts.
        longest = clock.longest + (START if self.arbiter.moves < 2 else 0)
        try:
            answer = await player.play(self.board, limit, self, longest)
        except TimeoutError as error:
            raise clock.no_answer() from error
        clock.spend(answer.seconds)
        self.board.push(answer.move)
        self.node = self.node.add_variation(answer.move)
        self.node.comment = comment(answer, turn)
        return self.arbiter.judge(self.board, answer.info.get("score"))


def comment(answer, turn):
    """The comment that fastchess writes after a move."""
    score = answer.info.get("score")
    search = f"{score_text(score.pov(turn))}/{answer.info.get('depth', 0)} " if score else ""
    nodes = f", n={answer.info['nodes']}" if "nodes" in answer.info else ""
    return f"{search}{answer.seconds:.3f}s{nodes}"


def score_text(score):
    if not score.is_mate():
        return f"{score.score() / 100:+.2f}" if score.score() else "0.00"
    moves = score.mate()
    return f"+M{2 * moves - 1}" if moves > 0 else f"-M{-2 * moves}"
