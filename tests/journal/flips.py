"""Change single bytes of a journal file: `python -m tests.journal.flips`.

Each change is made in a new copy of a journal with refereed games. It must be reported by the
checks of `urpi games check`, or leave every row and every definition unchanged (for example, a byte
of a free page). A keeper then opens the file as `urpi serve` does. It must not end with a
traceback, every game that it reports as saved must be what was stored, and every other one must be
reported as lost.
"""

import argparse
import logging
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tests.journal.games import store_game
from tests.output import print_line
from urpi.core.errors import UrpiError
from urpi.journal import (
    CheckVerdict,
    Journal,
    Keeper,
    Preferences,
    StoredAnswer,
    check_answers,
    check_game,
    check_pages,
    check_preferences,
    entries_of,
    list_games,
    settings_of,
    store_answer,
    store_preferences,
    unfinished_game,
)

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
RULES = ("finkel", "ravensburger", "freecompany", "skiryuk")
ANSWERS = 150
"""Maximum number of answers in a game; then light resigns."""

Games = dict[int, object]


def make(path: Path) -> None:
    """Store a game of each of several rule sets, preferences, and answers to exercises."""
    configured = Preferences("en", "off", "finkel")
    with Journal.open(path) as journal:
        for seed, rules in enumerate(RULES):
            game = store_game(journal, rules, seed, ANSWERS)
            journal.rewrite(game, lambda entry: entry.line, settings={"table": "board"})
        store_preferences(
            journal, "board", configured, replace(configured, language="fr", light="Zoë")
        )
        for game in (1, 2, 3):
            journal.finish(game, NOW.isoformat())
            store_answer(journal, StoredAnswer(game, 7, NOW.isoformat(), "A4-A2", game == 2))


def games_in(path: Path) -> Games:
    """Return everything that is stored of each game."""
    with Journal.open(path, create=False) as journal:
        return {
            game.id: (game, settings_of(journal, game.id), entries_of(journal, game.id))
            for game in list_games(journal)
        }


def dump(path: Path) -> list[object]:
    """Return every definition and every row of the file."""
    with closing(sqlite3.connect(path)) as db:
        objects = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        tables = [name for kind, name, *_ in objects if kind == "table"]
        rows = [db.execute(f"SELECT * FROM {name}").fetchall() for name in tables]
    return [objects, *rows]


def reported_error(path: Path) -> str:
    """Return the error that `urpi games check` reports, empty if there is none."""
    try:
        with Journal.open(path, create=False) as journal:
            check_pages(journal)
            check_preferences(journal)
            check_answers(journal)
            for game in list_games(journal):
                checked = check_game(journal, game.id)
                if checked.verdict is not CheckVerdict.SAME:
                    return checked.why or checked.verdict.value
    except UrpiError as error:
        return str(error)
    return ""


def open_as_service(path: Path, stored: Games) -> str:
    """Open the file with a keeper; return the outcome.

    Raises:
        AssertionError: if a saved game is not as it was stored, or a loss is not reported.
    """
    try:
        keeper = Keeper.open(path, NOW)
        # Next, the service looks for a game to resume.
        game = keeper.read(lambda journal: unfinished_game(journal, "board"), NOW)
        if game is not None:
            keeper.continue_game(game, NOW)
        keeper.close(NOW)
    except UrpiError:
        return "refused"
    if keeper.damage is None:
        return "opened"
    saved = games_in(path)
    assert saved.items() <= stored.items(), "a game was saved that is not what was stored"
    assert keeper.damage.saved == len(saved), (keeper.damage, len(saved))
    missing = len(stored) - len(saved)
    lost = keeper.damage.lost
    assert lost >= missing or not keeper.damage.all_counted, (keeper.damage, missing)
    return "set aside"


def flip(path: Path, place: int, mask: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes((byte ^ mask,)))


def run(folder: Path, places: list[int], seed: int) -> Counter[str]:
    """Change each of the bytes in turn; count the outcomes."""
    rng = Random(seed)
    original = folder / "original.db"
    undamaged, whole, games = original.read_bytes(), dump(original), games_in(original)
    figures: Counter[str] = Counter()
    for place in places:
        mask = rng.randrange(1, 256)
        path = folder / "flipped.db"
        for left in folder.glob("flipped*"):
            left.unlink()
        path.write_bytes(undamaged)
        flip(path, place, mask)
        try:
            error = reported_error(path)
            harmless = not error and dump(path) == whole
            figures["reported" if error else "harmless" if harmless else "silent"] += 1
            if not error and not harmless:
                print_line(f"byte {place} ^ {mask:#04x} was not reported")
            path.write_bytes(undamaged)
            flip(path, place, mask)
            outcome = open_as_service(path, games)
            figures[f"by the service {outcome}"] += 1
        except Exception as error:
            figures["wrong"] += 1
            print_line(f"byte {place} ^ {mask:#04x}: {type(error).__name__}: {error}")
    return figures


def main() -> None:
    """Change bytes; exit with status 1 if a change was not reported or the keeper was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.journal.flips", description=__doc__)
    parser.add_argument("--flips", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=0, help="every nth byte instead")
    given = parser.parse_args()
    logging.disable()
    with tempfile.TemporaryDirectory(prefix="urpi-flips-") as name:
        folder = Path(name)
        make(folder / "original.db")
        size = (folder / "original.db").stat().st_size
        rng = Random(given.seed)
        places = (
            [*range(given.seed % given.every, size, given.every)]
            if given.every
            else [rng.randrange(size) for _ in range(given.flips)]
        )
        figures = run(folder, places, given.seed)
    for what, count in sorted(figures.items()):
        print_line(f"{count:6} {what}")
    wrong = figures["silent"] + figures["wrong"]
    print_line(
        f"{len(places)} bytes of {size} changed with seed {given.seed}, "
        f"{wrong} of them silent or wrong"
    )
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
