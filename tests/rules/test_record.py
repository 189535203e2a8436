"""Game records: parsing, writing, and checking with the rules."""

import gc
import random
import sys
from contextlib import suppress
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from urpi.core.errors import UrpiError
from urpi.rules import PASS, Position, Side, rule_set
from urpi.rules.record import (
    LONGEST_RECORD,
    GameRecord,
    Play,
    Thrown,
    Turn,
    check_record,
    final_position,
    parse_record,
    record_text,
)

GAME = """\
[Rules "finkel"]
[Event "Friday \\"night\\" \\\\o/"]
[Date "2026.11.20"]
[Light "Ann"]
[Dark "Zoë"]
[Start "light"]
[Annotator "nobody"]
[Result "*"]

1. L gs-- {quick} +A3~ {slipped} +A3
2. D gsgs +C1 {inferred} ; -s-- +C4
3. L ---- pass {12.4s}
4. D g---
"""


def record_of(*turns: str, rules: str = "finkel", **tags: str) -> GameRecord:
    lines = [f"{number}. {turn}" for number, turn in enumerate(turns, 1)]
    tags = {"Rules": rules, **tags}
    return parse_record("\n".join([*(f'[{name} "{tags[name]}"]' for name in tags), "", *lines]))


def test_a_record_reads_into_tags_turns_throws_and_moves() -> None:
    record = parse_record(GAME)
    assert record.tag("Event") == 'Friday "night" \\o/'
    assert [name for name, _ in record.tags][-2:] == ["Annotator", "Result"]
    assert record.turns[0] == Turn(
        Side.LIGHT,
        (
            Thrown(
                "gs--",
                (Play("+A3", taken_back=True, comments=("slipped",)), Play("+A3")),
                ("quick",),
            ),
        ),
    )
    assert [thrown.faces for thrown in record.turns[1].throws] == ["gsgs", "-s--"]


def test_a_record_is_written_as_it_was_read() -> None:
    assert record_text(parse_record(GAME)) == GAME


def test_a_record_may_have_the_line_ends_of_windows() -> None:
    assert parse_record(GAME.replace("\n", "\r\n")) == parse_record(GAME)


def test_the_final_position_follows_from_the_moves_that_stand() -> None:
    assert str(final_position(parse_record(GAME))) == "finkel A3:L,C1:D,C4:D L6D5 L0D0 D"


def test_a_record_may_begin_at_any_position() -> None:
    record = record_of("D g--- C7-off", Position="finkel C7:D L0D0 L6D6 D", Result="dark")
    with pytest.raises(UrpiError, match="light has 7 pieces"):
        check_record(record)
    record = record_of("D g--- C7-off", Position="finkel C7:D L1D0 L6D6 D", Result="dark")
    check_record(record)
    assert str(final_position(record)) == "finkel - L1D0 L6D7 ="


def test_a_declined_extra_throw_is_written_read_and_played() -> None:
    record = record_of("L gsgs +A1 ; declined", "D gs-- +C3", rules="finkel[decline=yes]")

    assert record.turns[0].throws[0].declined
    assert "\n1. L gsgs +A1 ; declined\n" in record_text(record)
    assert str(final_position(record)) == "finkel[decline=yes] A1:L,C3:D L6D6 L0D0 L"


@pytest.mark.parametrize("side", Side)
def test_a_game_that_is_won_by_resigning_keeps_its_position(side: Side) -> None:
    check_record(record_of("L gs-- +A3", Result=side.value))


