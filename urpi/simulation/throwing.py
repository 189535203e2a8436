"""Throwing: how the players throw a set of dice, with everything that can go wrong.

They see for themselves that a die leans or was not thrown. What a die without a signal shows they
enter with the button when the display asks for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from urpi.rules import Side
from urpi.rules.dice import DiceSet
from urpi.simulation.behaviour import Behaviour, Span
from urpi.simulation.display_state import Prompts
from urpi.simulation.schedule import Script, together
from urpi.simulation.virtual_dice import TableDice

SIGHT_MS: Final[Span] = (800, 2000)
"""The time until a player sees that a die leans or was not thrown."""
PRESS_PAUSE_MS: Final = 400
POLL_MS: Final = 250
_ENTERED_WITHIN_MS: Final = 90_000
"""Longest wait for the question about a die without a signal; the last move may be asked first."""
_CONFIRMED_AFTER_MS: Final = 20_000
"""Wait for that question until the move that the display still shows is confirmed instead."""
_DARK_MS: Final[Span] = (100, 2500)
"""The time without power of a hub that restarts."""
_EARLY_MS: Final[Span] = (0, 1500)
"""From the beginning of a move to the throw of an opponent who does not wait for its end."""

Press = Callable[[Side, str], Script]
"""Presses a side's button, ``short`` or ``long``."""


@dataclass(slots=True)
class MadeThrow:
    """A throw that a side has truly made; `faces` is empty until the dice lie still."""

    side: Side
    faces: str = ""


@dataclass(slots=True)
class Thrower:
    """Throws the dice of a set.

    Attributes:
        kind: The dice set of the rules.
        dice: The dice on the table.
        dice_of: The numbers of light's and dark's dice.
        spare: The numbers of the dice that no set needs.
        behaviour: What may go wrong.
        rng: Randomness of the throws and of the mishaps of the first version.
        mishaps: Randomness of all later mishaps, so that a seed keeps its game.
        prompts: What the display shows.
        press: Presses a side's button.
        restart_hub: Restarts the hub, without power for a number of milliseconds.
        hub_powered: Returns whether the hub has power; without it no throw is displayed.
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
    """What the last throw showed, as it must be played."""
    made: list[MadeThrow] = field(default_factory=list)
    """All throws, also those that do not count, in the order in which they began."""

    def throw(self, side: Side) -> Script:
        """Throw a side's dice until each was thrown correctly."""
        dice = self.dice_of[side.number]
        made = self._begin(side)
        self.prompts.begin_throw()
        dead = self.mishaps.choice(dice) if self._might(self.behaviour.die_dead) else None
        if dead is not None:
            self.dice.disconnect(dead)
        yield from self._throw_all(dice, dead)
        while not self.hub_powered():
            yield POLL_MS
        self.faces = self.dice.faces(dice)
        if dead is not None:
            yield from self.enter(side)
            self.dice.reconnect(dead)
        made.faces = self.faces

    def throw_too_often(self, side: Side) -> Script:
        """Throw again although the last throw must still be played."""
        if self._might(self.behaviour.throws_twice):
            yield from self._throw_without_effect(side)
            yield self.mishaps.randint(*self.behaviour.think_ms)

    def throw_out_of_turn(self, side: Side) -> Script:
        """Let the other side throw its own dice, if it has some."""
        shared = self.dice_of[side.number] == self.dice_of[side.other.number]
        if not shared and self._might(self.behaviour.out_of_turn):
            yield from self._throw_without_effect(side.other)
            yield self.mishaps.randint(*self.behaviour.think_ms)

    def during(self, move: Script, side: Side) -> Script:
        """Make a move; the side to throw after it perhaps throws before it has ended."""
        if self._might(self.behaviour.throws_early):
            return together(move, self._throw_early(side))
        return move

    def _throw_early(self, side: Side) -> Script:
        yield self.mishaps.randint(*_EARLY_MS)
        yield from self._throw_without_effect(side)

    def _throw_without_effect(self, side: Side) -> Script:
        """Throw a side's dice; only the display shows whether the throw counts after all."""
        made, dice = self._begin(side), self.dice_of[side.number]
        yield from self.dice.throw(dice)
        made.faces = self.dice.faces(dice)

    def _begin(self, side: Side) -> MadeThrow:
        self.made.append(MadeThrow(side))
        return self.made[-1]

    def nudge(self, side: Side) -> Script:
        """Bump one of a side's dice."""
        yield from self.dice.nudge(self.rng.choice(self.dice_of[side.number]))

    def _throw_all(self, dice: Sequence[int], dead: int | None) -> Script:
        """Throw dice, and throw again those that were not thrown correctly."""
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

    def enter(self, side: Side) -> Script:
        """Wait for the question what a die without a signal shows, and answer it with the button.

        If the display asks which move was made before, the throw has come too early. A throw that
        counts meanwhile needs no answer. No such die can show that a move was made which only
        seems so: the button confirms it, as the display says.
        """
        meaning = self.kind.throw(self.faces).meaning
        for waited_ms in range(0, _ENTERED_WITHIN_MS, POLL_MS):
            if self.prompts.choices or self.prompts.counted:
                return
            alike = [one for one in self.prompts.faces if self.kind.throw(one).meaning == meaning]
            if alike:
                self.faces = alike[0]
                yield from press_to(self.press, side, self.prompts.faces.index(self.faces))
                return
            display = self.prompts.display
            if waited_ms == _CONFIRMED_AFTER_MS and display.seems and display.side:
                yield from self.press(display.side, "short")
            yield POLL_MS

    def _spare(self) -> tuple[int, ...]:
        return self.spare if self._might(self.behaviour.spare_die) else ()

    def _some(self, dice: Sequence[int], chance: float) -> tuple[int, ...]:
        return (self.rng.choice(dice),) if self.rng.random() < chance else ()

    def _might(self, chance: float) -> bool:
        return chance > 0 and self.mishaps.random() < chance


def press_to(press: Press, side: Side, steps: int) -> Script:
    """Press a side's button `steps` times, then confirm the selected choice."""
    for _ in range(steps):
        yield from press(side, "short")
        yield PRESS_PAUSE_MS
    yield from press(side, "long")
    yield PRESS_PAUSE_MS
