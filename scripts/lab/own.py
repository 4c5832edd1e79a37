"""The lab's own runner: each worker is a process that plays one game after the other.

A worker has a process to itself so that nothing another game does is on its engines' clocks. It
ends, and its engines with it, when the match closes its end of the pipe or is no more.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import multiprocessing.connection
import signal
from dataclasses import dataclass

from lab.arbiter import Arbiter, Rules, open_tables
from lab.game import Table
from lab.player import LEAVE, Player
from lab.problem import Problem

# A terminal sends these to all processes of a match; only the match itself is to act on them.
STOPS = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)

# So many workers may come to a violent end before the match is given up.
MOST_DEATHS = 5


@dataclass(frozen=True)
class Conditions:
    """What all games of a match have in common."""

    concurrency: int
    rules: Rules
    # Seconds that a clock may be overrun.
    margin: float
    # Seconds without an answer after which an engine is taken to hang where no clock says so.
    patience: float
    chess960: bool


class Worker:
    """A worker as the match sees it."""

    def __init__(self, conditions):
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, conditions), daemon=True)
        self.process.start()
        other.close()
        self.pairing = None

    def give(self, pairing):
        self.pairing = pairing
        self.pipe.send(pairing)

    def end(self):
        self.pipe.close()
        # It takes leave of two engines first.
        self.process.join(2 * LEAVE + 2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def games(pairings, conditions):
    """Plays all games, and gives the text of each as it ends."""
    waiting = list(reversed(pairings))
    workers, deaths = [], 0
    try:
        while waiting or workers:
            while waiting and len(workers) < conditions.concurrency:
                with undisturbed():
                    workers.append(Worker(conditions))
                workers[-1].give(waiting.pop())
            for worker in ready(workers):
                try:
                    text = worker.pipe.recv()
                except (EOFError, ConnectionResetError) as error:
                    deaths += 1
                    if deaths > MOST_DEATHS:
                        raise Problem("the processes that play the games are killed") from error
                    waiting.append(worker.pairing)
                    workers.remove(worker)
                    worker.end()
                    continue
                if isinstance(text, Problem):
                    raise text
                if waiting:
                    worker.give(waiting.pop())
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
def undisturbed():
    """Holds back what would stop the match; a process that is begun does not hear it at all."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def ready(workers):
    pipes = multiprocessing.connection.wait([worker.pipe for worker in workers])
    return [worker for worker in workers if worker.pipe in pipes]


def work(pipe, conditions):
    """What a worker does until the other end of the pipe is closed."""
    for number in STOPS:
        # Unlike one that is ignored, a signal with a handler is its own again in an engine.
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    logging.disable(logging.CRITICAL)
    asyncio.run(serve(pipe, conditions))


async def serve(pipe, conditions):
    players = {}
    try:
        tables = open_tables(conditions.rules.tables) if conditions.rules.tables else None
        while await readable(pipe):
            pairing = pipe.recv()
            await put_away(players, (pairing.white, pairing.black))
            for engine in (pairing.white, pairing.black):
                players.setdefault(engine.name, Player(engine))
            arbiter = Arbiter(conditions.rules, tables)
            table = Table(players, pairing, arbiter, conditions)
            pipe.send(await unless_closed(pipe, table.play()))
    except Problem as problem:
        pipe.send(problem)
    except (EOFError, OSError, asyncio.CancelledError):
        # The match is over or is no more.
        pass
    finally:
        await put_away(players, ())


async def put_away(players, keep):
    """Ends the engines that the next game does not need."""
    names = {engine.name for engine in keep}
    gone = [players.pop(name) for name in list(players) if name not in names]
    await asyncio.gather(*(player.leave() for player in gone))


async def readable(pipe):
    """Waits until something comes, be it the end."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(pipe.fileno(), came.set)
    try:
        return await came.wait()
    finally:
        loop.remove_reader(pipe.fileno())


async def unless_closed(pipe, game):
    """What a game comes to; during a game nothing but the end comes through the pipe."""
    tasks = asyncio.ensure_future(game), asyncio.ensure_future(readable(pipe))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not tasks[0].done():
            raise EOFError
        return tasks[0].result()
    finally:
        for task in tasks:
            task.cancel()
        # A reader that is cancelled later would take the next one with it.
        await asyncio.gather(*tasks, return_exceptions=True)
