"""Seats: who decides the moves of a side: a person here, the engine, or a person at another table.

A seat is stored and entered as one word: ``person``, ``remote``, or ``engine:`` and the level.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from urpi.rules import Side

LocalSeat: TypeAlias = Literal[
    "person", "engine:beginner", "engine:easy", "engine:medium", "engine:hard", "engine:best"
]
Seat: TypeAlias = Literal[LocalSeat, "remote"]
SEATS: Final[tuple[LocalSeat, ...]] = get_args(LocalSeat)
"""All seats of one table, the person first, then the weakest level."""
Seats: TypeAlias = tuple[Seat, Seat]
"""Light's and dark's seat."""
PERSONS: Final[Seats] = ("person", "person")

Coach: TypeAlias = Literal["off", "very-bad", "bad", "doubtful"]
"""The least mistake that is answered with a better move, by its mark in a review; or ``off``."""
COACHES: Final[tuple[Coach, ...]] = get_args(Coach)
"""All settings of the coach, the one that speaks least first."""
Coaches: TypeAlias = tuple[Coach, Coach]
"""Light's and dark's coach."""
NO_COACH: Final[Coaches] = ("off", "off")

EngineThrows: TypeAlias = Literal["dice", "program"]
"""What throws for the engine: real dice in a person's hand, or the program."""
ENGINE_THROWS: Final[tuple[EngineThrows, ...]] = get_args(EngineThrows)


@dataclass(frozen=True, slots=True)
class SharedGame:
    """The additional properties of a game of two tables; one side's seat is ``remote``.

    Attributes:
        id: The identity of the game, the same at both tables.
        table: The id of the other table.
        date: When it began at the table that proposed it, as in a record: ``2026.11.20``.
    """

    id: str
    table: str
    date: str


def place_name(table: str) -> str:
    """Return a table's id as words, because nothing else is known of where it stands.

    >>> place_name("lisbon-2")
    'Lisbon 2'
    """
    return table.replace("-", " ").title()


def is_engine(seat: Seat) -> bool:
    """Return whether the engine decides the moves."""
    return seat.startswith("engine:")


def remote_side(seats: Seats) -> Side | None:
    """Return the side of the player at another table, None in a game of one table."""
    # Asked several times in each step, in most games in vain.
    return Side.LIGHT if seats[0] == "remote" else Side.DARK if seats[1] == "remote" else None


def engine_sides(seats: Seats) -> frozenset[Side]:
    """Return the sides whose moves the engine decides."""
    return frozenset(side for side in Side if is_engine(seats[side.number]))


def engine_name(seat: Seat) -> str:
    """Return the name of the engine as a player, empty for a person.

    >>> engine_name("engine:hard")
    'urpi hard'
    """
    return f"urpi {level_word(seat)}" if is_engine(seat) else ""


def level_word(seat: Seat) -> str:
    """Return the level of an engine's seat, empty for a person.

    >>> level_word("engine:hard"), level_word("person")
    ('hard', '')
    """
    return seat.removeprefix("engine:") if is_engine(seat) else ""
