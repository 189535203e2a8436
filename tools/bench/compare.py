"""Comparison of the moves that the referee committed with those that were truly played."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from tools.bench.observer import ObservedPlay
from urpi.rules import PASS, DiceSet
from urpi.simulation import TrueTurn
from urpi.simulation.throwing import MadeThrow

Key: TypeAlias = tuple[str, str]
_MAX_CELLS: Final = 4_000_000
"""Games are not aligned to the end if their differing parts need a larger table than this."""


class RunComparison(NamedTuple):
    """How a referee's turns differ from the true ones. Passes only count for `exact`.

    Attributes:
        made: The number of true moves.
        recognised: The number of those that the referee committed.
        false: The committed moves that were never made, even if they were taken back later.
        stayed: Those of them in the final record.
        missed: The moves that were made but not committed.
        exact: Whether the moves and throws are the same, apart from moves taken back. At the end
            the record may have one pass more: of a throw made early, after which nobody played on.
    """

    made: int
    recognised: int
    false: tuple[ObservedPlay, ...]
    stayed: tuple[ObservedPlay, ...]
    missed: tuple[ObservedPlay, ...]
    exact: bool


def true_plays(turns: Sequence[TrueTurn], times: Sequence[int]) -> list[ObservedPlay]:
    """Return the true turns, with the times at which they began."""
    return [
        ObservedPlay(turn.side.value, turn.faces, turn.move, turn.taken_back, t)
        for turn, t in zip(turns, times, strict=True)
    ]


def compare(truth: list[ObservedPlay], committed: list[ObservedPlay]) -> RunComparison:
    """Align the true turns with the committed ones, with as many moves in common as possible."""
    same_truth, same_committed = _common([_key(p) for p in truth], [_key(p) for p in committed])
    moves = [place for place, play in enumerate(truth) if play.move != PASS.text]
    missed = (
        truth[place] for place in moves if place not in same_truth and not truth[place].taken_back
    )
    false = _unmatched(committed, same_committed)
    kept = [play for play in committed if not play.taken_back]
    _, same_kept = _common(_keys_of_kept(truth), [_key(play) for play in kept])
    recognised = sum(place in same_truth for place in moves)
    return RunComparison(
        len(moves),
        recognised,
        false,
        _unmatched(kept, same_kept),
        tuple(missed),
        _is_exact(_kept(truth), _kept(committed)),
    )


def invented(
    dice: DiceSet, made: Sequence[MadeThrow], times: Sequence[int], committed: list[ObservedPlay]
) -> tuple[ObservedPlay, ...]:
    """Return the plays of the final record whose side never made their throw.

    Each throw of a side can count once, and not before it was made.

    Args:
        dice: The dice, which decide which throws are equal.
        made: All throws that were truly made, in order.
        times: The time at which each of them began.
        committed: The plays of the referee, in order.
    """
    found, unused = [], 0
    for play in committed:
        if play.taken_back:
            continue
        meaning = dice.throw(play.faces).meaning
        for place in range(unused, len(times)):
            side, faces = made[place].side.value, made[place].faces
            if times[place] > play.rolled_t:
                continue
            if side == play.side and faces and dice.throw(faces).meaning == meaning:
                unused = place + 1
                break
        else:
            found.append(play)
    return tuple(found)


def _unmatched(plays: list[ObservedPlay], places_in_common: set[int]) -> tuple[ObservedPlay, ...]:
    """Return the moves, except passes, whose place is not one of these."""
    return tuple(
        play
        for place, play in enumerate(plays)
        if place not in places_in_common and play.move != PASS.text
    )


def _keys_of_kept(plays: list[ObservedPlay]) -> list[Key]:
    return [_key(play) for play in plays if not play.taken_back]


def _key(play: ObservedPlay) -> Key:
    return play.side, play.move


def _kept(plays: list[ObservedPlay]) -> list[tuple[str, str, str]]:
    return [(play.side, play.faces, play.move) for play in plays if not play.taken_back]


def _is_exact(truth: list[tuple[str, str, str]], committed: list[tuple[str, str, str]]) -> bool:
    number = len(truth)
    more = [move for _, _, move in committed[number:]]
    return committed[:number] == truth and more in ([], [PASS.text])


def _common(one: list[Key], other: list[Key]) -> tuple[set[int], set[int]]:
    """Return the places of a longest common subsequence in both lists."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    pairs = [(place, place) for place in range(start)]
    if len(rest) * len(other_rest) <= _MAX_CELLS:
        pairs += [(a + start, b + start) for a, b in _longest(rest, other_rest)]
    return {a for a, _ in pairs}, {b for _, b in pairs}


def _longest(one: list[Key], other: list[Key]) -> list[tuple[int, int]]:
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for a in reversed(range(len(one))):
        row, below = lengths[a], lengths[a + 1]
        for b in reversed(range(len(other))):
            row[b] = below[b + 1] + 1 if one[a] == other[b] else max(below[b], row[b + 1])
    pairs, a, b = [], 0, 0
    while a < len(one) and b < len(other):
        if one[a] == other[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif lengths[a + 1][b] >= lengths[a][b + 1]:
            a += 1
        else:
            b += 1
    return pairs
