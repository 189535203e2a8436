"""The luck and loss of a club's player, from the reviews of verified games."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from urpi.journal.stats import PlayerReview, ReviewFigures, SideReview, parse_review

if TYPE_CHECKING:
    from psycopg import Connection


def reviews_of(connection: "Connection", spellings: Collection[str]) -> ReviewFigures:
    """Return the figures of a player's games that were won or drawn.

    Like all data about players, they are computed for each request, so that games whose names
    were withdrawn no longer count.

    Args:
        connection: The database.
        spellings: The player's name as it is written in each game.
    """
    rows = connection.execute(
        "SELECT light.name, dark.name, h.review IS NULL, h.review"
        " FROM histories h"
        " LEFT JOIN names light"
        " ON (light.table_id, light.key, light.side) = (h.table_id, h.key, 'light')"
        " LEFT JOIN names dark"
        " ON (dark.table_id, dark.key, dark.side) = (h.table_id, h.key, 'dark')"
        " WHERE h.current AND h.verdict = 'verified' AND h.result != 'abandoned'"
        " AND (light.name = ANY(%(names)s) OR dark.name = ANY(%(names)s))",
        {"names": list(spellings)},
    )
    sums, exact, missing = SideReview(), 0, 0
    for light, dark, waits, values in rows:
        missing += waits
        if values is None:
            continue
        review = parse_review(values)
        for name, side in zip((light, dark), review.sides, strict=True):
            if name in spellings:
                sums.add(side)
                exact += side.games if review.source == "exact" else 0
    return ReviewFigures(sums.games, exact, missing, (PlayerReview("", sums, ()),), sums)
