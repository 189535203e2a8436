"""Orders to an interactive table, as values that any thread may pass on.

They are physical acts, which no rule restricts. `carry_out` executes one at a table.
"""

from dataclasses import dataclass
from functools import singledispatch
from typing import Final, Literal, TypeAlias, get_args

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


@singledispatch
def carry_out(order: TableOrder, table: InteractiveTable) -> None:  # noqa: ARG001 - each kind has its own
    """Execute an order at a table, now.

    Raises:
        ImpossibleError: If it is physically impossible at present.
        UrpiError: If it names something that does not exist.
    """
    message = f"{order!r} is not an order to a table."
    raise TypeError(message)


@carry_out.register
def _(order: Lift, table: InteractiveTable) -> None:
    if order.piece is not None:
        table.lift_named(order.hand, order.piece)
    elif order.place is not None:
        table.lift(order.hand, order.place, order.count)


@carry_out.register
def _(order: HoldOver, table: InteractiveTable) -> None:
    table.hold_over(order.hand, order.square)


@carry_out.register
def _(order: Put, table: InteractiveTable) -> None:
    table.put(order.hand, order.place, push=order.push, move=order.move)


@carry_out.register
def _(order: PutBack, table: InteractiveTable) -> None:
    table.put_back(order.hand)


@carry_out.register
def _(order: TurnOver, table: InteractiveTable) -> None:
    table.turn(order.hand)


@carry_out.register
def _(order: KeepAlive, table: InteractiveTable) -> None:
    table.keep_alive(order.hand)


@carry_out.register
def _(order: ThrowDice, table: InteractiveTable) -> None:
    table.throw(order.dice, order.how)


@carry_out.register
def _(_order: Bump, table: InteractiveTable) -> None:
    table.bump()


@carry_out.register
def _(_order: Sweep, table: InteractiveTable) -> None:
    table.sweep()


@carry_out.register
def _(order: BreakSwitch, table: InteractiveTable) -> None:
    table.break_switch(order.square, order.fault)


@carry_out.register
def _(order: PlugHub, table: InteractiveTable) -> None:
    table.plug_hub(plugged=order.plugged)


@carry_out.register
def _(order: SwitchPower, table: InteractiveTable) -> None:
    table.switch_power(on=order.on)


@carry_out.register
def _(order: PressButton, table: InteractiveTable) -> None:
    table.press(order.side, order.press)


@carry_out.register
def _(order: SeatPlayers, table: InteractiveTable) -> None:
    table.partner.plays = order.simulated


@carry_out.register
def _(order: PlayMove, table: InteractiveTable) -> None:
    table.move(order.move)


@carry_out.register
def _(_order: RestoreBoard, table: InteractiveTable) -> None:
    table.restore_board()
