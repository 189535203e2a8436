"""The partner: a simulated player at a table that hands from outside play at, too.

It reads the display as people do and knows nothing else of the game. It throws when it is its turn,
moves its pieces itself, answers with the buttons, and corrects the board on its own turn. While
another hand is at work it waits.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random
from typing import Final

from urpi.rules import Move, Position, Side, each_square
from urpi.simulation.behaviour import Behaviour, Player
from urpi.simulation.display_state import DisplayState, Intent, without_faces
from urpi.simulation.hands import Hands
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.piece_layout import ImpossibleError
from urpi.simulation.rig import DiceRig
from urpi.simulation.schedule import Script
from urpi.simulation.throwing import Press, press_to

LOOK_MS: Final = 200
"""The interval at which it reads the display."""
RESTORE_MS: Final = 2500
ANSWER_MS: Final = 1500
GUEST_MS: Final = 12_000
"""Delay before it corrects the board when either side may do so."""
DOUBT_MS: Final = 6000
"""Delay after which its own move is put back and made again if the referee does not commit it."""
IMPATIENCE_MS: Final = 900
"""Delay after which a move that only seems to be made is treated as made."""


@dataclass(slots=True)
class Partner:
    """Plays the sides in `plays`. `at_rest` returns whether no other hand and no die moves."""

    access: LayoutAccess
    hands: Hands
    rig: DiceRig
    press: Press
    player: Player
    behaviour: Behaviour
    rng: Random
    at_rest: Callable[[], bool]
    display: DisplayState = DisplayState()  # noqa: RUF009 - frozen
    plays: Collection[Side] = ()
    _intent: Intent | None = None
    _waited_ms: int = 0
    _delay_ms: int = 0
    _made: tuple[object, str] | None = field(default=None)
    """The position and throw that it last played, and the move."""

    def look_up(self) -> Script:
        """Do what the display asks for, after a delay as a person would need."""
        intent = self._next_intent() if self.plays and self.at_rest() else None
        if intent is None or intent != self._intent:
            # Another intent than a moment ago: the delay restarts, as for a person who reads
            # again.
            self._intent, self._waited_ms = intent, 0
            self._delay_ms = self._delay(intent) if intent else 0
        elif self._waited_ms < self._delay_ms:
            self._waited_ms += LOOK_MS
        else:
            self._intent = None
            yield from self._carry_out(intent)

    def _next_intent(self) -> Intent | None:
        display = self.display
        mine = display.side in self.plays
        if display.choices:
            return ("answer", display.choices) if mine else None
        if display.fill | display.clear:
            # The player who made the mistake is left to read about it and correct it.
            if mine or display.side is None:
                return "restore", mine, display.fill, display.clear
            return None
        if display.waits_for == "throw" and mine:
            return self._throw(display.dice)
        return self._move_intent(display, mine=mine) if display.waits_for == "move" else None

    def _move_intent(self, display: DisplayState, *, mine: bool) -> Intent | None:
        if display.seems is not None:
            after = display.after(display.seems)
            if after is not None and (not mine or self._has_made(display) in {None, display.seems}):
                mine = after.turn in self.plays and after.turn not in display.program_throws
                return self._throw(()) if mine else None
        if not mine or not display.legal:
            return None
        if self._has_made(display) is None and self._shows(display):
            return "move", display.position, display.throw
        return "doubt", display.position, display.throw

    def _throw(self, dice: tuple[int, ...]) -> Intent | None:
        # Without a hub the display would not show the throw.
        return ("throw", dice) if self.rig.powered else None

    def _has_made(self, display: DisplayState) -> str | None:
        if self._made is None or self._made[0] != (display.position, display.throw):
            return None
        return self._made[1]

    def _shows(self, display: DisplayState) -> bool:
        return display.position is not None and self.access.looks_like(display.position)

    def _delay(self, intent: Intent) -> int:
        match intent:
            case "answer", *_:
                return ANSWER_MS
            case "restore", mine, *_:
                return RESTORE_MS if mine or len(self.plays) == len(Side) else GUEST_MS
            case "doubt", *_:
                return DOUBT_MS
            case "throw", *_ if self.display.seems is not None:
                return IMPATIENCE_MS
            case _:
                return self.rng.randint(*self.behaviour.think_ms)

    def _carry_out(self, intent: Intent) -> Script:
        match intent[0]:
            case "answer":
                yield from self._answer()
            case "throw":
                yield from self._throw_dice()
            case "move":
                yield from self._move()
            case _:
                yield from self.restore_board()

    def _answer(self) -> Script:
        """Select the true answer and confirm it: the move made last, or what the dice show.

        If neither is among the choices, confirm the selected one.
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
        """Make a legal move in the displayed position, with a hand of this table.

        If pieces are not where the display has them, they are put there first.
        """
        if not self._shows(self.display):
            yield from self.restore_board()
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
        """Run a script until another hand makes it impossible by taking the pieces it needs."""
        try:
            yield from script
        except ImpossibleError:
            self._made = None
            self.access.lay_beside("".join(self.access.held.elements()))
            self.hands.update_switches()
