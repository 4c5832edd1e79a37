"""An engine that plays games: it is started, asked for moves, and closed whatever it does."""

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

from lab.errors import LabError

# Seconds that an engine may take to start, or to prepare a game.
START = 10

# Seconds that it may take to quit.
QUIT = 1

INFO = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE


class Forfeit(Exception):
    """Why an engine loses the game: {} in the reason stands for its colour."""


@dataclass(frozen=True)
class Answer:
    """A legal move, the info of its search, and how long it took."""

    move: chess.Move
    info: chess.engine.InfoDict
    seconds: float


class TimedProtocol(chess.engine.UciProtocol):
    """Takes the time from go to bestmove, before anything is parsed."""

    go_at = bestmove_at = 0.0
    bestmove = ""

    def send_line(self, line):
        super().send_line(line)
        if line.startswith("go"):
            self.go_at = time.perf_counter()

    def line_received(self, line):
        if line.startswith("bestmove"):
            self.bestmove_at = time.perf_counter()
            self.bestmove = line


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
                self.transport, self.protocol = await TimedProtocol.popen(
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
            raise LabError(f"{self.engine.name}: {error}") from error

    async def play(self, board, limit, game, seconds):
        """A move, which must come within this many seconds."""
        try:
            async with asyncio.timeout(seconds):
                found = await self.protocol.play(board, limit, game=game, info=INFO)
        except chess.engine.EngineTerminatedError as error:
            raise Forfeit("{} disconnects") from error
        except chess.engine.EngineError as error:
            raise self.illegal() from error
        if found.move not in board.legal_moves:
            raise self.illegal()
        return Answer(found.move, found.info, self.protocol.bestmove_at - self.protocol.go_at)

    def illegal(self):
        words = re.findall(r"[\w()]+", self.protocol.bestmove)[1:2]
        return Forfeit(f"{{}} makes an illegal move: {words[0][:10] if words else 'none'}")

    async def quit(self):
        """Asks the engine to quit, then kills it and its children."""
        if self.protocol:
            with contextlib.suppress(TimeoutError, chess.engine.EngineError):
                async with asyncio.timeout(QUIT):
                    await self.protocol.quit()
        if self.transport:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.transport.get_pid(), signal.SIGKILL)
            self.transport.close()
        self.transport = self.protocol = None
