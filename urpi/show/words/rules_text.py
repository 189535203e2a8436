"""A rule set explained to players: the sections of its page, with the pictures that belong to them.

The explanations of house rules are defined with the options (``xgettext -kOption:3``).
"""

import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from urpi.rules import SQUARE_NAMES, RuleSet, Side
from urpi.rules.board_text import board_drawing, path_drawing
from urpi.rules.examples import Example, example_turns
from urpi.rules.options import Option
from urpi.show.words.move_texts import move_text, played_sentence
from urpi.show.words.race_page import (
    CAPTURE_AGAIN,
    FOUR_AGAIN,
    NOT_SAFE,
    RACE_AIM,
    SAFE,
    SAFE_ONLY,
    THROW_AGAIN,
    capture_squares,
    last_sentences,
    named,
    page_by_data,
    shared_squares,
)
from urpi.show.words.rules_pages import (
    CAMPS,
    FOUR_FORTS,
    MARKS_THREE,
    MARKS_THREE_FOUR,
    ON_TOP,
    PAGES,
    RulesPage,
    Sentences,
)
from urpi.show.words.sentences import N_, Several
from urpi.show.words.words import Words, words_for

WIDTH: Final = 76
"""Maximum number of characters per line."""

DRAWINGS: Final = {
    RACE_AIM: "pieces-{pieces}",
    MARKS_THREE: "none-0",
    MARKS_THREE_FOUR: "none-4",
    THROW_AGAIN: "rosette-again",
    SAFE: "rosette-safe",
    SAFE_ONLY: "rosette-safe",
    NOT_SAFE: "rosette-open",
    FOUR_AGAIN: "four-again",
    CAPTURE_AGAIN: "capture-again",
    CAMPS: "camp",
    ON_TOP: "tower",
    FOUR_FORTS: "forts",
}
"""The drawing that explains a sentence, by its name in `urpi.show.svg.rule_pictures`."""
THIRTEENTH: Final = 12
"""The square of the path that `skiryuk` names, from 0: the first ziggurat."""
ORDINARY: Final = N_("All other squares are ordinary, whatever is drawn on them.")
AGREE: Final = N_("Agree on these before the game, and choose them under New game.")
THROWS: Final = N_("{side} throws {throw}. Possible moves: {moves}.")
CAPTURED: Final = N_("The captured piece is in hand again.")
NEXT: Final = N_("Next to throw: {side}.")


class Highlight(NamedTuple):
    """A rule with the name of the drawing that explains it (`urpi.show.svg.rule_pictures`)."""

    picture: str
    text: str


class Picture(NamedTuple):
    """A picture by its name (`urpi.show.svg.page_pictures`), with its alternative text."""

    name: str
    text: str


class Item(NamedTuple):
    """A rule of a page, and the pictures that show it."""

    text: str
    pictures: tuple[Picture, ...] = ()


class Section(NamedTuple):
    """A heading of a rule set's page, and its rules."""

    heading: str
    items: tuple[Item, ...]


def rules_page(rules: RuleSet, side: Side = Side.LIGHT, words: Words | None = None) -> str:
    """Return the page of a rule set with its options as plain text, with a side's path drawn.

    Defaults to light's path and to English, the language of the documentation.

    >>> from urpi.rules import rule_set
    >>> print(rules_page(rule_set("finkel")).splitlines()[0])
    Finkel, four dice (finkel)
    """
    words = words or words_for("en")
    title = f"{words.rules(rules.id)} ({rules.text})"
    # The options are one word, which cannot be wrapped; they are listed below anyway.
    title = title if len(title) <= WIDTH else f"{words.rules(rules.id)} ({rules.id})"
    lines = [title, "=" * len(title)]
    for section in sections(rules, words):
        lines += ["", section.heading, "-" * len(section.heading)]
        for item in section.items:
            lines.append(_wrapped(item.text))
            lines += (drawn for one in item.pictures for drawn in _drawn_as_text(rules, one, side))
    return "\n".join(lines)


def path_title(side: Side, words: Words) -> str:
    """Return the heading of the drawing of a side's path."""
    return words.text(N_("Path of {side}")).format(side=words.side(side))


def summary(rules: RuleSet, words: Words) -> str:
    """Return one line about a rule set."""
    return next(_applicable(PAGES[rules.id].differs, rules, words))


