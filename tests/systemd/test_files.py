import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from urpi.config import read
from urpi.errors import UrpiError
from urpi.systemd import Place, State, files_of, place, remove, state_of
from urpi.systemd.files import MARK

PROGRAM = Place(Path("/opt/urpi/bin/urpi"))
FILES = {file.path.name: file for file in files_of(PROGRAM)}
NEEDS_SYSTEMD = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is Debian's package systemd"
)


def placed(root, program=PROGRAM):
    return {file.path.name: place(file, root) for file in files_of(program)}


@NEEDS_SYSTEMD
def test_systemd_understands_the_unit(tmp_path):
    placed(tmp_path, Place(Path("/bin/true")))
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
    unit = files_of(Place(Path(program)))[-1]
    assert any(each.startswith(line) for each in unit.text.splitlines())


def test_the_configuration_to_begin_with_is_right_and_keeps_the_journal_in_the_state(tmp_path):
    placed(tmp_path)
    file = tmp_path / "etc/urpi/config.toml"
    assert read(file).config.journal.file == Path("/var/lib/urpi/journal.db")
    assert tomllib.loads(file.read_text())["hub"]["port"] == "/dev/urpi-hub"


def test_the_hub_has_its_name_from_every_usual_chip():
    rules = [line for line in FILES["70-urpi-hub.rules"].text.splitlines() if "SYMLINK" in line]
    assert len(rules) == 4
    assert all('SYMLINK+="urpi-hub"' in rule for rule in rules)
    assert all('ENV{ID_MM_DEVICE_IGNORE}="1"' in rule for rule in rules)


def test_placing_again_changes_nothing(tmp_path):
    assert set(placed(tmp_path).values()) == {True}
    assert set(placed(tmp_path).values()) == {False}
    assert not list(tmp_path.rglob("*.new"))


def test_a_newer_program_renews_its_files_but_not_the_owners_configuration(tmp_path):
    placed(tmp_path)
    config = tmp_path / "etc/urpi/config.toml"
    config.write_text("[oled]\nrotate = 2\n")
    done = placed(tmp_path, Place(Path("/srv/urpi")))
    assert done["urpi.service"]
    assert not done["config.toml"]
    assert config.read_text() == "[oled]\nrotate = 2\n"


def test_somebody_elses_file_is_not_written_over(tmp_path):
    unit = tmp_path / "etc/systemd/system/urpi.service"
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\nDescription=mine\n")
    with pytest.raises(UrpiError, match=r"urpi.service is not ours; move it away"):
        place(FILES["urpi.service"], tmp_path)
    assert not remove(FILES["urpi.service"], tmp_path)
    assert unit.read_text() == "[Unit]\nDescription=mine\n"


def test_removing_leaves_the_configuration(tmp_path):
    placed(tmp_path)
    for file in files_of(PROGRAM):
        remove(file, tmp_path)
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert left == ["config.toml"]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (None, State.ABSENT),
        (FILES["urpi.service"].text, State.SAME),
        (f"{MARK}\n[Unit]\n", State.OLD),
        ("[Unit]\n", State.OWN),
    ],
)
def test_how_a_file_is_on_the_machine(tmp_path, text, state):
    path = tmp_path / "etc/systemd/system/urpi.service"
    path.parent.mkdir(parents=True)
    if text is not None:
        path.write_text(text)
    assert state_of(FILES["urpi.service"], tmp_path) is state


def test_the_unit_lets_the_page_listen():
    lines = FILES["urpi.service"].text.splitlines()
    families = next(line for line in lines if line.startswith("RestrictAddressFamilies="))
    assert {"AF_INET", "AF_INET6"} <= set(families.partition("=")[2].split())
    assert not [line for line in lines if line.startswith(("PrivateNetwork", "IPAddress"))]
