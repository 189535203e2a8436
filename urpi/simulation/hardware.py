"""The hardware of a simulated table: switches, buttons, dice, hub, cable and their clock.

It knows nothing of pieces or games: the classes that place pieces report the occupied squares to
`Reeds`. Everything happens inside `advance`, `run_next` and `rig.poll`, in the caller's thread.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from urpi.hardware.pins import PinMap
from urpi.rules import ALL_SQUARES, RuleSet, Side, Square
from urpi.simulation.hall_bus import HallBus
from urpi.simulation.hall_sensors import FieldSink
from urpi.simulation.hub_wires import HubWire
from urpi.simulation.reeds import Bounce, EdgeSink, ReedFault, Reeds
from urpi.simulation.rig import DiceRig, RigMaker, VirtualRig
from urpi.simulation.schedule import Schedule, Script
from urpi.simulation.virtual_dice import FACES_OF_D6, TIPS, DieSink, TableDice

ButtonSink: TypeAlias = Callable[[Side, bool], None]
"""Called with a side and whether its button went down (True) or up."""

PRESS_MS: Final = {"short": 150, "long": 1100}
"""How long each kind of press keeps a button down."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Callbacks and a cable for the table's signals. The defaults ignore them.

    Attributes:
        edge: Called with the raw edges of the squares' switches.
        button: Called with the raw edges of the buttons.
        field: Called with the readings of Hall sensors; None on a board without any.
        hall: The bus on which a driver reads Hall sensors; None on a board without any.
        chute: Called with a side when a piece passes its finish chute; None without chutes.
        die: Called with the reports of the Python dice, directly.
        wire: The cable over which the virtual hub sends the same reports; None without one.
        hub: Called with False when the hub loses its power and with True when it has power again.
        power: Called in the same way for the power of the whole program.
    """

    edge: EdgeSink = lambda _square, _on: None
    button: ButtonSink = lambda _side, _down: None
    field: FieldSink | None = None
    hall: HallBus | None = None
    chute: Callable[[Side], None] | None = None
    die: DieSink = lambda _report: None
    wire: HubWire | None = None
    hub: Callable[[bool], None] = lambda _on: None
    power: Callable[[bool], None] = lambda _on: None


@dataclass(frozen=True, slots=True)
class Equipment:
    """What the table is made of.

    Attributes:
        bounce: How the switches bounce.
        tips: What the tips 1 to 4 of a tetrahedral die show.
        spare_dice: The number of dice beyond those that the rule set needs.
        rig: Makes the dice and their hub; None for the Python ones, which use the `die` and
            `wire` of `Outputs`.
    """

    bounce: Bounce = Bounce()  # noqa: RUF009 - frozen
    tips: str = TIPS
    spare_dice: int = 0
    rig: RigMaker | None = None


class TableHardware:
    """The electronics of a table. The same seed and the same calls produce the same signals."""

    def __init__(
        self,
        rules: RuleSet,
        seed: int | str,
        outputs: Outputs,
        equipment: Equipment,
        *,
        own_dice: bool,
    ) -> None:
        """Switch everything on.

        Args:
            rules: The rule set whose dice are used.
            seed: The seed of the dice and of the switches' bounce.
            outputs: The callbacks for the signals.
            equipment: What the table is made of.
            own_dice: Whether each player has a set of dice.
        """
        self.schedule = Schedule()
        self._outputs, self._equipment = outputs, equipment
        self.dice_of = _dice_of(rules, own=own_dice)
        make = equipment.rig or self._virtual_rig(seed)
        self.rig: DiceRig = make(self.schedule, self._dice_count(), self._shows(rules))
        bounces = Random(f"{seed} bounces")  # noqa: S311 - a game, no secret
        self.reeds = Reeds(self.schedule, bounces, outputs.edge, equipment.bounce)

    @property
    def next_due(self) -> int | None:
        """The time of the next event, in the schedule's milliseconds, None if nothing is due."""
        dues = (self.schedule.next_due, self.rig.next_due)
        return min((due for due in dues if due is not None), default=None)

    @property
    def dice(self) -> TableDice:
        """The dice, as players handle them."""
        return self.rig.dice

    def run_next(self) -> None:
        """Move the clock to the next event and run it. There must be one."""
        due = self.next_due
        assert due is not None
        if due == self.schedule.next_due:
            self.schedule.run_next()
        else:
            self.schedule.advance(due)
            self.rig.run_due(due)

    def advance(self, to_ms: int) -> None:
        """Run everything that is due by a time, in order, and move the clock to it."""
        while (due := self.next_due) is not None and due <= to_ms:
            self.run_next()
        self.schedule.advance(to_ms)

    def press(self, side: Side, press: str) -> None:
        """Press a side's button ``short`` or ``long``."""
        self.schedule.start(self.pressing(side, press))

    def break_switch(self, square: Square, fault: ReedFault | None) -> None:
        """Give a square's switch a fault, or repair it with None."""
        if fault is None:
            self.reeds.repair(square)
        else:
            self.reeds.break_down(square, fault)

    def plug(self) -> None:
        """Plug the hub's cable in: it starts, and the dice repeat the reports that it missed."""
        if not self.rig.powered:
            self._outputs.hub(True)
            self.rig.plug()

    def unplug(self) -> None:
        """Pull the hub's cable out."""
        self.rig.unplug()
        self._outputs.hub(False)

    def restart_hub(self, dark_ms: int) -> None:
        """Unplug the hub now and plug it in again after `dark_ms` milliseconds."""
        self.unplug()
        self.schedule.after(dark_ms, self.plug)

    def replace_dice(self, rules: RuleSet) -> None:
        """Replace the dice with those of a rule set. The players share them.

        Raises:
            UrpiError: If this rig's dice cannot be replaced.
        """
        dice_of = _dice_of(rules, own=False)
        self.rig.replace_dice(max(dice_of[0]) + self._equipment.spare_dice, self._shows(rules))
        self.dice_of = dice_of

    def _dice_count(self) -> int:
        return max(map(max, self.dice_of)) + self._equipment.spare_dice

    def _shows(self, rules: RuleSet) -> str:
        return FACES_OF_D6 if rules.dice.body == "d6" else self._equipment.tips

    def _virtual_rig(self, seed: int | str) -> RigMaker:
        rng = Random(f"{seed} dice")  # noqa: S311 - a game, no secret
        outputs = self._outputs
        return lambda schedule, count, shows: VirtualRig(
            schedule, rng, count=count, shows=shows, die=outputs.die, wire=outputs.wire
        )

    def pressing(self, side: Side, press: str) -> Script:
        """Yield the waits of a ``short`` or ``long`` press of a side's button."""
        self._outputs.button(side, True)
        yield PRESS_MS[press]
        self._outputs.button(side, False)


