"""`urpi service`: install, status and remove below a root folder."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.install.systemd import packaged_files


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


def install_package(root: Path) -> None:
    for file in packaged_files():
        path = root / file.path.relative_to("/")
        path.parent.mkdir(parents=True)
        path.write_text(file.text)


def test_status_shows_the_files_of_the_debian_package(tmp_path: Path) -> None:
    install_package(tmp_path)
    code, text = run("status", "--root", str(tmp_path))
    assert code == 0
    assert text.count(": installed (") == 4
    assert f"{tmp_path}/usr/lib/systemd/system/urpi.service: installed" in text


def test_the_service_is_not_installed_beside_the_debian_package(tmp_path: Path) -> None:
    install_package(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UrpiError, match="The Debian package urpi has installed the service; start"):
        cli.main(
            ["service", "install", "--root", str(tmp_path), "--program", "/opt/urpi"],
            standalone_mode=False,
        )
    assert sorted(tmp_path.rglob("*")) == before


def test_an_own_service_that_takes_precedence_over_the_package_s_can_be_updated(
    tmp_path: Path,
) -> None:
    root = ("--root", str(tmp_path), "--program", "/opt/urpi/bin/urpi")
    assert run("install", *root)[0] == 0
    install_package_over(tmp_path)
    assert run("install", *root)[0] == 0
    assert "/etc/systemd/system/urpi.service" in run("status", *root[:2])[1]


def install_package_over(root: Path) -> None:
    """Write the package's unit only, as dpkg does beside the files of `urpi service install`."""
    unit = packaged_files()[-1]
    path = root / unit.path.relative_to("/")
    path.parent.mkdir(parents=True)
    path.write_text(unit.text)
