"""Changes of the firmware's own files on the boot partition: config.txt and cmdline.txt. Pure."""

import re
from typing import Final

_BEGIN: Final = "# Written by `urpi card`, until the line of its end."
_END: Final = "# The end of what `urpi card` wrote."
_BLOCK: Final = re.compile(
    f"\n*^{re.escape(_BEGIN)}$.*?^{re.escape(_END)}$\n?", re.MULTILINE | re.DOTALL
)
_SETTINGS: Final = """\
[all]
# The display and the expanders. At 400 kHz the display is four times as fast.
dtparam=i2c_arm=on
dtparam=i2c_arm_baudrate=400000
# The pins of SPI are those of squares.
dtparam=spi=off"""


def with_interfaces(config: str) -> str:
    """Return config.txt with I2C enabled and SPI disabled; the last value of a key counts."""
    # A second run replaces what the first one wrote.
    others = _BLOCK.sub("\n", config).rstrip("\n")
    return f"{others}\n\n{_BEGIN}\n{_SETTINGS}\n{_END}\n".lstrip("\n")


def with_parameters(
    cmdline: str, instance_id: str, country: str | None, *, serial_console: bool
) -> str:
    r"""Return cmdline.txt, one line, with the parameters that the card needs.

    Args:
        cmdline: The line as it was.
        instance_id: The id in meta-data. Raspberry Pi Imager writes its own to this line, where it
            takes precedence.
        country: The country for the Wi-Fi; None leaves it as it was.
        serial_console: Whether a console may use the serial port's pins.

    >>> with_parameters("console=serial0,115200 rootwait", "a", "HU", serial_console=False)
    'rootwait cfg80211.ieee80211_regdom=HU\n'
    """
    words = [_with_id(word, instance_id) for word in cmdline.split()]
    if not serial_console:
        words = [word for word in words if not re.match(r"console=(serial|ttyAMA|ttyS)\d", word)]
    if country is not None:
        words = [word for word in words if not word.startswith("cfg80211.ieee80211_regdom=")]
        words.append(f"cfg80211.ieee80211_regdom={country}")
    return " ".join(words) + "\n"


def _with_id(word: str, instance_id: str) -> str:
    if not word.startswith("ds=nocloud"):
        return word
    return re.sub(r";(i|instance-id)=[^;]*", f";i={instance_id}", word)
