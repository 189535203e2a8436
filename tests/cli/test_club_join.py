"""`urpi club join` stores a password only with a connection that works, and always as a whole."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.install.doctor.ports import REFUSAL, port_that
from urpi.cli.main import cli
from urpi.config import read
from urpi.core.errors import UrpiError


class Joining:
    """A table that joins a club with files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.config, self.password_file = folder / "config.toml", folder / "secrets" / "password"

    def join(self, port: int, *options: str, typed: str = "") -> Result:
        return CliRunner().invoke(
            cli,
            [
                *("--config", str(self.config), "club", "join", f"127.0.0.1:{port}", "lisbon"),
                *("--password-file", str(self.password_file), *options),
            ],
            input=typed,
        )

    @property
    def files(self) -> set[Path]:
        folder = self.config.parent
        return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def joining(tmp_path: Path) -> Joining:
    found = Joining(tmp_path)
    found.config.write_text("")
    return found


def error_of(result: Result) -> str:
    assert isinstance(result.exception, UrpiError), result.output
    return str(result.exception)


def test_without_a_terminal_and_a_password_a_join_is_a_one_line_error(joining: Joining) -> None:
    for typed in ("", "\n"):
        result = joining.join(1, typed=typed)
        assert isinstance(result.exception, UrpiError)
        assert "There is no password of lisbon on standard input" in str(result.exception)
        assert result.output == ""
        assert joining.files == {Path("config.toml")}


def test_a_refused_password_is_not_stored_and_asked_for_again(joining: Joining) -> None:
    with port_that(REFUSAL) as port:
        for _ in range(2):
            result = joining.join(port, typed="mistyped\n")
            assert "refuses lisbon" in result.output
            assert "the password, which is not stored." in result.output
            assert error_of(result).startswith("Nothing is stored;")
            assert joining.files == {Path("config.toml")}
    assert joining.config.read_text() == ""


def test_a_refused_password_of_a_file_names_the_file(joining: Joining) -> None:
    joining.password_file.parent.mkdir()
    joining.password_file.write_text("wrong\n")
    joining.password_file.chmod(0o600)
    with port_that(REFUSAL) as port:
        result = joining.join(port)
    assert f"the password in {joining.password_file}; `urpi club join` asks" in result.output
    error_of(result)
    assert joining.password_file.read_text() == "wrong\n"


def test_force_stores_a_password_that_could_not_be_tried(joining: Joining) -> None:
    with port_that(REFUSAL) as port:
        result = joining.join(port, "--force", typed="secret\n")
    assert result.exception is None, result.output
    assert joining.password_file.read_text() == "secret\n"
    assert joining.password_file.stat().st_mode & 0o777 == 0o600
    assert str(joining.password_file) in joining.config.read_text()


def test_a_password_that_cannot_be_written_leaves_no_file(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with port_that(REFUSAL) as port:
        result = joining.join(port, "--force", typed="secret\n")
    assert error_of(result) == (
        f"The password file {joining.password_file} cannot be written: No space left on device; "
        "choose another with --password-file."
    )
    assert joining.files == {Path("config.toml")}
    assert joining.config.read_text() == ""


def test_a_relative_path_is_stored_as_an_absolute_one(
    joining: Joining, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    joining.password_file = Path("password")
    with port_that(REFUSAL) as port:
        joining.join(port, "--force", typed="secret\n")
    assert read(joining.config).config.club.password_file == str(tmp_path / "password")
