"""Every generated file below docs/, by its path there."""

from collections.abc import Iterator
from pathlib import Path

from docs.generator import findings, flow, protocol, rule_sets, schema, warnings
from urpi.config import paper


def every_page() -> Iterator[tuple[str, str]]:
    """Path below docs/ and text of each."""
    yield "reference/configuration.md", paper.page()
    yield from rule_sets.pages()
    yield "pictures/flow.svg", flow.picture() + "\n"
    yield "operate/warnings.md", warnings.page()
    yield "trouble/findings.md", findings.page()
    yield "reference/journal-schema.md", schema.page()
    yield "reference/serial-protocol.md", protocol.page()


def write(folder: Path) -> None:
    """Write each below that folder."""
    for name, text in every_page():
        (folder / name).write_text(text, "utf-8")
