"""Plays the games of a match: worker processes that each play one game after the other.

A worker is a process of its own so that no other game costs its engines time. It ends, and its
engines with it, when the match closes its end of the pipe or dies.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import multiprocessing.connection
import signal
from dataclasses import dataclass

from lab.arbiter import Arbiter, Rules, open_tables
from lab.errors import LabError
from lab.game import EngineGame
from lab.player import QUIT, Forfeit, Player

# A terminal sends these to all processes of a match; only the match itself reacts.
STOP_SIGNALS = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)

# The match gives up if more workers than this are killed.
MOST_DEATHS = 5


@dataclass(frozen=True)
class Conditions:
    """The conditions of all games of a match."""

    concurrency: int
    rules: Rules
    # Seconds that an engine may exceed its clock.
    margin: float
    # Seconds per move for an engine without a time limit, until it counts as hanging.
    patience: float
    chess960: bool


def cannot_start(engines):
    """The names of the engines that do not start; wrong options are errors of the user."""

    async def try_all():
        players = [Player(engine) for engine in engines]
        try:
            tried = await asyncio.gather(
                *(player.start() for player in players), return_exceptions=True
            )
        finally:
            await asyncio.gather(*(player.quit() for player in players))
        for error in tried:
            if error is not None and not isinstance(error, Forfeit):
                raise error
        return {engine.name for engine, error in zip(engines, tried) if error}

    return asyncio.run(try_all())


class Worker:
    """A worker process and the game that it plays."""

    def __init__(self, conditions):
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, conditions), daemon=True)
        self.process.start()
        other.close()
        self.pairing = None

    def play(self, pairing):
        self.pairing = pairing
        self.pipe.send(pairing)

    def end(self):
        self.pipe.close()
        # It quits two engines first.
        self.process.join(2 * QUIT + 2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def games(pairings, conditions):
    """Plays all games, and yields the PGN of each as it ends."""
    waiting = list(reversed(pairings))
    workers, deaths = [], 0
    try:
        while waiting or workers:
            while waiting and len(workers) < conditions.concurrency:
                with signals_blocked():
                    workers.append(Worker(conditions))
                workers[-1].play(waiting.pop())
            for worker in ready(workers):
                try:
                    text = worker.pipe.recv()
                except (EOFError, ConnectionResetError) as error:
                    deaths += 1
                    if deaths > MOST_DEATHS:
                        raise LabError("the processes that play the games are killed") from error
                    waiting.append(worker.pairing)
                    workers.remove(worker)
                    worker.end()
                    continue
                if isinstance(text, LabError):
                    raise text
                if waiting:
                    worker.play(waiting.pop())
                else:
                    workers.remove(worker)
                    worker.end()
                yield text
    finally:
        for worker in workers:
            worker.pipe.close()
        for worker in workers:
            worker.end()


@contextlib.contextmanager
def signals_blocked():
    """Blocks the stop signals, so that a process started here ignores them from its start."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def ready(workers):
    pipes = multiprocessing.connection.wait([worker.pipe for worker in workers])
    return [worker for worker in workers if worker.pipe in pipes]


def work(pipe, conditions):
    """The worker process, until the other end of the pipe is closed."""
    for number in STOP_SIGNALS:
        # Engines inherit ignored signals, but not handlers.
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    logging.disable(logging.CRITICAL)
    asyncio.run(serve(pipe, conditions))


async def serve(pipe, conditions):
    players = {}
    try:
        tables = open_tables(conditions.rules.tables) if conditions.rules.tables else None
        while await readable(pipe):
            pairing = pipe.recv()
            await quit_others(players, pairing.names)
            for engine in (pairing.white, pairing.black):
                players.setdefault(engine.name, Player(engine))
            arbiter = Arbiter(conditions.rules, tables)
            game = EngineGame(players, pairing, arbiter, conditions)
            pipe.send(await unless_closed(pipe, game.play()))
    except LabError as error:
        pipe.send(error)
    except (EOFError, OSError, asyncio.CancelledError):
        # The match has ended.
        pass
    finally:
        await quit_others(players, ())


async def quit_others(players, names):
    """Quits the engines that the next game does not need."""
    others = [players.pop(name) for name in list(players) if name not in names]
    await asyncio.gather(*(player.quit() for player in others))


async def readable(pipe):
    """Waits until there is something to read, or the other end is closed."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(pipe.fileno(), came.set)
    try:
        return await came.wait()
    finally:
        loop.remove_reader(pipe.fileno())


async def unless_closed(pipe, game):
    """The result of a game; if the pipe becomes readable during the game, it was closed."""
    tasks = asyncio.ensure_future(game), asyncio.ensure_future(readable(pipe))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not tasks[0].done():
            raise EOFError
        return tasks[0].result()
    finally:
        for task in tasks:
            task.cancel()
        # Later, the cancelled reader would remove the next one from the loop.
        await asyncio.gather(*tasks, return_exceptions=True)
