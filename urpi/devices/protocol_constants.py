"""The serial protocol's constants.

Made by firmware/generate_protocol.py from firmware/protocol.toml; edit that instead.
"""

from types import MappingProxyType
from typing import Final

VERSION: Final = 1
"""The protocol, `proto` in the greeting."""
BAUD: Final = 115200
"""Bits a second; 8N1."""
MAX_LINE_BYTES: Final = 128
"""The longest line, from $ to CR LF, both counted."""
CRC_POLYNOMIAL: Final = 0x1021
"""CRC-16/CCITT-FALSE, not reflected."""
CRC_START: Final = 0xFFFF
"""What the CRC starts with."""
RESEND_MS: Final = 150
"""A report that was not acknowledged is said again after this."""
RESEND_LIMIT: Final = 20
"""So many times at most; then only when asked."""
HEARTBEAT_MS: Final = 1000
"""The hub greets so often."""

TYPES: Final = (
    "HUB",  # the hub's greeting and heartbeat
    "DIE",  # a die's report
    "ACK",  # a report was heard
    "ASK",  # say the greeting and every die's last report
    "CAL",  # a die lies with this face up: learn it
    "LED",  # show which die this is
)
"""The lines' types."""

STATES: Final = (
    "rolling",  # picked up or thrown
    "settled",  # lies still on a face
    "cocked",  # still, but leaning on something
    "handled",  # moved gently or turned, not thrown
    "lost",  # the hub has not heard from it
    "found",  # the hub has heard from it again
)
"""What a die can say of itself."""

ERRORS: Final = (
    "cal",  # a die's: not every face was learnt, so that its faces are a guess
    "accel",  # a die's: its accelerometer is dead; its state is lost
    "radio",  # the hub's: its radio is dead
    "identity",  # the hub's: nobody wrote its EEPROM, or it is damaged; set 0 is assumed
)
"""What die and hub can say is wrong with them."""

RANGES: Final = MappingProxyType(
    {
        "proto": (1, 255),  # protocol version
        "dice": (0, 8),  # dice that the hub knows
        "seq": (0, 65535),  # report number, wraps to 0
        "die": (1, 8),  # a die's number
        "n": (0, 65535),  # the die's throws, wraps to 0
        "face": (1, 6),  # the face or tip that is up, not above kind
        "ang": (0, 90),  # degrees off the face's normal
        "tum": (0, 255),  # faces passed while tumbling, stays at the end
        "ff": (0, 65535),  # milliseconds of free fall, stays at the end
        "bat": (0, 9999),  # millivolts
        "drop": (0, 65535),  # what the hub had to drop since its start, stays at the end
        "on": (0, 1),  # a lamp, on or off
        "t": (0, 4294967295),  # the hub's milliseconds, wraps to 0
    }
)
"""The whole numbers that a key may have, both ends allowed."""
