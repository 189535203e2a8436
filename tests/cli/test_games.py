"""`urpi games`."""

import json
import os
import re
import shutil
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread

import click
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from tests.journal.games import GAME, store_game
from tests.rules.test_royalur_json import WRITTEN as ROYALUR_GAMES
from tests.rules.test_royalur_json import game as royalur_game
from tests.rules.test_royalur_json import without_comments
from urpi.cli.games.transfer import export
from urpi.cli.games.transfer_files import import_file
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.journal import Entry, Journal, list_games, prune_game
from urpi.journal.formats import FORMATS
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules.record import check_record, parse_record
from urpi.rules.rgn import in_sums
from urpi.rules.royalur_json import parse_royalur_json

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal with a game of finkel, one of bell, and one that has just begun."""
    path = tmp_path_factory.mktemp("stored") / "journal.db"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1)
        store_game(journal, "bell", seed=2, longest=60)
        journal.new_game(
            '{"t":0,"type":"game","rules":"finkel","options":{"pieces":"3"},'
            '"light":"\\u001b[31mEve","dark":""}',
            "2026-11-21T02:00:00+05:00",
            "1.0.0",
            {},
        )
    return path


@pytest.fixture
def path(stored: Path, tmp_path: Path) -> Path:
    return shutil.copy(stored, tmp_path / "journal.db")


@pytest.fixture(autouse=True)
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def run_with(path: Path, typed: str, *words: str) -> Result:
    return CliRunner().invoke(cli, ["games", "--journal", str(path), *words], input=typed)


def run(path: Path, *words: str, color: bool = False) -> Result:
    arguments = ["games", "--journal", str(path), *words]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False, color=color)


def test_list_prints_every_game_in_local_time_the_newest_first(path: Path) -> None:
    heading, *rows = run(path, "list").output.splitlines()
    assert heading.split() == ["GAME", "STARTED", "RULES", "LIGHT", "DARK", "TURNS", "RESULT"]
    assert [row.split()[0] for row in rows] == ["3", "2", "1"]
    assert rows[0] == "   3  2026-11-20 22:00  finkel[pieces=3]  ?[31mEve  -         0  -"
    assert rows[2].startswith("   1  2026-11-20 19:02  finkel            Ann       Zoë ")
    assert rows[2].endswith(("  light", "  dark"))


def test_a_game_without_a_date_is_listed_with_an_unknown_day(path: Path, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text('[Rules "finkel"]\n[Start "light"]\n\n1. L gs-- +A3\n')
    run(path, "import", str(tmp_path / "old.txt"))
    _, row, *_ = run(path, "list").output.splitlines()
    assert row.startswith("   4  unknown day       finkel ")
    assert json.loads(run(path, "list", "--json").output.splitlines()[0])["undated"] is True
    assert "unknown day" in run(path, "review", "4").output.splitlines()[0]


def test_the_list_of_an_empty_journal_is_its_heading(tmp_path: Path) -> None:
    Journal.open(tmp_path / "journal.db").close()
    assert run(tmp_path / "journal.db", "list").output.count("\n") == 1


@pytest.mark.parametrize("words", [("show",), ("export",), ("export", "--format", "text")])
@pytest.mark.parametrize("game", ["1", "2", "3"])
def test_the_printed_record_is_a_legal_game(path: Path, words: tuple[str, ...], game: str) -> None:
    command, *options = words
    check_record(parse_record(run(path, command, game, *options).output))


def test_a_long_name_with_a_terminals_commands_is_cut_and_harmless(tmp_path: Path) -> None:
    name = "\x1b[31m" + "A" * 5000
    record = tmp_path / "long.txt"
    record.write_text(f'[Rules "finkel"]\n[Light "{name}"]\n[Dark "Ben"]\n\n1. L 2 +A3\n')
    path = tmp_path / "journal.db"
    run(path, "import", str(record))
    # A terminal is not asked to interpret anything, which click would not print elsewhere.
    shown = run(path, "show", "1", color=True).output
    assert "[31mA" in shown
    assert "\x1b" not in shown
    assert max(map(len, run(path, "list").output.splitlines())) < 160
    assert name in run(path, "export", "1", color=True).output


def test_the_exported_lines_are_facts_and_decisions(path: Path) -> None:
    head, game, *lines, end = run(path, "export", "1", "--format", "json").output.splitlines()
    assert [json.loads(line)["type"] for line in (head, game, end)] == [
        "urpi-games",
        "stored-game",
        "end",
    ]
    assert json.loads(lines[-1])["t"] >= json.loads(lines[0])["t"]
    for line in lines:
        try:
            parse_fact(line)
        except UrpiError:
            parse_decision(line)


def test_all_games_are_exported_and_imported_into_another_journal(
    path: Path, tmp_path: Path
) -> None:
    file, other = tmp_path / "all.jsonl", tmp_path / "other.db"
    assert run(path, "export", "--output", str(file)).output == ""
    assert run(other, "import", str(file)).output == "3 games were read, games 1 to 3.\n"
    assert run(other, "import", str(file)).output == "0 games were read; 3 were there already.\n"
    assert run(other, "list").output == run(path, "list").output
    assert run(other, "check", "--jobs", "1").exit_code == 0


def test_one_game_is_reported_in_the_singular(path: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "one.jsonl", tmp_path / "other.db"
    run(path, "export", "1", "--format", "json", "--output", str(file))
    assert run(other, "import", str(file)).output == "1 game was read, game 1.\n"
    assert run(other, "import", str(file)).output == "0 games were read; 1 was there already.\n"
    assert run(other, "check", "--jobs", "1").output.endswith("\n1 game: 1 same.\n")
    assert run(other, "anonymise", "Ann", "--yes").output.startswith(
        "1 game was changed to Player 1."
    )


def test_a_record_is_exported_and_imported(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run(path, "export", "1", "--output", str(file))
    assert file.read_text() == run(path, "show", "1").output
    other = tmp_path / "other.db"
    assert run(other, "import", str(file)).output == "Game 1 was read from a record.\n"
    assert run(other, "show", "1").output == file.read_text()


def test_a_record_carries_its_time_and_a_key_and_is_stored_once(path: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "game.txt", tmp_path / "other.db"
    run(path, "export", "1", "--output", str(file))
    assert re.search(
        r'\[Date "2026.11.20"\]\n\[Time "19:02:11\+01:00"\]\n\[Game "[0-9a-f]{32}"\]\n',
        file.read_text(),
    )
    known = "The record is that of game 1, which was there already.\n"
    assert run(path, "import", str(file)).output == known
    assert run(other, "import", str(file)).output == "Game 1 was read from a record.\n"
    assert run(other, "import", str(file)).output == known
    games = [json.loads(line) for line in run(other, "list", "--json").output.splitlines()]
    assert [game["started"] for game in games] == ["2026-11-20T19:02:11+01:00"]
    # The key identifies the game after a player was renamed, too.
    file.write_text(file.read_text().replace("Ann", "Anna"))
    assert "there already" in run(other, "import", str(file)).output


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_game_of_royalur_is_imported_once_and_exported(tmp_path: Path, line_end: str) -> None:
    path, file = tmp_path / "journal.db", tmp_path / "game.rgn"
    text = "[Rules Finkel]\n[Light Ann]\n[Dark Zoë]\n\n1. A@A3 / C@C2\n2. 0 -- / C2C1 * C1B1\n"
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", line_end).encode())
    assert run(path, "import", str(file)).output == "Game 1 was read from a record.\n"
    assert "there already" in run(path, "import", str(file)).output
    assert "4. D 1 C2-C1 ; 1 C1-B1\n" in run(path, "show", "1").output
    run(path, "export", "1", "--output", str(tmp_path / "again.rgn"))
    assert text.split("\n\n")[1] in (tmp_path / "again.rgn").read_text()
    assert "there already" in run(path, "import", str(tmp_path / "again.rgn")).output


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("finkel-left", "finkel"),
        ("finkel-3-won", "finkel[pieces=3]"),
        ("masters-won", "masters"),
        ("masters-safe-left", "masters[safe_rosettes=yes]"),
        ("blitz-resigned", "blitz"),
    ],
)
def test_a_game_that_names_no_rules_is_imported_with_those_of_the_option(
    tmp_path: Path, name: str, rules: str
) -> None:
    # What the Java library wrote, which does not name the rules in RGN.
    path, file = tmp_path / "journal.db", ROYALUR_GAMES / f"{name}.rgn"
    with pytest.raises(UrpiError, match="names no rules; add --rules "):
        run(path, "import", str(file))
    words = ("import", str(file), "--rules", rules)
    assert run(path, *words).output == "Game 1 was read from a record.\n"
    assert "there already" in run(path, *words).output
    shown = parse_record(run(path, "export", "1").output)
    assert shown.tag("Rules") == rules
    as_json = parse_royalur_json(file.with_suffix(".json").read_text("utf-8"))
    assert shown.turns == in_sums(without_comments(as_json)).turns


def test_the_lines_of_a_sheet_are_counted_as_they_are_with_the_option(tmp_path: Path) -> None:
    path, file = tmp_path / "journal.db", tmp_path / "sheet.txt"
    file.write_text('[Light "Ann"]\n\n1. L 2 +A3\n2. D two +C2\n')
    with pytest.raises(UrpiError, match=r"Line 4 of the record: .* found 'two \+C2'"):
        run(path, "import", str(file), "--rules", "finkel")
    file.write_text("\n[Light Ann]\n[Dark]\n1. A@A3\n")
    with pytest.raises(UrpiError, match=r"Line 3: a tag of RGN .* found '\[Dark\]'"):
        run(path, "import", str(file), "--rules", "finkel")
    file.write_text('[Light "Ann"]\n\n1. L 2 +A3\n')
    with pytest.raises(UrpiError, match=r"names no rules; add --rules .*, or the tag \[Rules "):
        run(path, "import", str(file))
    run(path, "import", str(file), "--rules", "murray[pieces=3]")
    assert '[Rules "murray[pieces=3]"]\n' in run(path, "export", "1").output


@pytest.mark.parametrize("rules", ["[Rules Finkel]", '[Rules "finkel"]'])
def test_a_game_keeps_the_rules_that_it_names(tmp_path: Path, rules: str) -> None:
    path, file = tmp_path / "journal.db", tmp_path / "game"
    file.write_text(f"[Light Ann]\n{rules}\n\n1. A@A3 / C@C2\n")
    with pytest.raises(UrpiError, match=r"game: The game names the rules finkel, not masters;"):
        run(path, "import", str(file), "--rules", "masters")
    assert not path.exists()
    assert "was read" in run(path, "import", str(file), "--rules", "finkel").output


def test_an_archive_needs_no_rules(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run(path, "export", "--output", str(file))
    with pytest.raises(UrpiError, match=r"games.jsonl names the rules of its games; leave out"):
        run(path, "import", str(file), "--rules", "finkel")


@pytest.mark.parametrize("content", [b"", b" \r\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "nothing.txt"
    file.write_bytes(content)
    with pytest.raises(UrpiError, match=r"The file .*nothing.txt is empty; choose an archive, a"):
        run(tmp_path / "journal.db", "import", str(file))


def test_a_sheet_typed_with_tabs_is_read(tmp_path: Path) -> None:
    path, file = tmp_path / "journal.db", tmp_path / "sheet.txt"
    sheet = '[Rules "finkel"]\n[Light "Ann"]\n\n1. L 2 +A3\n2. D 3 +C2\n'
    file.write_text(sheet.replace("L 2 +", "L\t2\t+").replace(". ", ".\t"))
    assert "was read" in run(path, "import", str(file)).output
    assert "\n1. L 2 +A3\n2. D 3 +C2\n" in run(path, "export", "1").output
    file.write_text("1.\tL\t2\t+A3\n2.\tD\n")
    with pytest.raises(UrpiError, match=r"Line 2 of the record: turn 2 must look like 2. L gs-- "):
        run(path, "import", str(file))


def test_a_game_of_royalur_as_json_is_imported_once(tmp_path: Path) -> None:
    path, file = tmp_path / "journal.db", tmp_path / "game.json"
    file.write_text(json.dumps(royalur_game(), indent=1))
    assert run(path, "import", str(file)).output == "Game 1 was read from a record.\n"
    assert "there already" in run(path, "import", str(file)).output
    assert "{1.5s}" in run(path, "show", "1").output
    file.write_text('{"notation_version":2}')
    with pytest.raises(UrpiError, match=r"game.json: The game's settings must be a JSON object"):
        run(path, "import", str(file))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"RGU\0\0\0\1\x1f{}\xff", "a table of values of RoyalUr, not a game"),
        (b"game=/board/Royal Game of Ur.lud\n", "a trial of Ludii, whose form is not documented"),
    ],
)
def test_a_file_of_another_program_that_is_not_read_is_named(
    path: Path, tmp_path: Path, content: bytes, what: str
) -> None:
    file = tmp_path / "other"
    file.write_bytes(content)
    with pytest.raises(UrpiError, match=f"other is {what}; choose an archive, a record or"):
        run(path, "import", str(file))


def test_an_illegal_move_of_a_record_is_refused_with_the_rule_in_words(
    path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "sheet.txt"
    file.write_text('[Rules "finkel"]\n[Start "light"]\n\n1. L 2 +A2\n')
    result = CliRunner().invoke(cli, ["games", "--journal", str(path), "import", str(file)])
    assert isinstance(result.exception, UrpiError)
    assert str(result.exception) == (
        f"{file}: Turn 1: +A2 is not legal with 2: You threw 2, but moved it 3. Legal: +A3."
    )


def test_the_command_writes_every_format_that_is_written() -> None:
    (form,) = [one for one in export.params if one.name == "form"]
    assert isinstance(form.type, click.Choice)
    assert [*form.type.choices] == [name for name, one in FORMATS.items() if one.write]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
def test_games_turns_and_statistics_are_exported_as_rows(
    path: Path, tmp_path: Path, suffix: str
) -> None:
    form = {"jsonl": "json"}.get(suffix, suffix)
    counts = []
    for words in (
        ("export", "--rows", "games"),
        ("export", "1", "--rows", "turns"),
        ("stats", "--jobs", "1"),
    ):
        file = tmp_path / f"{words[0]}.{suffix}"
        assert run(path, *words, "--output", str(file)).output == ""
        lines = file.read_text().splitlines()
        counts.append(len(lines) - (suffix != "jsonl"))
        form_words = ("--format", suffix if words[0] == "stats" else form)
        assert run(path, *words, *form_words).output.splitlines() == lines
    turns = parse_record(run(path, "show", "1").output).turns
    assert counts[0] == 3
    assert counts[1] > sum(len(turn.throws) for turn in turns)
    assert counts[2] > 50


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("export", "--format", "csv", "--output", "games.tsv"),
            "is that of tsv, but csv is chosen",
        ),
        (
            ("export", "--output", "games.ods"),
            "must be .txt, .jsonl, .json, .rgn, .csv or .tsv; found .ods",
        ),
        (
            ("export", "1", "--rows", "turns", "--output", "games.txt"),
            "format text has no rows of turns",
        ),
        (
            ("stats", "--json", "--output", "stats.csv"),
            "is that of csv, but json is chosen",
        ),
        (("picture", "1", "--format", "png", "--output", "board.gif"), "is that of gif, but"),
        (("dispute", "1", "--format", "json", "--output", "page.html"), "is that of html, but"),
    ],
)
def test_a_suffix_that_does_not_fit_is_refused_and_no_file_is_written(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["games", "--journal", str(path), *words])
    assert isinstance(result.exception, UrpiError)
    assert message in str(result.exception)
    assert not Path(words[-1]).exists()


def test_selected_games_are_exported(path: Path) -> None:
    output = run(path, "export", "--rules", "bell", "--format", "json").output.splitlines()
    assert json.loads(output[-1])["games"] == 1
    assert run(path, "export", "--rules", "bell", "--format", "text").output.startswith("[Rules")
    with pytest.raises(UrpiError, match="format text contains one game, but 3 were selected"):
        run(path, "export", "--format", "text")


@contextmanager
def through_pipe(content: bytes) -> Iterator[str]:
    """Yield a path whose content can be read once, like a shell's ``<(...)``."""
    reading, writing = os.pipe()

    def write() -> None:
        with suppress(BrokenPipeError), open(writing, "wb") as pipe:
            pipe.write(content)

    writer = Thread(target=write)
    writer.start()
    try:
        yield f"/dev/fd/{reading}"
    finally:
        # The writer would wait forever for a reader that failed.
        os.close(reading)
        writer.join()


