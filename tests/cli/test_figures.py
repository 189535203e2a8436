"""`urpi games figures`: reviews of ended games, which are stored for the statistics."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.journal.games import store_game
from urpi.cli.games import figures_output
from urpi.cli.main import cli
from urpi.engine.exact.installed import file_name
from urpi.engine.review import Review
from urpi.journal import Journal, list_games
from urpi.journal.study import exercises_of
from urpi.rules import parse_rules
from urpi.show.stats_report.figure_file import FigureFile, ends_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with two short games."""
    path = tmp_path / "games.db"
    with Journal.open(path) as journal:
        for seed in (1, 2):
            store_game(journal, "blitz", seed=seed, longest=30)
    return path


@pytest.fixture
def reviewed(monkeypatch: pytest.MonkeyPatch) -> list[Review]:
    """The reviews that are computed."""
    found: list[Review] = []
    original = figures_output.review_record

    def counting(*arguments: object) -> Review:
        found.append(original(*arguments))
        return found[-1]

    monkeypatch.setattr(figures_output, "review_record", counting)
    return found


def run(path: Path, *words: str) -> Result:
    folder = str(path.parent / "tables")
    arguments = ["games", "--journal", str(path), "figures", *words, "--tables", folder]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def test_every_ended_game_is_reviewed_once(path: Path, reviewed: list[Review]) -> None:
    first = run(path, "--json")
    assert first.stderr.splitlines() == ["1/2", "2/2"]
    newest, oldest = map(json.loads, first.stdout.splitlines())
    assert (newest["game"], oldest["game"]) == (2, 1)
    # Light resigns in both.
    assert {newest["winner"], oldest["winner"]} == {"dark"}
    light, dark = reviewed[0].totals
    assert newest["luck"] == pytest.approx(light.luck - dark.luck)
    assert newest["loss"] == pytest.approx(light.loss - dark.loss)
    assert newest["mistakes"] == [light.errors, dark.errors]
    again = run(path, "--json")
    assert (again.stdout, again.stderr, len(reviewed)) == (first.stdout, "", 2)


def test_one_game_can_be_reviewed(path: Path, reviewed: list[Review]) -> None:
    (line,) = run(path, "1", "--json").stdout.splitlines()
    assert json.loads(line)["game"] == 1
    assert len(reviewed) == 1


def test_stored_reviews_have_all_sums(path: Path, reviewed: list[Review]) -> None:
    run(path)
    with Journal.open(path, create=False) as journal:
        games, ends = list_games(journal), ends_of(journal)
    stored = FigureFile(path).read_reviews(games, ends)
    for game, review in zip(games, reviewed, strict=True):
        found = stored[game.id]
        assert found is not None
        assert found.source == "estimated"
        for side, totals in zip(found.sides, review.totals, strict=True):
            assert (side.throws, side.decisions) == (totals.throws, totals.decisions)
            assert (side.luck, side.loss) == pytest.approx((totals.luck, totals.loss))
            assert side.mistakes == totals.mistake_counts
            assert side.mistake_losses == pytest.approx(totals.mistakes)


def test_the_exercises_of_a_game_are_stored_with_its_review(
    path: Path, reviewed: list[Review]
) -> None:
    run(path)
    with Journal.open(path, create=False) as journal:
        games, ends = list_games(journal), ends_of(journal)
    stored = FigureFile(path).read_exercises(games, ends)
    assert stored == {
        game.id: exercises_of(game.id, review) for game, review in zip(games, reviewed, strict=True)
    }
    assert any(stored.values())


def test_an_estimated_review_is_repeated_when_a_table_is_installed(
    path: Path, reviewed: list[Review]
) -> None:
    run(path)
    tables = path.parent / "tables"
    tables.mkdir()
    # It is damaged, so that the network is used again.
    (tables / file_name(parse_rules("blitz").text)).write_bytes(b"no table")
    run(path)
    assert len(reviewed) == 4


def test_an_unknown_game_is_an_error(path: Path) -> None:
    ended = CliRunner().invoke(cli, ["games", "--journal", str(path), "figures", "9"])
    assert ended.exit_code != 0
    assert "has no game 9" in str(ended.exception)


def test_games_of_virtual_tables_are_reviewed_on_request(
    path: Path, reviewed: list[Review]
) -> None:
    with Journal.open(path) as journal:
        store_game(journal, "blitz", seed=3, longest=30, settings={"table": "virtual"})
    done = run(path)
    assert "1 game of a virtual table is left out; add --virtual" in done.stderr
    assert len(reviewed) == 2
    assert run(path, "3").exit_code == 0
    assert len(reviewed) == 3
    with Journal.open(path.with_name("demo.db")) as journal:
        store_game(journal, "blitz", seed=3, longest=30, settings={"table": "virtual"})
    assert "left out" not in run(path.with_name("demo.db")).stderr
    assert len(reviewed) == 4
