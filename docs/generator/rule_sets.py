"""A page a rule set, as `urpi rules ID` tells it, with its way drawn; and the list of them."""

from typing import Final

from docs.generator import markdown
from urpi.rules import RULE_SETS, SQUARE_NAMES, RuleSet, Side, rule_set
from urpi.svg.way import way_picture
from urpi.words import words_for
from urpi.words.rules_pages import PAGES
from urpi.words.rules_text import Section, opening, playing

SOURCE: Final = "urpi/words/rules_pages.py"
_BODIES: Final = {"d4": "tetrahedra", "d6": "cube"}
_WORDS: Final = words_for("en")
_INTRODUCTION: Final = """\
The Royal Game of Ur was played for well over two thousand years, and nobody wrote its rules down
whole. So there are several ways to play it. The board knows eight; `finkel` is the one to begin
with, and `freecompany` and `ravensburger` are no races at all."""
_BEGINNING: Final = """\
Choose one in the board's menu, on its page, or in `[table]` of the
[configuration](../reference/configuration.md). House rules make a game shorter or otherwise; each
rule set's page lists its own. `urpi rules ID` prints the same page in a terminal. What exactly is
legal, with the source of every point, stands in [the rules](../design/RULES.md)."""


def page(name: str) -> str:
    """docs/play/NAME.md."""
    rules = rule_set(name)
    return markdown.page(
        _WORDS.rules(rules.id),
        SOURCE,
        f"`{rules.id}`: {rules.pieces} pieces a side, {_dice(rules)}. "
        f"See it played: `urpi demo --rules {rules.id}`.",
        *map(_section, opening(rules, _WORDS)),
        f"## The way\n\n![{_alternative(rules)}]({rules.id}.svg)",
        _about_way(rules),
        *map(_section, playing(rules, _WORDS)),
        "Every point with its source: [the rules](../design/RULES.md).",
    )


def picture(name: str) -> str:
    """docs/play/NAME.svg."""
    rules = rule_set(name)
    return way_picture(rules, Side.LIGHT, _alternative(rules)) + "\n"


def index() -> str:
    """docs/play/index.md."""
    rows = [
        (
            f"[{_WORDS.rules(name)}]({name}.md)",
            f"`{name}`",
            str(rule_set(name).pieces),
            _dice(rule_set(name)),
            _WORDS.text(str(PAGES[name].differs[0])).format(pieces=rule_set(name).pieces),
        )
        for name in RULE_SETS
    ]
    return markdown.page(
        "Play",
        "docs/generator/rule_sets.py",
        _INTRODUCTION,
        markdown.table(["rules", "id", "pieces", "dice", "what is different"], rows),
        _BEGINNING,
        "```{toctree}\n:hidden:\n\n" + "\n".join(RULE_SETS) + "\n```",
    )


def _dice(rules: RuleSet) -> str:
    count = rules.dice.count
    return f"{count} {_BODIES[rules.dice.body]}" if count > 1 else f"a {_BODIES[rules.dice.body]}"


def _section(section: Section) -> str:
    told = section.items[0] if len(section.items) == 1 else markdown.bullets(section.items)
    return f"## {section.heading}\n\n{told}"


def _alternative(rules: RuleSet) -> str:
    """The picture in words."""
    if "path" in rules.options:
        return "The board with the tracks on which pieces go, either way"
    squares = " ".join(SQUARE_NAMES[square] for square in rules.path(Side.LIGHT))
    return f"The board with light's way: {squares}"


def _about_way(rules: RuleSet) -> str:
    if "path" in rules.options:
        return "Pieces are placed, and go along the lines, either way."
    return (
        "Light's way, each square with its number on it; where the way comes by twice, there are "
        "two. Dark's is the same with rows A and C swapped. Light sits at row A."
    )
