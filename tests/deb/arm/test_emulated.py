"""The package on Debian 12 and 13 for the processors of a Raspberry Pi, emulated by QEMU.

systemd is not started there, so the service's program is started with the command of its unit.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.deb.arm.emulated import ARCHITECTURES, EmulatedRoot, unpacked
from tests.deb.conftest import Packages, check_apt, configure, put
from tests.deb.roots import SUITES, dependencies, remove
from tests.deb.test_life import (
    FETCH,
    PAGE,
    check_tools,
    check_whole_game,
    files,
    installed,
)
from urpi import __version__

UNIT: Final = "/usr/lib/systemd/system/urpi.service"
BACKUPS: Final = {"/etc/gshadow-", "/etc/shadow-"}
"""What systemd-sysusers writes when it adds the first user."""
# What systemd prepares for the unit's process, and how it ends it.
SERVE: Final = """
install --directory --owner urpi --group urpi /var/lib/urpi /run/urpi
cd /run/urpi
setpriv --reuid urpi --regid urpi --init-groups env LG_WD=/run/urpi {command} & service=$!
until python3 -c '{fetch}' {page} 2>/run/error; do
    kill -0 $service && [ $((waited += 1)) -lt 100 ] || exit 1
    sleep 1
done
python3 -c '{fetch}' {page}/api/state
kill -TERM $service
wait $service
"""


@pytest.fixture(params=[(suite, one) for suite in SUITES for one in ARCHITECTURES], ids="-".join)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmulatedRoot]:
    assert os.geteuid() == 0, "Programs run in another root directory, which requires root."
    folder = tmp_path / "root"
    folder.mkdir()
    yield unpacked(*request.param, folder)
    remove(folder)


def check_service_program(machine: EmulatedRoot) -> None:
    """Check that the unit's command, as its user, serves the page and stops when it is ended."""
    unit = machine.output_of("cat", UNIT)
    command = re.search("^ExecStart=(.*)$", unit, re.MULTILINE)
    assert command is not None, unit
    script = SERVE.format(command=command[1], fetch=FETCH, page=PAGE)
    done = machine.run("sh", "-c", script)
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert "<title>" in done.stdout, output
    assert '"table": "board"' in done.stdout.replace('":"', '": "'), output
    assert "Traceback" not in output
    assert machine.output_of("stat", "--format=%U", "/var/lib/urpi/journal.db") == "urpi"


def test_install_play_serve_and_purge(machine: EmulatedRoot, packages: Packages) -> None:
    check_apt(machine, "install", *dependencies())
    without = files(machine)
    check_apt(machine, "install", put(machine, packages.newer))
    assert installed(machine) == __version__
    assert machine.output_of("urpi", "--version") == f"urpi, version {__version__}"
    configure(machine)
    check_tools(machine)
    check_whole_game(machine)
    check_service_program(machine)
    check_apt(machine, "purge", "urpi")
    assert (files(machine) ^ without) - BACKUPS == set()
