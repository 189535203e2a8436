"""The pictures of a rule set's page: its start, dice, paths, special squares and example turns.

Each is a complete SVG document. A picture has a name: ``start``, ``faces``, ``dice``,
``path-light``, ``squares-A1.A7``, or ``turn-1-before``, ``-throw`` and ``-after``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from urpi.rules import RuleSet, Side, Square
from urpi.rules.board import parse_square
from urpi.rules.dice import DiceSet
from urpi.rules.examples import Example, example_turns
from urpi.show.svg.board import STYLE, BoardScene, Labels, board_document, piece_drawing
from urpi.show.svg.elements import element, escaped
from urpi.show.svg.empty_board import empty_board, motif_symbols
from urpi.show.svg.path import path_picture
from urpi.show.svg.plan import HEIGHT, PITCH, WIDTH, corner
from urpi.show.svg.rule_pictures import die

BESIDE: Final = 34
"""Height of a row of pieces beside the board."""
TIPS: Final = {"g": "#d9a521", "s": "#c9ced6", "-": None}
"""The colour of a tip that points up; a blank one has that of the die."""
CELL: Final = 34
"""Width and height of a die."""
VALUE: Final = 44
"""Width of what a throw counts, beside its dice."""
COLUMNS: Final = 3
"""Throws side by side."""


@dataclass(frozen=True)
class PictureWords:
    """The words in the pictures: pieces in hand and at home, the sides, and places on the board."""

    hand: str
    home: str
    sides: Mapping[Side, str]
    places: Mapping[Square, str]


def page_picture(rules: RuleSet, name: str, title: str, words: PictureWords) -> str:
    """Return a picture as an SVG document.

    Args:
        rules: the rule set.
        name: one of the names that the page of the rule set has.
        title: alternative text.
        words: the words in the picture.
    """
    kind, _, about = name.partition("-")
    match kind:
        case "start":
            return _start(rules, title, words)
        case "faces":
            return _faces(title)
        case "dice":
            throws = [_mixed(throw.faces) for throw, _ in rules.dice.outcomes]
            return _dice(rules.dice, throws, title)
        case "path":
            return path_picture(rules, Side(about), title, words.places)
        case "squares":
            return _squares(about.split("."), title)
        case _:
            number, _, moment = about.partition("-")
            return _turn(example_turns(rules)[int(number) - 1], moment, title, words)


def _start(rules: RuleSet, title: str, words: PictureWords) -> str:
    rows = ((Side.DARK, -BESIDE / 2), (Side.LIGHT, HEIGHT + BESIDE / 2))
    return _document(
        title,
        (0, -BESIDE, WIDTH, HEIGHT + 2 * BESIDE),
        motif_symbols(),
        empty_board(),
        *(part for side, y in rows for part in _row_of_pieces(rules, side, y, words)),
    )


def _row_of_pieces(rules: RuleSet, side: Side, y: float, words: PictureWords) -> Iterator[str]:
    """Yield a side's name and its pieces, which wait beside the board."""
    yield element("text", escaped(words.sides[side]), x=2, y=y + 4, class_="ur-beside")
    for number in range(rules.pieces):
        yield from piece_drawing(74 + 28 * number, y, side.letter)


def _faces(title: str) -> str:
    pieces = [("L", 20), ("l", 54), ("D", 100), ("d", 134)]
    drawn = (part for letter, x in pieces for part in piece_drawing(x, 20, letter))
    return _document(title, (0, 0, 154, 40), *drawn)


def _mixed(faces: str) -> str:
    """Return faces with the marks in both colours, where the colours do not matter."""
    if set(faces) - {"g", "-"} or len(faces) < 3:
        return faces
    marks = len(faces) - faces.count("-")
    return ("gs" * marks)[:marks] + "-" * (len(faces) - marks)


def _dice(dice: DiceSet, throws: list[str], title: str) -> str:
    """Return throws with what each counts; that of coloured dice depends on the colours."""
    counts = dice.binary or dice.body == "d6"
    width = dice.count * CELL + (VALUE if counts else 16)
    columns = min(COLUMNS, len(throws))
    lines = -(-len(throws) // columns)
    drawn = (
        part
        for number, faces in enumerate(throws)
        for part in _throw(dice, faces, number % columns * width, number // columns * CELL, counts)
    )
    return _document(title, (0, 0, columns * width, lines * CELL), *drawn)


def _throw(
    dice: DiceSet,
    faces: str,
    left: float,
    top: float,
    counts: bool,
) -> Iterator[str]:
    for number, face in enumerate(faces):
        x, y = left + (number + 0.5) * CELL, top + CELL / 2
        if dice.body == "d4":
            yield from die(x, y + 2, 14, TIPS[face])
        else:
            yield element("rect", x=x - 12, y=y - 12, width=24, height=24, rx=4, fill="#34405a")
            yield element("text", face, x=x, y=y + 6, class_="ur-face")
    if counts:
        text = f"= {dice.throw(faces).value}"
        x = left + len(faces) * CELL + 3
        yield element("text", text, x=x, y=top + CELL / 2 + 6, class_="ur-value")


def _squares(names: list[str], title: str) -> str:
    marks = []
    for name in names:
        left, top = corner(parse_square(name))
        place = {"x": left + 1.5, "y": top + 1.5, "width": PITCH - 3, "height": PITCH - 3}
        marks.append(element("rect", rx=3, class_="ur-special", **place))
    return _document(title, (0, 0, WIDTH, HEIGHT), motif_symbols(), empty_board(), *marks)


def _turn(example: Example, moment: str, title: str, words: PictureWords) -> str:
    if moment == "throw":
        return _dice(example.position.rules.dice, [example.throw.faces], title)
    labels = Labels(title, words.hand, words.home)
    position, moved = example.position, None
    if moment == "after":
        position, moved = example.after, example.move
    return board_document(BoardScene(position, position.occupancy, moved), labels)


_STYLE: Final = """
.ur-beside { font-size: 12px; font-weight: 600; }
.ur-special { fill: #ffd43b; fill-opacity: .25; stroke: #d9480f; stroke-width: 3; }
.ur-value { font: 700 17px system-ui, sans-serif; fill: currentColor; }
.ur-face { font: 700 16px system-ui, sans-serif; fill: #fff; text-anchor: middle; }
svg { color: #808080; }
"""


def _document(title: str, box: tuple[float, float, float, float], *content: str) -> str:
    _, _, width, height = box
    return element(
        "svg",
        element("title", escaped(title)),
        element("style", STYLE, _STYLE),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        width=1.5 * width,
        height=1.5 * height,
        viewBox=" ".join(f"{number:g}" for number in box),
        role="img",
    )
