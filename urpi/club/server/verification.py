"""Verification of finished games: each is refereed again from its facts."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from urpi.club.server.dice import dice_of_game
from urpi.core.errors import UrpiError
from urpi.journal import Entry, replay
from urpi.journal.replay import ReplayReferee
from urpi.link.protocol.line_checks import kind_of
from urpi.link.protocol.messages import GameHead
from urpi.referee.decisions import GameResult
from urpi.referee.facts import Game
from urpi.referee.lines import parse_fact
from urpi.referee.seats import NO_COACH, PERSONS, remote_side
from urpi.rules import Side, rule_set

_ENDS: Final = frozenset({"won", "drawn", "abandoned"})
_MAX_AFTER_END: Final = 200
"""Number of last lines among which the end is looked for; pieces are put away after it."""
_ADVICE: Final = frozenset({"hint", "hinted", "coach", "coached"})

VerdictCode: TypeAlias = Literal["verified", "differs", "invalid", "pruned", "altered", "contested"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for one game.

    Attributes:
        code: ``verified``: the facts cause exactly the decisions that were sent; ``differs``: they
            cause others, as in a forged game or with another version of the program; ``invalid``:
            a line or a setting cannot be used; ``pruned``: facts are missing; ``altered``: it was
            verified, and was changed in the database afterwards (`urpi.club.server.checks`);
            ``contested``: the other table's copy ends differently (`urpi.club.server.copies`).
        text: The first difference, or the reason; empty if it is verified.
    """

    code: VerdictCode
    text: str = ""


def verify(head: GameHead, lines: Iterable[str]) -> Verdict:
    """Referee a game again, and compare the decisions with those that were sent."""
    lines = list(lines)
    # Without a fact the referee would decide differently, which proves nothing.
    if "" in lines:
        return Verdict("pruned", "Some of its facts have been removed.")
    try:
        game = parse_fact(lines[0], 1) if lines else None
        if not isinstance(game, Game):
            return Verdict("invalid", "It has no line of type game.")
        # The head is what the club lists, so it must be what was played.
        rules = rule_set(game.rules, dict(game.options)).text
        if rules != head.rules:
            return Verdict("invalid", f"The rules are {rules}; the head has {head.rules}.")
        entries = [Entry(number, kind_of(line), line) for number, line in enumerate(lines, 1)]
        done = replay(entries, ReplayReferee(head.settings).process)
    except UrpiError as error:
        return Verdict("invalid", str(error)[:500])
    if done.differences:
        return Verdict("differs", str(done.differences[0])[:500])
    if done.unstored:
        return Verdict("differs", f"It lacks its last decision: {done.unstored[0]}"[:500])
    if not _ENDS & {json.loads(line)["type"] for line in lines}:
        return Verdict("invalid", "It was reported as finished, but it has no end.")
    return Verdict("verified")


def _end_of(lines: Sequence[str]) -> dict[str, Any]:
    """The decision that ended a game, empty if it has no end."""
    for line in reversed(lines[-_MAX_AFTER_END:]):
        found: dict[str, Any] = json.loads(line) if line else {}
        if found.get("type") in _ENDS:
            return found
    return {}


def result_of(lines: Sequence[str]) -> GameResult | None:
    """How a game ended as its table sent it, None if it has no end."""
    end = _end_of(lines)
    match end.get("type"):
        case "won":
            return "light" if end.get("side") == Side.LIGHT.value else "dark"
        case "drawn":
            return "draw"
        case "abandoned":
            return "abandoned"
    return None


def is_rated(lines: Sequence[str], result: GameResult | None) -> bool:
    """Whether a verified game counts for the ratings.

    It does if two people played it to its end from the start position, without a hint and without
    the coach. One of them may have sat at another table.
    """
    if result not in {"light", "dark", "draw"} or "" in lines:
        return False
    game = parse_fact(lines[0], 1)
    return (
        isinstance(game, Game)
        and (game.seats == PERSONS or shared_copy(lines) is not None)
        and game.coach == NO_COACH
        and game.position is None
        and not any(json.loads(line)["type"] in _ADVICE for line in lines)
    )


class SharedCopy(NamedTuple):
    """The properties of one table's copy of a game of two tables.

    Attributes:
        id: The identity of the game, the same in both copies.
        table: The id of the other table.
        side: The side that was played at the table that sent this copy.
    """

    id: str
    table: str
    side: Side


def shared_copy(lines: Sequence[str]) -> SharedCopy | None:
    """What a copy of a game of two tables has, None for a game of one."""
    game = parse_fact(lines[0], 1) if lines and lines[0] else None
    if not isinstance(game, Game) or game.shared is None:
        return None
    remote = remote_side(game.seats)
    # A game between an engine and a remote player is none of two people.
    if remote is None or game.seats[remote.other.number] != "person":
        return None
    return SharedCopy(game.shared.id, game.shared.table, remote.other)


def _gave_up(lines: Sequence[str], copy: SharedCopy | None) -> bool:
    """Whether a copy of a game of two tables ended because the side at its own table resigned."""
    end = _end_of(lines)
    return (
        copy is not None
        and end.get("code") == "resigned"
        and end.get("side") == copy.side.other.value
    )


class Examined(NamedTuple):
    """What refereeing a game again has found.

    Attributes:
        verdict: The verdict.
        result: How it ended, None if it has no end.
        rated: Whether it counts for the ratings of players whose names are published; a game of two
            tables, if both copies do.
        shared: What a verified copy of a game of two tables has, None for other games.
        gave_up: Whether the side at the table that sent such a copy resigned.
        dice: The faces of each die of a verified game (`urpi.club.server.dice`).
    """

    verdict: Verdict
    result: GameResult | None
    rated: bool
    shared: SharedCopy | None = None
    gave_up: bool = False
    dice: Sequence[Mapping[str, Any]] | None = None


def examine(head: GameHead, lines: Sequence[str]) -> Examined:
    """Return the verdict of a game, how it ended, whether it is rated, and what it shares."""
    verdict, result = verify(head, lines), result_of(lines)
    if verdict.code != "verified":
        return Examined(verdict, result, rated=False)
    copy = shared_copy(lines)
    rated, gave_up = is_rated(lines, result), _gave_up(lines, copy)
    return Examined(verdict, result, rated, copy, gave_up, dice_of_game(lines))
