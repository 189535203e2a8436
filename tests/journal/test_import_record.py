"""Import of records: they are refereed as written, and exported unchanged."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.journal.games import store_game
from tests.rules.test_properties import some_position
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.journal import (
    CheckVerdict,
    Choice,
    Journal,
    check_game,
    correct_game,
    entries_of,
    exported_record,
    find_game,
    import_archive,
    import_record,
    list_games,
    stored_record,
    write_archive,
)
from urpi.journal.import_record import day_of
from urpi.page.documents.replay import frames_of
from urpi.page.replay_file import replay_page
from urpi.rules import RULE_SETS, rule_set
from urpi.rules.record import (
    LONGEST_RECORD,
    GameRecord,
    Thrown,
    Turn,
    final_position,
    first_position,
    record_text,
)
from urpi.show.words import words_for

NOW = datetime.fromisoformat("2026-11-21T12:00:00+01:00")
RECORD = """\
[Event "Club evening"]
[Rules "finkel"]
[Date "2024.02.29"]
[Light "Ann \\"A\\""]
[Dark "Zoë"]
[Start "dark"]
[Result "light"]
[Termination "resigned"]

1. D gsgs {well thrown} +C1~ {then gs-- +C3~ (inferred)} +C1 {12.4s} {a pause} ; ---- pass {alas}
2. L g--- +A4
3. D ---- pass
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        opened.rows("PRAGMA synchronous = OFF")
        yield opened


def imported(journal: Journal, text: str) -> int:
    return import_record(journal, text, NOW, "1.2.3")


def test_the_record_of_an_imported_record_is_the_same(journal: Journal) -> None:
    assert record_text(stored_record(journal, imported(journal, RECORD))) == RECORD


def test_an_imported_record_is_a_game_that_can_be_checked(journal: Journal) -> None:
    game = find_game(journal, imported(journal, RECORD))
    assert (game.light, game.dark, game.rules) == ('Ann "A"', "Zoë", "finkel")
    assert (game.turns, game.result, game.program) == (3, "light", "1.2.3")
    assert game.started.isoformat() == "2024-02-29T00:00:00+01:00"
    assert check_game(journal, game.id).verdict is CheckVerdict.SAME


@pytest.mark.parametrize(
    ("rules", "turn", "reply"),
    [
        ("freecompany", "L g- A2-A1", "D g- B6-B5"),
        ("finkel[decline=yes]", "L g--- A2-A1", "D g--- B6-B7"),
    ],
)
def test_a_declined_extra_throw_is_imported(
    journal: Journal, rules: str, turn: str, reply: str
) -> None:
    text = (
        f'[Rules "{rules}"]\n[Light "Ann"]\n[Dark "Zoë"]\n[Start "light"]\n[Result "*"]\n'
        f'[Position "{rules} A2:L,B6:D L6D6 L0D0 L"]\n\n1. {turn} ; declined\n2. {reply}\n'
    )
    game = imported(journal, text)

    assert record_text(stored_record(journal, game)) == text
    assert check_game(journal, game).verdict is CheckVerdict.SAME


def test_the_throws_of_an_imported_record_are_a_second_apart(journal: Journal) -> None:
    lines = [json.loads(one.line) for one in entries_of(journal, imported(journal, RECORD))]
    assert [one["t"] for one in lines if one["type"] == "roll"] == [1000, 2000, 3000, 4000]


def dated(text: str) -> GameRecord:
    return GameRecord((("Rules", "finkel"), ("Date", text)))


@given(day=st.dates())
def test_a_record_keeps_its_day(day: date) -> None:
    assert day_of(dated(f"{day.year:04}.{day.month:02}.{day.day:02}")) == day


def digits(count: int) -> st.SearchStrategy[str]:
    """That many digits, or as many question marks."""
    return st.integers(0, 10**count - 1).map(lambda n: f"{n:0{count}}") | st.just("?" * count)


