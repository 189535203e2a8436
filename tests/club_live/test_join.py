"""`urpi club join` with a real broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.club_live.running import Broker, shared_folder
from urpi.cli import cli
from urpi.config import read


@pytest.fixture
def broker() -> Iterator[Broker]:
    with shared_folder() as folder:
        found = Broker(folder, ("lisbon", "porto"))
        found.start()
        try:
            yield found
        finally:
            found.kill()


def join(broker: Broker, config: Path, password_file: Path, typed: str = "") -> Result:
    config.touch()
    return CliRunner().invoke(
        cli,
        [
            *("--config", str(config), "club", "join", f"127.0.0.1:{broker.port}", "lisbon"),
            *("--password-file", str(password_file)),
        ],
        input=typed,
    )


def test_a_mistyped_password_is_corrected_by_joining_again(broker: Broker, tmp_path: Path) -> None:
    config, file = tmp_path / "config.toml", tmp_path / "password"
    password = (broker.files / "lisbon.password").read_text()
    assert join(broker, config, file, "mistyped\n").exception is not None
    assert not file.exists()
    result = join(broker, config, file, password)
    assert result.exception is None, result.output
    assert file.read_text() == password
    assert read(config).config.club.password_file == str(file)


def test_a_missing_club_is_no_fault(broker: Broker, tmp_path: Path) -> None:
    result = join(broker, tmp_path / "config.toml", broker.files / "lisbon.password")
    assert result.exception is None, result.output
    first, *_ = result.output.splitlines()
    assert first == (
        f"The broker 127.0.0.1:{broker.port} accepts lisbon (not encrypted). `urpi club serve` "
        "does not answer: games are kept, and sent to it when it does; games on two boards and "
        "Home Assistant work without it."
    )


def test_the_password_is_not_asked_for_if_there_is_a_file(broker: Broker, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    result = join(broker, config, broker.files / "lisbon.password")
    assert result.exception is None, result.output
    assert "The password of" not in result.output
    assert read(config).config.club.table == "lisbon"
