"""docs/operate/outputs.md: the devices that show the game, and what each of them needs."""

from collections.abc import Iterator
from typing import Final

from docs.generator import markdown
from urpi.hardware import default_pins
from urpi.hardware.outputs.output import Output
from urpi.hardware.outputs.registry import OUTPUTS
from urpi.hardware.wiring import wires_of

_INTRODUCTION: Final = """\
The devices that show the game to the players at a board. Each has a section of its own in the
[configuration](../reference/configuration.md). The game continues without those that are missing
or fail. `urpi check-wiring --table` lists the wires of all that are configured."""


def page() -> str:
    """Return the contents of docs/operate/outputs.md."""
    head = ["output", "what it shows", "section", "wires", "needs"]
    return markdown.page(
        "Outputs",
        "the outputs of urpi/hardware/outputs",
        _INTRODUCTION,
        markdown.table(head, map(_row, OUTPUTS)),
        "[How to add an output](../contribute/device.md) is described step by step.",
    )


def _row(output: Output) -> tuple[str, ...]:
    wires = dict.fromkeys(_wires(output))
    return (
        output.title,
        output.about,
        f"`[{output.name}]`",
        "; ".join(wires),
        ", ".join(_needs(output)),
    )


def _wires(output: Output) -> Iterator[str]:
    pins = default_pins()
    for config, _ in output.examples():
        own = output.i2c(config) is not None
        names = {pin.wire for pin in output.pins(config, pins)}
        for wire in wires_of(config, pins):
            if wire.name in names or (own and wire.name.startswith(f"{output.title} ")):
                yield f"{wire.name} on pin {wire.pin}"


def _needs(output: Output) -> Iterator[str]:
    if output.extra:
        yield f"`{output.library}`, which `pip install 'urpi[{output.extra}]'` installs"
    if output.program:
        yield f"`{output.program}` for a part of it"
