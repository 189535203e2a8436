"""docs/play/bluetooth-dice.md: which dice with Bluetooth suit which rule set.

It is computed from the dice of the rule sets, and from the recorded messages of real dice in
tests/hardware/recorded.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from docs.generator import markdown
from urpi.config.kinds import BUILT_FACES
from urpi.hardware.die_faces import Use, use_of
from urpi.hardware.die_reports import FACES, Brand
from urpi.hardware.recording import Recording, firmware_of, parse_recording
from urpi.rules import RULE_SETS, rule_set
from urpi.show.words import words_for

PIXELS: Final = frozenset(FACES)
GODICE: Final = frozenset(FACES)
"""The numbers of faces that each brand is sold with; a GoDice without a shell is a d6."""
BUILT: Final = frozenset(BUILT_FACES)
_WORDS: Final = words_for("en")
_USES: Final[Mapping[Use, str]] = MappingProxyType(
    {"itself": "{dice}", "parity": "{dice} (odd is a mark)"}
)
_INTRODUCTION: Final = """\
[Dice with Bluetooth](../operate/bluetooth.md) of two brands can be used, and those that you build
[from one bought board](../build/one-board.md), as a d4 or d6. A die counts as itself if it has the
body that the rules require. Where only the number of marks counts, any other die stands in for a
tetrahedron: an odd number is a mark, with the same probability of one half. With a GoDice the
number of faces is that of its shell."""
_RECORDED: Final = """\
The messages of both brands are read as their makers document them. For these dice there are also
messages that a real die sent, which the tests read. The others are *untried*: a search in November
2026 of stored copies of the makers' repositories and issues, and of other programs for these dice,
found none, only messages composed for tests. (A
[thread about a GoDice with the firmware v04](https://www.b4x.com/android/forum/threads/146093/)
is stored only in part, without its messages.) You can
[make a recording](../operate/bluetooth.md#report-how-your-dice-behave) with `urpi dice record`. A
GoDice does not know its shell, so that in a shell it mostly reports a tilt; whether it lies flat is
then decided by its acceleration."""
_RECORDINGS: Final = Path(__file__).parents[2] / "tests" / "hardware" / "recorded"
_REST: Final = """\
Pixels with tens (d00) and fudge dice, and GoDice with the shell of tens (d10X), cannot be used."""


def page() -> str:
    """Return the content of docs/play/bluetooth-dice.md."""
    rows = [
        (
            f"[{_WORDS.rules(name)}]({name}.md)",
            str(rule_set(name).dice.count),
            suitable(name, PIXELS),
            suitable(name, GODICE),
            suitable(name, BUILT),
        )
        for name in RULE_SETS
    ]
    return markdown.page(
        "Which dice with Bluetooth suit which rules",
        "docs/generator/bluetooth_dice.py",
        _INTRODUCTION,
        markdown.table(["rules", "dice", "Pixels", "GoDice", "one bought board"], rows),
        _RECORDED,
        markdown.table(
            ["die", "Pixels", "firmware", "GoDice", "firmware"],
            [(f"d{each}", *evidence("pixels", each), *evidence("godice", each)) for each in FACES],
        ),
        _REST,
    )


def suitable(name: str, faces: frozenset[int]) -> str:
    """Return the dice of a brand that suit a rule set, by how they are used."""
    dice = rule_set(name).dice
    found: list[str] = []
    for use, text in _USES.items():
        bodies = [f"d{each}" for each in sorted(faces) if use_of(each, dice) == use]
        if bodies:
            found.append(text.format(dice=", ".join(bodies)))
    return "; ".join(found)


def evidence(brand: Brand, faces: int) -> tuple[str, str]:
    """Return the recordings of a die with links to their sources, and its firmware in each.

    A die without any is untried.
    """
    texts = [file.read_text("utf-8") for file in sorted(_RECORDINGS.glob("*.jsonl"))]
    found = [
        (f"[{throws(one, die.die)}]({one.about.source})", firmware_of(one, die.die) or "unknown")
        for one in map(parse_recording, texts)
        for die in one.dice.values()
        if (brand, faces) == (die.brand, die.faces)
    ]
    if not found:
        return "*untried*", ""
    recordings, firmware = zip(*found, strict=True)
    return ", ".join(recordings), ", ".join(firmware)


def throws(recording: Recording, die: int) -> str:
    """Return how many messages of a die were compared with what a person read."""
    count = sum(each.die == die and each.shows is not None for each in recording.messages)
    return f"{count} throws"
