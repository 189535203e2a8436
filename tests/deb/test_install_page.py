"""The commands of docs/install, executed in their order on Debian 12 and 13."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.booted import BootedRoot
from tests.deb.conftest import OLDER, Keys, Packages, make_pi, put, put_release
from tests.deb.roots import RECOMMENDED, ROOT
from tests.deb.test_life import check_apt, check_service
from urpi import __version__

PAGE: Final = ROOT / "docs/install/index.md"
COMMAND_S: Final = 600.0
WITHOUT_HARDWARE: Final = {3, 4, 5, 6, 8}
"""The steps that need neither Raspberry Pi OS nor dice."""
LEFT_OUT: Final = {"urpi doctor --squares"}
FAILS_WITHOUT_HARDWARE: Final = {"urpi doctor"}


def commands() -> Iterator[str]:
    """Yield the commands of the steps that can be executed here, for the older version."""
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    for section in sections:
        step, is_numbered, _ = section.partition(". ")
        if is_numbered and step.isdecimal() and int(step) in WITHOUT_HARDWARE:
            yield from (line.replace("VERSION", OLDER) for line in _lines(section))


def commands_of_an_update() -> list[str]:
    """Return the commands of the section on updates, for the newer version."""
    _, _, section = PAGE.read_text("utf-8").partition("\n## Update\n")
    section, *_ = section.partition("\n## ")
    return [line.replace("VERSION", __version__) for line in _lines(section)]


def _lines(section: str) -> Iterator[str]:
    for block in re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
        yield from block.splitlines()


def execute(machine: BootedRoot, command: str) -> None:
    prepared = f"cd /srv && export USER=root HOME=/root && {command}"
    done = machine.run("sh", "-c", prepared, within_s=COMMAND_S)
    output = f"{command}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0 or command in FAILS_WITHOUT_HARDWARE, output
    assert "Traceback" not in output


def test_every_step_needs_only_those_before_it(
    machine: BootedRoot, packages: Packages, keys: Keys, tmp_path: Path
) -> None:
    put(machine, packages.older)
    # In place of the answers at the keyboard.
    (machine.root / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n')
    executed = 0
    for command in commands():
        if command.startswith("sudo nano "):
            assert command.endswith("/etc/urpi/config.toml")
            make_pi(machine)
        elif command not in LEFT_OUT:
            execute(machine, command.replace("--speed 4", "--speed 0"))
            executed += 1
    assert executed > 8
    groups = machine.output_of("id", "--name", "--groups", "root").split()
    assert {"gpio", "i2c", "dialout"} <= set(groups)
    status = machine.run("urpi", "service", "status")
    assert "urpi.service: active" in status.stdout

    # Otherwise installed with the package, as the tests' own root directories have no network.
    check_apt(machine, "install", *RECOMMENDED)
    put_release(machine, keys.sign(Path(shutil.copy(packages.newer, tmp_path))))
    for command in commands_of_an_update():
        execute(machine, command)
    check_service(machine, __version__)
