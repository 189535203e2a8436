"""The files of the systemd service: unit, user, device name and first configuration.

They are written and removed below a root folder; every write is atomic.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Final

from urpi.config import JournalSection, rendering
from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError

UNIT: Final = "urpi.service"
USER: Final = "urpi"
GROUPS: Final = ("gpio", "i2c", "spi", "dialout", "audio", "bluetooth")
STATE: Final = PurePosixPath("/var/lib/urpi")
RUN: Final = PurePosixPath("/run/urpi")
CONFIG: Final = PurePosixPath("/etc/urpi/config.toml")
MARK: Final = "# Written by `urpi service install`; `urpi service remove` takes it away."
"""First line of every file but the configuration.

It also identifies the files of earlier versions, so it must not change.
"""
PACKAGE_MARK: Final = "# Installed by the Debian package urpi."
"""First line of the same files in the Debian package."""
PACKAGED_PROGRAM: Final = Path("/usr/bin/urpi")
_ON_A_PI: Final = """\
# Elsewhere the package is installed for `urpi demo`, and there is no board to referee.
ConditionPathExists=/sys/firmware/devicetree/base/model
"""
HARDENING: Final = """\
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
# AF_NETLINK lists the addresses of the network interfaces, for the links that players open.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
"""
"""What a unit of the program may not do; also that of a club."""
HUB_CHIPS: Final = (
    ("1a86", "7523", "CH340"),
    ("0403", "6001", "FT232R"),
    ("10c4", "ea60", "CP2102"),
)
"""USB vendor ID, product ID and name of the serial adapters of an Arduino Nano.

An Uno is not one of them: it is more often the programmer of the dice.
"""


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """A file of the service.

    Attributes:
        path: absolute path.
        about: what it is, for the output of `urpi service`.
        text: content.
        kept: whether the file belongs to the owner once written; then it is never overwritten or
            removed.
    """

    path: PurePosixPath
    about: str
    text: str
    kept: bool = False


def service_files(program: Path) -> tuple[ServiceFile, ...]:
    """Every file in the order of writing.

    Args:
        program: absolute path of the `urpi` program that the service starts.
    """
    return _files(PurePosixPath("/etc"), PurePosixPath("/etc/systemd/system"), MARK, program)


def packaged_files() -> tuple[ServiceFile, ...]:
    """Every file as the Debian package has it, in the folders reserved for packages."""
    share = PurePosixPath("/usr/lib")
    on_a_pi = f"{PACKAGE_MARK}\n[Unit]\n{_ON_A_PI}"
    return tuple(
        replace(file, text=file.text.replace(f"{PACKAGE_MARK}\n[Unit]\n", on_a_pi))
        for file in _files(share, share / "systemd/system", PACKAGE_MARK, PACKAGED_PROGRAM)
    )


def _files(
    share: PurePosixPath, units: PurePosixPath, mark: str, program: Path
) -> tuple[ServiceFile, ...]:
    return (
        ServiceFile(share / "sysusers.d/urpi.conf", "the user", f"{mark}\n{_user()}"),
        ServiceFile(
            share / "udev/rules.d/70-urpi-hub.rules", "the hub's name", f"{mark}\n{_hub()}"
        ),
        ServiceFile(CONFIG, "the configuration", _config(), kept=True),
        ServiceFile(units / UNIT, "the service", f"{mark}\n{_unit(program)}"),
    )


def _user() -> str:
    groups = "\n".join(f"m {USER} {group}" for group in GROUPS)
    return f"""\
u {USER} - "Referee of the Royal Game of Ur" {STATE}
{groups}
"""


def _hub() -> str:
    rules = "\n".join(_hub_rule(*chip) for chip in HUB_CHIPS)
    return f"""\
