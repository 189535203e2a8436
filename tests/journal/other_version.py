"""A version of the program with one more rule set, and the journal that it leaves."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from tests.journal.games import STARTED, StoredGame, store_game
from urpi.journal import Journal
from urpi.referee.facts import Game
from urpi.rules import notation
from urpi.rules.finkel import Finkel

SKIRMISH = "skirmish"


class Skirmish(Finkel):
    """Finkel's game under another id."""

    id = SKIRMISH


@contextmanager
def other_version() -> Iterator[None]:
    """Have the rule set in this block only, as a program of another version."""
    module = ModuleType(f"urpi.rules.{SKIRMISH}")
    vars(module)["Skirmish"] = Skirmish
    classes = {**notation._CLASSES, SKIRMISH: (SKIRMISH, "Skirmish")}
    with (
        patch.dict(sys.modules, {module.__name__: module}),
        patch.dict(
            notation._CLASSES,
            classes,
        ),
    ):
        yield


def store_games(path: Path, *, unfinished: bool = False) -> None:
    """Store a finished game of finkel, then one of the other version's rules.

    The second game is of the table ``board``, so that the program looks for it when it starts.
    """
    table = {"table": "board"}
    with Journal.open(path) as journal:
        journal.finish(store_game(journal, longest=60), STARTED)
        with other_version():
            if unfinished:
                StoredGame(journal, Game(0, SKIRMISH, "Ann", "Zoë"), table).apply_reading(1000)
            else:
                journal.finish(store_game(journal, SKIRMISH, 2, 60, table), STARTED)
