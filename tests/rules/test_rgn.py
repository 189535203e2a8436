"""RGN: games are read as they were written; what it cannot express, or is illegal, is refused."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.review.games import random_game
from tests.second import rgn as second
from urpi.core.errors import UrpiError
from urpi.rules import Side, rule_set
from urpi.rules.record import (
    LONGEST_RECORD,
    IllegalMoveError,
    check_record,
    final_position,
    parse_record,
    record_text,
)
from urpi.rules.rgn import LINE, in_sums, is_rgn, parse_rgn, rgn_text

RACES = (
    *("finkel", "finkel3", "murray", "bell", "coursework", "skiryuk", "masters", "blitz"),
    "finkel[decline=yes]",
)
GAME = """\
[Rules Finkel]
[StartTime "2026-11-26T19:02:11+01:00"]
[OneLight Anna]
[OneDark "Ben \\"B\\" \\\\o/"]
[TimeControl none]

1. A@A3 / C@C2
2. 0 -- / C2C1 * C1B1
3. A3A2 / 0 --
"""
RECORD = """\
[Rules "finkel"]
[Date "2026.11.26"]
[Time "19:02:11+01:00"]
[Light "Anna"]
[Dark "Ben \\"B\\" \\\\o/"]
[Start "light"]
[TimeControl "none"]
[Result "*"]

1. L 2 +A3
2. D 3 +C2
3. L 0 pass
4. D 1 C2-C1 ; 1 C1-B1
5. L 1 A3-A2
6. D 0 pass
"""


def test_a_game_of_royalur_becomes_a_record_with_sums() -> None:
    record = parse_rgn(GAME)
    assert record_text(record) == RECORD
    check_record(record)
    written = rgn_text(record)
    assert parse_rgn(written) == record
    assert written.split("\n\n")[1] == GAME.split("\n\n")[1]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RACES))
def test_a_game_is_read_as_it_was_written(seed: int, rules: str) -> None:
    record = random_game(rule_set(*_split(rules)), Random(seed), 150)
    text = rgn_text(record)
    again = parse_rgn(text)
    assert is_rgn(text)
    assert not is_rgn(record_text(record))
    assert again.turns == in_sums(record).turns
    assert again.tag("Result") == record.tag("Result")
    assert final_position(again) == final_position(record)
    assert max(map(len, text.splitlines())) < LINE + 10


def _split(rules: str) -> tuple[str, dict[str, str]]:
    name, _, option = rules.rstrip("]").partition("[")
    return name, dict([option.split("=")]) if option else {}


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), most=st.integers(0, 150))
def test_a_second_parser_plays_the_same_game_of_finkel(seed: int, most: int) -> None:
    record = random_game(rule_set("finkel"), Random(seed), most)
    expected = [
        ("A" if turn.side is Side.LIGHT else "C", int(thrown.faces), thrown.plays[0].move == "pass")
        for turn in in_sums(record).turns
        for thrown in turn.throws
    ]
    played = second.play(rgn_text(record))
    assert [(row, count, not move) for row, count, move in played] == expected


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[Rules Finkel]\n", "", "names no rules; add --rules .*, or a line such as"),
        ("Finkel", "Aseb", "no rule set 'Aseb'"),
        ("[TimeControl none]", "[Rules Finkel]", "Line 5: the tag Rules must occur once"),
        ("[TimeControl none]", "[OneLight", "Line 5: a tag of RGN must look like"),
        ("2026-11-26T", "26.11.2026 ", "StartTime must be such as"),
        ("1. A@A3", "A@A3", "begins with 1. or /"),
        ("3. A3A2", "4. A3A2", r"Turn 5: expected 3\. of light; found 4\."),
        ("/ C@C2", "/ C@C2 /", r"Turn 3: expected 2\. of light"),
        ("/ C2C1 * C1B1", "/ C2C1 *", "Turn 5, 3. of light: A3A2, but it is dark's turn"),
        ("A@A3", "A@A5", "has no such square as in A@A5"),
        ("A@A3", "A@A+", "from the hand off the board"),
        ("A@A3", "A@B1", r"A@B1 is not as far as any throw. Legal: A@A4"),
        ("C2C1 *", "C2B6", "C2B6 is not as far as any throw. Legal: C@C4"),
        ("C1B1", "C1B1x", "C1B1x must be C1B1 on this board"),
        ("A3A2", "A3A2 *", r"A3A2 \* must be A3A2 on this board"),
        ("2. 0 --", "2. 7 --", "7 -- does not say what was thrown; these dice count 0, 1, 2"),
        ("3. A3A2 / 0 --", "3. A3A2 / 0 --# 1", "Turn 6: RGN has moves such as"),
        ("0 --\n", "0 --#\n4. A2A1", "nothing may follow the #"),
    ],
)
def test_an_invalid_game_is_refused_with_place_and_reason(old: str, new: str, reason: str) -> None:
    assert old in GAME
    with pytest.raises(UrpiError, match=reason) as raised:
        parse_rgn(new.join(GAME.rsplit(old, 1)))
    assert "\n" not in str(raised.value)


def test_an_illegal_move_is_refused_with_its_rule() -> None:
    with pytest.raises(IllegalMoveError, match="Legal: C@C4") as raised:
        parse_rgn(GAME.replace("C2C1 * C1B1", "C2C4"))
    assert raised.value.before == "Turn 4, 2. of dark: C2C4 is not legal with any throw"
    assert raised.value.refusal.code == "backwards"
    with pytest.raises(IllegalMoveError) as raised:
        parse_rgn(GAME.replace("2. 0 --", "2. 1 --"))
    assert raised.value.refusal.code == "must-move"


def test_a_throw_that_may_be_played_ends_an_unfinished_game() -> None:
    record = parse_rgn(GAME.replace("3. A3A2 / 0 --", "3. 1 --"))
    assert record.turns[-1].throws[0].plays == ()
    assert rgn_text(record).endswith("3. 1 --\n")


def test_marks_may_be_missing() -> None:
    assert parse_rgn(GAME.replace("C2C1 *", "C2C1")) == parse_rgn(GAME)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("2026-11-26T19:02:11.5+01:00[Europe/Paris]", "19:02:11+01:00"),
        ("2026-11-26T19:02Z", "19:02:00+00:00"),
        ("2026-11-26T19:02:11", "19:02:11+00:00"),
        ("2026-11-26", None),
        ("2026.11.26", None),
    ],
)
def test_a_start_time_is_kept_with_its_offset(text: str, offset: str | None) -> None:
    record = parse_rgn(f'[Rules Finkel]\n[StartTime "{text}"]\n')
    assert (record.tag("Date"), record.tag("Time")) == ("2026.11.26", offset)


@pytest.mark.parametrize("rules", ["ravensburger", "freecompany"])
def test_a_game_with_other_moves_is_not_written(rules: str) -> None:
    record = random_game(rule_set(rules), Random(1), 200)
    with pytest.raises(UrpiError, match="RGN cannot express"):
        rgn_text(record)


def test_a_game_from_a_position_is_not_written() -> None:
    record = parse_record('[Rules "finkel"]\n[Position "finkel A4:L L6D7 L0D0 L"]\n')
    with pytest.raises(UrpiError, match="begin at another position"):
        rgn_text(record)


@pytest.mark.parametrize(
    "text",
    ["[" * LONGEST_RECORD + "]", "[Rules Finkel]\n\n" + "1. " * 9, "\0", "[Rules Finkel]\n" * 2],
)
def test_a_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(UrpiError) as raised:
        parse_rgn(text)
    assert len(str(raised.value)) < 400