def _dice_of(rules: RuleSet, *, own: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    count = rules.dice.count
    light = tuple(range(1, count + 1))
    return light, tuple(range(count + 1, 2 * count + 1)) if own else light


class MockPins:
    """Drives the pins of gpiozero's `MockFactory` that a pin map assigns to the contacts.

    Call `refresh` after the program has opened the pins, because its pull-ups have raised them all.
    """

    def __init__(self, factory: Any, pins: PinMap) -> None:
        self._squares = tuple(factory.pin(gpio) for gpio in pins.squares)
        self._buttons = {side: factory.pin(gpio) for side, gpio in pins.buttons.items()}
        self._closed = [False] * len(ALL_SQUARES)
        self._down = dict.fromkeys(Side, False)

    def square(self, square: Square, on: bool) -> None:
        """Close or open a square's contact."""
        self._closed[square] = on
        _drive(self._squares[square], closed=on)

    def button(self, side: Side, down: bool) -> None:
        """Press or release a player's button."""
        self._down[side] = down
        _drive(self._buttons[side], closed=down)

    def refresh(self) -> None:
        """Drive every pin to the level of its contact."""
        for square, closed in enumerate(self._closed):
            _drive(self._squares[square], closed=closed)
        for side, down in self._down.items():
            _drive(self._buttons[side], closed=down)


def _drive(pin: Any, *, closed: bool) -> None:
    drive: Callable[[], None] = pin.drive_low if closed else pin.drive_high
    drive()
