"""Every generated file below docs/, by its path."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from docs.generator import (
    api,
    bluetooth_dice,
    events,
    findings,
    flow,
    layout,
    outputs,
    protocol,
    rule_sets,
    schema,
    warnings,
)
from urpi.config import rendering
from urpi.rules import RULE_SETS

PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "reference/configuration.md": rendering.page_text,
    "play/index.md": rule_sets.index,
    "play/bluetooth-dice.md": bluetooth_dice.page,
    **{f"play/{name}.md": partial(rule_sets.page, name) for name in RULE_SETS},
    **rule_sets.pictures(),
    "pictures/flow.svg": flow.picture,
    "pictures/domains.svg": layout.picture,
    "how-it-works/layout.md": layout.page,
    "operate/outputs.md": outputs.page,
    "operate/warnings.md": warnings.page,
    "trouble/findings.md": findings.page,
    "reference/journal-schema.md": schema.page,
    "reference/serial-protocol.md": protocol.page,
    "reference/events.md": events.page,
    "reference/api.md": api.page,
}
"""Path below docs/, and the function that returns its contents."""


def write(folder: Path) -> None:
    """Write every page below the given folder."""
    for name, make in PAGES.items():
        (folder / name).write_text(make(), "utf-8")
