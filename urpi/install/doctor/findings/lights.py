"""What the answers of who looks at the lights tell about the chain of LEDs. Pure."""

from collections.abc import Collection, Iterator
from typing import Final

from urpi.hardware.finding import Finding, broken, right

_AREA: Final = "lights"
_CLOCK: Final = (
    "Fix the core's clock, by which SPI is timed, in /boot/firmware/config.txt: `core_freq=250` on "
    "a Pi 3, Zero W or Zero 2 W, `core_freq_min=500` on a Pi 4; then restart it."
)


def light_faults(
    chain: tuple[str, ...], dark: Collection[str], *, flash: bool
) -> Iterator[Finding]:
    """Yield the faults of the chain.

    Args:
        chain: The names of the squares in the order of the data wire.
        dark: Those that stayed dark when all should have been lit.
        flash: Whether some flashed, lit out of turn, or had another colour than the others.
    """
    reached = len(chain)
    while reached and chain[reached - 1] in dark:
        reached -= 1
    if not reached:
        yield broken(
            _AREA,
            "no square lights",
            f"Measure 5 V at the LED of {chain[0]} and at the level shifter, connect their grounds "
            "with the Pi's, and check the data wire from GPIO 10 (pin 19) to the LED's DIN. "
            f"{_CLOCK}",
        )
    elif reached < len(chain):
        last, first = chain[reached - 1], chain[reached]
        yield broken(
            _AREA,
            f"the chain is broken between {last} and {first}",
            f"Check the wire from DOUT at {last} to DIN at {first}, and 5 V and ground at {first}; "
            f"if they are right, replace the LED of {first}, then that of {last}.",
        )
    for square in chain[:reached]:
        if square in dark:
            yield broken(
                _AREA,
                f"{square} stays dark, and squares behind it light",
                "Its LED passes the data on but does not shine: replace it.",
            )
    if flash:
        yield broken(
            _AREA,
            "squares flash, light out of turn or have another colour",
            f"{_CLOCK} If all light only out of turn, wire the LEDs in the order A1 to A8, B8 to "
            "B1, C1 to C8. Otherwise supply the level shifter with 5 V, and shorten the data wire.",
        )


def lights(chain: tuple[str, ...], dark: Collection[str], *, flash: bool) -> Iterator[Finding]:
    """Yield the faults of the chain, then the number of squares that light."""
    yield from light_faults(chain, dark, flash=flash)
    yield right(_AREA, f"{len(chain) - len(set(dark))} of {len(chain)} squares light")
