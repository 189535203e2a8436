"""Dice that are unusual: their faces over a table's newest games contradict fair dice.

The verifier counts the faces in each game. They are what the table has sent: a mark is a reason to
look at a die, and a table that invents its throws can invent fair ones.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from urpi.journal.fairness import Tally, chi_square, holm, tally_of, tally_values
from urpi.journal.stats.summary import shows_of
from urpi.link.protocol.line_checks import kind_of
from urpi.referee.facts import Game
from urpi.referee.lines import parse_fact
from urpi.rules import rule_set
from urpi.rules.lesson import LESSONS

if TYPE_CHECKING:
    from psycopg import Connection

ALPHA: Final = 0.001
"""The probability that any of a club's dice is marked although all are fair. It is that of one look
at the club, and people look often."""
NEWEST: Final = 200
"""Number of a table's newest games: a die that was replaced is soon forgotten, and one whose fault
is too small to matter is never marked."""
MIN_THROWS: Final = 1_000
"""Number of throws from which a die is tested: the chi-square distribution is accurate enough in
its tail from there on."""

COUNTS: Final = """
WITH counts AS (
    SELECT t.id AS table_id, (die->>'die')::integer AS die, die->'outcomes' AS outcomes,
        place, sum(number::bigint)::bigint AS number
    FROM tables t
    CROSS JOIN LATERAL (SELECT h.dice FROM histories h WHERE h.table_id = t.id
        AND h.current AND h.verdict = 'verified' ORDER BY h.id DESC LIMIT %s) AS games,
        jsonb_array_elements(games.dice) AS of_die (die),
        jsonb_array_elements_text(die->'counts') WITH ORDINALITY AS one (number, place)
    GROUP BY 1, 2, 3, 4
)
SELECT table_id, die, outcomes, array_agg(number ORDER BY place) FROM counts
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""


def dice_of_game(lines: Sequence[str]) -> list[dict[str, Any]]:
    """The counts of each die's faces in a verified game, as FORMATS.md has them (Dice counts).

    Throws that a person has entered, those of the program and those of another table are none of
    the dice here; a lesson's are prepared.
    """
    game = parse_fact(lines[0], 1)
    assert isinstance(game, Game), "a verified game begins with its game fact"
    if game.position in LESSONS:
        return []
    seen: dict[int, Counter[str]] = {}
    is_of_dice = False
    for line in lines:
        entry = json.loads(line)
        if kind_of(line) == "fact":
            # Of those that are stored at once, the last one has caused the decision.
            is_of_dice = entry["type"] == "die"
        elif is_of_dice and entry["type"] == "roll":
            # Without dice of their own both sides throw the dice from number 1 on.
            own = game.dice and game.dice[entry["side"] == "dark"]
            for die, face in zip(own or count(1), entry["faces"], strict=False):
                seen.setdefault(die, Counter())[face] += 1
    shows = shows_of(rule_set(game.rules, dict(game.options)).dice)
    return [tally_values(tally_of(die, shows, faces)) for die, faces in sorted(seen.items())]


class UnusualDie(NamedTuple):
    """A die whose faces contradict a fair die.

    Attributes:
        table: The table's id.
        tally: What it has shown in the table's newest games.
    """

    table: str
    tally: Tally


def unusual_dice(counted: Iterable[tuple[str, Tally]]) -> list[UnusualDie]:
    """The unusual ones of all dice of a club, by Pearson's test with Holm's correction."""
    tested = [UnusualDie(*one) for one in counted if one[1].throws >= MIN_THROWS]
    ps = holm([chi_square.p_value(die.tally.counts, die.tally.weights) for die in tested])
    return [die for die, p in zip(tested, ps, strict=True) if p <= ALPHA]


def read_unusual_dice(connection: "Connection") -> list[UnusualDie]:
    """The unusual dice of all tables."""
    rows = connection.execute(COUNTS.encode(), (NEWEST,))
    return unusual_dice(
        (table, Tally(die, tuple(outcomes), tuple(counts))) for table, die, outcomes, counts in rows
    )
