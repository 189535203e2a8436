"""The page of each rule set, as printed by `urpi rules ID` and with its path drawn; their index."""

from collections.abc import Callable
from functools import partial
from typing import Final

from docs.generator import markdown
from docs.generator.bluetooth_dice import GODICE, PIXELS, suitable
from urpi.rules import RULE_SETS, SQUARE_NAMES, RuleSet, Side, rule_set
from urpi.show.svg.page_pictures import page_picture
from urpi.show.words import words_for
from urpi.show.words.picture_words import picture_words
from urpi.show.words.rules_text import (
    Picture,
    Section,
    path_title,
    pictures_of,
    sections,
    summary,
)

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
        f"`{rules.id}`: {rules.pieces} pieces a side, {_dice(rules)}. The page of a running table "
        "has these rules too, in nine languages and to print on one sheet: *Rules*, *Rules to "
        "print*.",
        *(_section(rules, section) for section in sections(rules, _WORDS)),
        "## At the table\n\n"
        f"Watch a game: `urpi demo --rules {rules.id}`. [At the table](../operate/table.md) says "
        "who does what.\n\n"
        f"Of [Pixels](../operate/bluetooth.md): {suitable(name, PIXELS)}. "
        f"Of GoDice: {suitable(name, GODICE)}. [All rule sets](bluetooth-dice.md)",
        "Every point with its source: [the rules](../design/RULES.md).",
    )


def pictures() -> dict[str, Callable[[], str]]:
    """Return the functions that draw the pictures of the pages, by their path below docs/."""
    return {
        f"play/{_file(rule_set(name), one)}": partial(_drawn, rule_set(name), one)
        for name in RULE_SETS
        for one in pictures_of(rule_set(name), _WORDS)
        if _is_kept(one)
    }


def _is_kept(picture: Picture) -> bool:
    """Whether the documentation has a picture; its pages name the squares that others show."""
    return picture.name in {"start", "dice", "path-light"} or picture.name.endswith("-after")


def _file(rules: RuleSet, picture: Picture) -> str:
    """Return the name of a picture's file; rule sets with the same start share its picture."""
    if picture.name == "start":
        return f"start-{rules.pieces}.svg"
    kind = picture.name.removesuffix("-after")
    return f"{rules.id}.svg" if kind == "path-light" else f"{rules.id}-{kind}.svg"


def _drawn(rules: RuleSet, picture: Picture) -> str:
    drawn = page_picture(rules, picture.name, picture.text, picture_words(rules, _WORDS))
    return drawn + "\n"


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


def _section(rules: RuleSet, section: Section) -> str:
    items = [item.text for item in section.items]
    text = items[0] if len(items) == 1 else markdown.bullets(items)
    images = [
        f"![{_alternative(rules, one)}]({_file(rules, one)})"
        for item in section.items
        for one in item.pictures
        if _is_kept(one)
    ]
    return "\n\n".join([f"## {section.heading}", text, *images])


def _alternative(rules: RuleSet, picture: Picture) -> str:
    """Return the text alternative of a picture; that of a path lists its squares."""
    if picture.text != path_title(Side.LIGHT, _WORDS):
        return picture.text
    squares = " ".join(SQUARE_NAMES[square] for square in rules.path(Side.LIGHT))
    return f"{picture.text}: {squares}"
