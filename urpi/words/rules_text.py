"""A rule set told to a player: a page of plain words with the path drawn.

What a house rule is about, the rules say themselves (``xgettext -kOption:3``).
"""

import textwrap
from collections.abc import Iterator
from typing import Final

from urpi.rules import RuleSet, Side
from urpi.rules.drawing import path_drawing
from urpi.rules.options import Option
from urpi.words.rules_pages import PAGES, Sentences
from urpi.words.sentences import N_
from urpi.words.words import Words, words_for

WIDTH: Final = 76
"""Characters of a line."""


def rules_page(rules: RuleSet, side: Side = Side.LIGHT, words: Words | None = None) -> str:
    """A rule set with its options, told in a page of text; the path drawn is that side's.

    >>> from urpi.rules import rule_set
    >>> print(rules_page(rule_set("finkel")).splitlines()[0])
    Finkel, four dice (finkel)
    """
    words = words or words_for("en")
    title = f"{words.rules(rules.id)} ({rules.text})"
    return "\n".join([title, "=" * len(title), *_sections(rules, side, words)])


def _sections(rules: RuleSet, side: Side, words: Words) -> Iterator[str]:
    page = PAGES[rules.id]
    for heading, sentences in (
        (N_("Aim"), page.aim),
        (N_("What is different"), page.differs),
        (N_("Dice"), page.dice),
    ):
        yield from _list(heading, sentences, rules, words)
    yield from _heading(words.text(N_("Path of {side}")).format(side=words.side(side)))
    yield path_drawing(rules, side)
    for heading, sentences in (
        (N_("Special squares"), page.squares),
        (N_("A turn"), page.turn),
        (N_("Who begins"), page.begin),
    ):
        yield from _list(heading, sentences, rules, words)
    yield from _options(rules, words)
    for heading, sentences in (
        (N_("Where the rules come from"), page.source),
        (N_("What the booklet says"), page.booklet),
        (N_("What other public sources say"), page.public),
        (N_("What is ours, where all are silent"), page.ours),
    ):
        yield from _list(heading, sentences, rules, words)


def _heading(text: str) -> Iterator[str]:
    yield ""
    yield text
    yield "-" * len(text)


def _list(heading: str, sentences: Sentences, rules: RuleSet, words: Words) -> Iterator[str]:
    if sentences:
        yield from _heading(words.text(heading))
    for sentence in sentences:
        if isinstance(sentence, str):
            yield _item(words.text(sentence).format(pieces=rules.pieces))
        elif rules.options[sentence.option] == sentence.value:
            yield _item(words.text(sentence.sentence))


def _item(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ")


def _options(rules: RuleSet, words: Words) -> Iterator[str]:
    if not rules.known_options:
        return
    yield from _heading(words.text(N_("House rules")))
    for option in rules.known_options:
        yield _item(_option_text(rules, option, words))


def _option_text(rules: RuleSet, option: Option, words: Words) -> str:
    value = rules.options[option.name]
    others = ", ".join(other for other in option.values if other != value)
    if value == option.default:
        template = N_("{name}={value} (or {others}): {about}.")
    else:
        template = N_("{name}={value}, not {default} as usual: {about}.")
    about = words.text(option.about)
    return words.text(template).format(
        name=option.name, value=value, default=option.default, others=others, about=about
    )