# A fixed name for the dice hub's serial port. ModemManager must not probe it: that would reset
# the hub. A programmer with one of these chips gets the name, too, so unplug it while playing.
{rules}
"""


def _hub_rule(vendor: str, product: str, name: str) -> str:
    return (
        f"# {name}\n"
        f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}",'
        ' SYMLINK+="urpi-hub", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"'
    )


def _config() -> str:
    # The default path of the journal is in the user's home, which the service's user lacks.
    default = f'path = "{JournalSection().path}"'
    return rendering.example_text().replace(default, f'path = "{STATE}/journal.db"')


def _unit(program: Path) -> str:
    return f"""\
[Unit]
Description=Referee of the Royal Game of Ur
# No limit on the number of restarts.
StartLimitIntervalSec=0

[Service]
Type=notify
# A crash is followed by a restart at once; an error that a person has to correct, such as a missing
# library, by one after half a minute, so that it does not fill the log. After five starts that
# failed, the program shows the reason and waits for ten minutes.
ExecStart={_quoted(program)} --config {CONFIG} serve --failure-delay 30
Restart=always
RestartSec=100ms
WatchdogSec=8
# A stopped process would keep any other signal for TimeoutStopSec.
WatchdogSignal=SIGKILL
TimeoutStopSec=5

User={USER}
# As UMask, for the journal's files: members of the group may read the games.
StateDirectory=urpi
StateDirectoryMode=0750
# lgpio creates a FIFO in its working directory, which LG_WD sets.
RuntimeDirectory=urpi
# The number of failed starts is in it.
RuntimeDirectoryPreserve=restart
WorkingDirectory={RUN}
Environment=LG_WD={RUN}
UMask=0027

# No DevicePolicy: systemd resolves devices when the unit starts, but the hub may be plugged in
# later.
{HARDENING}
[Install]
WantedBy=multi-user.target
"""


def _quoted(path: Path) -> str:
    """A path quoted for a unit file (systemd.service(5), Command lines)."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{text}"' if _needs_quotes(text) else text


def _needs_quotes(text: Iterable[str]) -> bool:
    return any(letter.isspace() or letter in "\"';" for letter in text)


class UnitState(Enum):
    """State of a file of the service on the machine, as `urpi service status` prints it."""

    ABSENT = "not installed"
    SAME = "installed"
    OLD = "installed by another version"
    OWN = "the owner's own file"


def file_state(file: ServiceFile, root: Path) -> UnitState:
    """The state of a file below `root`.

    Raises:
        UrpiError: if it cannot be read.
    """
    path = _below(root, file)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return UnitState.ABSENT
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {_reason(error)}."
        raise UrpiError(message) from error
    if text == file.text:
        return UnitState.SAME
    return (
        UnitState.OWN if file.kept or not text.startswith((MARK, PACKAGE_MARK)) else UnitState.OLD
    )


def write_file(file: ServiceFile, root: Path) -> bool:
    """Write a file below `root`, and return whether that was necessary.

    Raises:
        UrpiError: if a file of another origin has its path, or it cannot be written.
    """
    state = file_state(file, root)
    if state is UnitState.SAME or (state is UnitState.OWN and file.kept):
        return False
    path = _below(root, file)
    if state is UnitState.OWN:
        message = f"{path} was not written by urpi; move it away, or keep it and install by hand."
        raise UrpiError(message)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft_of(path, mode=0o644) as draft:
            draft.write_text(file.text, "utf-8")
    except OSError as error:
        message = f"{path} cannot be written: {_reason(error)}."
        raise UrpiError(message) from error
    return True


def remove_file(file: ServiceFile, root: Path) -> bool:
    """Remove a file below `root` unless it is the owner's, and return whether it was removed.

    Raises:
        UrpiError: if it cannot be removed.
    """
    state = file_state(file, root)
    if file.kept or state in {UnitState.ABSENT, UnitState.OWN}:
        return False
    path = _below(root, file)
    try:
        path.unlink()
    except OSError as error:
        message = f"{path} cannot be removed: {_reason(error)}."
        raise UrpiError(message) from error
    return True


def _below(root: Path, file: ServiceFile) -> Path:
    return root / file.path.relative_to("/")


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
