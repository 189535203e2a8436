"""A journal with a game whose rules only another version of the program has."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.journal.other_version import SKIRMISH, other_version, store_games
from tests.service_desk import STARTED, Desk
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.journal import Journal, back_up, entries_of, find_game, last_game, list_games
from urpi.journal.repair import replace_damaged
from urpi.link.broker.published_games import PublishedGames
from urpi.referee.facts import Game
from urpi.rules import rule_set
from urpi.service.notices import Notice
from urpi.service.order_handler import chooser_of

OTHERS = 2
"""The number of the game with the unknown rules."""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "journal.db"
    store_games(path)
    return path


@pytest.fixture
def path(stored: Path, tmp_path: Path) -> Path:
    return shutil.copy(stored, tmp_path / "journal.db")


def run(path: Path, *words: str) -> Result:
    arguments = ["games", "--journal", str(path), *words]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def content_of(path: Path) -> list[str]:
    """Return every line of the file, read by the version that has all rules."""
    with other_version(), Journal.open(path) as journal:
        return [one.line for game in list_games(journal) for one in entries_of(journal, game.id)]


@pytest.mark.parametrize(
    "words",
    [
        ("show", "2"),
        ("review", "2"),
        ("dispute", "2"),
        ("figures", "2"),
        ("export", "2"),
        ("picture", "2", "--output", "x.svg"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_for_the_game_names_game_file_rules_and_remedy(
    path: Path, tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UrpiError) as refused:
        run(path, *words)
    line = str(refused.value)
    assert "\n" not in line
    for part in ("ame 2", str(path), SKIRMISH, "stored it, 1.0.0"):
        assert part in line


def test_commands_for_all_games_leave_it_out_and_say_so(path: Path) -> None:
    for words in (("stats", "--json"), ("figures", "--json")):
        done = run(path, *words)
        assert done.exit_code == 0
        assert "1 game is left out, by rules that urpi" in done.stderr
        assert f"({SKIRMISH}): game 2 in {path} was stored by urpi 1.0.0" in done.stderr
    assert json.loads(run(path, "stats", "--json").stdout)["games"] == 1


def test_after_the_upgrade_its_figures_are_counted(path: Path) -> None:
    run(path, "stats")
    with other_version():
        assert json.loads(run(path, "stats", "--json").stdout)["games"] == OTHERS


def test_lists_contain_it_and_filters_know_its_id(path: Path) -> None:
    assert [line.split()[0] for line in run(path, "list").output.splitlines()[1:]] == ["2", "1"]
    (_, row) = run(path, "list", "--rules", SKIRMISH).output.splitlines()
    assert row.split()[0] == "2"
    with pytest.raises(UrpiError, match="There is no rule set 'skirmishes'"):
        run(path, "list", "--rules", "skirmishes")


def test_replay_and_check_report_it_and_check_the_others(path: Path) -> None:
    assert f"Game 2 in {path} can be read only by" in run(path, "replay", "2").output
    done = run(path, "check", "--jobs", "1")
    assert f"Game {OTHERS}: " in done.output
    assert "2 games: 1 same, 1 unreadable" in done.output


def test_nothing_is_lost_by_backup_archive_and_repair(path: Path, tmp_path: Path) -> None:
    before = content_of(path)
    back_up(path, tmp_path / "backup.db")
    assert content_of(tmp_path / "backup.db") == before
    archive = run(path, "export", "2", "--format", "json").stdout.splitlines()
    assert archive[2:-1] == before[: len(archive) - 3]
    published = PublishedGames(path, "board")
    with published.opened():
        assert [game.head.rules for game in published.games()] == [SKIRMISH]
        sent = [line.text for line in published.lines(OTHERS, 0)]
        assert len(sent) == len(archive) - 3
    journal, damage = replace_damaged(path, STARTED)
    journal.close()
    assert (damage.saved, damage.lost) == (2, 0)
    assert content_of(path) == before


def test_a_new_game_begins_after_it(path: Path) -> None:
    with Journal.open(path) as journal:
        last = last_game(journal, "board")
    assert last is not None
    assert last.rules == SKIRMISH
    assert chooser_of(last, rule_set("freecompany"), ("Ann", "Zoë")) is None
    desk = Desk.at(path)
    assert desk.service.resume() is None
    assert desk.service.notices.current is None
    assert desk.service.new_game(Game(desk.t, "finkel")) == OTHERS + 1


@pytest.mark.parametrize("resumed_later", [False, True])
def test_an_unfinished_one_is_set_aside_and_kept(tmp_path: Path, *, resumed_later: bool) -> None:
    path = tmp_path / "journal.db"
    store_games(path, unfinished=True)
    before = content_of(path)
    desk = Desk.at(path)
    assert desk.service.resume() is None
    assert desk.service.notices.current == Notice("set-aside")
    assert content_of(path) == before
    if resumed_later:
        with other_version():
            assert Desk.at(path).service.resume() == OTHERS
        return
    assert desk.service.new_game(Game(desk.t, "finkel")) == OTHERS + 1
    with Journal.open(path) as journal:
        assert find_game(journal, OTHERS).finished is None
    assert content_of(path)[-len(before) :] == before
