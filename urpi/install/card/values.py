"""The values of a card, parsed from text: names, keys, passphrases. Pure.

Each function returns the value, and raises a `CardValueError` if it is invalid.
"""

import base64
import binascii
import hashlib
import re
import struct
from collections.abc import Collection
from reprlib import repr as shown
from typing import Final

from urpi.core.errors import UrpiError

_RESERVED: Final = """
root daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc nobody urpi
messagebus sshd avahi polkitd rpi-first-boot-wizard
"""
RESERVED_USERS: Final = frozenset(_RESERVED.split())
"""Users of the system, and that of the service."""
KEY_TYPES: Final = (
    *("ssh-ed25519", "ssh-rsa"),
    *("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"),
    *("sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"),
)
"""Types of public keys that OpenSSH accepts by default."""
MAX_KEYS: Final = 20
_HOSTNAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_USER: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
_PSK: Final = re.compile(r"[0-9A-Fa-f]{64}")
# PBKDF2 with 4096 rounds and 256 bits, as IEEE 802.11 prescribes for a passphrase.
_ROUNDS: Final = 4096
_PSK_BYTES: Final = 32
_CODES: Final = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
COUNTRIES: Final = frozenset(_CODES.split())
"""The codes of countries, ISO 3166-1 alpha-2."""


class CardValueError(UrpiError):
    """An invalid value for a card."""


def parse_hostname(text: str) -> str:
    """A host name, one label of RFC 1123, in lower case.

    >>> parse_hostname("Ur-1")
    'ur-1'
    """
    name = text.lower()
    if not _HOSTNAME.fullmatch(name) or name == "localhost":
        message = (
            f"The host name must be 1 to 63 of a-z, 0-9 and -, without - at either end; found "
            f"{shown(text)}."
        )
        raise CardValueError(message)
    return name


def parse_user(text: str) -> str:
    """The name of a user who can be created."""
    if not _USER.fullmatch(text):
        message = (
            "The user must be 1 to 32 of a-z, 0-9 and -, and begin with a letter; found "
            f"{shown(text)}."
        )
        raise CardValueError(message)
    if text in RESERVED_USERS:
        message = f"The user {shown(text)} is one of the system's own; choose another, such as pi."
        raise CardValueError(message)
    return text


def parse_ssh_keys(text: str) -> tuple[str, ...]:
    """Return the public keys of a text such as ``~/.ssh/id_ed25519.pub``; one for each line."""
    if "PRIVATE KEY" in text:
        message = "The SSH key is a private key, which must stay secret; give the file with .pub."
        raise CardValueError(message)
    lines = (line.strip() for line in text.splitlines())
    keys = tuple(_parse_ssh_key(line) for line in lines if line and not line.startswith("#"))
    if not 1 <= len(keys) <= MAX_KEYS:
        message = f"The SSH key file has {len(keys)} keys; allowed are 1 to {MAX_KEYS}."
        raise CardValueError(message)
    return keys


def _parse_ssh_key(line: str) -> str:
    kind, _, rest = line.partition(" ")
    blob, *comment = rest.split(maxsplit=1)[:2] or [""]
    if kind not in KEY_TYPES:
        message = (
            "An SSH key must begin with its type, such as ssh-ed25519 or ssh-rsa; found "
            f"{line[:30]!r}."
        )
        raise CardValueError(message)
    if _name_inside(blob) != kind:
        message = f"The SSH key {line[:30]!r} is damaged; copy the whole line of the .pub file."
        raise CardValueError(message)
    if not "".join(comment).isprintable():
        message = f"The comment of the SSH key {line[:30]!r} has control characters; remove them."
        raise CardValueError(message)
    return " ".join((kind, blob, *comment))


def _name_inside(blob: str) -> str:
    """The type that a key's data contains, empty if it has another form (RFC 4253, 6.6)."""
    try:
        data = base64.b64decode(blob, validate=True)
        (length,) = struct.unpack_from(">I", data)
    except (binascii.Error, ValueError, struct.error):
        return ""
    # A key follows its type; nothing of one is shorter than this.
    return data[4 : 4 + length].decode("ascii", "replace") if len(data) >= length + 36 else ""


def parse_ssid(text: str) -> str:
    """The name of a Wi-Fi network: 1 to 32 bytes (IEEE 802.11-2020, 9.4.2.2)."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        message = f"The Wi-Fi's name {shown(text)} is not UTF-8 text; enter it in UTF-8."
        raise CardValueError(message) from None
    if not 1 <= size <= 32:
        message = f"The Wi-Fi's name must have 1 to 32 bytes; {shown(text)} has {size}."
        raise CardValueError(message)
    if not text.isprintable():
        message = f"The Wi-Fi's name {shown(text)} has control characters, which are not supported."
        raise CardValueError(message)
    return text


def pre_shared_key(ssid: str, passphrase: str) -> str:
    """The key of a network as 64 hexadecimal digits (IEEE 802.11-2020, J.4.1).

    Args:
        ssid: Name of the network.
        passphrase: 8 to 63 printable ASCII characters, or the key itself.

    >>> pre_shared_key("IEEE", "password")
    'f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e'
    """
    if _PSK.fullmatch(passphrase):
        return passphrase.lower()
    if not (8 <= len(passphrase) <= 63 and all(" " <= one <= "~" for one in passphrase)):
        # The passphrase itself must not appear on a screen or in a log.
        message = (
            "The Wi-Fi's passphrase must have 8 to 63 printable ASCII characters, or be a key of "
            f"64 hexadecimal digits; found {len(passphrase)} characters."
        )
        raise CardValueError(message)
    words = passphrase.encode("ascii"), ssid.encode()
    return hashlib.pbkdf2_hmac("sha1", *words, _ROUNDS, _PSK_BYTES).hex()


def parse_country(text: str) -> str:
    """The code of a country (ISO 3166-1 alpha-2) in upper case."""
    code = text.upper()
    if code not in COUNTRIES:
        message = (
            f"The country must be one of ISO 3166's codes of two letters, such as GB or HU; found "
            f"{shown(text)}."
        )
        raise CardValueError(message)
    return code


def parse_time_zone(text: str, known: Collection[str]) -> str:
    """The name of a time zone.

    Args:
        text: The name, such as ``Europe/Budapest``.
        known: All names; if empty, only the form is checked.
    """
    if not re.fullmatch(r"[A-Za-z][\w+-]*(/[A-Za-z][\w+-]*)*", text, re.ASCII) or (
        known and text not in known
    ):
        message = (
            f"The time zone must be a name such as Europe/Budapest or UTC; found {shown(text)}."
        )
        raise CardValueError(message)
    return text


def parse_choice(what: str, text: str, allowed: Collection[str]) -> str:
    """Return a text that must be one of those allowed; `what` names it."""
    if text not in allowed:
        message = f"The {what} must be one of {', '.join(allowed)}; found {shown(text)}."
        raise CardValueError(message)
    return text
