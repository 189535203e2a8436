"""Whether a table was silent when the other one claimed their game, by the club's clock. Pure.

What the tables' own clocks say is not used: all times are those at which the club received lines,
and at which the broker announced that a table was connected or was not.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

from urpi.link.remote.silence import CLAIM_MS, TOLERANCE_MS
from urpi.rules import Side, parse_position

AGREED: Final = timedelta(milliseconds=CLAIM_MS)
TOLERANCE: Final = timedelta(milliseconds=TOLERANCE_MS)
"""How much less than the agreed time the club may have seen: lines arrive late."""
NOTICED: Final = timedelta(seconds=60)
"""Longest time until the broker announces that a connection was lost, which takes 45 s."""
ClaimCode: TypeAlias = Literal["confirmed", "unknown", "contradicted"]
Batch: TypeAlias = tuple[datetime, str]
"""Lines of a copy, and when the club received them."""
_SHARED: Final = {"roll": "faces", "move": "move", "takeback": "move"}
"""The decisions that both copies have, each with the key that tells it from others."""


class Act(NamedTuple):
    """A throw, move or take-back, and when the club received it."""

    what: tuple[str, ...]
    at: datetime


class Presence(NamedTuple):
    """Whether a table was connected to the broker at a time, and since when."""

    online: bool
    since: datetime


class Judgement(NamedTuple):
    """What the club finds about a claim.

    Attributes:
        code: ``confirmed``: the other table was away, or did not act; ``contradicted``: it was not
            silent for the agreed time, or the claimant was not connected; ``unknown``: the club has
            not seen enough.
        text: The reason, empty if it is confirmed.
    """

    code: ClaimCode
    text: str = ""


class Claimed(NamedTuple):
    """The end of a copy by a claim: who has claimed, and when the club received it."""

    side: Side
    at: datetime


def claim_of(batches: Iterable[Batch]) -> Claimed | None:
    """How a copy ended, None if it did not end by a claim."""
    ends = [
        (at, line) for at, text in batches for line in text.split("\n") if '"type":"won"' in line
    ]
    if not ends or (end := json.loads(ends[-1][1])).get("code") != "silent":
        return None
    return Claimed(Side(end["side"]), ends[-1][0])


def _turn(batches: Iterable[Batch]) -> Side | None:
    """The side that had to act at the end of a copy, None if it is not known."""
    turn: Side | None = None
    for _, text in batches:
        for line in text.split("\n"):
            entry = json.loads(line) if line else {}
            match entry.get("type"):
                case "roll" | "takeback":
                    turn = Side(entry["side"])
                case "pass":
                    turn = Side(entry["side"]).other
                case "move":
                    turn = parse_position(entry["position"]).turn
    return turn


def acts_of(batches: Iterable[Batch], until: datetime) -> list[Act]:
    """What a copy has, as far as the club received it until a time.

    A move of the other table counts from its arrival, before hands have made it.
    """
    found: list[Act] = []
    planned: Act | None = None
    for at, text in batches:
        for line in text.split("\n") if at <= until else ():
            entry = json.loads(line) if line else {}
            kind, side = entry.get("type"), str(entry.get("side"))
            if kind == "planned" and entry.get("remote"):
                planned = Act(("move", side, str(entry.get("move"))), at)
            elif kind in _SHARED:
                act = Act((kind, side, str(entry.get(_SHARED[kind]))), at)
                found.append(planned if planned and planned.what == act.what else act)
                planned = None
    return found if planned is None else [*found, planned]


def judge(
    own: Sequence[Batch],
    other: Sequence[Sequence[Batch]],
    presences: tuple[Presence | None, Presence | None],
    watched: datetime,
) -> Judgement:
    """Return whether a claim is confirmed.

    Args:
        own: The copy of the table that has claimed.
        other: The other table's copies, which need not have an end.
        presences: The claimant's presence at the time of the claim, and the other table's.
        watched: Since when the club was connected to the broker then.
    """
    claim = claim_of(own)
    assert claim is not None
    side, claimed = claim
    if _turn(own) is side:
        return Judgement("contradicted", "The claimant had to act.")
    acts = acts_of(own, claimed)
    copies = [acts_of(batches, claimed) for batches in other]
    if not acts or acts[-1].at == claimed:
        return Judgement("unknown", "The last throw or move arrived together with the claim.")
    heads = [copy for copy in copies if [one.what for one in copy[: len(acts)]] == _what(acts)]
    if any(len(copy) > len(acts) for copy in heads):
        return Judgement("contradicted", "The other table has thrown or moved before the claim.")
    since = max(copy[-1].at for copy in (acts, *heads))
    if claimed - since < AGREED - TOLERANCE:
        seconds = (claimed - since).total_seconds()
        return Judgement("contradicted", f"The game was claimed after {seconds:.0f} s.")
    enough = claimed - (AGREED - TOLERANCE)
    claimant, silent = presences
    if watched > enough or claimant is None:
        return Judgement("unknown", "The club was not connected to the broker all the time.")
    if not claimant.online or claimant.since > enough:
        return Judgement("contradicted", "The claimant was not connected all the time.")
    if heads or (silent is not None and not silent.online and silent.since <= enough + NOTICED):
        return Judgement("confirmed")
    return Judgement("unknown", "The other table may not have heard of the last throw or move.")


def _what(acts: Iterable[Act]) -> list[tuple[str, ...]]:
    return [one.what for one in acts]
