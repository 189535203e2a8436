"""The files of the service: their content, and writing and removing them."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from urpi.config import read
from urpi.core.errors import UrpiError
from urpi.install.systemd import (
    MARK,
    PACKAGE_MARK,
    UnitState,
    file_state,
    packaged_files,
    remove_file,
    service_files,
    write_file,
)

PROGRAM = Path("/opt/urpi/bin/urpi")
FILES = {file.path.name: file for file in service_files(PROGRAM)}
NEEDS_SYSTEMD = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="needs Debian's package systemd",
)


def install(root, program=PROGRAM):
    return {file.path.name: write_file(file, root) for file in service_files(program)}


@NEEDS_SYSTEMD
def test_systemd_accepts_the_unit(tmp_path):
    install(tmp_path, Path("/bin/true"))
    unit = tmp_path / "etc/systemd/system/urpi.service"
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("/opt/urpi/bin/urpi", "ExecStart=/opt/urpi/bin/urpi --config"),
        ("/opt/my urpi/urpi", 'ExecStart="/opt/my urpi/urpi" --config'),
        ("/opt/100%$/urpi", "ExecStart=/opt/100%%$$/urpi --config"),
    ],
)
def test_the_unit_starts_the_program(program, line):
    unit = service_files(Path(program))[-1]
    assert any(each.startswith(line) for each in unit.text.splitlines())


def test_the_first_configuration_is_valid_and_puts_the_journal_below_var_lib(tmp_path):
    install(tmp_path)
    file = tmp_path / "etc/urpi/config.toml"
    assert read(file).config.journal.file == Path("/var/lib/urpi/journal.db")
    assert tomllib.loads(file.read_text())["hub"]["port"] == "/dev/urpi-hub"


def test_the_udev_rules_name_the_hub_with_each_usb_chip():
    rules = [line for line in FILES["70-urpi-hub.rules"].text.splitlines() if "SYMLINK" in line]
    assert len(rules) == 3
    assert not any("2341" in rule for rule in rules), "an Uno is more often a programmer"
    assert all('SYMLINK+="urpi-hub"' in rule for rule in rules)
    assert all('ENV{ID_MM_DEVICE_IGNORE}="1"' in rule for rule in rules)


def test_installing_again_changes_nothing(tmp_path):
    assert set(install(tmp_path).values()) == {True}
    assert set(install(tmp_path).values()) == {False}
    assert not list(tmp_path.rglob("*.urpi-part-*"))


def test_installing_another_version_keeps_the_owner_s_configuration(tmp_path):
    install(tmp_path)
    config = tmp_path / "etc/urpi/config.toml"
    config.write_text("[oled]\nrotate = 2\n")
    done = install(tmp_path, Path("/srv/urpi"))
    assert done["urpi.service"]
    assert not done["config.toml"]
    assert config.read_text() == "[oled]\nrotate = 2\n"


def test_a_file_not_written_by_urpi_is_neither_overwritten_nor_removed(tmp_path):
    unit = tmp_path / "etc/systemd/system/urpi.service"
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\nDescription=mine\n")
    with pytest.raises(UrpiError, match=r"urpi.service was not written by urpi; move it away"):
        write_file(FILES["urpi.service"], tmp_path)
    assert not remove_file(FILES["urpi.service"], tmp_path)
    assert unit.read_text() == "[Unit]\nDescription=mine\n"


def test_removing_keeps_the_configuration(tmp_path):
    install(tmp_path)
    for file in service_files(PROGRAM):
        remove_file(file, tmp_path)
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert left == ["config.toml"]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (None, UnitState.ABSENT),
        (FILES["urpi.service"].text, UnitState.SAME),
        (f"{MARK}\n[Unit]\n", UnitState.OLD),
        ("[Unit]\n", UnitState.OWN),
    ],
)
def test_the_state_of_a_file_depends_on_its_content(tmp_path, text, state):
    path = tmp_path / "etc/systemd/system/urpi.service"
    path.parent.mkdir(parents=True)
    if text is not None:
        path.write_text(text)
    assert file_state(FILES["urpi.service"], tmp_path) is state


def test_the_unit_allows_the_page_to_listen_and_to_list_interfaces():
    lines = FILES["urpi.service"].text.splitlines()
    families = next(line for line in lines if line.startswith("RestrictAddressFamilies="))
    assert {"AF_INET", "AF_INET6", "AF_NETLINK"} <= set(families.partition("=")[2].split())
    assert not [line for line in lines if line.startswith(("PrivateNetwork", "IPAddress"))]


def test_the_package_has_the_same_files_in_the_folders_of_packages():
    own, packaged = service_files(Path("/usr/bin/urpi")), packaged_files()
    assert [file.path.name for file in packaged] == [file.path.name for file in own]
    folders = {file.path.parents[-3].as_posix() for file in packaged if not file.kept}
    assert folders == {"/usr/lib"}
    for mine, theirs in zip(own, packaged, strict=True):
        lines = set(theirs.text.splitlines()) - set(mine.text.splitlines())
        assert {line for line in lines if not line.startswith(("#", "Condition"))} == set()
        assert theirs.kept or theirs.text.startswith(PACKAGE_MARK)


def test_the_package_s_service_starts_on_a_pi_only():
    unit = packaged_files()[-1].text
    assert "\n[Unit]\n# " in unit
    assert "\nConditionPathExists=/sys/firmware/devicetree/base/model\nDescription=" in unit


@NEEDS_SYSTEMD
def test_systemd_accepts_the_package_s_unit(tmp_path):
    unit = tmp_path / "urpi.service"
    unit.write_text(packaged_files()[-1].text.replace("/usr/bin/urpi", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
