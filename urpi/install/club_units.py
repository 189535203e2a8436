"""The files of the Debian package urpi-club: the user, and the units of club and backup.

Without the configuration, which `urpi club install` writes, systemd starts none of them.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from urpi.install.systemd import HARDENING, PACKAGED_PROGRAM

PACKAGE: Final = "urpi-club"
USER: Final = "urpi-club"
"""The system's user that runs the club, and the name of its role and database in PostgreSQL."""
CONFIG: Final = PurePosixPath("/etc/urpi-club/config.toml")
STATE: Final = PurePosixPath("/var/lib/urpi-club")
BACKUPS: Final = STATE / "backups"
KEPT_BACKUPS: Final = 14
UNITS: Final = PurePosixPath("/usr/lib/systemd/system")
SERVICE: Final = "urpi-club.service"
BACKUP: Final = "urpi-club-backup.service"
TIMER: Final = "urpi-club-backup.timer"
_MARK: Final = f"# Installed by the Debian package {PACKAGE}."
_IF_CONFIGURED: Final = f"""\
# `urpi club install` writes it.
ConditionPathExists={CONFIG}
"""
_ALONE: Final = f"""\
User={USER}
StateDirectory={STATE.name} {STATE.name}/{BACKUPS.name}
StateDirectoryMode=0750
WorkingDirectory={STATE}
UMask=0027

{HARDENING}"""


def package_files() -> Mapping[PurePosixPath, str]:
    """Return the text of each file by its path on the machine."""
    return {
        PurePosixPath("/usr/lib/sysusers.d/urpi-club.conf"): (
            f'{_MARK}\nu {USER} - "Club of the Royal Game of Ur" {STATE}\n'
        ),
        UNITS / SERVICE: _service(),
        UNITS / BACKUP: _backup(),
        UNITS / TIMER: _timer(),
    }


def _service() -> str:
    return f"""\
{_MARK}
[Unit]
Description=Club of the Royal Game of Ur
{_IF_CONFIGURED}\
After=network-online.target postgresql.service mosquitto.service
Wants=network-online.target
# No limit on the number of restarts.
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={PACKAGED_PROGRAM} --config {CONFIG} club serve
Restart=always
RestartSec=5
WatchdogSec=30
RuntimeDirectory=urpi-club
{_ALONE}
[Install]
WantedBy=multi-user.target
"""


def _backup() -> str:
    return f"""\
{_MARK}
[Unit]
Description=Backup of the club of the Royal Game of Ur
{_IF_CONFIGURED}\
After=postgresql.service

[Service]
Type=oneshot
ExecStart={PACKAGED_PROGRAM} --config {CONFIG} club backup --keep {KEPT_BACKUPS} {BACKUPS}
Nice=10
IOSchedulingClass=idle
{_ALONE}"""


def _timer() -> str:
    return f"""\
{_MARK}
[Unit]
Description=Nightly backup of the club of the Royal Game of Ur
{_IF_CONFIGURED}
[Timer]
# Before the club checks all games, after three o'clock.
OnCalendar=*-*-* 02:15
# After the next start, if the machine is switched off at night.
Persistent=yes

[Install]
WantedBy=timers.target
"""
