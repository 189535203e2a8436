"""The page of each rule set, as printed by `urpi rules ID` and with its path drawn; their index."""

from typing import Final

from docs.generator import markdown
from docs.generator.bluetooth_dice import GODICE, PIXELS, suitable
from urpi.rules import RULE_SETS, SQUARE_NAMES, RuleSet, Side, rule_set
from urpi.show.svg.path import path_picture
from urpi.show.words import words_for
from urpi.show.words.rules_text import Section, opening, playing, summary

SOURCE: Final = "urpi/show/words/rules_pages.py"
_BODIES: Final = {"d4": "tetrahedra", "d6": "cube"}
_WORDS: Final = words_for("en")
_INTRODUCTION: Final = f"""\
The Royal Game of Ur was played for more than two thousand years, but no complete set of rules has
survived, so there are several ways to play it. urpi supports {len(RULE_SETS)}. Start with `finkel`;
`freecompany` and `ravensburger` are not races."""
_BEGINNING: Final = """\
Choose a rule set in the board's menu, on its page, or in the `[table]` section of the
[configuration](../reference/configuration.md). House rules shorten or vary a game; the page of each
rule set lists its own. `urpi rules ID` prints the same page in a terminal. [The
rules](../design/RULES.md) specify exactly what is legal, with the source of every point."""


def page(name: str) -> str:
    """Return the contents of docs/play/NAME.md."""
    rules = rule_set(name)
    return markdown.page(
        _WORDS.rules(rules.id),
        SOURCE,
        f"`{rules.id}`: {rules.pieces} pieces a side, {_dice(rules)}. "
        f"Watch a game: `urpi demo --rules {rules.id}`.",
        *map(_section, opening(rules, _WORDS)),
        "## Dice with Bluetooth\n\n"
        f"Of [Pixels](../operate/bluetooth.md): {suitable(name, PIXELS)}. "
        f"Of GoDice: {suitable(name, GODICE)}. [All rule sets](bluetooth-dice.md)",
        f"## The path\n\n![{_alternative(rules)}]({rules.id}.svg)",
        _about_way(rules),
        *map(_section, playing(rules, _WORDS)),
        "Every point with its source: [the rules](../design/RULES.md).",
    )


def picture(name: str) -> str:
    """Return the contents of docs/play/NAME.svg."""
    rules = rule_set(name)
    return path_picture(rules, Side.LIGHT, _alternative(rules)) + "\n"


def index() -> str:
    """Return the contents of docs/play/index.md."""
    rows = [
        (
            f"[{_WORDS.rules(name)}]({name}.md)",
            f"`{name}`",
            str(rule_set(name).pieces),
            _dice(rule_set(name)),
            summary(rule_set(name), _WORDS),
        )
        for name in RULE_SETS
    ]
    return markdown.page(
        "Play",
        "docs/generator/rule_sets.py",
        _INTRODUCTION,
        markdown.table(["rules", "id", "pieces", "dice", "what is different"], rows),
        _BEGINNING,
        "```{toctree}\n:hidden:\n\n" + "\n".join((*RULE_SETS, "bluetooth-dice")) + "\n```",
    )


def _dice(rules: RuleSet) -> str:
    count = rules.dice.count
    return f"{count} {_BODIES[rules.dice.body]}" if count > 1 else f"a {_BODIES[rules.dice.body]}"


def _section(section: Section) -> str:
    text = section.items[0] if len(section.items) == 1 else markdown.bullets(section.items)
    return f"## {section.heading}\n\n{text}"


def _alternative(rules: RuleSet) -> str:
    """Return the text alternative of the picture."""
    if "path" in rules.options:
        return "The board with the tracks that pieces move along in either direction"
    squares = " ".join(SQUARE_NAMES[square] for square in rules.path(Side.LIGHT))
    return f"The board with light's path: {squares}"


def _about_way(rules: RuleSet) -> str:
    if "path" in rules.options:
        return "Pieces are placed on the board and move along the lines in either direction."
    return (
        "Light's path, with the number of each square; a square that the path visits twice has two "
        "numbers. Dark's path is the same with rows A and C swapped. Light sits at row A."
    )
