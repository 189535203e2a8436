"""The results of the square test, with the cure for each fault."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.hardware.expander_map import pin_text
from urpi.hardware.finding import Finding, broken, poor, right
from urpi.hardware.header import place
from urpi.hardware.pins import PinMap
from urpi.install.doctor.square_session import Result, SquareVerdict, swapped

PinText = Callable[[str], str]
"""Returns the pin of a contact as text, for a person with a meter."""
_AREA: Final = "squares"


def pin_texts(config: Config, pins: PinMap) -> PinText:
    """The function that describes pins on the header or, if configured, the expanders."""
    if config.gpio.wiring == "expander" and pins.expander is not None:
        inputs = pins.expander.inputs
        return lambda name: f"{pin_text(*inputs[name])} of the expanders"
    gpios = pins.contacts(chutes=config.gpio.chutes)
    return lambda name: place(gpios[name])


def squares(results: Sequence[Result], pin_of: PinText) -> Iterator[Finding]:
    """Yield the swapped pairs, then the other faults, then the number of good squares."""
    pairs = swapped(results)
    for one, other in pairs:
        yield broken(
            _AREA,
            f"the contacts of {one} and {other} are swapped",
            f"Swap their wires: {one} belongs on {pin_of(one)}, {other} on {pin_of(other)}.",
        )
    known = {square for pair in pairs for square in pair}
    for result in results:
        if result.verdict is not SquareVerdict.RIGHT and result.square not in known:
            yield _FINDINGS[result.verdict](result, pin_of)
    good = sum(result.verdict is SquareVerdict.RIGHT for result in results)
    yield right(_AREA, f"{good} of {len(results)} squares work")


def _silent(result: Result, pin_of: PinText) -> Finding:
    return broken(
        _AREA,
        f"{result.square} does not react",
        f"Check its wire to {pin_of(result.square)} and its wire to ground; then hold a magnet to "
        "the switch itself, and turn the switch if only that helps.",
    )


def _other(result: Result, pin_of: PinText) -> Finding:
    other = result.answered[0]
    return broken(
        _AREA,
        f"{other} closes instead of {result.square}",
        f"Move the wire of {result.square} to {pin_of(result.square)}; it is on {pin_of(other)} "
        "now.",
    )


def _several(result: Result, _pin_of: PinText) -> Finding:
    others = [name for name in result.answered if name != result.square]
    return broken(
        _AREA,
        f"{result.square} closes, and {' and '.join(others)} with it",
        "Look for a solder bridge between the two wires. If there is none, the magnet reaches too "
        "far: use a weaker one, or move the switches to the middle of their squares.",
    )


def _stuck(result: Result, pin_of: PinText) -> Finding:
    return broken(
        _AREA,
        f"{result.square} is closed without a piece",
        f"Look for a magnet left near it, and for a short from {pin_of(result.square)} to ground; "
        "otherwise the switch is welded shut: replace it.",
    )


def _flickers(result: Result, _pin_of: PinText) -> Finding:
    return broken(
        _AREA,
        f"{result.square} flickers below a piece that stands still",
        "Resolder its wire; if that is firm, move the switch to the middle of the square.",
    )


def _weak(result: Result, _pin_of: PinText) -> Finding:
    return poor(
        _AREA,
        f"{result.square} is weak: {result.edges} edges in {result.within_ms} ms",
        "The piece stands at the limit of the switch's range: move the switch to the middle of "
        "the square or closer to the top, or use a stronger magnet.",
    )


_FINDINGS: Final[Mapping[SquareVerdict, Callable[[Result, PinText], Finding]]] = MappingProxyType(
    {
        SquareVerdict.SILENT: _silent,
        SquareVerdict.OTHER: _other,
        SquareVerdict.SEVERAL: _several,
        SquareVerdict.STUCK: _stuck,
        SquareVerdict.FLICKERS: _flickers,
        SquareVerdict.WEAK: _weak,
    }
)
