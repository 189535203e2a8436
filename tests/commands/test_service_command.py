from pathlib import Path

import pytest
from click.testing import CliRunner

from urpi.cli import cli
from urpi.errors import UrpiError


def said(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["service", *words])
    return done.exit_code, done.output


def test_a_dry_run_says_every_file_and_command_and_writes_nothing(tmp_path: Path) -> None:
    code, text = said("install", "--dry-run", "--program", "/opt/urpi/bin/urpi")
    assert code == 0
    assert "/etc/systemd/system/urpi.service: would be" in text
    assert "would run: systemctl daemon-reload" in text


def test_an_image_gets_the_files_and_loses_them_again(tmp_path: Path) -> None:
    root = ("--root", str(tmp_path))
    code, text = said("install", *root, "--program", "/opt/urpi/bin/urpi")
    assert code == 0
    assert f"{tmp_path}/etc/systemd/system/urpi.service: written (the service)" in text
    assert said("status", *root)[1].count(": there (") == 4
    code, text = said("remove", *root)
    assert code == 0
    assert f"{tmp_path}/etc/udev/rules.d/70-urpi-hub.rules: removed" in text
    assert said("status", *root)[1].count(": not there (") == 3


def test_a_program_is_named_by_its_absolute_path() -> None:
    with pytest.raises(UrpiError, match=r"--program is bin/urpi; give an absolute path"):
        CliRunner().invoke(
            cli,
            ["service", "install", "--dry-run", "--program", "bin/urpi"],
            catch_exceptions=False,
        )
