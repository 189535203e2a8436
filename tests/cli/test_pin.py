"""`urpi pin`: the PIN outside of the display."""

import stat
from pathlib import Path

from click.testing import CliRunner, Result

from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.http.access import Access, access_file, write_access


def run(folder: Path, *words: str) -> Result:
    config = folder / "config.toml"
    config.write_text(f'[journal]\npath = "{folder}/games.db"\n', "utf-8")
    return CliRunner().invoke(cli, ["--config", str(config), "pin", *words])


def test_the_pin_is_printed_and_replaced_while_the_table_runs(tmp_path: Path) -> None:
    access = Access(file=access_file(tmp_path / "games.db"))
    before, token = access.pin, access.enter(access.pin, "192.0.2.1", 0.0).token
    assert run(tmp_path).output == f"{before}\n"
    assert access.is_valid(token)
    printed = run(tmp_path, "--new").output
    assert printed == f"{access.pin}\n" == run(tmp_path).output
    assert not access.is_valid(token)


def test_a_missing_and_a_damaged_file_are_named(tmp_path: Path) -> None:
    file = access_file(tmp_path / "games.db")
    for content, reason in ((None, "has not been served"), ("{}", "is damaged")):
        if content is not None:
            file.write_text(content, "utf-8")
        for words in ((), ("--new",)):
            error = run(tmp_path, *words).exception
            assert isinstance(error, UrpiError)
            assert str(file) in str(error)
            assert reason in str(error)
    assert file.read_text("utf-8") == "{}"


def test_the_file_keeps_its_owner_when_root_replaces_the_pin(tmp_path: Path) -> None:
    file = access_file(tmp_path / "games.db")
    write_access(file, "314159")
    owner = file.stat()
    assert run(tmp_path, "--new").exit_code == 0
    after = file.stat()
    assert (after.st_uid, after.st_gid) == (owner.st_uid, owner.st_gid)
    assert stat.S_IMODE(after.st_mode) == 0o600
