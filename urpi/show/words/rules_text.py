"""A rule set explained to players: a page of text with a drawing of the path.

The explanations of house rules are defined with the options (``xgettext -kOption:3``).
"""

import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from urpi.rules import SQUARE_NAMES, RuleSet, Side
from urpi.rules.board_text import path_drawing
from urpi.rules.options import Option
from urpi.show.words.rules_pages import DECLINING, PAGES, PICTURES, At, Sentences
from urpi.show.words.sentences import N_, Several
from urpi.show.words.words import Words, words_for

WIDTH: Final = 76
"""Maximum number of characters per line."""


class Highlight(NamedTuple):
    """A rule with the name of the drawing that explains it (`urpi.show.svg.rule_pictures`)."""

    picture: str
    text: str


class Section(NamedTuple):
    """A heading of a rule set's page, and its sentences."""

    heading: str
    items: tuple[str, ...]


def rules_page(rules: RuleSet, side: Side = Side.LIGHT, words: Words | None = None) -> str:
    """Return the page of a rule set with its options, with the drawing of a side's path.

    Defaults to light's path and to English, the language of the documentation.

    >>> from urpi.rules import rule_set
    >>> print(rules_page(rule_set("finkel")).splitlines()[0])
    Finkel, four dice (finkel)
    """
    words = words or words_for("en")
    title = f"{words.rules(rules.id)} ({rules.text})"
    # The options are one word, which cannot be wrapped; they are listed below anyway.
    title = title if len(title) <= WIDTH else f"{words.rules(rules.id)} ({rules.id})"
    path = path_title(side, words)
    lines = [title, "=" * len(title)]
    lines += (line for section in opening(rules, words) for line in _lines(section))
    lines += [*_heading(path), path_drawing(rules, side)]
    lines += (line for section in playing(rules, words) for line in _lines(section))
    return "\n".join(lines)


def path_title(side: Side, words: Words) -> str:
    """Return the heading of the drawing of a side's path."""
    return words.text(N_("Path of {side}")).format(side=words.side(side))


def summary(rules: RuleSet, words: Words) -> str:
    """Return one line about a rule set."""
    return next(_applicable(PAGES[rules.id].differs, rules, words))


def highlights(rules: RuleSet, words: Words) -> tuple[Highlight, ...]:
    """Return the rules of a rule set that a drawing explains, with its options.

    >>> from urpi.rules import rule_set
    >>> [one.picture for one in highlights(rule_set("blitz"), words_for("en"))]
    ['pieces-5', 'rosette-again', 'rosette-open', 'capture-again']
    """
    page = PAGES[rules.id]
    sentences = (*page.aim, *page.dice, *page.squares, *page.turn)
    return tuple(
        Highlight(PICTURES[one].format(pieces=rules.pieces), _filled(one, rules, words))
        for one in _messages(sentences, rules)
        if one in PICTURES
    )


def square_notes(rules: RuleSet, words: Words) -> dict[str, tuple[str, ...]]:
    """Return the sentences about each special square, by its name in the order of the squares.

    >>> from urpi.rules import rule_set
    >>> square_notes(rule_set("blitz"), words_for("en"))["B4"][1]
    'A piece on a rosette is not safe.'
    """
    about: dict[str, list[str]] = {}
    for one in PAGES[rules.id].squares:
        if isinstance(one, At):
            for square in one.squares.split():
                about.setdefault(square, []).extend(_applicable((one,), rules, words))
    return {name: tuple(about[name]) for name in SQUARE_NAMES if about.get(name)}


def opening(rules: RuleSet, words: Words) -> Iterator[Section]:
    """Yield a page's sections before the drawing of the path: aim, differences, dice."""
    page = PAGES[rules.id]
    return _sections(
        rules,
        words,
        (N_("Aim"), page.aim),
        (N_("In short"), page.differs),
        (N_("Dice"), page.dice),
    )


def playing(rules: RuleSet, words: Words) -> Iterator[Section]:
    """Yield a page's sections after the drawing: squares, turns, house rules and sources."""
    page = PAGES[rules.id]
    yield from _sections(
        rules,
        words,
        (N_("Special squares"), page.squares),
        (N_("A turn"), (*page.turn, DECLINING) if rules.may_decline else page.turn),
        (N_("Who begins"), page.begin),
    )
    options = tuple(_option_text(rules, option, words) for option in rules.known_options)
    if options:
        yield Section(words.text(N_("House rules")), options)
    yield from _sections(
        rules,
        words,
        (N_("Where the rules come from"), page.source),
        (N_("What the source says"), page.booklet),
        (N_("What other public sources say"), page.public),
        (N_("What we decided, where the sources are silent"), page.ours),
    )


def _sections(rules: RuleSet, words: Words, *parts: tuple[str, Sentences]) -> Iterator[Section]:
    """Yield the sections that are not empty."""
    for heading, sentences in parts:
        if sentences:
            yield Section(words.text(heading), tuple(_applicable(sentences, rules, words)))


def _applicable(sentences: Sentences, rules: RuleSet, words: Words) -> Iterator[str]:
    """Yield the sentences that apply with the rule set's options."""
    return (_filled(message, rules, words) for message in _messages(sentences, rules))


def _messages(sentences: Sentences, rules: RuleSet) -> Iterator[str | Several]:
    """Yield the English text of the sentences that apply with the rule set's options."""
    for one in sentences:
        sentence = one.sentence if isinstance(one, At) else one
        if isinstance(sentence, (str, Several)):
            yield sentence
        elif rules.options[sentence.option] == sentence.value:
            yield sentence.sentence


def _filled(message: str | Several, rules: RuleSet, words: Words) -> str:
    if isinstance(message, Several):
        pieces = rules.pieces
        return words.count(message.one, message.many, pieces, pieces=str(pieces))
    return words.text(message)


def _lines(section: Section) -> Iterator[str]:
    yield from _heading(section.heading)
    for item in section.items:
        yield textwrap.fill(item, WIDTH, initial_indent="- ", subsequent_indent="  ")


def _heading(text: str) -> Iterator[str]:
    yield ""
    yield text
    yield "-" * len(text)


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
