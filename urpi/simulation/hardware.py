"""The apparatus: a table's switches, buttons, dice, hub and cable, and the clock they go by.

All that is wired or heard, and nothing of a game or of pieces: whoever puts pieces on it tells the
reeds what stands where. Everything happens inside `advance`, `run_next` and `poll`, in the
caller's thread.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from urpi.rules import RuleSet, Side, Square
from urpi.simulation.hub_wires import Wire
from urpi.simulation.reeds import Bounce, EdgeSink, ReedFault, Reeds
from urpi.simulation.rig import DiceRig, RigMaker, TableDice, VirtualRig
from urpi.simulation.schedule import Schedule, Script
from urpi.simulation.virtual_dice import FACES_OF_D6, TIPS, DieSink

ButtonSink: TypeAlias = Callable[[Side, bool], None]
"""Takes a side's button going down (True) and up."""

_SHORT_MS: Final = 150
_LONG_MS: Final = 1100


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where what happens on the table becomes signals. None: nobody has connected that.

    `edge` takes raw edges of the squares' contacts, `button` those of the buttons, `chute`
    the side whose finish chute a piece passed. `die` hears the dice directly; with a `wire`
    they also go through the virtual hub. `hub` is told when that loses its power (False) and
    gets it again, `power` the same of the whole program's.
    """

    edge: EdgeSink = lambda _square, _on: None
    button: ButtonSink = lambda _side, _down: None
    chute: Callable[[Side], None] | None = None
    die: DieSink = lambda _report: None
    wire: Wire | None = None
    hub: Callable[[bool], None] = lambda _on: None
    power: Callable[[bool], None] = lambda _on: None


@dataclass(frozen=True, slots=True)
class Equipment:
    """What the table is made of.

    How switches bounce, what the tips 1 to 4 of a d4 show, how many dice lie there that the set
    does not need, and what makes the dice and their hub: without `rig` they are the Python ones,
    and the outlets' `die` and `wire` are theirs.
    """

    bounce: Bounce = Bounce()  # noqa: RUF009 - frozen
    tips: str = TIPS
    spare_dice: int = 0
    rig: RigMaker | None = None


class TableHardware:
    """What hands and dice are felt by. The same seed and the same calls give the same signals."""

    def __init__(
        self,
        rules: RuleSet,
        seed: int | str,
        outputs: Outputs,
        equipment: Equipment,
        *,
        own_dice: bool,
    ) -> None:
        """Switch it on, with the dice of that rule set."""
        self.schedule = Schedule()
        self._outputs, self._equipment = outputs, equipment
        self.dice_of = _dice_of(rules, own=own_dice)
        make = equipment.rig or self._virtual_rig(seed)
        self.rig: DiceRig = make(self.schedule, self._dice_count(), self._shows(rules))
        bounces = Random(f"{seed} bounces")  # noqa: S311 - a game, no secret
        self.reeds = Reeds(self.schedule, bounces, outputs.edge, equipment.bounce)

    @property
    def next_due(self) -> int | None:
        """When something happens next, in the schedule's milliseconds; None: nothing will."""
        dues = (self.schedule.next_due, self.rig.next_due)
        return min((due for due in dues if due is not None), default=None)

    @property
    def acknowledged(self) -> bool:
        """Whether the hub waits for no acknowledgement."""
        return self.rig.acknowledged

    @property
    def lines_sent(self) -> int:
        """Lines that the hub has sent to the program so far."""
        return self.rig.lines_sent

    @property
    def dice(self) -> TableDice:
        """The dice as hands have them."""
        return self.rig.dice

    def run_next(self) -> None:
        """Let the clock stand at the next thing due, and let that happen. There must be one."""
        due = self.next_due
        assert due is not None
        if due == self.schedule.next_due:
            self.schedule.run_next()
        else:
            self.schedule.advance(due)
            self.rig.run_due(due)

    def advance(self, to_ms: int) -> None:
        """Let everything happen that is due up to that time, in order; then it is that time."""
        while (due := self.next_due) is not None and due <= to_ms:
            self.run_next()
        self.schedule.advance(to_ms)

    def poll(self) -> None:
        """Take what the program has sent to the hub, and answer it now."""
        self.rig.poll()

    def press(self, side: Side, press: str) -> None:
        """Press a side's button: ``short`` or ``long``."""
        self.schedule.start(self.pressing(side, press))

    def break_switch(self, square: Square, fault: ReedFault | None) -> None:
        """Give a square's switch a fault, or with None repair it."""
        if fault is None:
            self.reeds.repair(square)
        else:
            self.reeds.break_down(square, fault)

    def plug(self) -> None:
        """Put the hub's cable in: it gets power, starts anew, and hears what dice still say."""
        if not self.rig.powered:
            self._outputs.hub(True)
            self.rig.plug()

    def unplug(self) -> None:
        """Pull the hub's cable out."""
        self.rig.unplug()
        self._outputs.hub(False)

    def restart_hub(self, dark_ms: int) -> None:
        """Let the hub be without power for so long, beginning now."""
        self.unplug()
        self.schedule.after(dark_ms, self.plug)

    def replace_dice(self, rules: RuleSet) -> None:
        """Put the dice of that rule set there; the players share them.

        Raises:
            UrpiError: when this table's dice cannot be others.
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
        """A side's button goes down, ``short`` or ``long``, and up."""
        self._outputs.button(side, True)
        yield _LONG_MS if press == "long" else _SHORT_MS
        self._outputs.button(side, False)


def _dice_of(rules: RuleSet, *, own: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    count = rules.dice.count
    light = tuple(range(1, count + 1))
    return light, tuple(range(count + 1, 2 * count + 1)) if own else light
