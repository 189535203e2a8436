"""bluetoothd on a D-Bus of its own, as a machine has them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

from tests.kernel.board import wait_for
from tests.kernel.guest import mount
from tests.output import print_line

BLUETOOTHD: Final = "/usr/libexec/bluetooth/bluetoothd"
STORED: Final = Path("/var/lib/bluetooth")
START_S: Final = 60.0
COMMAND_S: Final = 20.0
LOG_LINES: Final = 120
"""The number of lines of bluetoothd's log that are printed if a scene fails."""

# With the policy files of the installed packages, such as BlueZ's, as on any system bus. Debian's
# allows Bluetooth to every user; here, as on other systems, it is for root and a group only.
_BUS: Final = """
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  <includedir>/usr/share/dbus-1/system.d</includedir>
  <includedir>/etc/dbus-1/system.d</includedir>
  <policy context="default">
    <deny send_destination="org.bluez"/>
  </policy>
</busconfig>
"""
_MAIN: Final = "[Policy]\nAutoEnable=true\n"


@contextmanager
def system_bus(folder: Path) -> Iterator[None]:
    """Run a system D-Bus, which all programs started meanwhile use."""
    socket = folder / "bus"
    address = f"unix:path={socket}"
    config = folder / "bus.conf"
    config.write_text(_BUS.format(address=address))
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile", "--nosyslog"]
    )
    try:
        wait_for(socket.exists, START_S, "the D-Bus is there")
        yield
    finally:
        daemon.kill()
        daemon.wait()


class Bluetoothd:
    """bluetoothd, as a context manager."""

    def __init__(self, folder: Path) -> None:
        self._config, self._log = folder / "bluetooth.conf", folder / "bluetoothd.log"

    def __enter__(self) -> Self:
        # Its folder is the host's, which is read-only.
        mount("tmpfs", STORED, "tmpfs", "")
        self._config.write_text(_MAIN)
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            print_line("bluetoothd logged last:\n" + "\n".join(self.log.splitlines()[-LOG_LINES:]))
        self.kill()

    def start(self) -> None:
        """Start it, also once more after `kill`."""
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [BLUETOOTHD, "--nodetach", "--debug", f"--configfile={self._config}"],
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """End it without a chance to end its connections."""
        self._process.kill()
        self._process.wait()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def log(self) -> str:
        """What it has logged."""
        return self._log.read_text(errors="replace")

    def wait_for_adapter(self) -> None:
        """Wait until an adapter is switched on."""
        wait_for(lambda: "Powered: yes" in _bluetoothctl("show"), START_S, "an adapter is on")

    def wait_for_service(self) -> None:
        """Wait until it replies."""
        wait_for(lambda: "Failed" not in _bluetoothctl("list"), START_S, "bluetoothd replies")


def _bluetoothctl(*words: str) -> str:
    with suppress(subprocess.TimeoutExpired):
        command = ["bluetoothctl", "--timeout", "2", *words]
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=COMMAND_S
        )
        return done.stdout + done.stderr
    return "Failed: no reply"
