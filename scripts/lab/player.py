"""An engine at the board: it is started, asked for moves, and put away whatever it does."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass

import chess
import chess.engine

from lab.problem import Problem

# Seconds that an engine may take to start, or to get ready for a game.
START = 10

# Seconds that it may take to leave.
LEAVE = 1

KNOWN = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE


class Forfeit(Exception):
    """What an engine did that costs it the game: of whom {} stands for its colour."""


@dataclass(frozen=True)
class Answer:
    """A legal move, what the engine knew of it, and how long it took."""

    move: chess.Move
    info: chess.engine.InfoDict
    seconds: float


class Timed(chess.engine.UciProtocol):
    """Notes when a search was asked for and when it was answered, before anything is parsed."""

    asked = answered = 0.0
    last = ""

    def send_line(self, line):
        super().send_line(line)
        if line.startswith("go"):
            self.asked = time.perf_counter()

    def line_received(self, line):
        if line.startswith("bestmove"):
            self.answered = time.perf_counter()
            self.last = line


class Player:
    """One engine, running or not."""

    def __init__(self, engine):
        self.engine = engine
        self.transport = None
        self.protocol = None

    async def start(self):
        """Starts the engine unless it runs."""
        if self.protocol and not self.protocol.returncode.done():
            return
        try:
            async with asyncio.timeout(START):
                self.transport, self.protocol = await Timed.popen(
                    [self.engine.program, *self.engine.args],
                    setpgrp=True,
                    cwd=self.engine.folder,
                    stderr=subprocess.DEVNULL,
                )
                await self.protocol.initialize()
                await self.protocol.configure(self.engine.options)
        except TimeoutError as error:
            raise Forfeit("{}'s connection stalls") from error
        except (OSError, chess.engine.EngineTerminatedError) as error:
            raise Forfeit("{} disconnects") from error
        except chess.engine.EngineError as error:
            raise Problem(f"{self.engine.name}: {error}") from error

    async def play(self, board, limit, game, seconds):
        """A move, which has to come within so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                found = await self.protocol.play(board, limit, game=game, info=KNOWN)
        except chess.engine.EngineTerminatedError as error:
            raise Forfeit("{} disconnects") from error
        except chess.engine.EngineError as error:
            raise self.illegal() from error
        if found.move not in board.legal_moves:
            raise self.illegal()
        return Answer(found.move, found.info, self.protocol.answered - self.protocol.asked)

    def illegal(self):
        words = re.findall(r"[\w()]+", self.protocol.last)[1:2]
        return Forfeit(f"{{}} makes an illegal move: {words[0][:10] if words else 'none'}")

    async def leave(self):
        """Asks the engine to go, and ends what is left of it."""
        if self.protocol:
            with contextlib.suppress(TimeoutError, chess.engine.EngineError):
                async with asyncio.timeout(LEAVE):
                    await self.protocol.quit()
        self.end()

    def end(self):
        """Ends the engine, and what it may have started, at once."""
        if self.transport:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.transport.get_pid(), signal.SIGKILL)
            self.transport.close()
        self.transport = self.protocol = None
