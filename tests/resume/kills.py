"""Kill the program at random moments of simulated games: `python -m tests.resume.kills`.

The table with its pieces, dice and hub is simulated here. The program (`tests.resume.program`) runs
in a forked process that is killed by SIGKILL at any moment, and started again. After each kill the
journal is compared with every decision that was displayed. While the program is down, simulated
players continue a move, displace pieces, or throw dice. It is not killed while a player steps
through the choices of a question, because simulated players do not notice that their choice was
lost.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

from tests.output import print_line
from tests.resume.killed_game import Figures, KilledGame
from tests.resume.program_process import FailedError
from urpi.referee.seats import PERSONS, Seats

RULES = (
    *("finkel[pieces=3]", "finkel3[pieces=3]", "murray[pieces=3]", "bell[pieces=3]"),
    *("coursework[pieces=3]", "skiryuk", "ravensburger", "freecompany"),
    *("masters[pieces=3]", "blitz[pieces=3]"),
)
ENGINES: Seats = ("engine:hard", "engine:best")


def kill(kills: int, seed: int, folder: Path, seats: Seats = PERSONS) -> Figures:
    """Play games until the program has been killed the given number of times.

    In games of the engine only the kills with a stored plan count.
    """
    figures = Figures()

    def enough() -> bool:
        return (figures.kills.total() if seats is PERSONS else figures.plans) >= kills

    while not enough():
        number = figures.games
        figures.games += 1
        rng = Random(f"{seed} {number}")
        path = folder / f"game-{number}" / "games.sqlite"
        path.parent.mkdir(parents=True)
        game = KilledGame(RULES[number % len(RULES)], seed + number, path, figures, rng, seats)
        try:
            game.play(enough)
            game.close()
        except FailedError as error:
            kept = Path(tempfile.mkdtemp(prefix="urpi-killed-"))
            shutil.copytree(path.parent, kept / "game", ignore=shutil.ignore_patterns("urpi-hub"))
            turns = [(turn.side.value, turn.faces, turn.move) for turn in game.table.game.turns]
            sys.exit(
                f"Game {number} of {game.rules.text}, seed {seed}: {error}\n"
                f"Its journal is in {kept}; the last turns were {turns[-3:]}."
            )
        shutil.rmtree(path.parent)
    return figures


def main() -> None:
    """Kill, and report the figures; exit with status 1 at the first failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.resume.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="folder of the journals while they are in use")
    parser.add_argument("--engine", action="store_true", help="the engine has both seats")
    given = parser.parse_args()
    seats = ENGINES if given.engine else PERSONS
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="urpi-kills-", dir=given.folder) as folder:
        figures = kill(given.kills, given.seed, Path(folder), seats)
    for how, count in figures.kills.most_common():
        print_line(f"{count:6} kills, {how}")
    if given.engine:
        print_line(f"{figures.plans:6} times resumed with the stored plan of the engine")
    print_line(f"{figures.logs:6} of them left a write-ahead log")
    print_line(f"{figures.shown:6} decisions displayed, each stored once and in order")
    print_line(f"{figures.stored_unseen:6} decisions stored, but not displayed before the kill")
    print_line(f"{figures.games:6} games, {figures.finished} played to the end, all replay exactly")
    if figures.resumed_ms:
        most, usual = max(figures.resumed_ms), median(figures.resumed_ms)
        print_line(f"{most:6.0f} ms maximum time to step a game again, median {usual:.0f} ms")
    print_line(f"{time.monotonic() - began:6.0f} s")


if __name__ == "__main__":
    main()
