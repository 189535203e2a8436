"""The story of a game: completeness and order of its events."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.journal.games import store_game
from tests.show.evidence.disputed import disputed_game, store
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.journal import Entry, Journal, build_record, entries_of, find_game
from urpi.referee.decisions import Warned
from urpi.referee.facts import Button, Game, Occupancy, Time
from urpi.referee.lines import fact_line
from urpi.rules import RULE_SETS, Side, parse_square
from urpi.show.evidence import dispute_minute, dispute_turn, story_of
from urpi.show.evidence.story import Decided, DieUpdate, GameStory, Input, Touch


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("disputed_game") / "journal.db"
    store(path, disputed_game())
    return path


def story_in(path: Path) -> GameStory:
    with Journal.open(path) as journal:
        return story_of(entries_of(journal, 1), stable_ms=5)


def events_of(story: GameStory, kind: type) -> list:
    events = (e for turn in story.turns for throw in turn.throws for e in throw.events)
    return [event for event in events if isinstance(event, kind)]


def test_a_throw_contains_all_reports_of_each_die(path: Path) -> None:
    (throw, _again) = story_in(path).turns[1].throws
    updates = [(one.t, one.state, one.face, one.repeated) for one in throw.dice[2]]
    assert updates == [
        (1002, "rolling", None, False),
        (1600, "cocked", None, False),
        (3000, "rolling", None, False),
        (3600, "settled", "s", False),
    ]
    assert [len(updates) for updates in throw.dice.values()] == [2, 4, 2, 2]


def test_repeated_reports_are_marked(path: Path) -> None:
    repeated = [one for one in events_of(story_in(path), DieUpdate) if one.repeated]
    assert [(one.t, one.die) for one in repeated] == [(3700, 2)]


def test_every_lift_and_put_has_its_number_of_edges(path: Path) -> None:
    names = {parse_square(name): name for name in ("A1", "A3", "B1")}
    touches = events_of(story_in(path), Touch)
    assert [(t.t, names[t.square], t.on, t.edges) for t in touches] == [
        (5002, "A3", False, 3),
        (6002, "B1", True, 3),
        (9502, "B1", False, 3),
        (10_002, "A3", True, 3),
        (11_000, "A3", False, 1),
        (11_800, "A1", True, 1),
    ]


def test_a_decision_is_shown_when_its_cause_is_known(path: Path) -> None:
    (warned,) = (e for e in events_of(story_in(path), Decided) if isinstance(e.decision, Warned))
    assert (warned.t, warned.shown_from) == (8502, 9000)


def test_a_throw_has_its_position_and_legal_moves(path: Path) -> None:
    throw, again = story_in(path).turns[1].throws
    assert (str(throw.position), throw.faces, throw.legal) == (
        "finkel A3:L,B4:D L6D6 L0D0 L",
        "gs--",
        ("A3-A1",),
    )
    assert str(again.position) == "finkel A1:L,B4:D L6D6 L0D0 L"


def test_measurements_of_a_die_are_kept() -> None:
    game = Entry(1, "fact", next(disputed_lines()))
    line = '{"t":9,"type":"die","die":1,"state":"cocked","angle":23,"fall_ms":180,"angel":1}'
    story = story_of([game, Entry(2, "fact", line)], stable_ms=5)
    (update,) = events_of(story, DieUpdate)
    assert update.measured == {"angle": 23, "fall_ms": 180}


def disputed_lines():
    return map(fact_line, disputed_game())


def test_a_game_that_waits_for_a_throw_ends_with_an_open_turn(path: Path) -> None:
    with Journal.open(path) as journal:
        entries = [e for e in entries_of(journal, 1) if json.loads(e.line)["t"] < 13_500]
    turns = story_of(entries, stable_ms=5).turns
    assert [turn.number for turn in turns] == [0, 1, 2]
    assert (turns[-1].side, turns[-1].throws[0].faces) == (Side.LIGHT, None)
    assert sorted(turns[-1].throws[0].dice) == [1, 2, 3, 4]


def test_a_game_without_its_first_line_is_an_error() -> None:
    with pytest.raises(UrpiError, match="no line of type game"):
        story_of([Entry(1, "fact", '{"t":1,"type":"time"}')], stable_ms=5)


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "freecompany"))
def test_a_story_contains_every_decision_once_and_the_turns_of_the_record(
    rules: str, tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, rules, seed=5, longest=200)
        entries = entries_of(journal, game)
        story = story_of(entries, stable_ms=5)
        record = build_record(entries, find_game(journal, game).started)
    found = Counter(event.seq for event in events_of(story, Decided))
    assert found == Counter(entry.seq for entry in entries if entry.kind == "decision")
    answers = [entry for entry in entries if '"type":"answer"' in entry.line]
    inputs = [one for one in events_of(story, Input) if not isinstance(one.fact, Button)]
    assert len(inputs) >= len(answers)
    sides = [turn.side for turn in record.turns]
    assert [turn.side for turn in story.turns if turn.number > 0][: len(sides)] == sides


def test_events_before_the_first_turn_have_turn_number_0(tmp_path: Path) -> None:
    game = store(tmp_path / "g", iter([Game(0, "freecompany"), Occupancy(9, 0), Time(99)]))

    with Journal.open(tmp_path / "g") as journal:
        (turn,) = dispute_turn(journal, game).story.turns

    assert (turn.number, turn.side) == (0, None)


def test_a_game_without_events_has_no_dispute(tmp_path: Path) -> None:
    game = store(tmp_path / "g", iter([Game(0, "finkel")]))

    with (
        Journal.open(tmp_path / "g") as journal,
        pytest.raises(UrpiError, match="Nothing has happened in game 1 yet"),
    ):
        dispute_turn(journal, game)


def test_the_dispute_defaults_to_the_last_turn(path: Path) -> None:
    with Journal.open(path) as journal:
        assert [t.number for t in dispute_turn(journal, 1).story.turns] == [1]
        assert [t.number for t in dispute_turn(journal, 1, 0).story.turns] == [0]
        with pytest.raises(UrpiError, match=r"has no turn 2; its turns are 0 .* to 1"):
            dispute_turn(journal, 1, 2)


def test_a_dispute_of_a_duration_omits_earlier_events(path: Path) -> None:
    with Journal.open(path) as journal:
        whole = dispute_minute(journal, 1)
        late = dispute_minute(journal, 1, duration_ms=3500)
    assert (whole.since_t, late.since_t) == (None, 10_500)
    (turn,) = late.story.turns
    assert [event.t >= 10_500 for throw in turn.throws for event in throw.events].count(False) == 0
    assert turn.throws[0].occupancy == 1 << parse_square("A3") | 1 << parse_square("B4")


def test_the_digest_changes_with_the_stored_lines(path: Path, tmp_path: Path) -> None:
    with Journal.open(shutil.copy(path, tmp_path / "copy.db")) as journal:
        before = dispute_turn(journal, 1).digest
        journal.append(1, ['{"t":20000,"type":"time"}'])
        assert dispute_turn(journal, 1).digest != before