@given(text=st.tuples(digits(4), digits(2), digits(2)).map(".".join))
def test_a_day_is_known_whole_or_not_at_all(text: str) -> None:
    record = dated(text)
    if "?" in text:
        assert day_of(record) is None
    else:
        try:
            expected = datetime.strptime(text, "%Y.%m.%d").date()  # noqa: DTZ007 - a day
        except ValueError:
            with pytest.raises(UrpiError, match="Date must be a day"):
                day_of(record)
        else:
            assert day_of(record) == expected


@pytest.mark.parametrize("tag", ['[Date "????.??.??"]\n', ""])
def test_a_record_without_a_date_is_undated_also_in_an_archive(
    journal: Journal, tmp_path: Path, tag: str
) -> None:
    text = RECORD.replace('[Date "2024.02.29"]\n', tag)
    assert not find_game(journal, imported(journal, RECORD)).undated
    undated = find_game(journal, imported(journal, text))
    assert undated.undated
    assert undated.started == NOW
    assert not list_games(journal, Choice(since=NOW.date()))
    assert [game.id for game in list_games(journal, Choice(until=NOW.date()))] == [1]

    lines: list[str] = []
    write_archive(journal, (2, 1), lines.append, "1.0.0")
    with Journal.open(tmp_path / "other.db") as other:
        import_archive(other, BytesIO("".join(lines).encode()), NOW + timedelta(days=9))
        assert [game.undated for game in list_games(other)] == [False, True]


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "bell"))
def test_the_record_of_a_refereed_game_can_be_imported(rules: str, journal: Journal) -> None:
    played = stored_record(journal, store_game(journal, rules, seed=3, longest=300))
    again = imported(journal, record_text(played))
    assert stored_record(journal, again) == played
    assert check_game(journal, again).verdict is CheckVerdict.SAME


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "skiryuk"))
def test_a_game_from_a_position_is_played_exported_and_imported_again(
    journal: Journal, rules: str
) -> None:
    position = some_position(rule_set(rules), 77)[0]
    game = store_game(journal, rules, seed=5, longest=300, position=position)
    played = stored_record(journal, game)
    assert played.tag("Position") == str(position)
    assert first_position(played) == position
    again = imported(journal, record_text(played))
    assert stored_record(journal, again) == played
    for number in (game, again):
        assert check_game(journal, number).verdict is CheckVerdict.SAME
        frames = frames_of(entries_of(journal, number), words_for("en"))
        assert frames[0].position == position
        assert frames[-1].position == final_position(played)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RECORD.replace("2. L g--- +A4", "2. L g--- +A3"), r"Turn 2: \+A3 is not legal with g---"),
        (RECORD.replace("2. L", "3. L"), "Line 11 of the record: turn 2 must look like"),
        (
            RECORD.replace("{alas}", "{alas"),
            "Line 10 of the record: a comment must end on its line",
        ),
        (RECORD.replace('"finkel"', '"chess"'), "no rule set 'chess'"),
        (RECORD.replace("2024.02.29", "29.02.2024"), "Date must be a day .* found '29.02.2024'"),
        (RECORD.replace("2024.02.29", "2026.02.29"), "with \\?\\? for what is unknown"),
        (RECORD.replace('[Rules "finkel"]\n', ""), "names no rules; add --rules"),
        (RECORD.replace('"light"', '"won"'), "Result must be one of light dark draw"),
        (RECORD.replace('"light"', '"draw"'), "draw is no-draw"),
        (RECORD.replace('"dark"]\n[Res', '"light"]\n[Res'), "Turn 1: dark throws"),
        (RECORD.replace("[Light", '[Time "7 pm"]\n[Light'), "Time must be such as 19:02:11"),
        (RECORD.replace("[Light", '[Time "24:00:00"]\n[Light'), "found '24:00:00'"),
        (RECORD.replace("L g---", "L 7"), "must begin with its faces or sum"),
        (RECORD.replace("L g---", "L 5"), "Turn 2: .* or is its sum: 0, 1, 2, 3, 4"),
        ("[" * LONGEST_RECORD + "]", "at most 1048576 characters long"),
        ("", "names no rules; add --rules"),
        ("\x00\x01", "Line 1 of the record"),
    ],
)
def test_an_invalid_record_is_rejected_as_a_whole_with_place_and_reason(
    journal: Journal, text: str, message: str
) -> None:
    with pytest.raises(UrpiError, match=message):
        imported(journal, text)
    assert list_games(journal) == ()


