"""The list of the parts on the die's board, for docs/build/boards.md."""

from collections.abc import Iterator

from wiring.boards.design import Part
from wiring.boards.die import die
from wiring.pages.markdown import table


def parts() -> dict[str, str]:
    """Return the list by the name of its markers."""
    rows = [
        (str(len(same)), ", ".join(part.reference for part in same), same[0].value, package, order)
        for (package, order), same in _groups()
    ]
    return {"die-parts": table(["number", "parts", "value", "footprint", "order"], rows)}


def _groups() -> Iterator[tuple[tuple[str, str], list[Part]]]:
    """Yield the parts that are ordered, those that are equal together."""
    ordered = [part for part in die().parts if part.order]
    for kind in dict.fromkeys((part.value, part.footprint, part.order) for part in ordered):
        same = [part for part in ordered if (part.value, part.footprint, part.order) == kind]
        yield (_package(kind[1]), kind[2]), same


def _package(footprint: str) -> str:
    """Return the beginning of a footprint's name, such as "C_0603" or "SOT-23"."""
    if footprint.startswith(("C_", "R_", "LED_")):
        return "_".join(footprint.split("_")[:2])
    return footprint.partition("_")[0] if footprint.startswith(("QFN", "LGA", "SOT")) else ""