@cache
def page_of(rules: RuleSet) -> RulesPage:
    """Return the sentences of a rule set's page: those by its data, then its own."""
    return page_by_data(rules).with_own(PAGES[rules.id]).with_own(last_sentences(rules))


def highlights(rules: RuleSet, words: Words) -> tuple[Highlight, ...]:
    """Return the rules of a rule set that a drawing explains, with its options.

    >>> from urpi.rules import rule_set
    >>> [one.picture for one in highlights(rule_set("blitz"), words_for("en"))]
    ['pieces-5', 'rosette-again', 'rosette-open', 'capture-again']
    """
    page = page_of(rules)
    about_squares = tuple(one for at in page.squares for one in at.sentences)
    found: dict[str, str] = {}
    for message in messages(
        (*page.aim, *page.dice, *about_squares, *page.capturing, *page.extra), rules
    ):
        if message in DRAWINGS:
            name = DRAWINGS[message].format(pieces=rules.pieces)
            found.setdefault(name, _filled(message, rules, words))
    return tuple(Highlight(name, text) for name, text in found.items())


def square_notes(rules: RuleSet, words: Words) -> dict[str, tuple[str, ...]]:
    """Return the sentences about each special square, by its name in the order of the squares.

    >>> from urpi.rules import rule_set
    >>> square_notes(rule_set("blitz"), words_for("en"))["B4"][1]
    'A piece on a rosette is not safe.'
    """
    about: dict[str, list[str]] = {}
    for at in page_of(rules).squares:
        for square in at.squares.split():
            about.setdefault(square, []).extend(_applicable(at.sentences, rules, words))
    return {name: tuple(about[name]) for name in SQUARE_NAMES if about.get(name)}


def sections(rules: RuleSet, words: Words) -> tuple[Section, ...]:
    """Return the sections of a page in their order, without empty ones."""
    page = page_of(rules)

    def plain(sentences: Sentences, *pictures: Picture) -> tuple[Item, ...]:
        items = [Item(text) for text in _applicable(sentences, rules, words)]
        return (*items[:-1], items[-1]._replace(pictures=pictures)) if items else ()

    start = [Picture("start", words.text(N_("The board and the pieces at the start")))]
    if rules.two_faced:
        start.append(Picture("faces", words.text(N_("Pieces on their first and second face"))))
    dice = Picture("dice", words.text(N_("Every throw, and what it counts")))
    paths = [Picture(f"path-{side.value}", path_title(side, words)) for side in Side]
    if "path" in rules.options:
        paths = [Picture("path-light", words.text(N_("The lines along which pieces move")))]
    options = tuple(Item(_option_text(rules, option, words)) for option in rules.known_options)
    found = (
        (N_("Aim"), plain(page.aim)),
        (N_("In short"), plain(page.differs)),
        (N_("What you need"), plain(page.need, *start)),
        (N_("Dice"), plain(page.dice, dice)),
        (N_("Your path"), plain(page.path, *paths)),
        (N_("Who begins"), plain(page.begin)),
        (N_("A turn"), plain(page.turn)),
        (N_("Special squares"), tuple(_special_squares(rules, words))),
        (N_("Capturing"), plain(page.capturing)),
        (N_("Piles"), plain(page.piles)),
        (N_("Going home"), plain(page.home)),
        (N_("Extra throws"), plain(page.extra)),
        (N_("Passing"), plain(page.passing)),
        (N_("Winning and draws"), plain(page.winning)),
        (N_("Two example turns"), tuple(_examples(rules, words))),
        (N_("House rules"), (Item(words.text(AGREE)), *options) if options else ()),
        (N_("Where the rules come from"), plain(page.source)),
        (N_("What the source says"), plain(page.booklet)),
        (N_("What other public sources say"), plain(page.public)),
        (N_("What we decided, where the sources are silent"), plain(page.ours)),
    )
    return tuple(Section(words.text(heading), items) for heading, items in found if items)


def pictures_of(rules: RuleSet, words: Words) -> Iterator[Picture]:
    """Yield the pictures of a page."""
    return (
        one for section in sections(rules, words) for item in section.items for one in item.pictures
    )