def with_sums(record: GameRecord) -> GameRecord:
    """Return a record with sums in place of faces, where they determine the legal moves."""
    dice = first_position(record).rules.dice

    def summed(thrown: Thrown) -> Thrown:
        meaning = dice.throw(thrown.faces).meaning
        return replace(thrown, faces=meaning if meaning in dice.sums else thrown.faces)

    turns = (Turn(turn.side, tuple(map(summed, turn.throws))) for turn in record.turns)
    return replace(record, turns=tuple(turns))


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel"))
def test_a_record_with_sums_is_the_same_game(rules: str, journal: Journal) -> None:
    played = stored_record(journal, store_game(journal, rules, seed=5, longest=300))
    summed = with_sums(played)
    game = imported(journal, record_text(summed))
    assert stored_record(journal, game) == summed
    assert final_position(summed) == final_position(played)
    assert check_game(journal, game).verdict is CheckVerdict.SAME

    frames = frames_of(entries_of(journal, game), words_for("en"))
    if rule_set(rules).dice.sums:
        assert summed != played
        assert any(frame.throw and not frame.throw.shown for frame in frames)
    page = replay_page(find_game(journal, game), entries_of(journal, game), words_for("en"))
    assert page.count("<label") >= len(frames) // 2


def test_a_table_of_a_record_is_kept(journal: Journal) -> None:
    text = RECORD.replace("[Light", '[Table "virtual"]\n[Time "23:59+05:30"]\n[Light')
    game = find_game(journal, imported(journal, text))
    assert (game.table, game.started.isoformat()) == ("virtual", "2024-02-29T23:59:00+05:30")
    assert record_text(exported_record(journal, game.id)) == text


def test_a_record_is_stored_once(journal: Journal) -> None:
    first = imported(journal, RECORD)
    assert imported(journal, RECORD) == first
    assert imported(journal, RECORD.replace("Zoë", "Zoé")) != first
    keyed = RECORD.replace("[Light", '[Game "abc"]\n[Light')
    assert imported(journal, keyed) == imported(journal, keyed.replace("Zoë", "Zoé"))
    assert len(list_games(journal)) == 3


def test_a_corrected_game_is_not_stored_again(journal: Journal) -> None:
    first = imported(journal, RECORD)
    correct_game(journal, first, {"dark": "Zoé", "void": ""}, "a mistake", NOW)
    assert imported(journal, RECORD) == first
    assert imported(journal, record_text(exported_record(journal, first))) == first


def test_an_unfinished_record_becomes_an_unfinished_game(journal: Journal) -> None:
    text = RECORD.replace('"light"]\n[Term', '"*"]\n[Term').replace(
        '[Termination "resigned"]\n', ""
    )
    game = find_game(journal, imported(journal, text.replace("3. D ---- pass", "3. D gs--")))
    assert (game.result, game.finished, game.turns) == (None, None, 3)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    place=st.integers(0, len(RECORD) - 1),
    length=st.integers(0, 12),
    instead=st.text(max_size=6),
)
def test_a_corrupted_record_is_rejected_or_becomes_a_valid_game(
    journal: Journal, place: int, length: int, instead: str
) -> None:
    text = RECORD[:place] + instead + RECORD[place + length :]
    before = len(list_games(journal))
    try:
        game = imported(journal, text)
    except UrpiError:
        assert len(list_games(journal)) == before
    else:
        assert check_game(journal, game).verdict is CheckVerdict.SAME
