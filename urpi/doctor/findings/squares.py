"""What came of the squares, with the cure of each that is not right."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.devices.expander_map import pin_text
from urpi.devices.header import place
from urpi.devices.pins import PinMap
from urpi.doctor.finding import Finding, broken, poor, right
from urpi.doctor.squares import Result, Verdict, swapped

Where = Callable[[str], str]
"""The pin of a contact, for a person with a meter."""
_AREA: Final = "squares"


def where_on(config: Config, pins: PinMap) -> Where:
    """The words for every contact's pin, on the header or on the expanders."""
    if config.gpio.wiring == "expander" and pins.expander is not None:
        inputs = pins.expander.inputs
        return lambda name: f"{pin_text(*inputs[name])} of the expanders"
    gpios = pins.contacts(chutes=config.gpio.chutes)
    return lambda name: place(gpios[name])


def squares(results: Sequence[Result], where: Where) -> Iterator[Finding]:
    """What came of them: swapped pairs first, then each that is not right, then how many are."""
    pairs = swapped(results)
    for one, other in pairs:
        yield broken(
            _AREA,
            f"{one} and {other} answer in each other's place",
            f"Change their wires: {one} belongs on {where(one)}, {other} on {where(other)}.",
        )
    known = {square for pair in pairs for square in pair}
    for result in results:
        if result.verdict is not Verdict.RIGHT and result.square not in known:
            yield _SAY[result.verdict](result, where)
    good = sum(result.verdict is Verdict.RIGHT for result in results)
    yield right(_AREA, f"{good} of {len(results)} squares answer as they should")


def _silent(result: Result, where: Where) -> Finding:
    return broken(
        _AREA,
        f"{result.square} does not answer",
        f"Check its wire to {where(result.square)} and its wire to ground; then hold a magnet to "
        "the switch itself, and turn the switch if only that helps.",
    )


def _other(result: Result, where: Where) -> Finding:
    other = result.answered[0]
    return broken(
        _AREA,
        f"{other} answers in place of {result.square}",
        f"Put the wire of {result.square} on {where(result.square)}; it is on {where(other)} now.",
    )


def _several(result: Result, _where: Where) -> Finding:
    others = [name for name in result.answered if name != result.square]
    return broken(
        _AREA,
        f"{result.square} answers, and {' and '.join(others)} with it",
        "Look for solder between the two wires. If there is none, the magnet reaches too far: "
        "take a weaker one, or move the switches to the middle of their squares.",
    )


def _stuck(result: Result, where: Where) -> Finding:
    return broken(
        _AREA,
        f"{result.square} is closed without a piece",
        f"Look for a magnet left near it, and for a short from {where(result.square)} to ground; "
        "else the switch is welded: change it.",
    )


def _flickers(result: Result, _where: Where) -> Finding:
    return broken(
        _AREA,
        f"{result.square} flickers under a piece that stands still",
        "Solder its wire anew; if that is firm, move the switch to the middle of the square.",
    )


def _weak(result: Result, _where: Where) -> Finding:
    return poor(
        _AREA,
        f"{result.square} is weak: {result.edges} edges in {result.within_ms} ms",
        "The piece stands at the edge of what the switch feels: move the switch to the middle of "
        "the square or nearer to the top, or take a stronger magnet.",
    )


_SAY: Final[Mapping[Verdict, Callable[[Result, Where], Finding]]] = MappingProxyType(
    {
        Verdict.SILENT: _silent,
        Verdict.OTHER: _other,
        Verdict.SEVERAL: _several,
        Verdict.STUCK: _stuck,
        Verdict.FLICKERS: _flickers,
        Verdict.WEAK: _weak,
    }
)
