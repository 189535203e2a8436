"""Archives: an import stores the exported games unchanged, and rejects an invalid archive."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.journal.games import STARTED, store_game
from urpi.core.errors import UrpiError
from urpi.journal import (
    Journal,
    check_game,
    entries_of,
    find_game,
    import_archive,
    list_games,
    settings_of,
    stored_record,
    unfinished_game,
    write_archive,
)
from urpi.journal.archive import ArchiveLimits, read_archive

NOW = datetime.fromisoformat("2026-11-21T12:00:00+01:00")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A finished game of finkel, one of bell in which light resigned, and one just begun."""
    path = tmp_path_factory.mktemp("from") / "journal.db"
    written: list[str] = []
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1)
        store_game(journal, "bell", seed=2, longest=40)
        journal.new_game(
            '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"","x":"\\u00eb"}',
            STARTED,
            "1.0.0",
            {"table": "board"},
        )
        journal.finish(1, STARTED)
        write_archive(journal, [1, 2, 3], written.append, "1.0.0")
    return "".join(written)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "to.db") as opened:
        opened.rows("PRAGMA synchronous = OFF")
        yield opened


def file_of(text: str | bytes) -> BytesIO:
    return BytesIO(text if isinstance(text, bytes) else text.encode())


def with_checksum(lines: list[str]) -> str:
    """Return the lines of an archive with a correct checksum in the end line."""
    *before, end = lines
    text = "".join(f"{line}\n" for line in before)
    content = json.loads(end) | {"sha256": sha256(text.encode()).hexdigest()}
    return text + json.dumps(content) + "\n"


def test_an_exported_archive_imports_every_game_unchanged(archive: str, journal: Journal) -> None:
    done = import_archive(journal, file_of(archive), NOW)
    assert (done.games, done.known) == ((1, 2, 3), 0)
    again: list[str] = []
    write_archive(journal, done.games, again.append, "1.0.0")
    added = {"imported", "table_there", "table"}

    def content(text: str) -> list[dict]:
        objects = [json.loads(line) for line in text.splitlines()]
        for each in objects:
            each["settings"] = {
                name: value for name, value in each.get("settings", {}).items() if name not in added
            }
        return objects[:-1]

    assert content("".join(again)) == content(archive)
    assert find_game(journal, 1).finished is not None


def test_an_imported_game_belongs_to_no_table(archive: str, journal: Journal) -> None:
    import_archive(journal, file_of(archive), NOW)
    assert unfinished_game(journal, "board") is None
    assert settings_of(journal, 3) == {"imported": NOW.isoformat(), "table_there": "board"}


def test_games_that_the_journal_already_has_are_skipped(archive: str, journal: Journal) -> None:
    file = file_of(archive)
    import_archive(journal, file, NOW)
    again = import_archive(journal, file, NOW)
    assert (again.games, again.known) == ((), 3)
    assert len(list_games(journal)) == 3


def line_of(archive: str, kind: str) -> int:
    return next(n for n, line in enumerate(archive.splitlines()) if f'"type":"{kind}"' in line)


def changed(kind: str, old: str, new: str) -> Callable[[str], str]:
    """Return a function that changes the first line of a type, and corrects the checksum."""

    def change(archive: str) -> str:
        lines = archive.splitlines()
        place = line_of(archive, kind)
        assert old in lines[place], lines[place]
        lines[place] = lines[place].replace(old, new)
        return with_checksum(lines)

    return change


def other_winner(archive: str) -> str:
    lines = archive.splitlines()
    place = line_of(archive, "won")
    light, dark = '"side":"light"', '"side":"dark"'
    old, new = (light, dark) if light in lines[place] else (dark, light)
    return changed("won", old, new)(archive)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-200], r"Line \d+ of the archive: it is not a JSON|has no end|cut off"),
        (lambda text: text.rpartition("\n{")[0] + "\n", "without its end line"),
        (lambda text: text.replace("gs--", "gg--", 1), "the archive is damaged"),
        (changed("roll", '"type":"roll"', '"type":[]'), "is not a JSON object with a text as"),
        (lambda text: text + text, "nothing may follow the end line"),
        (lambda _: "", "Line 1 .*cut off"),
        (lambda _: "{}\n", 'begins with a line of the type "urpi-games"'),
        (lambda _: "[" * 100_000 + "\n", "Line 1 .*not a JSON object"),
        (changed("urpi-games", '"format":1', '"format":2'), "format 2, .* install a newer urpi"),
        (changed("urpi-games", '"format":1', '"format":0'), "format is a whole number"),
        (changed("end", '"games":3', '"games":4'), "it counts 4 games, but there are 3 before it"),
        (changed("stored-game", '"settings":{', '"settings":{"a":1,'), "object of texts"),
        (changed("stored-game", '"lines":', '"lines":9'), r"Line \d+"),
        (changed("stored-game", STARTED, "yesterday"), "a time must look like"),
        (
            changed("stored-game", '"still_ms":"200"', '"still_ms":"soon"'),
            "still_ms must be a whole",
        ),
        (changed("stored-game", STARTED, "2026-11-20T19:02:11"), "a time must look like"),
        (changed("game", '"rules":"finkel"', '"rules":"chess"'), "Line 3: .*no rule set 'chess'"),
        (
            changed("occupancy", '"t":1000', '"t":1e3'),
            r"Line \d+: t of a line of type occupancy must be a whole number",
        ),
        (changed("roll", '"faces":"', '"faces":"x'), "cannot show|faces"),
        (changed("move", '"move":"', '"move":"B1-B2,'), r"Line \d+: .* is not legal with"),
        (other_winner, "but the record's Result is"),
        (
            changed("game", '"type":"game"', '"type":"time"'),
            r"Line \d+: a game must begin with a line of type game",
        ),
    ],
)
def test_an_invalid_archive_is_rejected_as_a_whole_with_line_and_reason(
    archive: str, journal: Journal, change: Callable[[str], str], message: str
) -> None:
    with pytest.raises(UrpiError, match=message):
        import_archive(journal, file_of(change(archive)), NOW)
    assert list_games(journal) == ()


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (
            ArchiveLimits(size_bytes=1000),
            "an archive is at most 1000 bytes long; export fewer games",
        ),
        (ArchiveLimits(games=2), "an archive has at most 2 games; export fewer"),
        (ArchiveLimits(lines=5), "lines is a whole number from 1 to 5"),
    ],
)
def test_an_archive_above_a_limit_is_rejected(
    archive: str, journal: Journal, limits: ArchiveLimits, message: str
) -> None:
    with pytest.raises(UrpiError, match=message):
        import_archive(journal, file_of(archive), NOW, limits)
    assert list_games(journal) == ()


