"""Positions and rule words as text, and the plain record that the rule modules work on."""

import re
from dataclasses import dataclass

from .board import SQUARES, side_of

# For every rule set its options, the default first.
PIECES = ["7", "5", "3"]
OPTIONS: dict[str, dict[str, list[str]]] = {
    "finkel": {"decline": ["no", "yes"], "pieces": PIECES},
    "finkel3": {
        "decline": ["no", "yes"],
        "pieces": PIECES,
        "safe_rosettes": ["yes", "no"],
        "start": ["higher", "one"],
    },
    "murray": {
        "decline": ["no", "yes"],
        "exit_row": ["own", "opponent"],
        "loop": ["opponent-first", "own-first"],
        "pieces": PIECES,
        "safe_rosettes": ["no", "yes"],
        "start": ["higher", "one"],
    },
    "bell": {"decline": ["no", "yes"], "pieces": PIECES},
    "coursework": {"decline": ["no", "yes"], "pieces": PIECES, "zero": ["4", "0"]},
    "skiryuk": {
        "decline": ["no", "yes"],
        "loop": ["opponent-first", "own-first"],
        "pieces": PIECES,
    },
    "ravensburger": {},
    "freecompany": {"decline": ["yes", "no"], "path": ["tracks", "orthogonal"]},
    "masters": {"decline": ["no", "yes"], "pieces": PIECES, "safe_rosettes": ["no", "yes"]},
    "blitz": {"decline": ["no", "yes"], "pieces": ["5", "3"], "safe_rosettes": ["no", "yes"]},
}


@dataclass(frozen=True)
class Position:
    """What stands before a throw.

    `board` maps a square to its pile, bottom to top; empty squares are absent. `hand` and `off`
    count by side. `turn` is `L`, `D` or `=`; `extra_used` is the star behind it.
    """

    name: str
    options: dict[str, str]
    board: dict[str, list[str]]
    hand: dict[str, int]
    off: dict[str, int]
    turn: str
    extra_used: bool = False

    def changed(self, turn: str | None = None, *, extra_used: bool = False) -> "Position":
        """A copy whose board and counts may be written to, with this turn if one is given."""
        return Position(
            name=self.name,
            options=self.options,
            board={square: list(pile) for square, pile in self.board.items()},
            hand=dict(self.hand),
            off=dict(self.off),
            turn=self.turn if turn is None else turn,
            extra_used=extra_used,
        )

    def top(self, square: str) -> str | None:
        """The top piece of a square, or None when it is empty."""
        pile = self.board.get(square)
        return pile[-1] if pile else None

    def lift(self, square: str) -> str:
        """Take the top piece off a square of this copy; gives that piece."""
        piece = self.board[square].pop()
        if not self.board[square]:
            del self.board[square]
        return piece

    def put(self, square: str, pieces: list[str]) -> None:
        """Put pieces, the lowest first, on what stands on a square of this copy."""
        self.board.setdefault(square, []).extend(pieces)

    def squares_topped_by(self, side: str) -> list[str]:
        """The squares whose top piece is this side's."""
        return [square for square, pile in self.board.items() if side_of(pile[-1]) == side]


def pieces_each(name: str, options: dict[str, str]) -> int:
    """How many pieces each side has."""
    if name == "ravensburger":
        return 10
    return int(options.get("pieces", "7"))


def parse_rules(word: str) -> tuple[str, dict[str, str]]:
    """The id of a RULES word and all its options, those at their default too."""
    match = re.fullmatch(r"([a-z0-9]+)(?:\[([^\[\]]+)\])?", word)
    if match is None or match[1] not in OPTIONS:
        raise ValueError(f"unknown rules: {word!r}")
    name = match[1]
    options = {option: values[0] for option, values in OPTIONS[name].items()}
    for part in (match[2] or "").split(";"):
        if part:
            option, _, value = part.partition("=")
            if value not in OPTIONS[name].get(option, []):
                raise ValueError(f"unknown option in {word!r}: {part!r}")
            options[option] = value
    return name, options


def write_rules(name: str, options: dict[str, str]) -> str:
    """The RULES word: only options that are not at their default, alphabetical."""
    written = [f"{o}={options[o]}" for o in sorted(options) if options[o] != OPTIONS[name][o][0]]
    return f"{name}[{';'.join(written)}]" if written else name


def parse_board(word: str) -> dict[str, list[str]]:
    """The piles by square of a BOARD word."""
    board: dict[str, list[str]] = {}
    if word == "-":
        return board
    for part in word.split(","):
        square, _, pile = part.partition(":")
        if square not in SQUARES or square in board or not re.fullmatch(r"([LD]'?)+", pile):
            raise ValueError(f"bad board: {part!r}")
        board[square] = re.findall(r"[LD]'?", pile)
    return board


def write_board(board: dict[str, list[str]]) -> str:
    """The BOARD word, squares in bit order."""
    parts = [f"{square}:{''.join(board[square])}" for square in SQUARES if square in board]
    return ",".join(parts) or "-"


def parse_counts(word: str) -> dict[str, int]:
    """The counts by side of a HANDS or OFF word."""
    match = re.fullmatch(r"L(\d+)D(\d+)", word)
    if match is None:
        raise ValueError(f"bad counts: {word!r}")
    return {"L": int(match[1]), "D": int(match[2])}


def write_counts(counts: dict[str, int]) -> str:
    """A HANDS or OFF word."""
    return f"L{counts['L']}D{counts['D']}"


def count_pieces(position: Position, side: str) -> int:
    """All pieces of a side: on the board, in hand and off."""
    standing = sum(side_of(piece) == side for pile in position.board.values() for piece in pile)
    return standing + position.hand[side] + position.off[side]


def parse_position(text: str) -> Position:
    """The position of a text of five words."""
    words = text.split(" ")
    if len(words) != 5:
        raise ValueError(f"a position has five words: {text!r}")
    name, options = parse_rules(words[0])
    turns = ["L", "D", "="] + (["L*", "D*"] if name == "freecompany" else [])
    if words[4] not in turns:
        raise ValueError(f"bad turn: {words[4]!r}")
    hand, off = parse_counts(words[2]), parse_counts(words[3])
    extra_used = words[4].endswith("*")
    position = Position(
        name, options, parse_board(words[1]), hand, off, words[4].rstrip("*"), extra_used
    )
    for side in "LD":
        if count_pieces(position, side) != pieces_each(name, options):
            raise ValueError(f"pieces of {side} lost or added: {text!r}")
    return position


def write_position(position: Position) -> str:
    """The five words of a position."""
    return " ".join(
        [
            write_rules(position.name, position.options),
            write_board(position.board),
            write_counts(position.hand),
            write_counts(position.off),
            position.turn + ("*" if position.extra_used else ""),
        ]
    )
