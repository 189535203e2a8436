"""The serial protocol's constants.

Made by firmware/generate_protocol.py from firmware/protocol.toml; edit that instead.
"""

from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

VERSION: Final = 1
"""Protocol version, `proto` in the greeting."""
BAUD: Final = 115200
"""Bits per second; 8N1."""
MAX_LINE_BYTES: Final = 128
"""Maximum length of a line, from $ to CR LF inclusive."""
CRC_POLYNOMIAL: Final = 0x1021
"""CRC-16/CCITT-FALSE, not reflected."""
CRC_START: Final = 0xFFFF
"""Initial value of the CRC."""
RESEND_MS: Final = 150
"""Timeout after which an unacknowledged report is repeated."""
RESEND_LIMIT: Final = 20
"""Maximum number of repeats; after that only on ASK."""
HEARTBEAT_MS: Final = 1000
"""Interval of the hub's greetings."""

TYPES: Final = (
    "HUB",  # the hub's greeting and heartbeat
    "DIE",  # a die's report
    "ACK",  # acknowledgement of a report
    "ASK",  # request for the greeting and every die's last report
    "CAL",  # calibrate the face that is up on a die
    "LED",  # switch a die's lamp, to identify the die
    "BAT",  # calibrate a die's battery measurement by its cell's actual voltage
    "NEW",  # let a die with a new chip go on where its former chip ended
)
"""The lines' types."""

ReportedState: TypeAlias = Literal[
    "rolling",  # picked up or thrown
    "settled",  # at rest on a face
    "cocked",  # at rest, but leaning on something
    "handled",  # moved gently or turned, not thrown
    "lost",  # the hub no longer receives it
    "found",  # the hub receives it again
]
STATES: Final[tuple[ReportedState, ...]] = get_args(ReportedState)
"""The states that a die or the hub reports."""

ERRORS: Final = (
    "cal",  # die: not every face is calibrated, the face can be wrong
    "accel",  # die: its accelerometer has failed; its state is lost
    "twin",  # die: another die has the same number
    "wakes",  # die: its sensor wakes it again and again without motion, which drains the battery
    "nokey",  # die: its reports have no signature that the hub can verify
    "radio",  # hub: its radio has failed
    "identity",  # hub: its EEPROM is empty or damaged; it works as set 0
    "forged",  # hub: lately it rejected a report that was forged, sent again, or of another key
)
"""The errors that dice and the hub report."""

RANGES: Final = MappingProxyType(
    {
        "proto": (1, 255),  # protocol version
        "dice": (0, 8),  # number of dice in range
        "seq": (0, 65535),  # report number, wraps to 0
        "die": (1, 8),  # die number
        "n": (0, 65535),  # number of the die's throws, wraps to 0
        "face": (1, 6),  # the face or tip that is up, at most kind
        "ang": (0, 90),  # tilt from the face's normal in degrees, plus 16 with evidence
        "tum": (0, 255),  # number of faces tumbled over, saturates; with evidence, edges and turn
        "ff": (0, 65535),  # free fall in milliseconds, saturates; with evidence, the flight
        "thr": (0, 1),  # the die's verdict: 1 thrown, 0 not; older dice send none
        "bat": (0, 9999),  # battery voltage in millivolts
        "drop": (0, 65535),  # items dropped by the hub since its start, saturates
        "auth": (0, 1),  # 1 if the hub verifies the signatures of dice
        "new": (1, 8),  # the die whose new chip the hub waits for
        "on": (0, 1),  # lamp, 1 on or 0 off
        "t": (0, 4294967295),  # the hub's time in milliseconds, wraps to 0
    }
)
"""The whole numbers that a key may have, both ends allowed."""