def messages(sentences: Sentences, rules: RuleSet) -> Iterator[str | Several]:
    """Yield the English text of the sentences that apply with the rule set's options."""
    for one in sentences:
        if isinstance(one, str | Several):
            yield one
        elif rules.options[one.option] == one.value:
            yield one.sentence


@cache
def values_of(rules: RuleSet) -> dict[str, str | int]:
    """Return what the placeholders of the sentences stand for."""
    found: dict[str, str | int] = {"pieces": rules.pieces}
    if rules.dice.binary:
        total = 2**rules.dice.count
        found["chances"] = ", ".join(
            f"{throw.value} ({chance * total}/{total})" for throw, chance in rules.dice.outcomes
        )
    light, dark = (rules.path(side) for side in Side)
    if light:
        found |= {
            "last": len(light),
            "last_square": SQUARE_NAMES[light[-1]],
            "shared": named(shared_squares(rules)),
            "captures": named(capture_squares(rules)),
        }
    if len(light) > THIRTEENTH:
        found |= {
            "light_turns": SQUARE_NAMES[light[THIRTEENTH]],
            "dark_turns": SQUARE_NAMES[dark[THIRTEENTH]],
        }
    return found


def _special_squares(rules: RuleSet, words: Words) -> Iterator[Item]:
    special: set[str] = set()
    for at in page_of(rules).squares:
        texts = tuple(_applicable(at.sentences, rules, words))
        name = words.text(at.name)
        picture = Picture("squares-" + at.squares.replace(" ", "."), f"{name}: {at.squares}")
        yield Item(f"{name} ({at.squares}). {' '.join(texts)}", (picture,))
        special.update(at.squares.split())
    if special < set(SQUARE_NAMES):
        yield Item(words.text(ORDINARY))


def _examples(rules: RuleSet, words: Words) -> Iterator[Item]:
    for number, example in enumerate(example_turns(rules), 1):
        text = " ".join(_example_sentences(example, words))
        moments = (
            ("before", N_("Before the move")),
            ("throw", N_("The throw")),
            (
                "after",
                N_("After the move"),
            ),
        )
        pictures = (Picture(f"turn-{number}-{key}", words.text(title)) for key, title in moments)
        yield Item(text, tuple(pictures))


def _example_sentences(example: Example, words: Words) -> Iterator[str]:
    before, after = example.position, example.after
    side = before.turn
    assert side is not None
    dice = before.rules.dice
    coloured = dice.body == "d4" and not dice.binary
    throw = words.joined(map(words.face, example.throw.faces)) if coloured else example.throw.value
    moves = " / ".join(move_text(move, words) for move in example.legal)
    name = words.side(side)
    yield words.text(THROWS).format(side=name, throw=throw, moves=moves)
    yield played_sentence(example.move, name, words)
    if after.hand[side.other.number] > before.hand[side.other.number]:
        yield words.text(CAPTURED)
    if after.turn is not None:
        yield words.text(NEXT).format(side=words.side(after.turn))


def _applicable(sentences: Sentences, rules: RuleSet, words: Words) -> Iterator[str]:
    """Yield the sentences that apply with the rule set's options."""
    return (_filled(message, rules, words) for message in messages(sentences, rules))


def _filled(message: str | Several, rules: RuleSet, words: Words) -> str:
    if isinstance(message, Several):
        return words.count(message.one, message.many, rules.pieces, pieces=str(rules.pieces))
    return words.text(message).format_map(values_of(rules))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ")


def _drawn_as_text(rules: RuleSet, picture: Picture, side: Side) -> Iterator[str]:
    """Yield a picture in letters, if it is one of the given side's path or of a position."""
    kind, _, about = picture.name.partition("-")
    if kind == "path" and (about == side.value or "path" in rules.options):
        yield from ("", picture.text, path_drawing(rules, side))
    elif kind == "turn" and about.endswith("before"):
        position = example_turns(rules)[int(about[0]) - 1].position
        yield from ("", picture.text, board_drawing(position), "")


def _option_text(rules: RuleSet, option: Option, words: Words) -> str:
    value = rules.options[option.name]
    others = words.joined(other for other in option.values if other != value)
    if value == option.default:
        template = N_("{name}={value} (or {others}): {about}.")
    else:
        template = N_("{name}={value}, not {default} as usual: {about}.")
    about = words.text(option.about)
    return words.text(template).format(
        name=option.name, value=value, default=option.default, others=others, about=about
    )
