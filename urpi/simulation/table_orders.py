"""Table orders: what hands from outside do, as values that any thread may hand over.

They name no rule and are held to none. `carry_out` does one at a table.
"""

from dataclasses import dataclass
from functools import singledispatch
from typing import Final, TypeAlias

from urpi.rules import Side, Square
from urpi.simulation.interactive_table import InteractiveTable
from urpi.simulation.piece_layout import Place
from urpi.simulation.reeds import ReedFault

HOWS: Final = ("thrown", "cocked", "turned")
PRESSES: Final = ("short", "long", "both")


@dataclass(frozen=True, slots=True)
class Lift:
    """A hand lifts from a place its top pieces, or the piece of that name with all on top of it."""

    hand: str
    place: Place | None = None
    count: int = 1
    piece: str | None = None


@dataclass(frozen=True, slots=True)
class HoldOver:
    """A hand slides what it holds over a square, or with None away from all."""

    hand: str
    square: Square | None


@dataclass(frozen=True, slots=True)
class Put:
    """A hand puts down what it holds; `push`: pushing off what stands there, None: as one does."""

    hand: str
    place: Place
    push: bool | None = None


@dataclass(frozen=True, slots=True)
class PutBack:
    """A hand puts back what it holds, where it was lifted."""

    hand: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A hand turns over what it holds."""

    hand: str


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """A hand that holds something is still there."""

    hand: str


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Dice are thrown, all when none is named, in one of `HOWS`."""

    dice: tuple[int, ...] = ()
    how: str = "thrown"


@dataclass(frozen=True, slots=True)
class Bump:
    """Somebody knocks against the table."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sleeve brushes the board clean."""


@dataclass(frozen=True, slots=True)
class BreakSwitch:
    """A square's switch gets a fault, or with None is repaired."""

    square: Square
    fault: ReedFault | None


@dataclass(frozen=True, slots=True)
class PlugHub:
    """The hub's cable is put in, or pulled out."""

    plugged: bool


@dataclass(frozen=True, slots=True)
class SwitchPower:
    """The whole program gets its power, or loses it."""

    on: bool


@dataclass(frozen=True, slots=True)
class PressButton:
    """A side's button is pressed, one of `PRESSES`; ``both``: the two together, long."""

    side: Side
    press: str


@dataclass(frozen=True, slots=True)
class SeatPlayers:
    """The sides that simulated players play from now on; hands play the others."""

    simulated: frozenset[Side]


@dataclass(frozen=True, slots=True)
class PlayMove:
    """The table's own hands play that legal move."""

    move: str


@dataclass(frozen=True, slots=True)
class RestoreBoard:
    """The table's own hands put every piece where the display has it."""


HandOrder: TypeAlias = Lift | HoldOver | Put | PutBack | Turn | KeepAlive
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
)


@singledispatch
def carry_out(order: TableOrder, table: InteractiveTable) -> None:  # noqa: ARG001 - each kind has its own
    """Do it at the table, now.

    Raises:
        ImpossibleError: when no hand can do that as things lie.
        UrpiError: when it names what is not there.
    """
    message = f"{order!r} is nothing that happens at the table itself."
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
    table.put(order.hand, order.place, push=order.push)


@carry_out.register
def _(order: PutBack, table: InteractiveTable) -> None:
    table.put_back(order.hand)


@carry_out.register
def _(order: Turn, table: InteractiveTable) -> None:
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
