"""The figures of a stored game, compared with those of its parsed decisions."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.journal.games import store_game
from tests.journal.stats.figures import figures_of
from tests.slow import mostly_slow
from urpi.journal import Journal, import_record
from urpi.journal.stats import GameFigures, summarize
from urpi.referee.decisions import Decision
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.show.stats_report.reading import figures_of_game


def parsed(journal: Journal, game: int) -> GameFigures:
    """Return the figures of a game from all of its decisions, each parsed."""
    entries = journal.entries(game)
    opening = parse_fact(next(entries).line)
    assert isinstance(opening, Game)

    def decisions() -> Iterator[tuple[Decision, bool]]:
        of_dice = False
        for entry in entries:
            if entry.kind == "fact":
                of_dice = '"type":"die"' in entry.line
            else:
                yield parse_decision(entry.line), of_dice

    return figures_of(game, opening, decisions())


@pytest.mark.parametrize("rules", ["finkel", "masters", "skiryuk", "ravensburger"])
@pytest.mark.parametrize("seed", mostly_slow([1, 2], 1))
def test_figures_are_those_of_the_parsed_decisions(tmp_path: Path, rules: str, seed: int) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, rules, seed=seed, longest=100)
        found = figures_of_game(journal, game)
        assert found == parsed(journal, game)
    assert found is not None
    assert found.throws > 10


def test_the_times_of_an_imported_record_are_unknown(tmp_path: Path) -> None:
    text = '[Rules "finkel"]\n[Light "Ann"]\n\n1. L 2 +A3\n2. D gs-- +C3\n'
    with Journal.open(tmp_path / "journal.db") as journal:
        game = import_record(journal, text, datetime.now(UTC), "1.2.3")
        found = figures_of_game(journal, game)
    assert found is not None
    assert (found.throws, found.lasted_ms, found.faces) == (2, None, {})
    assert [(side.pips, side.turn_ms) for side in found.sides] == [(2, []), (2, [])]
    assert summarize([found]).slowest is None


def test_lines_in_another_form_are_counted_too(tmp_path: Path) -> None:
    roll = '{"type":"roll","t":5,"side":"dark","legal":[],"value":2,"faces":"g-s-"}'
    move = (
        '{"t":7,"type":"move","side":"dark","move":"B3\\u0078B4","position":"",'
        '"confidence":"sensed"}'
    )
    die = '{"t":4,"type":"die","die":1,"state":"rolling"}'
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, longest=20)
        journal.append(game, [die], [roll, move])
        found = figures_of_game(journal, game)
        assert found == parsed(journal, game)
    assert found is not None
    assert found.sides[1].captures
    assert found.faces[1]["g"] == found.faces[3]["s"] == 1


def test_throws_of_the_program_are_no_evidence_about_dice(tmp_path: Path) -> None:
    roll = '{"t":5,"type":"roll","side":"dark","faces":"g-s-","value":2,"legal":[]}'
    by_program = roll.replace("}", ',"program":true}')
    program = '{"t":5,"type":"program-throw","side":"dark","faces":"g-s-"}'
    die = '{"t":4,"type":"die","die":1,"state":"settled","face":"g","tumbled":true}'
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, longest=20)
        before = figures_of_game(journal, game)
        # Dice that were touched meanwhile do not make the program's throw theirs.
        journal.append(game, [die, program], [by_program])
        after_program = figures_of_game(journal, game)
        journal.append(game, [program, die], [roll])
        after_dice = figures_of_game(journal, game)
    assert before is not None
    assert after_program is not None
    assert after_dice is not None
    assert after_program.sides[1].throws == before.sides[1].throws + 1
    assert after_program.faces == before.faces
    assert after_dice.faces[1]["g"] == 1 + sum(before.faces.get(1, {}).values())
