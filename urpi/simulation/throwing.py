"""Throwing: how the players throw a set of dice, with all that goes wrong at it.

They see for themselves that a die leans or was not thrown; what a display asks of a die that
nobody hears they enter with the button.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from urpi.rules import Side
from urpi.rules.dice import DiceSet
from urpi.simulation.behaviour import Behaviour, Span
from urpi.simulation.prompts import Prompts
from urpi.simulation.rig import TableDice
from urpi.simulation.schedule import Script

SIGHT_MS: Final[Span] = (800, 2000)
"""Until a player sees that a die leans or was not thrown."""
PRESS_PAUSE_MS: Final = 400
POLL_MS: Final = 250
_ENTERED_WITHIN_MS: Final = 90_000
"""So long does one wait to be asked for a dead die: the move before may still be in doubt."""
_DARK_MS: Final[Span] = (100, 2500)
"""A hub that restarts hears nothing for so long."""

Press = Callable[[Side, str], Script]
"""Presses a side's button, short or long."""


@dataclass(slots=True)
class Thrower:
    """Throws `dice`; `dice_of` are light's and dark's, `spare` those that no set needs.

    `rng` is of what a behaviour has always had, `mishaps` of everything else, so that a seed
    keeps its game. `restart_hub` begins a restart that takes so many milliseconds, `heard`
    says whether the hub listens: until it does nobody can see what was thrown.
    """

    kind: DiceSet
    dice: TableDice
    dice_of: tuple[tuple[int, ...], tuple[int, ...]]
    spare: tuple[int, ...]
    behaviour: Behaviour
    rng: Random
    mishaps: Random
    prompts: Prompts
    press: Press
    restart_hub: Callable[[int], None]
    hub_powered: Callable[[], bool]
    faces: str = ""
    """What the last throw showed, as it is to be played."""

    def throw(self, side: Side) -> Script:
        """Throw a side's dice until each was thrown well."""
        dice = self.dice_of[side.number]
        self.prompts.begin_throw()
        dead = self.mishaps.choice(dice) if self._might(self.behaviour.die_dead) else None
        if dead is not None:
            self.dice.disconnect(dead)
        yield from self._throw_all(dice, dead)
        while not self.hub_powered():
            yield POLL_MS
        self.faces = self.dice.faces(dice)
        if dead is not None:
            yield from self._enter(side)
            self.dice.reconnect(dead)

    def throw_too_often(self, side: Side) -> Script:
        """Throw again although the last throw is still to be played."""
        if self._might(self.behaviour.throws_twice):
            yield from self.dice.throw(self.dice_of[side.number])
            yield self.mishaps.randint(*self.behaviour.think_ms)

    def throw_out_of_turn(self, side: Side) -> Script:
        """The other side throws its own dice, where it has some."""
        theirs = self.dice_of[side.other.number]
        if theirs != self.dice_of[side.number] and self._might(self.behaviour.out_of_turn):
            yield from self.dice.throw(theirs)
            yield self.mishaps.randint(*self.behaviour.think_ms)

    def nudge(self, side: Side) -> Script:
        """Bump a die that lies there."""
        yield from self.dice.nudge(self.rng.choice(self.dice_of[side.number]))

    def _throw_all(self, dice: Sequence[int], dead: int | None) -> Script:
        """Throw, and throw those dice again that were not thrown well."""
        left = list(dice)
        while left:
            seen = [die for die in left if die != dead] or left
            forgotten = self._some(seen, self.behaviour.die_forgotten)
            turned = self._some(seen, self.behaviour.die_turned)
            cocked = self._some(seen, self.behaviour.cocked)
            if self._might(self.behaviour.hub_restarts):
                self.restart_hub(self.mishaps.randint(*_DARK_MS))
            thrown = [die for die in left if die not in forgotten + turned]
            yield from self.dice.throw([*thrown, *self._spare()], cocked)
            for die in turned:
                yield from self.dice.turn_by_hand(die)
            left = [die for die in left if die in forgotten + turned + cocked]
            if left:
                yield self.rng.randint(*SIGHT_MS)

    def _enter(self, side: Side) -> Script:
        """Wait for the question what a dead die shows, and answer it with the button.

        When it is asked which move was made before, the throw has come too soon.
        """
        meaning = self.kind.throw(self.faces).meaning
        for _ in range(_ENTERED_WITHIN_MS // POLL_MS):
            if self.prompts.choices:
                return
            alike = [one for one in self.prompts.faces if self.kind.throw(one).meaning == meaning]
            if alike:
                self.faces = alike[0]
                yield from press_to(self.press, side, self.prompts.faces.index(self.faces))
                return
            yield POLL_MS

    def _spare(self) -> tuple[int, ...]:
        return self.spare if self._might(self.behaviour.spare_die) else ()

    def _some(self, dice: Sequence[int], chance: float) -> tuple[int, ...]:
        return (self.rng.choice(dice),) if self.rng.random() < chance else ()

    def _might(self, chance: float) -> bool:
        return chance > 0 and self.mishaps.random() < chance


def press_to(press: Press, side: Side, steps: int) -> Script:
    """Step so often with a side's button, and take what is marked then."""
    for _ in range(steps):
        yield from press(side, "short")
        yield PRESS_PAUSE_MS
    yield from press(side, "long")
    yield PRESS_PAUSE_MS