def test_facts_that_go_back_in_time_are_rejected(archive: str, journal: Journal) -> None:
    lines = archive.splitlines()
    place = line_of(archive, "answer")
    lines[place] = lines[place].replace('{"t":', '{"t":9')
    with pytest.raises(UrpiError, match="t decreases from"):
        import_archive(journal, file_of(with_checksum(lines)), NOW)


def test_a_position_that_does_not_follow_from_the_move_is_rejected(journal: Journal) -> None:
    lines = [
        '{"type":"urpi-games","format":1,"program":"1"}',
        f'{{"type":"stored-game","started":"{STARTED}","program":"1","settings":{{}},"lines":4}}',
        '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"","first":"light"}',
        '{"t":1,"type":"starts","side":"light","why":"given"}',
        '{"t":2,"type":"roll","side":"light","faces":"g---","value":1,"legal":["+A4"]}',
        """{"t":3,"type":"move","side":"light","move":"+A4","position":"finkel A3:L L6D7 L0D0 D",
        "confidence":"sensed"}""".replace("\n        ", ""),
        '{"type":"end","games":1,"sha256":""}',
    ]
    with pytest.raises(UrpiError, match=r"Line 6: \+A4 leads to finkel A4:L .* found finkel A3:L"):
        import_archive(journal, file_of(with_checksum(lines)), NOW)
    lines[5] = lines[5].replace("A3:L", "A4:L")
    assert import_archive(journal, file_of(with_checksum(lines)), NOW).games == (1,)


def test_nothing_is_stored_if_the_disk_fails_during_an_import(
    archive: str, journal: Journal
) -> None:
    ((pages,),) = journal.rows("PRAGMA page_count")
    journal.rows(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(UrpiError, match="full"):
        import_archive(journal, file_of(archive), NOW)
    journal.rows("PRAGMA max_page_count = 100000")
    assert list_games(journal) == ()


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_a_corrupted_archive_is_rejected(archive: str, tmp_path: Path, data) -> None:
    """Bytes are changed, removed and inserted; the only error raised is `UrpiError`."""
    corrupted = bytearray(archive.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(corrupted) - 1))
        length = data.draw(st.integers(0, 40))
        corrupted[place : place + length] = data.draw(st.binary(max_size=8))
    file = BytesIO(bytes(corrupted))
    if bytes(corrupted) == archive.encode():
        return
    with pytest.raises(UrpiError):
        list(read_archive(file.readline))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
@example(b'{"type":"urpi-games","format":1e400}\n')
@example(b'{"type":"urpi-games","format":1}\n{"type":"stored-game","lines":-1}\n')
@example(b"\xff\xfe\n")
def test_random_bytes_are_rejected_with_their_line(text: bytes) -> None:
    with pytest.raises(UrpiError, match=r"^Line \d+ of the archive: "):
        list(read_archive(BytesIO(text).readline))


def test_an_imported_game_has_a_record(archive: str, journal: Journal) -> None:
    import_archive(journal, file_of(archive), NOW)
    assert stored_record(journal, 1).tag("Light") == "Ann"
    assert len(entries_of(journal, 2)) > 100


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game of a few throws."""
    written: list[str] = []
    with Journal.open(tmp_path_factory.mktemp("short") / "journal.db") as journal:
        store_game(journal, "ravensburger", seed=4, longest=12)
        write_archive(journal, [1], written.append, "1.0.0")
    return "".join(written)


WORDS = (
    *("light", "dark", "gs--", "+A4", "A4-off", "pass", "B4", "6", "finkel", "roll", "move", "won"),
    *(
        "takeback",
        "game",
        "starts",
        "occupancy",
        "",
        "\\u0000",
        "0",
        "-1",
        "1e9",
        "null",
        "[]",
        "{}",
    ),
)


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_a_forged_archive_is_rejected_or_contains_games_that_can_be_checked_and_recorded(
    short: str, journal: Journal, data
) -> None:
    """Words are replaced, lines are moved, and the checksum is corrected."""
    lines = short.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(1, len(lines) - 2))
        words = re.split(r"\b", lines[place])
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(WORDS))
        lines[place] = "".join(words)
        if data.draw(st.booleans()):
            lines.insert(data.draw(st.integers(1, len(lines) - 2)), lines.pop(place))
    before = len(list_games(journal))
    try:
        done = import_archive(journal, file_of(with_checksum(lines)), NOW)
    except UrpiError:
        assert len(list_games(journal)) == before
        return
    for game in done.games:
        check_game(journal, game)
        stored_record(journal, game)
