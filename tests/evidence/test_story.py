"""The story of a game: nothing that was stored is left out, and each thing has its place."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.evidence.sitting import quarrel, store
from tests.journal.games import store_game
from urpi.errors import UrpiError
from urpi.evidence import dispute_minute, dispute_turn, story_of
from urpi.evidence.story import Decided, DieNews, GameStory, Told, Touch
from urpi.journal import Entry, Journal, build_record, entries_of, find_game
from urpi.referee.decisions import Warned
from urpi.referee.facts import Button, Game, Occupancy, Time
from urpi.referee.lines import fact_line
from urpi.rules import RULE_SETS, Side, parse_square


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("quarrel") / "journal.db"
    store(path, quarrel())
    return path


def story_in(path: Path) -> GameStory:
    with Journal.open(path) as journal:
        return story_of(entries_of(journal, 1), stable_ms=5)


def events_of(story: GameStory, kind: type) -> list:
    events = (e for turn in story.turns for throw in turn.throws for e in throw.events)
    return [event for event in events if isinstance(event, kind)]


def test_a_die_has_its_whole_story_up_to_the_throw(path: Path) -> None:
    (throw, _again) = story_in(path).turns[1].throws
    told = [(news.t, news.state, news.face, news.repeated) for news in throw.dice[2]]
    assert told == [
        (1002, "rolling", None, False),
        (1600, "cocked", None, False),
        (3000, "rolling", None, False),
        (3600, "settled", "s", False),
    ]
    assert [len(news) for news in throw.dice.values()] == [2, 4, 2, 2]


def test_what_a_die_repeats_is_told_as_repeated(path: Path) -> None:
    repeated = [news for news in events_of(story_in(path), DieNews) if news.repeated]
    assert [(news.t, news.die) for news in repeated] == [(3700, 2)]


def test_every_lift_and_put_is_told_with_its_bounces(path: Path) -> None:
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


def test_a_decision_is_shown_when_what_made_it_due_has_come(path: Path) -> None:
    (warned,) = (e for e in events_of(story_in(path), Decided) if isinstance(e.decision, Warned))
    assert (warned.t, warned.shown_from) == (8502, 9000)


def test_a_throw_knows_the_position_before_it_and_what_was_legal(path: Path) -> None:
    throw, again = story_in(path).turns[1].throws
    assert (str(throw.position), throw.faces, throw.legal) == (
        "finkel A3:L,B4:D L6D6 L0D0 L",
        "gs--",
        ("A3-A1",),
    )
    assert str(again.position) == "finkel A1:L,B4:D L6D6 L0D0 L"


def test_what_a_die_measured_is_kept() -> None:
    game = Entry(1, "fact", next(quarrel_lines()))
    line = '{"t":9,"type":"die","die":1,"state":"cocked","angle":23,"fall_ms":180,"angel":1}'
    story = story_of([game, Entry(2, "fact", line)], stable_ms=5)
    (news,) = events_of(story, DieNews)
    assert news.measured == {"angle": 23, "fall_ms": 180}


def quarrel_lines():
    return map(fact_line, quarrel())


def test_a_game_that_waits_for_its_next_throw_tells_of_it(path: Path) -> None:
    with Journal.open(path) as journal:
        entries = [e for e in entries_of(journal, 1) if json.loads(e.line)["t"] < 13_500]
    turns = story_of(entries, stable_ms=5).turns
    assert [turn.number for turn in turns] == [0, 1, 2]
    assert (turns[-1].side, turns[-1].throws[0].faces) == (Side.LIGHT, None)
    assert sorted(turns[-1].throws[0].dice) == [1, 2, 3, 4]


def test_a_game_without_its_first_line_is_named() -> None:
    with pytest.raises(UrpiError, match="no line of type game"):
        story_of([Entry(1, "fact", '{"t":1,"type":"time"}')], stable_ms=5)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_story_has_every_decision_once_and_the_turns_of_the_record(
    rules: str, tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, rules, seed=5, longest=200)
        entries = entries_of(journal, game)
        story = story_of(entries, stable_ms=5)
        record = build_record(entries, find_game(journal, game).started)
    told = Counter(event.seq for event in events_of(story, Decided))
    assert told == Counter(entry.seq for entry in entries if entry.kind == "decision")
    answers = [entry for entry in entries if '"type":"answer"' in entry.line]
    said = [told for told in events_of(story, Told) if not isinstance(told.fact, Button)]
    assert len(said) >= len(answers)
    sides = [turn.side for turn in record.turns]
    assert [turn.side for turn in story.turns if turn.number > 0][: len(sides)] == sides


def test_what_comes_before_somebody_begins_is_the_turn_before_the_game(tmp_path: Path) -> None:
    game = store(tmp_path / "g", iter([Game(0, "freecompany"), Occupancy(9, 0), Time(99)]))

    with Journal.open(tmp_path / "g") as journal:
        (turn,) = dispute_turn(journal, game).story.turns

    assert (turn.number, turn.side) == (0, None)


def test_a_game_in_which_nothing_has_happened_has_nothing_to_lay_out(tmp_path: Path) -> None:
    game = store(tmp_path / "g", iter([Game(0, "finkel")]))

    with (
        Journal.open(tmp_path / "g") as journal,
        pytest.raises(UrpiError, match="Nothing has happened in game 1 yet"),
    ):
        dispute_turn(journal, game)


def test_the_last_turn_is_laid_out_unless_another_is_named(path: Path) -> None:
    with Journal.open(path) as journal:
        assert [t.number for t in dispute_turn(journal, 1).story.turns] == [1]
        assert [t.number for t in dispute_turn(journal, 1, 0).story.turns] == [0]
        with pytest.raises(UrpiError, match=r"has no turn 2; its turns are 0 .* to 1"):
            dispute_turn(journal, 1, 2)


def test_a_while_of_a_game_is_cut_at_its_beginning(path: Path) -> None:
    with Journal.open(path) as journal:
        whole = dispute_minute(journal, 1)
        late = dispute_minute(journal, 1, lasting_ms=3500)
    assert (whole.since_t, late.since_t) == (None, 10_500)
    (turn,) = late.story.turns
    assert [event.t >= 10_500 for throw in turn.throws for event in throw.events].count(False) == 0
    assert turn.throws[0].picture == 1 << parse_square("A3") | 1 << parse_square("B4")


def test_a_print_names_its_evidence_by_a_digest(path: Path, tmp_path: Path) -> None:
    with Journal.open(shutil.copy(path, tmp_path / "copy.db")) as journal:
        before = dispute_turn(journal, 1).digest
        journal.append(1, ['{"t":20000,"type":"time"}'])
        assert dispute_turn(journal, 1).digest != before
