"""Corrections: what was stored stays, what is read is corrected, and every correction is kept."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.journal.games import GAME, STARTED, store_game
from urpi.core.errors import UrpiError
from urpi.journal import (
    Choice,
    Correction,
    CorrectionKind,
    DamagedError,
    Journal,
    anonymise_player,
    check_contents,
    check_game,
    correct_game,
    delete_game,
    find_game,
    import_archive,
    list_games,
    players_of,
    read_corrections,
    stored_record,
    write_archive,
)
from urpi.journal.corrections import is_void
from urpi.journal.repair import replace_damaged
from urpi.rules.record import parse_record, record_text
from urpi.show.stats_report.reading import figures_of_game

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
AT = "2026-11-28T12:00:00+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


def correct(journal: Journal, game: int, kind: CorrectionKind, text: str = "") -> None:
    correct_game(journal, game, {kind: text}, "a mistake", NOW)


def test_a_corrected_name_is_read_everywhere_and_what_was_stored_stays(journal: Journal) -> None:
    game = store_game(journal, longest=40)
    before = [entry.line for entry in journal.entries(game)]
    correct(journal, game, "dark", "  Bea ")
    assert find_game(journal, game).names == ("Ann", "Bea")
    assert [one.names for one in list_games(journal, Choice(player="Bea"))] == [("Ann", "Bea")]
    assert list_games(journal, Choice(player="Zoë")) == ()
    assert players_of(journal, 5, virtual=True) == ("Ann", "Bea")
    figures = figures_of_game(journal, game)
    assert figures is not None
    assert (figures.light, figures.dark) == ("Ann", "Bea")
    assert [entry.line for entry in journal.entries(game)] == before
    assert '"dark":"Zoë"' in before[0]
    check_contents(journal)
    assert check_game(journal, game).replay is not None


def test_the_record_has_a_tag_for_each_correction(journal: Journal) -> None:
    game = store_game(journal, longest=40)
    correct(journal, game, "light", 'Bea "B" \\')
    correct(journal, game, "light", "")
    correct_game(journal, game, {"note": "In the garden"}, "", NOW)
    correct(journal, game, "void")
    record = parse_record(record_text(stored_record(journal, game)))
    assert record.tag("Light") == ""
    assert [value for name, value in record.tags if name.startswith("Correction")] == [
        f'{AT} light: Ann > Bea "B" \\; a mistake',
        f'{AT} light: Bea "B" \\ > ?; a mistake',
        f"{AT} note: In the garden",
        f"{AT} void; a mistake",
    ]


def test_a_void_game_is_left_out_until_it_is_valid_again(journal: Journal) -> None:
    game = store_game(journal, longest=40)
    correct(journal, game, "void")
    assert find_game(journal, game).void
    assert list_games(journal, Choice(void=False)) == ()
    assert len(list_games(journal)) == 1
    correct(journal, game, "valid")
    assert len(list_games(journal, Choice(void=False))) == 1


@given(st.lists(st.sampled_from(["light", "dark", "note", "void", "valid"]), max_size=12))
def test_a_correction_that_changes_nothing_is_refused(kinds: list[CorrectionKind]) -> None:
    with TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.db") as journal:
        journal.rows("PRAGMA synchronous = OFF")
        game = journal.new_game(GAME, STARTED, "1.0.0", {})
        names, void, kept = {"light": "Ann", "dark": "Bo"}, False, 0
        for number, kind in enumerate(kinds):
            text = f"Name {number % 3}" if kind in names else "x" * (kind == "note")
            changes = names.get(kind) != text and (kind not in {"void", "valid"})
            changes |= kind in {"void", "valid"} and void is (kind == "valid")
            try:
                correct(journal, game, kind, text)
            except UrpiError:
                assert not changes
                continue
            assert changes
            kept += 1
            names |= {kind: text} if kind in names else {}
            void = kind == "void" if kind in {"void", "valid"} else void
        found = find_game(journal, game)
        assert found.names == (names["light"], names["dark"])
        assert is_void(found.corrections) is void
        assert len(found.corrections) == kept


@pytest.mark.parametrize(
    ("changes", "reason", "message"),
    [
        ({}, "a mistake", "Nothing is to be corrected"),
        ({"void": ""}, " ", "A correction needs a reason; say why game 1 is corrected"),
        ({"light": "x" * 41}, "a mistake", "at most 40 characters long; found 41"),
        ({"light": "\u200b"}, "a mistake", "no visible character"),
        ({"note": " "}, "", "A note must have a text"),
        ({"note": "x" * 501}, "", "A note must be at most 500 characters long; found 501"),
        ({"note": "a\x1b[2J"}, "", "A note must have no control characters"),
        ({"void": ""}, "x" * 501, "A reason must be at most 500"),
        ({"dark": "Bea", "valid": ""}, "a mistake", "Game 1 is valid already"),
        ({"deleted": ""}, "a mistake", "A game is not corrected by deleted"),
    ],
)
def test_an_invalid_correction_stores_nothing(
    journal: Journal, changes: dict[CorrectionKind, str], reason: str, message: str
) -> None:
    journal.new_game(GAME, STARTED, "1.0.0", {})
    with pytest.raises(UrpiError, match=message):
        correct_game(journal, 1, changes, reason, NOW)
    assert read_corrections(journal) == ()


def test_nothing_but_an_entry_is_left_of_a_deleted_game(journal: Journal, path: Path) -> None:
    first, last = store_game(journal, longest=40), store_game(journal, seed=2, longest=40)
    kept = [entry.line for entry in journal.entries(first)]
    correct(journal, last, "light", "Wilhelmina")
    seq = journal.last_seq(last)
    delete_game(journal, last, "only a test", NOW)
    assert read_corrections(journal) == (Correction(last, AT, "deleted", "", "only a test"),)
    assert [one.id for one in list_games(journal)] == [first]
    assert [entry.line for entry in journal.entries(first)] == kept
    with pytest.raises(UrpiError, match=f"no game {last} any more: it was deleted at .*: only a "):
        find_game(journal, last)
    check_contents(journal)
    assert b"Wilhelmina" not in path.read_bytes()
    # Neither its number nor the numbers of its lines are given again.
    assert journal.new_game(GAME, STARTED, "1.0.0", {}) == last + 1
    assert journal.last_seq(last + 1) == seq + 1


def test_the_newest_game_of_a_table_is_deleted_only_when_the_next_one_has_begun(
    journal: Journal,
) -> None:
    for table in ("board", "virtual"):
        journal.new_game(GAME, STARTED, "1.0.0", {"table": table})
    for game in (1, 2):
        with pytest.raises(UrpiError, match=f"Game {game} is the newest one of its table"):
            delete_game(journal, game, "only a test", NOW)
    journal.new_game(GAME, STARTED, "1.0.0", {"table": "board"})
    delete_game(journal, 1, "only a test", NOW)
    assert [one.id for one in list_games(journal)] == [3, 2]


def test_a_deletion_needs_a_reason(journal: Journal) -> None:
    journal.new_game(GAME, STARTED, "1.0.0", {})
    with pytest.raises(UrpiError, match="A deletion needs a reason"):
        delete_game(journal, 1, "", NOW)
    assert len(list_games(journal)) == 1


def test_corrections_are_appended_to_and_never_changed(journal: Journal) -> None:
    journal.new_game(GAME, STARTED, "1.0.0", {})
    correct(journal, 1, "void")
    delete_game(journal, 1, "only a test", NOW)
    for statement in ("UPDATE corrections SET reason = ''", "DELETE FROM corrections"):
        with pytest.raises(sqlite3.IntegrityError, match="appended to, never changed"):
            journal.connection.db.execute(statement)


@pytest.mark.parametrize("column", ["game", "at", "kind", "value", "reason", "seq", "id"])
def test_a_changed_correction_is_reported(journal: Journal, path: Path, column: str) -> None:
    journal.new_game(GAME, STARTED, "1.0.0", {})
    correct(journal, 1, "dark", "Bea")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER corrections_not_UPDATE")
        value = 9 if column in {"game", "seq", "id"} else "void"
        db.execute(f"UPDATE corrections SET {column} = ?", (value,))
    with pytest.raises(DamagedError, match=r"a correction of game \d is not what was stored"):
        read_corrections(journal)
    with pytest.raises(DamagedError):
        check_contents(journal)


def test_corrections_travel_with_an_archive(journal: Journal, tmp_path: Path) -> None:
    game = store_game(journal, longest=40)
    correct(journal, game, "dark", "Bea")
    correct(journal, game, "void")
    lines: list[str] = []
    write_archive(journal, [game], lines.append, "1.0.0")
    archive = BytesIO("".join(lines).encode())
    with Journal.open(tmp_path / "other.db") as other:
        store_game(other, seed=2, longest=40)
        assert import_archive(other, archive, NOW).games == (2,)
        assert read_corrections(other, 2) == tuple(
            Correction(2, one.at, one.kind, one.text, one.reason)
            for one in read_corrections(journal, game)
        )
        assert find_game(other, 2).void
        # A game that is known keeps the corrections that it has.
        assert import_archive(other, archive, NOW).known == 1
        assert len(read_corrections(other)) == 2


@pytest.mark.parametrize(
    "corrections",
    [
        "{}",
        "[1]",
        '[{"at":"2026-11-28T12:00:00+00:00","kind":"void","text":""}]',
        '[{"at":"2026-11-28T12:00:00+00:00","kind":"deleted","text":"","reason":""}]',
        '[{"at":"2026-11-28T12:00:00+00:00","kind":"note","text":"a\\nb","reason":""}]',
        '[{"at":"yesterday","kind":"void","text":"","reason":""}]',
    ],
)
def test_an_archive_with_invalid_corrections_is_rejected(
    journal: Journal, corrections: str
) -> None:
    game = store_game(journal, longest=40)
    lines: list[str] = []
    write_archive(journal, [game], lines.append, "1.0.0")
    lines[1] = lines[1].replace('"settings"', f'"corrections":{corrections},"settings"')
    digest = sha256("".join(lines[:-1]).encode()).hexdigest()
    lines[-1] = f'{{"type":"end","games":1,"sha256":"{digest}"}}\n'
    with pytest.raises(UrpiError, match="Line 2 of the archive: "):
        import_archive(journal, BytesIO("".join(lines).encode()), NOW)


def test_an_anonymised_name_is_in_no_correction(journal: Journal, path: Path) -> None:
    game = store_game(journal, longest=40)
    correct_game(journal, game, {"dark": "Wilhelmina"}, "Wilhelmina played, not Zoë", NOW)
    correct_game(journal, game, {"note": "Wilhelmina came late"}, "", NOW)
    correct(journal, game, "dark", "Bea")
    assert anonymise_player(journal, "Wilhelmina", "Player 1") == 1
    assert [(one.text, one.reason) for one in read_corrections(journal)] == [
        ("Player 1", "Player 1 played, not Zoë"),
        ("Player 1 came late", ""),
        ("Bea", "a mistake"),
    ]
    # The name that was corrected is still stored with the game.
    anonymise_player(journal, "Zoë", "Player 2")
    assert find_game(journal, game).names == ("Ann", "Bea")
    for name in ("Wilhelmina", "Zoë"):
        assert name.encode() not in path.read_bytes()


def test_corrections_are_saved_from_a_damaged_file(path: Path) -> None:
    with Journal.open(path) as journal:
        for seed in (1, 2):
            store_game(journal, seed=seed, longest=40)
        correct(journal, 1, "dark", "Bea")
        delete_game(journal, 2, "only a test", NOW)
        corrections = read_corrections(journal)
    with replace_damaged(path, NOW)[0] as saved:
        assert read_corrections(saved) == corrections
        assert find_game(saved, 1).dark == "Bea"
        assert saved.new_game(GAME, STARTED, "1.0.0", {}) == 3
