"""The reviewer: computes luck and loss of verified games, in a process of the lowest priority."""

import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from psycopg import OperationalError

from urpi.club.server.database import next_to_review, store_review
from urpi.club.server.game_worker import Call, GameWorker
from urpi.club.server.log_lines import log_about
from urpi.core.errors import UrpiError
from urpi.core.supervision import Quarantine
from urpi.engine.evaluator import Evaluator
from urpi.engine.exact.installed import Installed
from urpi.engine.network_file import estimator
from urpi.engine.review import review_record
from urpi.journal import Entry
from urpi.journal.build_record import build_record
from urpi.journal.stats import GameReview, SideReview, game_review
from urpi.link.protocol.line_checks import kind_of
from urpi.referee.facts import Game
from urpi.referee.lines import parse_fact
from urpi.referee.seats import remote_side
from urpi.rules import RuleSet
from urpi.rules.lesson import LESSONS
from urpi.rules.record import first_position

if TYPE_CHECKING:
    from psycopg import Connection

_NICENESS: Final = 19
"""Refereeing games comes first."""

_log: Final = logging.getLogger(__name__)


def make_reviewer(database: str, tables: Path, *, as_json: bool = False) -> GameWorker:
    """What reviews verified games.

    Args:
        database: The database's URL.
        tables: The folder of the tables of exact values, which need not exist.
        as_json: Whether it logs as JSON.
    """

    def review_next(call: Call, connection: "Connection", broken: Quarantine) -> bool:
        with connection.transaction():
            game = next_to_review(connection, broken.items())
            if game is None:
                return False
            # Within the transaction: its lock keeps other processes off this game.
            with (
                log_about(table=game.table, game=game.head.number),
                broken.trying(game.history, (OperationalError,)),
            ):
                found = call(review, game.head.started, game.lines, tables)
                store_review(connection, game, found)
        return True

    return GameWorker("reviewed", database, _NICENESS, review_next, as_json=as_json)


def review(started: str, lines: Sequence[str], tables: Path) -> GameReview | None:
    """The luck and loss of both sides, None for a lesson or without evaluator or lines.

    A side whose player sits at the other table has no throws here: that table sends the same game.

    Args:
        started: When the game began, ISO 8601.
        lines: The lines of a verified game.
        tables: The folder of the tables of exact values.
    """
    if "" in lines:
        # The club has removed them since the game was verified.
        return None
    opening = parse_fact(lines[0], 1)
    assert isinstance(opening, Game), "a verified game begins with its game fact"
    # Its throws are prepared, so that they are no luck.
    if opening.position in LESSONS:
        return None
    entries = [Entry(number, kind_of(line), line) for number, line in enumerate(lines, 1)]
    try:
        record = build_record(entries, datetime.fromisoformat(started))
        found = game_review(review_record(record, _evaluator(first_position(record).rules, tables)))
    except UrpiError as error:
        _log.warning("A game cannot be reviewed: %s", error)
        return None
    remote = remote_side(opening.seats)
    if remote is None:
        return found
    sides = list(found.sides)
    sides[remote.number] = SideReview()
    return GameReview(found.source, (sides[0], sides[1]))


def _evaluator(rules: RuleSet, tables: Path) -> Evaluator:
    try:
        table = Installed(tables).open(rules)
    except UrpiError as error:
        _log.warning("%s The network is used instead.", error)
        table = None
    return table or estimator(rules)