def test_an_archive_and_a_record_are_imported_from_a_pipe(path: Path, tmp_path: Path) -> None:
    archive = run(path, "export", "--format", "json").output.encode()
    assert len(archive) > 65_536, "or it would fit a pipe's buffer"
    with through_pipe(archive) as pipe:
        output = run(tmp_path / "other.db", "import", pipe).output
        assert output == "3 games were read, games 1 to 3.\n"
    with through_pipe(run(path, "show", "1").output.encode()) as pipe:
        output = run(tmp_path / "third.db", "import", pipe).output
        assert output == "Game 1 was read from a record.\n"


def test_an_archive_larger_than_the_memory_limit_is_imported(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    run(path, "export", "--output", str(file))
    import_file(tmp_path / "other.db", file, max_in_memory=1000)
    assert "games 1 to 3" in capsys.readouterr().out


def test_a_full_disk_for_the_copy_is_reported(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    file = tmp_path / "games.jsonl"
    run(path, "export", "--output", str(file))
    with pytest.raises(UrpiError, match=r"copied to .*none while .* or set TMPDIR"):
        import_file(tmp_path / "other.db", file, max_in_memory=1000)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/dev/zero", "The file /dev/zero is too long for a record of 1048576 characters."),
        ("none", "The file none cannot be read: No such file or directory; choose an archive"),
    ],
)
def test_an_invalid_file_does_not_create_a_journal(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(UrpiError, match=re.escape(message)):
        run(tmp_path / "new.db", "import", name)
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 5_000_000, b"{}", b"1. L", b"\n\n"])
def test_a_file_that_is_neither_archive_nor_record_changes_nothing(
    path: Path, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    before = run(path, "list").output
    with pytest.raises(UrpiError):
        run(path, "import", str(file))
    assert run(path, "list").output == before


def test_a_journal_is_backed_up_and_restored(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert run(path, "backup", str(copy)).output.endswith(" MB, complete.\n")
    output = run(path, "restore", "--replace", str(copy)).output
    assert output.startswith(f"{path} is the backup now; the old journal is {path.parent}/")
    assert len(list(tmp_path.glob("journal.before-*.db"))) == 1


def spoil_a_page_of(path: Path) -> None:
    """Damage a page of lines in the middle of the file: games can be listed, and some be read."""
    content = path.read_bytes()
    starts = range(len(content) // 2 // 4096 * 4096, len(content), 4096)
    # A leaf of a table without rowids; the other kinds of pages are those of small tables.
    start = next(start for start in starts if content[start] == 0x0A)
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * 4096)


def test_a_damaged_file_fails_the_check_with_advice(path: Path) -> None:
    spoil_a_page_of(path)
    with pytest.raises(UrpiError) as caught:
        run(path, "check", "--jobs", "1")
    assert str(caught.value).startswith(f"The journal {path} is damaged: ")
    assert "start `urpi serve` or `urpi demo` with it" in str(caught.value)


def test_a_damaged_backup_is_not_restored(path: Path, tmp_path: Path) -> None:
    backup = Path(shutil.copy(path, tmp_path / "backup.sqlite"))
    spoil_a_page_of(backup)
    with pytest.raises(UrpiError) as caught:
        run(path, "restore", str(backup), "--replace")
    assert str(caught.value).startswith(f"The journal {backup} is damaged: ")
    assert "urpi serve" not in str(caught.value)


@pytest.mark.parametrize(("age", "old"), [("1d", 5), ("12d", 3), ("1w", 4), ("2w", 2), ("3w", 0)])
def test_games_are_as_old_as_their_days_or_weeks(tmp_path: Path, age: str, old: int) -> None:
    path, now = tmp_path / "journal.db", datetime.now().astimezone()
    with Journal.open(path) as journal:
        # The newest is still in progress.
        for days in (20, 15, 13, 8, 5, 0):
            begun = (now - timedelta(days=days)).isoformat(timespec="seconds")
            journal.new_game(GAME, begun, "1.0.0", {})
    output = run(path, "prune", "--keep-edges", age, "--dry-run").output
    assert output == f"{old} games are old enough.\n"


def test_old_games_are_pruned_and_reported(path: Path) -> None:
    with Journal.open(path) as journal:
        for game in list_games(journal):
            prune_game(journal, game.id, "2027-02-28")
    assert "its edges were pruned on 2027-02-28" in run(path, "replay", "1").output
    assert run(path, "check", "--jobs", "1").output.endswith("3 games: 3 pruned.\n")
    assert "its edges were pruned on 2027-02-28" in " ".join(
        run(path, "dispute", "1").output.split()
    )


@pytest.mark.parametrize("age", ["90", "d", "0d", "-1d", "1y", "999999d"])
def test_an_invalid_age_is_refused(path: Path, age: str) -> None:
    with pytest.raises(UrpiError, match="such as 90d or 12w; found"):
        run(path, "prune", f"--keep-edges={age}")


def test_a_player_is_anonymised_after_a_confirmation(path: Path) -> None:
    declined = run_with(path, "n\n", "anonymise", "Zoë")
    assert declined.exit_code == 1
    assert "Replace Zoë by Player 1 in 2 games?" in declined.output
    assert "Zoë" in run(path, "list").output
    output = run(path, "anonymise", "Zoë", "--yes", "--as", "Guest").output
    assert output.startswith("2 games were changed to Guest.")
    assert "Zoë" not in run(path, "list").output
    assert "Zoë" not in run(path, "export", "--format", "json").output


@pytest.mark.parametrize("game", ["1", "2"])
def test_a_replay_reports_equal_decisions(path: Path, game: str) -> None:
    done = run(path, "replay", game)
    assert done.exit_code == 0
    assert done.output.split()[1::2][:2] == ["facts,", "decisions,"]
    assert done.output.endswith("all the same.\n")


def test_a_replay_reports_decisions_that_were_not_stored(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(3, ['{"t":1,"type":"occupancy","squares":[]}'])
    assert run(path, "replay", "3").output == (
        "2 facts, 0 decisions, all the same; 2 more were not stored.\n"
    )


def test_a_replay_exits_with_1_if_a_decision_differs(path: Path) -> None:
    def forged(entry: Entry) -> str:
        won = '"type":"won"' in entry.line
        return entry.line.replace('"code":"off"', '"code":"forts"') if won else entry.line

    with Journal.open(path) as journal:
        journal.rewrite(1, forged)
    failed = run(path, "replay", "1")
    assert failed.exit_code == 1
    assert "1 of " in failed.output
    assert " decisions differ; refereed by 1.0.0, now " in failed.output
    place, then, now = failed.output.splitlines()[-3:]
    assert re.fullmatch(r"after throw \d+, entry \d+:", place)
    assert re.fullmatch(
        r"  then \d+:\d\d\.\d{3} \w+ has won. The winner holds all four forts.", then
    )
    assert re.fullmatch(r"  now  \d+:\d\d\.\d{3} \w+ has won. All pieces are home.", now)


def test_different_decisions_with_equal_words_are_printed_as_stored(path: Path) -> None:
    def forged(entry: Entry) -> str:
        return re.sub(r'"legal":\["', '"legal":["+B8","', entry.line)

    with Journal.open(path) as journal:
        journal.rewrite(1, forged)
    then, now = run(path, "replay", "1").output.splitlines()[-2:]
    assert '"legal":["+B8",' in then
    assert now.startswith('  now  {"t":')
    output = json.loads(run(path, "replay", "1", "--json").output)
    assert output["verdict"] == "differs"
    assert "+B8" in output["differences"][0]["then"]["legal"]
    assert "+B8" not in output["differences"][0]["now"]["legal"]


def test_a_check_reports_the_result_of_every_game(path: Path) -> None:
    done = run(path, "check", "--jobs", "1")
    assert done.exit_code == 0
    *games, sum_ = done.output.splitlines()
    assert [line.partition(":")[0] for line in games] == ["Game 1", "Game 2", "Game 3"]
    assert sum_ == "3 games: 3 same."


def test_a_check_replays_the_selected_games_and_starts_no_process_for_few(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", None)
    done = run(path, "check", "--jobs", "2", "--rules", "bell", "--json")
    (output,) = map(json.loads, done.output.splitlines())
    assert (output["game"], output["verdict"], output["differences"]) == (2, "same", [])
    assert run(path, "check", "--jobs", "2").output.endswith("3 games: 3 same.\n")


def test_processes_report_many_games_in_their_order(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("urpi.journal.check.CHUNK_SIZE", 1)
    done = run(path, "check", "--jobs", "2", "--json")
    found = map(json.loads, done.output.splitlines())
    assert [(one["game"], one["verdict"]) for one in found] == [(n, "same") for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("words", "games"),
    [
        (("--player", "Ann"), ["2", "1"]),
        (("--player", "ann"), []),
        (("--rules", "finkel"), ["3", "1"]),
        (("--rules", "finkel[pieces=3]"), ["3"]),
        (("--since", "2026-11-21"), []),
        (("--until", "2026-11-20", "--rules", "bell"), ["2"]),
        (("--until", "2026-11-19"), []),
    ],
)
def test_games_are_selected_by_player_rules_and_day(
    path: Path, words: tuple[str, ...], games: list[str]
) -> None:
    output = map(json.loads, run(path, "list", "--json", *words).output.splitlines())
    assert [str(game["game"]) for game in output] == games


def test_games_of_a_virtual_table_are_listed_and_counted_on_request(path: Path) -> None:
    fact = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Robot","dark":""}'
    with Journal.open(path) as journal:
        for table in ("virtual", "virtual", "board"):
            journal.new_game(fact, "2026-11-21T02:00:00+05:00", "1.0.0", {"table": table})
    for command in ("list", "stats"):
        done = run(path, command, "--json")
        assert (
            done.stderr
            == "2 games of virtual tables are left out; add --virtual to include them.\n"
        )
        assert run(path, command, "--json", "--virtual").stderr == ""
        assert run(path, command, "--json", "--player", "Ann").stderr == ""
    listed = [json.loads(line) for line in run(path, "list", "--json").stdout.splitlines()]
    assert [game["game"] for game in listed] == [6, 3, 2, 1]
    every = run(path, "list", "--json", "--virtual").stdout.splitlines()
    tables = {game["game"]: game["table"] for game in map(json.loads, every)}
    assert (tables[4], tables[6], tables[1]) == ("virtual", "board", None)
    assert json.loads(run(path, "stats", "--json").stdout)["games"] == 4
    assert json.loads(run(path, "stats", "--json", "--virtual").stdout)["games"] == 6


def test_a_journal_with_games_of_virtual_tables_only_lists_them(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    fact = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Robot","dark":""}'
    with Journal.open(path) as journal:
        for _ in range(2):
            journal.new_game(fact, "2026-11-21T02:00:00+05:00", "1.0.0", {"table": "virtual"})
    listed = run(path, "list", "--json")
    assert listed.stderr == ""
    assert [json.loads(line)["game"] for line in listed.stdout.splitlines()] == [2, 1]
    assert json.loads(run(path, "stats", "--json").stdout)["games"] == 2
    assert run(path, "list", "--json", "--player", "nobody").stdout == ""
    with Journal.open(path) as journal:
        journal.new_game(fact, "2026-11-21T02:00:00+05:00", "1.0.0", {"table": "board"})
    assert [
        json.loads(line)["game"] for line in run(path, "list", "--json").stdout.splitlines()
    ] == [3]


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (("--rules", "chess"), "There is no rule set 'chess'; the rule sets are finkel, "),
        (("--since", "yesterday"), "--since must be a day such as 2026-11-20; found 'yesterday'."),
        (
            ("--until", "2026-13-40"),
            "--until must be a day such as 2026-11-20; found '2026-13-40'.",
        ),
        (
            ("--since", "2026-11-22", "--until", "2026-11-20"),
            "--since 2026-11-22 is after --until 2026-11-20; exchange the two.",
        ),
    ],
)
@pytest.mark.parametrize("command", ["list", "check", "stats", "export"])
def test_options_that_cannot_match_are_refused(
    path: Path, command: str, words: tuple[str, ...], output: str
) -> None:
    with pytest.raises(UrpiError) as caught:
        run(path, command, *words)
    assert str(caught.value).startswith(output)


def test_a_dispute_is_printed_as_text_and_written_as_a_page(path: Path, tmp_path: Path) -> None:
    output = run(path, "dispute", "1", "--turn", "3").output
    assert "Turn 3: " in output
    run(path, "dispute", "1", "--minute", "--output", str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert json.loads(run(path, "dispute", "1", "--format", "json").output)["game"] == 1
    run(path, "dispute", "1", "--format", "json", "--output", str(tmp_path / "output.page"))
    assert json.loads((tmp_path / "output.page").read_text())["game"] == 1


def test_a_dispute_contains_no_control_characters(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(3, ['{"t":1,"type":"occupancy","squares":[]}'])
    assert "\x1b" not in run(path, "dispute", "3").output


def test_a_page_that_cannot_be_written_is_an_error(path: Path, tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match=r"page.html cannot be written: No such file"):
        run(path, "dispute", "1", "--output", str(tmp_path / "no" / "page.html"))


def test_a_dispute_is_of_a_turn_or_of_a_minute(path: Path) -> None:
    with pytest.raises(UrpiError, match="use --turn or --minute"):
        run(path, "dispute", "1", "--turn", "1", "--minute")


def test_statistics_are_printed_as_tables_and_as_json(path: Path) -> None:
    output = run(path, "stats").output
    assert output.startswith("3 games, 2 played to the end\n")
    assert re.search(r"\nAnn +2 +", output)
    figures = json.loads(run(path, "stats", "--json", "--rules", "finkel").output)
    assert (figures["games"], figures["ended"]) == (2, 1)
    assert figures["longest"]["game"] == 1
    assert figures["dice"] == []


def test_statistics_are_drawn(path: Path, tmp_path: Path) -> None:
    svg, html = tmp_path / "stats.svg", tmp_path / "stats.html"
    assert run(path, "stats", "--svg", str(svg), "--html", str(html)).output == ""
    titles = [node.text for node in ET.parse(svg).iter(f"{SVG}title")]
    assert titles[0] == "Games won, by player"
    page = html.read_text()
    assert page.count("<svg") == len(titles)
    assert "\x1b" not in page
    assert "<script" not in page


def test_statistics_of_no_games_are_drawn_too(path: Path, tmp_path: Path) -> None:
    svg = tmp_path / "stats.svg"
    run(path, "stats", "--player", "Nobody", "--svg", str(svg))
    ET.parse(svg)
    assert run(path, "stats", "--player", "Nobody").output.startswith("0 games, 0 played")


@pytest.mark.parametrize("words", [("show",), ("replay",), ("export",), ("dispute",)])
@pytest.mark.parametrize("game", ["99", "0", "99999999999999999999"])
def test_a_missing_game_is_an_error(path: Path, words: tuple[str, ...], game: str) -> None:
    with pytest.raises(UrpiError, match=f"has no game {game}; 'urpi games list' shows them"):
        run(path, *words, game)


def test_a_game_is_a_number(path: Path) -> None:
    assert run(path, "show", "last").exit_code == 2


def test_the_journal_is_by_default_the_configured_one(path: Path, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "URPI_CONFIG": None, "URPI_JOURNAL_PATH": str(path)}
    listed = CliRunner(env=environment).invoke(cli, ["games", "list"], catch_exceptions=False)
    assert listed.output == run(path, "list").output


def test_a_missing_journal_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match=r"none.db cannot be used: there is no such file"):
        run(tmp_path / "none.db", "list")
    assert not (tmp_path / "none.db").exists()


def picture_of(path: Path, tmp_path: Path, name: str, *words: str) -> Path:
    file = tmp_path / name
    assert run(path, "picture", *words, "--output", str(file)).output == ""
    return file


def test_a_picture_of_a_step_is_an_svg_or_a_png(path: Path, tmp_path: Path) -> None:
    root = ET.parse(picture_of(path, tmp_path, "a.svg", "1", "--step", "9")).getroot()
    pieces = [one for one in root.iter(f"{SVG}circle") if one.get("r") == "12"]
    assert 0 < len(pieces) < 14
    with Image.open(picture_of(path, tmp_path, "a.png", "1", "--step", "9")) as png:
        assert (png.format, png.size) == ("PNG", (1200, 630))


def test_a_picture_of_a_player_whose_name_has_control_characters_is_valid(
    path: Path, tmp_path: Path
) -> None:
    ET.parse(picture_of(path, tmp_path, "a.svg", "3"))
    with Image.open(picture_of(path, tmp_path, "a.png", "3")) as png:
        assert png.size == (1200, 630)


def test_an_animation_has_a_frame_for_the_start_and_for_every_move(
    path: Path, tmp_path: Path
) -> None:
    with Journal.open(path) as journal:
        lines = [json.loads(entry.line) for entry in journal.entries(2)]
    shown = {"move", "pass", "takeback", "won", "drawn", "abandoned"}
    moves = sum(line["type"] in shown for line in lines)
    rolled = lines[-1]["type"] == "roll"
    with Image.open(picture_of(path, tmp_path, "a.gif", "2")) as gif:
        assert gif.n_frames == 1 + moves + rolled


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("1", "--step", "9999", "--format", "png"), "has no step 9999; its last one is"),
        (("77",), "has no game 77"),
        (("1", "--output", "game.jpg"), "game.jpg must be .svg, .png or .gif; found .jpg"),
        (("1", "--step", "3", "--format", "gif"), "A GIF shows the whole game"),
    ],
)
def test_an_impossible_picture_is_an_error(
    path: Path, words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UrpiError, match=re.escape(message)):
        run(path, "picture", *words)
    assert not Path("game.jpg").exists()


def test_a_journal_that_is_set_aside_is_kept_and_a_new_one_begun(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    content = b"whatever it is" * 1000
    path.write_bytes(content)
    done = CliRunner().invoke(cli, ("games", "--journal", str(path), "set-aside"))
    (aside,) = tmp_path.glob("journal.aside-*.db")
    assert str(aside) in done.output
    assert aside.read_bytes() == content
    assert not path.exists()
    Journal.open(path).close()
