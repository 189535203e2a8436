"""Files of a command: written completely, or not at all."""

import os
import subprocess
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from tests.cli.running import URPI
from tests.journal.games import store_game
from tests.slow import mostly_slow, slow_except
from urpi.cli.main import cli
from urpi.cli.output import replacing, write
from urpi.core.errors import UrpiError
from urpi.journal import Journal


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "journal.db"
    with Journal.open(path) as opened:
        store_game(opened, "finkel", seed=1, longest=40)
    return path


def run_with_small_files(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `urpi` with a file size limit of 512 bytes, as on a full disk."""
    limited = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *URPI, *words]
    # The limit would also cut off the modules' compiled code, which then cannot be imported.
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        limited, capture_output=True, text=True, timeout=240, check=False, env=env
    )


WRITING = (
    "template --output",
    "template --format pdf --output",
    "games --journal JOURNAL dispute 1 --output",
    "games --journal JOURNAL stats --svg",
    "games --journal JOURNAL stats --html",
    "games --journal JOURNAL export --output",
)


@pytest.mark.parametrize("words", slow_except(WRITING, WRITING[2]))
def test_a_full_disk_leaves_the_old_file_and_no_temporary_one(
    words: str, journal: Path, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    ended = run_with_small_files(*words.replace("JOURNAL", str(journal)).split(), str(file))
    assert ended.returncode == 2
    assert ended.stderr == f"The file {file} cannot be written: File too large; choose another.\n"
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def break_off(path: Path) -> None:
    with replacing(path) as opened:
        opened.write("new")
        raise KeyboardInterrupt


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        break_off(file)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    write(pipe, "new")
    reader.join()
    assert received == ["new"]
    assert pipe.is_fifo()


def test_a_link_is_kept_and_its_target_replaced(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match=r"no/file cannot be written: No such file or directory;"):
        write(tmp_path / "no" / "file", "new")


COMMANDS_WITH_FORMATS = {
    "template": {".svg": b"<?xml", ".pdf": b"%PDF", ".dxf": b"  0\nSECTION"},
    "games --journal JOURNAL picture 1": {".svg": b"<", ".png": b"\x89PNG"},
    "games --journal JOURNAL dispute 1 --turn 1": {".txt": b"", ".json": b"{", ".html": b"<!"},
    "games --journal JOURNAL export 1": {
        ".txt": b"[Rules",
        ".jsonl": b"{",
        ".json": b"{",
        ".csv": b"game,",
        ".tsv": b"game\t",
    },
    "games --journal JOURNAL stats": {
        ".txt": b"",
        ".json": b"{",
        ".jsonl": b"{",
        ".csv": b"table,",
    },
}


@pytest.mark.parametrize("words", mostly_slow(COMMANDS_WITH_FORMATS, 2))
def test_the_suffix_of_a_file_selects_its_format_or_is_refused(
    words: str, journal: Path, tmp_path: Path
) -> None:
    command = words.replace("JOURNAL", str(journal)).split()
    starts = COMMANDS_WITH_FORMATS[words]
    for suffix, start in starts.items():
        for spelt in (suffix, suffix.upper()):
            file = tmp_path / f"file{spelt}"
            assert CliRunner().invoke(cli, [*command, "--output", str(file)]).exit_code == 0
            assert file.read_bytes().startswith(start), suffix
    for suffix in (".docx", ".ods", f"{next(iter(starts))}.zip", ".x" * 3):
        file = tmp_path / f"other{suffix}"
        error = str(CliRunner().invoke(cli, [*command, "--output", str(file)]).exception)
        assert f"The suffix of {file} must be {next(iter(starts))}" in error
        assert "\n" not in error
        assert not file.exists()
