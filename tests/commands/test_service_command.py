"""`urpi service`: install, status and remove below a root folder."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from urpi.cli import cli
from urpi.errors import UrpiError


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["service", *arguments])
    return done.exit_code, done.output


def test_a_dry_run_lists_every_file_and_command_and_writes_nothing(tmp_path: Path) -> None:
    code, text = run("install", "--dry-run", "--program", "/opt/urpi/bin/urpi")
    assert code == 0
    assert "/etc/systemd/system/urpi.service: would be" in text
    assert "would run: systemctl daemon-reload" in text


def test_the_files_are_installed_below_a_root_and_removed_again(tmp_path: Path) -> None:
    root = ("--root", str(tmp_path))
    code, text = run("install", *root, "--program", "/opt/urpi/bin/urpi")
    assert code == 0
    assert f"{tmp_path}/etc/systemd/system/urpi.service: written (the service)" in text
    assert run("status", *root)[1].count(": installed (") == 4
    code, text = run("remove", *root)
    assert code == 0
    assert f"{tmp_path}/etc/udev/rules.d/70-urpi-hub.rules: removed" in text
    assert run("status", *root)[1].count(": not installed (") == 3


def test_a_relative_path_of_the_program_is_rejected() -> None:
    with pytest.raises(UrpiError, match=r"--program is bin/urpi; give an absolute path"):
        CliRunner().invoke(
            cli,
            ["service", "install", "--dry-run", "--program", "bin/urpi"],
            catch_exceptions=False,
        )
