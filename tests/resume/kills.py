"""Kill the program at random moments of simulated games: `python -m tests.resume.kills`.

The table, its pieces, dice and hub, live here; the program (`tests.resume.program`) lives in a
forked process that is sent SIGKILL, in the middle of whatever it does, and is started anew. After
each kill the journal is read, and held against every decision that was seen to be shown. In
between, hands go on with a move, displace pieces, or throw dice that nobody sees. Only while a
person steps through a question with the button nothing is killed: these hands cannot see.
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
from tests.resume.life import WrongError

RULES = (
    *("finkel[pieces=3]", "finkel3[pieces=3]", "murray[pieces=3]", "bell[pieces=3]"),
    *("coursework[pieces=3]", "skiryuk", "ravensburger", "freecompany"),
)


def kill(kills: int, seed: int, folder: Path) -> Figures:
    """Play games until the program has been killed that often."""
    figures = Figures()
    while figures.kills.total() < kills:
        number = figures.games
        figures.games += 1
        rng = Random(f"{seed} {number}")
        path = folder / f"game-{number}" / "games.sqlite"
        path.parent.mkdir(parents=True)
        game = KilledGame(RULES[number % len(RULES)], seed + number, path, figures, rng)
        try:
            game.play(lambda: figures.kills.total() >= kills)
            game.close()
        except WrongError as wrong:
            kept = Path(tempfile.mkdtemp(prefix="urpi-killed-"))
            shutil.copytree(path.parent, kept / "game", ignore=shutil.ignore_patterns("urpi-hub"))
            turns = [(turn.side.value, turn.faces, turn.move) for turn in game.table.game.turns]
            sys.exit(
                f"Game {number} of {game.rules.text}, seed {seed}: {wrong}\n"
                f"Its journal lies in {kept}; the last turns were {turns[-3:]}."
            )
        shutil.rmtree(path.parent)
    return figures


def main() -> None:
    """Kill, and say what came of it; the exit status is 1 when a promise did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.resume.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the journals lie while they are used")
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="urpi-kills-", dir=given.folder) as folder:
        figures = kill(given.kills, given.seed, Path(folder))
    for how, count in figures.kills.most_common():
        print_line(f"{count:6} kills, {how}")
    print_line(f"{figures.logs:6} of them left a log to be read")
    print_line(f"{figures.shown:6} decisions shown, each stored once and in order")
    print_line(
        f"{figures.stored_unseen:6} decisions stored when the program was killed before showing"
    )
    print_line(f"{figures.games:6} games, {figures.finished} played to the end, all replay exactly")
    if figures.resumed_ms:
        most, usual = max(figures.resumed_ms), median(figures.resumed_ms)
        print_line(f"{most:6.0f} ms the longest time to step a game anew, median {usual:.0f} ms")
    print_line(f"{time.monotonic() - began:6.0f} s")


if __name__ == "__main__":
    main()
