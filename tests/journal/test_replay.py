"""Replay: the same facts result in the same decisions, and differences are reported."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

import pytest

from tests.journal.games import TIMING, store_game
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.journal import (
    Difference,
    Entry,
    Journal,
    entries_of,
    replay,
    settings_of,
    timing_of,
    timing_settings,
)
from urpi.referee import Settings, Timing, begin, step
from urpi.referee.decisions import Cleared, Decision, Refused, ThrowForStart
from urpi.referee.facts import Fact, Time
from urpi.referee.lines import decision_line, fact_line
from urpi.referee.settings import FixedTiming
from urpi.rules import RULE_SETS, Side


def fact(seq: int) -> Entry:
    return Entry(seq, "fact", fact_line(Time(seq)))


def decision(seq: int, made: Decision) -> Entry:
    return Entry(seq, "decision", decision_line(made))


CLEARED_1, CLEARED_2 = decision_line(Cleared(1)), decision_line(Cleared(2))


@pytest.mark.parametrize(
    ("entries", "differences"),
    [
        ([fact(1), decision(2, Cleared(1))], []),
        ([fact(1), fact(2), decision(3, Cleared(1)), decision(4, Cleared(2))], []),
        (
            [fact(1), decision(2, Cleared(2))],
            [Difference(2, CLEARED_2, CLEARED_1)],
        ),
        (
            [fact(1), decision(2, Cleared(1)), decision(3, Cleared(2))],
            [Difference(3, CLEARED_2, None)],
        ),
        (
            [fact(1), fact(2), decision(3, Cleared(1)), fact(4), decision(5, Cleared(4))],
            [Difference(2, None, CLEARED_2)],
        ),
        (
            [*map(fact, (1, 2, 3)), decision(4, Cleared(1)), fact(5), decision(6, Cleared(5))],
            [Difference(3, None, CLEARED_2), Difference(3, None, decision_line(Cleared(3)))],
        ),
        (
            [decision(1, Cleared(1)), fact(2), decision(3, Cleared(2))],
            [Difference(1, CLEARED_1, None)],
        ),
    ],
)
def test_a_difference_has_the_seq_and_both_decisions(
    entries: Sequence[Entry], differences: Sequence[Difference]
) -> None:
    """The referee here decides `cleared` on every fact."""
    assert replay(entries, lambda played: [Cleared(played.t)]).differences == tuple(differences)


def test_decisions_that_a_power_cut_left_unstored_are_not_differences() -> None:
    done = replay(
        [fact(1), decision(2, Cleared(1)), fact(3), fact(4)], lambda played: [Cleared(played.t)]
    )
    assert (done.facts, done.decisions, done.differences) == (3, 1, ())
    assert done.unstored == (decision_line(Cleared(3)), decision_line(Cleared(4)))


def test_the_wording_of_a_refusal_is_not_compared() -> None:
    stored = decision(2, Refused(1, "draw", "no-draw", "Kein Remis."))
    assert not replay(
        [fact(1), stored], lambda played: [Refused(played.t, "draw", "no-draw", "No draw.")]
    ).differences
    assert replay(
        [fact(1), stored], lambda played: [Refused(played.t, "draw", "no-game", "No draw.")]
    ).differences


def test_an_unknown_key_is_not_a_difference() -> None:
    stored = Entry(2, "decision", '{"type":"throw-for-start","side":"dark","t":1,"new":7}')
    done = replay([fact(1), stored], lambda played: [ThrowForStart(played.t, Side.DARK)])
    assert not done.differences


def test_an_invalid_line_is_reported_with_its_seq() -> None:
    with pytest.raises(UrpiError, match="Line 7: "):
        replay([fact(1), Entry(7, "fact", '{"t":1,"type":"tim"}')], lambda _fact: [])


def replayed(journal: Journal, game: int, entries: Iterable[Entry]) -> tuple[Difference, ...]:
    timing = timing_of(settings_of(journal, game))
    state = begin(Settings(lambda _code, _details: "", timing))

    def play(played: Fact) -> Iterable[Decision]:
        nonlocal state
        state, decisions = step(state, played)
        return decisions

    return replay(entries, play).differences


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "bell"))
def test_the_replay_of_a_refereed_game_is_the_same(rules: str, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, rules, seed=3, longest=300)
        assert replayed(journal, game, entries_of(journal, game)) == ()


def test_a_forged_throw_is_a_difference(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, longest=300)
        entries = list(entries_of(journal, game))
        place = [json.loads(entry.line)["type"] for entry in entries].index("roll")
        forged = {**json.loads(entries[place].line), "faces": "gggg", "value": 4}
        entries[place] = Entry(entries[place].seq, "decision", json.dumps(forged))
        (difference,) = replayed(journal, game, entries)
    assert difference.seq == entries[place].seq
    assert str(difference).startswith(f"Entry {difference.seq}, after throw 1: then ")


def test_the_times_of_a_game_are_read_from_its_settings() -> None:
    assert timing_of({"language": "de", **timing_settings(TIMING)}) == TIMING


def test_limits_missing_in_the_settings_have_the_values_of_older_versions() -> None:
    timing = timing_of({"still_ms": "99"})

    assert timing == Timing(
        still_ms=99, hover_ms=0, final_ms=0, win_ms=0, pending_ms=0, unread_ms=0
    )
    fixed = [getattr(timing, each.name) for each in fields(FixedTiming)]
    # The limits of the games that do not store them, which must not follow the defaults.
    assert fixed == [150, 600, 150, 1500, 12, 6000, 14, 10_000, 0, 5]


@pytest.mark.parametrize("text", ["", "-1", "1.5", "soon", "٣", "9" * 5000])
def test_an_invalid_time_is_reported_with_its_setting(text: str) -> None:
    with pytest.raises(UrpiError, match="still_ms must be a whole number"):
        timing_of({"still_ms": text})