@each(
    ("record", "reason"),
    [
        (GameRecord(()), "needs a tag such as"),
        (record_of(rules="chess"), "no rule set 'chess'"),
        (record_of(Start="ann"), "Start must be light or dark; found 'ann'"),
        (record_of(Result="1-0"), "Result must be one of light dark draw \\*; found '1-0'"),
        (record_of(Position="finkel - L7D7 L0D0"), "five words"),
        (record_of(Position="finkel[pieces=3] - L3D3 L0D0 L"), "Rules are finkel, but"),
        (record_of(Start="dark", Position="finkel - L7D7 L0D0 L"), "Start is dark, but"),
        (record_of("L gs-- +A3", Start="dark"), "Turn 1: light throws gs--, but it is dark"),
        (record_of("L gs-- +A3", "L gs-- +A3"), "Turn 2: light throws gs--, but it is dark"),
        (record_of("L gs-- +A3 ; g--- +A4"), "Turn 1: light throws g---, but it is dark"),
        (record_of("L gsgs +A1", "D gs-- +C3"), "Turn 1: light throws again"),
        (record_of("L gs- +A3"), "Turn 1: These dice cannot show 'gs-'"),
        (record_of("L gsgs +A1 ; declined"), "which finkel does not allow"),
        (
            record_of("L gs-- +A3 ; declined", rules="finkel[decline=yes]"),
            "Turn 1: light declines a throw, but has no extra throw",
        ),
        (record_of("L gs-- +A4"), "Turn 1: \\+A4 .*: wrong-distance. Legal: \\+A3"),
        (record_of("L gs-- +A4~ +A3"), "Turn 1: \\+A4 is not legal with gs--: wrong-distance"),
        (record_of("L gs-- A4-A2"), "Turn 1: A4-A2 is not legal with gs--: piece-missing"),
        (record_of("L gs-- pass"), "Turn 1: pass is not legal with gs--: must-enter"),
        (record_of("L gs-- +xA3"), "Turn 1: \\+xA3 is not the standard form"),
        (record_of("L ---- pass~", "D gs-- +C3"), "Turn 1: a pass cannot be taken back"),
        (record_of("L gs--", "D gs-- +C3"), "Turn 1: the throw gs-- has no move"),
        (record_of("L gs-- +A3~", "D gs-- +C3"), "Turn 1: the throw gs-- has no move"),
        (
            record_of("L g---", Position="finkel - L0D7 L7D0 ="),
            "Turn 1: light throws g---, but the game is over",
        ),
        (record_of(Position="finkel - L0D7 L7D0 =", Result="dark"), "won by light, but"),
        (record_of(Position="finkel - L0D7 L7D0 =", Result="*"), "won by light, but"),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused_with_its_turn(
    record: GameRecord, reason: str
) -> None:
    with pytest.raises(UrpiError, match=f"^.*{reason}"):
        check_record(record)


@each(
    ("text", "reason"),
    [
        ("x" * (2**20 + 1), "at most 1048576 characters"),
        ("[Rules finkel]", "Line 1 of the record: a tag must look like"),
        ('[Rules "fin"kel"]', "a tag must look like"),
        ('[Rules "a\\b"]', "a tag must look like"),
        ('[Rules "finkel"]\n[Rules "bell"]', "Line 2 of the record: each tag must occur once"),
        ('1. L gs-- +A3\n[Rules "bell"]', "before the turns"),
        ("hello", "turn 1 must look like"),
        ("2. L gs-- +A3", "turn 1 must look like"),
        ("1. L gs-- +A3\n3. D gs-- +C3", "Line 2 of the record: turn 2 must look like"),
        ("1. X gs-- +A3", "turn 1 must look like"),
        ("1. L", "turn 1 must look like"),
        ("1. L +A3", "must begin with its faces"),
        ("1. L gs-- +A3 ;", "must begin with its faces"),
        ("1. L gs-- +A3 ; ; gs-- +A4", "must begin with its faces"),
        ("1. L {why} gs-- +A3", "must begin with its faces"),
        ("1. L gs-- +A3 A4-A2", "only the last one may stand"),
        ("1. L gs-- +A9", "is not a move"),
        ("1. L gs-- +A3~~", "is not a move"),
        ("1. L gs-- " + "+A3," * 99, "at most 40 characters"),
        ("1. L gs-- +A3 {open", "a comment must end on its line"),
        ("1. L gs-- +A3 }", "a comment must end on its line"),
        ("1. L gs-- +A3 {a{b}}", "a comment must end on its line"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(UrpiError, match=reason):
        parse_record(text)


@pytest.mark.parametrize(
    "record",
    [
        GameRecord((("Light", "Ann\nBen"),)),
        GameRecord((), (Turn(Side.LIGHT, (Thrown("gs--", comments=("a}",)),)),)),
        GameRecord((), (Turn(Side.LIGHT, (Thrown("gs--", comments=("a\nb",)),)),)),
    ],
    ids=str,
)
def test_a_value_that_would_not_come_back_is_not_written(record: GameRecord) -> None:
    with pytest.raises(UrpiError, match="must be a single line"):
        record_text(record)


def play_game(
    seed: int, rules: str = "finkel", length: int = 10_000
) -> tuple[GameRecord, Position]:
    """A random game by the rules, with a move taken back here and there."""
    dice = random.Random(seed)
    position = rule_set(rules).start(dice.choice(list(Side)))
    tags = [("Rules", rules), ("Start", position.turn.value if position.turn else "")]
    turns: list[Turn] = []
    for _ in range(length):
        side = position.turn
        if side is None:
            break
        faces = "".join(dice.choices(list(position.rules.dice.faces), k=position.rules.dice.count))
        throw = position.rules.dice.throw(faces)
        moves = position.rules.legal_moves(position, throw)
        attempts = (
            [Play(dice.choice(moves).text, taken_back=True)]
            if moves and dice.random() < 0.1
            else []
        )
        move = dice.choice(moves) if moves else PASS
        thrown = Thrown(faces, (*attempts, Play(move.text)))
        if turns and turns[-1].side is side:
            turns[-1] = Turn(side, (*turns[-1].throws, thrown))
        else:
            turns.append(Turn(side, (thrown,)))
        position = position.rules.play(position, throw, move)
    winner = position.rules.winner(position)
    tags.append(("Result", winner.value if winner else "*"))
    return GameRecord(tuple(tags), tuple(turns)), position


@pytest.mark.parametrize("seed", range(20))
def test_a_played_game_is_written_read_and_checked(seed: int) -> None:
    record, position = play_game(seed)
    again = parse_record(record_text(record))
    assert again == record
    check_record(again)
    assert final_position(again) == position


COMMENTS = st.lists(st.text(st.characters(exclude_characters="{}\n")), max_size=2).map(tuple)
PLAYS = st.builds(
    lambda moves, comments, taken: tuple(
        Play(move, taken_back=taken or move is not moves[-1], comments=comments) for move in moves
    ),
    st.lists(st.sampled_from(["+A4", "A1xB2", "B3-B6*", "A3-A2,B5-B6", "pass"]), unique=True),
    COMMENTS,
    st.booleans(),
)
THROWS = st.builds(Thrown, st.text("gs-", min_size=1, max_size=4), PLAYS, COMMENTS)
TURNS = st.builds(Turn, st.sampled_from(Side), st.lists(THROWS, min_size=1, max_size=3).map(tuple))
TAG_NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True)
TAGS = st.dictionaries(TAG_NAMES, st.text(st.characters(exclude_characters="\n")), max_size=4)
RECORDS = st.builds(
    lambda tags, turns: GameRecord(tuple(tags.items()), tuple(turns)),
    TAGS,
    st.lists(TURNS, max_size=4),
)


@given(RECORDS)
def test_every_record_comes_back_from_its_text(record: GameRecord) -> None:
    assert parse_record(record_text(record)) == record


@given(st.text())
def test_any_text_is_a_record_or_one_of_our_errors(text: str) -> None:
    with suppress(UrpiError):
        check_record(parse_record(text))


@given(st.integers(0, len(GAME) - 1), st.text('[]{};~"\\\n. LDgs-+xA12345pas', max_size=4))
def test_a_record_with_a_scar_is_a_record_or_one_of_our_errors(place: int, scar: str) -> None:
    with suppress(UrpiError):
        check_record(parse_record(GAME[:place] + scar + GAME[place + len(scar) :]))


def calls_to_check(text: str) -> int:
    """Count the function calls, C functions included, of parsing and checking a record.

    Garbage collection is off meanwhile: it calls finalizers and callbacks of other code.
    """
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    gc.disable()
    sys.setprofile(count)
    try:
        with suppress(UrpiError):
            check_record(parse_record(text))
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


@pytest.mark.parametrize(
    ("start", "repeated"),
    [
        ("", "["),
        ('[A "', "\\\\"),
        ("1. L gs-- ", "{}"),
        ("1. L gs--", " +A3~"),
        ("1. L gs--", " ; gs--"),
        ("1. L gs-- {", " "),
        ("", "\n"),
    ],
    ids=str,
)
def test_the_work_of_a_hostile_record_grows_with_its_length(start: str, repeated: str) -> None:
    short, long = (calls_to_check(start + repeated * length) for length in (1_000, 10_000))
    assert long <= 20 * short + 1_000, "Linear work is 10 times as much, quadratic 100 times."


@pytest.mark.parametrize("repeated", ["[", "{}", " ", "\n"])
def test_a_record_that_is_too_long_is_rejected_before_it_is_parsed(repeated: str) -> None:
    text = repeated * (LONGEST_RECORD // len(repeated) + 1)
    with pytest.raises(UrpiError, match="at most 1048576 characters"):
        parse_record(text)
