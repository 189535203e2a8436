"""The files of the service: what stands in each, and why. Pure.

The unit, the user and its groups, the dice hub's name, and a configuration to begin with.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from urpi.config import Journal, paper

UNIT: Final = "urpi.service"
USER: Final = "urpi"
GROUPS: Final = ("gpio", "i2c", "dialout", "audio")
STATE: Final = PurePosixPath("/var/lib/urpi")
RUN: Final = PurePosixPath("/run/urpi")
CONFIG: Final = PurePosixPath("/etc/urpi/config.toml")
MARK: Final = "# Written by `urpi service install`; `urpi service remove` takes it away."
HUB_CHIPS: Final = (
    ("1a86", "7523", "CH340"),
    ("0403", "6001", "FT232R"),
    ("2341", "0043", "ATmega16U2"),
    ("10c4", "ea60", "CP2102"),
)
"""USB vendor, product and name of what stands between USB and the hub's ATmega328P."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the service is made from: the `urpi` program, by its absolute path."""

    program: Path


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """One file: where, what for in a word or two, its text; `kept`: it is the owner's own.

    A kept file is neither written over nor removed.
    """

    path: PurePosixPath
    about: str
    text: str
    kept: bool = False


def files_of(service: Place) -> tuple[ServiceFile, ...]:
    """Every file, in the order in which they are to be written."""
    return (
        ServiceFile(PurePosixPath("/etc/sysusers.d/urpi.conf"), "its user", _user()),
        ServiceFile(PurePosixPath("/etc/udev/rules.d/70-urpi-hub.rules"), "the hub's name", _hub()),
        ServiceFile(CONFIG, "the configuration", _config(), kept=True),
        ServiceFile(PurePosixPath("/etc/systemd/system", UNIT), "the service", _unit(service)),
    )


def _user() -> str:
    groups = "\n".join(f"m {USER} {group}" for group in GROUPS)
    return f"""{MARK}
u {USER} - "Referee of the Royal Game of Ur" {STATE}
{groups}
"""


def _hub() -> str:
    rules = "\n".join(_hub_rule(*chip) for chip in HUB_CHIPS)
    return f"""{MARK}
# The dice hub's serial port always has this name, and ModemManager leaves it alone: a probe
# would reset the hub.
{rules}
"""


def _hub_rule(vendor: str, product: str, name: str) -> str:
    return (
        f"# {name}\n"
        f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}",'
        ' SYMLINK+="urpi-hub", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"'
    )


def _config() -> str:
    # The journal's usual place is somebody's home, and the service has none.
    usual = f'path = "{Journal().path}"'
    return paper.example().replace(usual, f'path = "{STATE}/journal.db"')


def _unit(service: Place) -> str:
    return f"""{MARK}
[Unit]
Description=Referee of the Royal Game of Ur
# However often it fails, it is started again.
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={_quoted(service.program)} --config {CONFIG} serve
Restart=always
RestartSec=1
WatchdogSec=20
TimeoutStopSec=5

User={USER}
StateDirectory=urpi
# lgpio makes a FIFO where it runs, and goes to the folder that LG_WD names.
RuntimeDirectory=urpi
WorkingDirectory={RUN}
Environment=LG_WD={RUN}
UMask=0027

# No DevicePolicy: systemd looks devices up when the unit starts, and the hub may come later.
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
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
"""


def _quoted(path: Path) -> str:
    """A path as systemd reads it (systemd.service(5), Command lines)."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{text}"' if _needs_quotes(text) else text


def _needs_quotes(text: Iterable[str]) -> bool:
    return any(letter.isspace() or letter in "\"';" for letter in text)
