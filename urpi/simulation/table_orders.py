"""Orders to an interactive table, as values that any thread may pass on.

They are physical acts, which no rule restricts. `carry_out` executes one at a table.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, assert_never, get_args

from urpi.rules import Side, Square
from urpi.simulation.interactive_table import InteractiveTable
from urpi.simulation.piece_layout import Place
from urpi.simulation.reeds import ReedFault

How: TypeAlias = Literal["thrown", "cocked", "turned"]
HOWS: Final = get_args(How)
Press: TypeAlias = Literal["short", "long", "both"]
PRESSES: Final = get_args(Press)


@dataclass(frozen=True, slots=True)
class Lift:
    """Lift the top pieces of a place, or a piece by its name with those on top of it."""

    hand: str
    place: Place | None = None
    count: int = 1
    piece: str | None = None


@dataclass(frozen=True, slots=True)
class HoldOver:
    """Hold a hand's pieces over a square, or with None away from all."""

    hand: str
    square: Square | None


@dataclass(frozen=True, slots=True)
class Put:
    """Put a hand's pieces down; `push` and `move` are those of `InteractiveTable.put`."""

    hand: str
    place: Place
    push: bool | None = None
    move: str | None = None


@dataclass(frozen=True, slots=True)
class PutBack:
    """Put a hand's pieces back where they were lifted."""

    hand: str


@dataclass(frozen=True, slots=True)
class TurnOver:
    """Turn a hand's pieces over."""

    hand: str


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """Report that a hand with pieces is still active."""

    hand: str


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Throw dice, all if none is given, in one of the ways in `HOWS`."""

    dice: tuple[int, ...] = ()
    how: How = "thrown"


@dataclass(frozen=True, slots=True)
class Bump:
    """Bump the table."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Brush all pieces off the board."""


@dataclass(frozen=True, slots=True)
class BreakSwitch:
    """Give a square's switch a fault, or repair it with None."""

    square: Square
    fault: ReedFault | None


@dataclass(frozen=True, slots=True)
class PlugHub:
    """Plug the hub's cable in, or pull it out."""

    plugged: bool


@dataclass(frozen=True, slots=True)
class SwitchPower:
    """Switch the power of the whole program on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class PressButton:
    """Press a side's button in one of the ways in `PRESSES`; ``both`` is the two together, long."""

    side: Side
    press: Press


@dataclass(frozen=True, slots=True)
class SeatPlayers:
    """Let simulated players play some sides from now on, and hands the others."""

    simulated: frozenset[Side]


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Let the simulated hands play a legal move."""

    move: str


@dataclass(frozen=True, slots=True)
class RestoreBoard:
    """Let the simulated hands put every piece where the display has it."""


@dataclass(frozen=True, slots=True)
class BeginLesson:
    """Begin the lesson about a first game in place of the current game."""


HandOrder: TypeAlias = Lift | HoldOver | Put | PutBack | TurnOver | KeepAlive
TableOrder: TypeAlias = (
    HandOrder
    | ThrowDice
    | Bump
    | Sweep
    | BreakSwitch
    | PlugHub
    | SwitchPower
    | PressButton
    | SeatPlayers
    | PlayMove
    | RestoreBoard
    | BeginLesson
)


def carry_out(order: TableOrder, table: InteractiveTable) -> None:  # noqa: C901, PLR0912 - a case for each type
    """Execute an order at a table, now.

    Raises:
        ImpossibleError: If it is physically impossible at present.
        UrpiError: If it names something that does not exist.
    """
    match order:
        case Lift(hand=hand, piece=str(piece)):
            table.lift_named(hand, piece)
        case Lift(hand=hand, place=place, count=count):
            if place is not None:
                table.lift(hand, place, count)
        case HoldOver(hand=hand, square=square):
            table.hold_over(hand, square)
        case Put(hand=hand, place=place, push=push, move=move):
            table.put(hand, place, push=push, move=move)
        case PutBack(hand=hand):
            table.put_back(hand)
        case TurnOver(hand=hand):
            table.turn(hand)
        case KeepAlive(hand=hand):
            table.keep_alive(hand)
        case ThrowDice(dice=dice, how=how):
            table.throw(dice, how)
        case Bump():
            table.bump()
        case Sweep():
            table.sweep()
        case BreakSwitch(square=square, fault=fault):
            table.break_switch(square, fault)
        case PlugHub(plugged=plugged):
            table.plug_hub(plugged=plugged)
        case SwitchPower(on=on):
            table.switch_power(on=on)
        case PressButton(side=side, press=press):
            table.press(side, press)
        case SeatPlayers(simulated=simulated):
            table.partner.plays = simulated
        case PlayMove(move=move):
            table.move(move)
        case RestoreBoard():
            table.restore_board()
        case BeginLesson():
            message = f"{order!r} is carried out by the program, not at the table."
            raise TypeError(message)
        case _:
            assert_never(order)
