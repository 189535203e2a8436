"""`urpi games correct`, `delete` and `corrections`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.journal.games import STARTED, store_game
from urpi.cli.main import cli
from urpi.journal import Journal, find_game
from urpi.link.broker.ledger import LedgerFile, ledger_path
from urpi.link.protocol.outbox import Place


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with two games of a table."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        for seed in (1, 2):
            game = store_game(journal, "blitz", seed=seed, longest=30, settings={"table": "board"})
            journal.finish(game, STARTED)
    return path


def run(path: Path, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["games", "--journal", str(path), *words], input=typed)


def test_a_game_is_corrected_and_every_list_shows_it(path: Path) -> None:
    words = ("--dark", "Bea", "--note", "In the garden", "--void", "--reason", "a typo")
    assert run(path, "correct", "1", *words).stdout.splitlines() == [
        "Game 1, dark: Bea.",
        "Game 1, note: In the garden.",
        "Game 1, void.",
    ]
    row = run(path, "list").stdout.splitlines()[-1]
    assert "  Ann    Bea " in row
    assert row.endswith("  dark, void")
    values = json.loads(run(path, "list", "--json").stdout.splitlines()[-1])
    assert (values["void"], values["corrections"]) == (True, 3)
    record = run(path, "show", "1").stdout
    assert '[Dark "Bea"]' in record
    assert 'dark: Zoë > Bea; a typo"]' in record
    assert run(path, "correct", "1", "--valid", "--reason", "a mistake").exit_code == 0
    assert run(path, "list").stdout.splitlines()[-1].endswith("  dark")


def test_statistics_leave_void_games_out_and_say_so(path: Path) -> None:
    assert json.loads(run(path, "stats", "--json").stdout)["games"] == 2
    run(path, "correct", "1", "--void", "--reason", "only a test")
    done = run(path, "stats", "--json")
    assert json.loads(done.stdout)["games"] == 1
    assert done.stderr == "1 void game is left out.\n"
    done = run(path, "figures", "--json")
    assert [json.loads(line)["game"] for line in done.stdout.splitlines()] == [2]
    assert done.stderr.startswith("1 void game is left out.\n")


def test_a_correction_without_a_reason_is_refused(path: Path) -> None:
    done = run(path, "correct", "1", "--void")
    assert str(done.exception) == "A correction needs a reason; say why game 1 is corrected."
    assert run(path, "correct", "1", "--note", "In the garden").exit_code == 0


def test_a_deletion_is_asked_for_and_leaves_an_entry(path: Path) -> None:
    done = run(path, "delete", "1", "--reason", "only a test", typed="n\n")
    assert "Delete game 1 of Ann and Zoë, begun " in done.stdout
    assert done.stdout.endswith("Nothing was changed.\n")
    assert run(path, "delete", "1", "--reason", "only a test", typed="y\n").exit_code == 0
    assert "it was deleted at" in str(run(path, "show", "1").exception)
    (line,) = run(path, "corrections", "--json").stdout.splitlines()
    entry = json.loads(line)
    assert (entry["game"], entry["kind"], entry["reason"]) == (1, "deleted", "only a test")
    assert f"Game 1  {entry['at']}  deleted  only a test" in run(path, "corrections", "1").stdout
    assert run(path, "corrections", "2").stdout == ""
    done = run(path, "delete", "2", "--yes", "--reason", "only a test")
    assert str(done.exception).startswith("Game 2 is the newest one of its table")


def test_what_a_club_does_that_has_the_game_is_printed(path: Path) -> None:
    ledger = LedgerFile(ledger_path(path))
    ledger.store(1, Place("0" * 32, 5, "0" * 32, 5, 0, finished=True))
    ledger.close()
    for game, said in ((1, "The club has game 1 already: "), (2, "")):
        done = run(path, "correct", str(game), "--void", "--reason", "only a test")
        assert done.stderr.startswith(said)
        assert bool(done.stderr) is bool(said)
    assert run(path, "correct", "1", "--note", "In the garden").stderr == ""
    done = run(path, "delete", "1", "--yes", "--reason", "only a test")
    assert done.stderr == "The club has game 1 already: it keeps the game; tell its arbiters.\n"
    with Journal.open(path, create=False) as journal:
        assert find_game(journal, 2).void
