"""The commands of docs/install, executed in their order on Debian 12 and 13."""

import re
from collections.abc import Iterator
from typing import Final

from tests.booted import BootedRoot
from tests.deb.conftest import Packages, make_pi, put
from tests.deb.roots import ROOT
from urpi import __version__

PAGE: Final = ROOT / "docs/install/index.md"
COMMAND_S: Final = 300.0
WITHOUT_HARDWARE: Final = {3, 4, 5, 6, 8}
"""The steps that need neither Raspberry Pi OS nor dice."""
LEFT_OUT: Final = {"urpi doctor --squares"}
FAILS_WITHOUT_HARDWARE: Final = {"urpi doctor"}


def commands() -> Iterator[str]:
    """Yield the commands of the steps that can be executed here."""
    steps = re.split(r"^## (?=\d+\. )", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    for step in steps:
        if int(step.partition(".")[0]) in WITHOUT_HARDWARE:
            inside, *_ = step.partition("\n## ")
            for block in re.findall(r"^```\n(.*?)^```$", inside, re.MULTILINE | re.DOTALL):
                yield from block.splitlines()


def test_every_step_needs_only_those_before_it(machine: BootedRoot, packages: Packages) -> None:
    put(machine, packages.newer)
    # In place of the answers at the keyboard.
    (machine.root / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n')
    executed = 0
    for command in commands():
        if command.startswith("sudo nano "):
            assert command.endswith("/etc/urpi/config.toml")
            make_pi(machine)
        elif command not in LEFT_OUT:
            line = command.replace("VERSION", __version__).replace("--speed 4", "--speed 0")
            prepared = f"cd /srv && export USER=root HOME=/root && {line}"
            done = machine.run("sh", "-c", prepared, within_s=COMMAND_S)
            output = f"{command}\n{done.stdout}{done.stderr}"
            assert done.returncode == 0 or command in FAILS_WITHOUT_HARDWARE, output
            assert "Traceback" not in output
            executed += 1
    assert executed > 8
    groups = machine.output_of("id", "--name", "--groups", "root").split()
    assert {"gpio", "i2c", "dialout"} <= set(groups)
    status = machine.run("urpi", "service", "status")
    assert "urpi.service: active" in status.stdout
