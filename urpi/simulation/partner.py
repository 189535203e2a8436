"""The partner: a simulated player who sits at a table among hands from outside.

Reads the display as anybody does, and knows of the game only what that says: throws when it is
to throw, moves its pieces itself, answers by the buttons, mends what is wrong on its own turn.
While another hand is at work it waits.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random
from typing import Final

from urpi.rules import Move, Position, Side, each_square
from urpi.simulation.behaviour import Behaviour
from urpi.simulation.display_state import DisplayState, Wish, without_faces
from urpi.simulation.hands import Hands
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.piece_layout import ImpossibleError
from urpi.simulation.players import Player
from urpi.simulation.rig import DiceRig
from urpi.simulation.schedule import Script
from urpi.simulation.throwing import Press, press_to

LOOK_MS: Final = 200
"""It looks up so often."""
MEND_MS: Final = 2500
ANSWER_MS: Final = 1500
GUEST_MS: Final = 12_000
"""What is everybody's business it leaves to others so long."""
DOUBT_MS: Final = 6000
"""A move of its own that nothing came of is put back, and made again, after so long."""
IMPATIENCE_MS: Final = 900
"""A move that only seems made is taken for made after so long."""


@dataclass(slots=True)
class Partner:
    """Plays the sides in `plays`. `at_rest` says that no other hand and no die moves."""

    fingers: LayoutAccess
    hands: Hands
    rig: DiceRig
    press: Press
    player: Player
    behaviour: Behaviour
    rng: Random
    at_rest: Callable[[], bool]
    display: DisplayState = DisplayState()  # noqa: RUF009 - frozen
    plays: Collection[Side] = ()
    _wish: Wish | None = None
    _waited_ms: int = 0
    _patience_ms: int = 0
    _made: tuple[object, str] | None = field(default=None)
    """The position and throw that were last played, and the move."""

    def look_up(self) -> Script:
        """Do what is to be done, when it is time for it."""
        wish = self._next_wish() if self.plays and self.at_rest() else None
        if wish is None or wish != self._wish:
            self._wish, self._waited_ms = wish, 0
            self._patience_ms = self._patience(wish) if wish else 0
        elif self._waited_ms < self._patience_ms:
            self._waited_ms += LOOK_MS
        else:
            self._wish = None
            yield from self._fulfil(wish)

    def _next_wish(self) -> Wish | None:
        display = self.display
        mine = display.side in self.plays
        if display.choices:
            return ("answer", display.choices) if mine else None
        if display.fill | display.clear:
            # What another has done wrong is left to be read and mended by that one.
            return (
                ("mend", mine, display.fill, display.clear)
                if mine or display.side is None
                else None
            )
        if display.waits_for == "throw" and mine:
            return self._throw(display.dice)
        return self._wish_to_move(display, mine=mine) if display.waits_for == "move" else None

    def _wish_to_move(self, display: DisplayState, *, mine: bool) -> Wish | None:
        if display.seems is not None:
            after = display.after(display.seems)
            if after is not None and (not mine or self._has_made(display) in {None, display.seems}):
                return self._throw(()) if after.turn in self.plays else None
        if not mine or not display.legal:
            return None
        if self._has_made(display) is None and self._shows(display):
            return "move", display.position, display.throw
        return "doubt", display.position, display.throw

    def _throw(self, dice: tuple[int, ...]) -> Wish | None:
        # Nobody throws dice that no hub hears: the display would not say what they showed.
        return ("throw", dice) if self.rig.powered else None

    def _has_made(self, display: DisplayState) -> str | None:
        if self._made is None or self._made[0] != (display.position, display.throw):
            return None
        return self._made[1]

    def _shows(self, display: DisplayState) -> bool:
        return display.position is not None and self.fingers.shows(display.position)

    def _patience(self, wish: Wish) -> int:
        match wish:
            case "answer", *_:
                return ANSWER_MS
            case "mend", mine, *_:
                return MEND_MS if mine or len(self.plays) == len(Side) else GUEST_MS
            case "doubt", *_:
                return DOUBT_MS
            case "throw", *_ if self.display.seems is not None:
                return IMPATIENCE_MS
            case _:
                return self.rng.randint(*self.behaviour.think_ms)

    def _fulfil(self, wish: Wish) -> Script:
        match wish[0]:
            case "answer":
                yield from self._answer()
            case "throw":
                yield from self._throw_dice()
            case "move":
                yield from self._move()
            case _:
                yield from self.restore_board()

    def _answer(self) -> Script:
        """Step to what is true, and take it: the move made last, or what the dice show.

        Where neither is asked, what is marked is taken.
        """
        side, choices = self.display.side, self.display.choices
        assert side is not None
        faces = self.rig.dice.faces(range(1, self.rig.dice.count + 1))
        true = {self._made[1] if self._made else "", faces}
        steps = next((step for step, choice in enumerate(choices) if choice in true), 0)
        yield from press_to(self.press, side, steps)

    def _throw_dice(self) -> Script:
        dice = self.display.dice or range(1, self.rig.dice.count + 1)
        yield from self.rig.dice.throw([die for die in dice if die <= self.rig.dice.count])

    def _move(self) -> Script:
        display = self.display
        assert display.position is not None
        assert display.throw is not None
        yield from self.make(self.player(self.rng, display.position, display.throw, display.legal))

    def make(self, move: Move) -> Script:
        """Make a legal move of what is seen, with a hand of this table."""
        display, after = self.display, self.display.after(move.text)
        if display.position is None or after is None:
            return
        self._made = (display.position, display.throw), move.text
        yield from self._carefully(self.hands.make(display.position, without_faces(after), move))
        yield self.rng.randint(*self.behaviour.rest_ms)

    def restore_board(self) -> Script:
        """Put every piece where the display has it, and touch those that it misses."""
        position, fill = self.display.position, self.display.fill
        self._made = None
        if position is not None:
            yield from self._carefully(self._restore_and_touch(without_faces(position), fill))

    def _restore_and_touch(self, position: Position, fill: int) -> Script:
        yield from self.hands.restore_board(position)
        for square in each_square(fill & position.occupancy):
            yield from self.hands.adjust(square)

    def _carefully(self, script: Script) -> Script:
        """Do it as far as it goes: another hand may take away what it was to be done with."""
        try:
            yield from script
        except ImpossibleError:
            self._made = None
            self.fingers.lay_beside("".join(self.fingers.held.elements()))
            self.hands.update_switches()
