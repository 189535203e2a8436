"""The conductor: how two simulated players play a whole game, as one script.

They throw, think, move, and sometimes do what a `Behaviour` allows. They play from what they know
themselves; what the display shows them is in `Prompts`, and they act on it between their moves. In
real time they wait until it shows their throws and moves, as people do.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from urpi.core.errors import UrpiError
from urpi.rules import HAND, OFF, PASS, Move, Position, Side, Square, each_square, owner
from urpi.rules.layout import PATHS
from urpi.simulation.behaviour import Behaviour, Player, Span
from urpi.simulation.display_state import Prompts
from urpi.simulation.hands import Hands
from urpi.simulation.illegal_acts import (
    Act,
    Deviation,
    Shift,
    exchange,
    illegal_act,
    right_codes,
)
from urpi.simulation.last_turns import (
    codes_of_the_last_turn,
    codes_of_the_past,
    looking_different,
    occupancies_after,
    occupancies_around,
    occupancies_before,
)
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.mishaps import Mishaps
from urpi.simulation.schedule import Script
from urpi.simulation.throwing import POLL_MS, Thrower, press_to
from urpi.simulation.true_game import TrueGame

_TAKE_BACK_MS: Final[Span] = (3600, 5000)
"""Pause after a take-back: the player looks at the restored board."""
_CHANGE_MIND_MS: Final[Span] = (0, 400)
"""The same for a player who already knows the other move."""
_PLAN_MS: Final = 30_000
"""Longest wait for the engine's move; then the players choose one."""
_TIPS_OVER_MS: Final[Span] = (0, 300)
"""Time after which a piece between two squares closes the second switch."""
_PATIENCE: Final = 5
"""Corrections that the display may ask for in a row before the players continue regardless."""


@dataclass(slots=True)
class Conductor:
    """Plays `game` with these pieces and hands; `thrower` throws the dice."""

    game: TrueGame
    thrower: Thrower
    mishaps: Mishaps
    pieces: LayoutAccess
    hands: Hands
    player: Player
    behaviour: Behaviour
    rng: Random
    prompts: Prompts = field(default_factory=Prompts)
    engine: frozenset[Side] = frozenset()
    """The sides whose moves the engine chooses."""
    deviation: Deviation | None = None
    """What the players do besides playing, None while they only play."""
    wait_for_display: bool = False
    """Whether they continue only when the display shows their throw or their move."""
    ended: bool = False
    """Whether their game was ended by the choice of another one."""

    def play(self, max_turns: int | None = None) -> Script:
        """Play until a side has won, or `max_turns` throws were played; by default to the end."""
        yield self._in(self.behaviour.rest_ms)
        yield from self._mend_mishaps()
        while not self.ended and (self.game.to_throw or self.game.throw):
            if max_turns is not None and len(self.game.turns) >= max_turns:
                return
            if self.game.to_throw:
                yield from self._move_early()
                yield from self._swap(())
                yield from self._suffer_mishaps()
                yield from self.throw()
            if self.game.throw and not self.ended:
                yield from self._turn()

    def throw(self) -> Script:
        """Throw for the side to throw, until a throw counts.

        The players follow the display first. A throw made while it asks which move was made counts
        if the answer shows that it was this side's turn.
        """
        yield from self.follow_display()
        side = self.game.to_throw
        assert side is not None
        early = self._early_throw()
        if early is not None:
            self.game.record_throw(early)
            return
        yield from self.thrower.throw_out_of_turn(side)
        while True:
            yield from self.thrower.throw(side)
            yield from self._wait_for_throw(side)
            yield self._in(self.behaviour.think_ms)
            # The question may also have come while the dice rolled.
            if self.ended or not (self.prompts.again or self.prompts.choices):
                break
            yield from self.follow_display()
            if self.prompts.rolled:
                break
        # After an answer, an earlier throw may have counted than the newest one.
        self.game.record_throw(self.prompts.rolled or self.thrower.faces)

    def _wait_for_throw(self, side: Side) -> Script:
        """Wait until the display shows the throw, and enter it if the display asks for it.

        It also asks after the throw of a die that is in range, but was not connected again yet.
        """
        prompts = self.prompts
        yield from self._wait_for_display(lambda: prompts.counted or bool(prompts.faces))
        if self.wait_for_display and prompts.faces and not prompts.counted:
            yield from self.thrower.enter(side)
            yield from self._wait_for_display(lambda: prompts.counted)

    def _early_throw(self) -> str | None:
        """Return the faces of a throw that counts already, None if the side must still throw.

        Dice thrown before the referee knew the last move count as the throw of the next side.
        """
        prompts, position = self.prompts, self.game.position
        display = prompts.display
        if display.throw is not None and display.position == position:
            return display.throw.faces
        if prompts.passed is not None:
            after, faces = prompts.passed
            rules = self.game.rules
            throw = rules.dice.throw(faces)
            # Only the position shows that the pass was this side's, and not the last one recorded.
            if (
                not rules.legal_moves(position, throw)
                and rules.play(position, throw, PASS) == after
            ):
                return faces
        return None

    def move(self, move: Move) -> Script:
        """Play a legal move with the current throw."""
        before, hovers_over = self.game.position, self._hovers_over()
        self.game.play(move)
        hands = self.hands.make(before, self.game.position, move, hovers_over)
        # A player who throws again has the piece in the hand.
        if before.turn is not None and self.game.to_throw is before.turn.other:
            hands = self.thrower.during(hands, before.turn.other)
        yield from hands
        if self._might(self.behaviour.straddles):
            yield from self._straddle(before, move)
        yield from self._wait_for_display(
            lambda: self.prompts.display.position == self.game.position
        )
        yield self._in(self.behaviour.rest_ms)
        if self.prompts.display.ask == "move":
            # Asked before this move had ended, when the players could not answer yet.
            self.prompts.choices = self.prompts.display.choices
        yield from self.follow_display()

    def _straddle(self, before: Position, move: Move) -> Script:
        """Let the piece that was just put down lie between two squares until that is noticed."""
        target = move.parts[-1].target
        if target == OFF or before.board[target]:
            return
        legal = occupancies_after(before, self.game.turns[-1].faces)
        occupancies = {
            beside: self.pieces.occupancy | 1 << beside for beside in PATHS["orthogonal"][target]
        }
        beside = [
            square
            for square, occupancy in occupancies.items()
            if not self.pieces.board[square] and occupancy not in legal
        ]
        if not beside:
            return
        yield self._in(_TIPS_OVER_MS)
        other = self.rng.choice(beside)
        self.deviation = Deviation((Shift(target, other),), frozenset({"between-squares"}))
        self.hands.straddle(other)
        yield from self._notice()
        self.deviation = Deviation()
        self.hands.update_switches()
        yield self._in(self.behaviour.rest_ms)
        self.deviation = None

    def _wait_for_display(self, shows_it: Callable[[], bool]) -> Script:
        """Wait until the display shows the last act, or asks a question or for another throw."""
        prompts = self.prompts
        while self.wait_for_display and not (
            shows_it() or prompts.again or prompts.choices or self.ended
        ):
            if prompts.wrong:
                yield from self.restore_board()
            yield POLL_MS

    def _hovers_over(self) -> list[Square]:
        """Return the squares to hold a piece over: every legal target, and one of the path."""
        side = self.game.position.turn
        assert side is not None
        targets = [p.target for move in self.game.legal for p in move.parts if p.target != OFF]
        return [*targets, self.rng.choice(self.game.rules.path(side))]

    def follow_display(self) -> Script:
        """Do what the display asks for: correct the board, or answer which move was made."""
        for _ in range(_PATIENCE):
            if self.can_answer:
                yield from self._answer()
            elif self.prompts.wrong:
                yield from self.restore_board()
            else:
                return

    @property
    def can_answer(self) -> bool:
        """Whether the display asks which move was made, and none is still to be made."""
        return bool(self.prompts.choices) and self.game.throw is None

    def restore_board(self) -> Script:
        """Put every piece where the game has it, and touch those that the display misses."""
        deviation, self.deviation = self.deviation, self.deviation or Deviation()
        # Cleared first: what the display asks for next is about the board after the correction.
        fill, self.prompts.fill, self.prompts.clear = self.prompts.fill, 0, 0
        yield from self.hands.restore_board(self.game.position)
        for square in each_square(fill & self.game.position.occupancy):
            # The piece stands there, but its switch does not show it: adjusting makes a new edge.
            yield from self.hands.adjust(square)
        yield self._in(self.behaviour.rest_ms)
        self.deviation = deviation

    def _turn(self) -> Script:
        before, legal = self.game.position, self.game.legal
        assert before.turn is not None
        yield from self._await_plan(before.turn)
        yield from self._fidget(legal)
        yield from self.thrower.throw_too_often(before.turn)
        yield from self._suffer_mishaps()
        if self._may(self.behaviour.illegal):
            yield from self._do_illegal_act()
        yield from self._swap(legal)
        move = self._choose(before, legal)
        if before.turn in self.engine and self._might(self.behaviour.disobeys):
            act = self._other_move(move, legal)
            yield from self._do_and_undo(act, frozenset({"not-planned"}))
        yield from self.move(move)
        if self._may(self.behaviour.takes_back) and self._can_take_back(before, move, legal):
            yield from self._take_back(_TAKE_BACK_MS)
        elif self._changes_mind(before.turn) and self._can_take_back(before, move, legal):
            yield from self._take_back(_CHANGE_MIND_MS)
        elif self.game.position.turn and self._may(self.behaviour.adjusts):
            yield from self._adjust(())

    def _changes_mind(self, side: Side) -> bool:
        """Return whether a player chooses another move after all; not in place of the engine."""
        return side not in self.engine and self._might(self.behaviour.changes_mind)

    def _choose(self, position: Position, legal: tuple[Move, ...]) -> Move:
        assert self.game.throw is not None
        planned = self._planned(legal)
        return planned or self.player(self.rng, position, self.game.throw, legal)

    def _planned(self, legal: tuple[Move, ...]) -> Move | None:
        """Return the move that the engine has chosen, None if the players choose."""
        if self.game.position.turn not in self.engine:
            return None
        return next((move for move in legal if move.text == self.prompts.plan), None)

    def _await_plan(self, side: Side) -> Script:
        """Wait until the display shows the engine's move, if it chooses for the side."""
        # Polling, because a script can only wait for a time, not for an event.
        left_ms = _PLAN_MS if side in self.engine else 0
        while left_ms > 0 and self.prompts.plan is None:
            yield POLL_MS
            left_ms -= POLL_MS

    def _suffer_mishaps(self) -> Script:
        """Let mishaps happen to the board, and correct them."""
        self.deviation = Deviation()
        yield from self.mishaps.happen(occupancies_around(self.game))
        self.deviation = None
        yield from self._mend_mishaps()

    def _mend_mishaps(self) -> Script:
        """Correct a mishap when the display asks for it, or the players notice it."""
        if self.pieces.shows(self.game.position):
            return
        self.deviation = Deviation()
        yield from self._notice()
        if self.behaviour.rebuild:
            yield from self._rebuild()
        yield from self.restore_board()
        yield from self.follow_display()
        self.deviation = None

    def _rebuild(self) -> Script:
        """Correct the next square that the display names, as long as it names one that is wrong.

        Of a move that had only just been made, the display may still ask to fill the square that
        it left. The players know of the move.
        """
        position = self.game.position
        while True:
            prompts, occupancy = self.prompts, self.pieces.occupancy
            surplus, missing = occupancy & ~position.occupancy, position.occupancy & ~occupancy
            wrong = prompts.clear & surplus or prompts.fill & missing
            if not wrong:
                return
            try:
                yield from self.hands.restore_board(position, list(each_square(wrong))[:1])
            except UrpiError:
                # The piece is still on a square that the display cannot know to be wrong.
                return
            yield self._in(self.behaviour.travel_ms)

    def _fidget(self, legal: tuple[Move, ...]) -> Script:
        """What a player does before the move and what does not change the game."""
        if self._may(self.behaviour.die_nudged):
            assert self.game.position.turn is not None
            yield from self.thrower.nudge(self.game.position.turn)
        if self._may(self.behaviour.bumps):
            self.hands.bump()
            yield self._in(self.behaviour.rest_ms)
        if self._may(self.behaviour.adjusts):
            yield from self._adjust(legal)
        if self._may(self.behaviour.thinks_in_hand) and len(legal) > 1:
            yield from self._think_in_hand(legal)

    def _adjust(self, legal: tuple[Move, ...]) -> Script:
        own = self._own_squares(legal)
        if own:
            yield from self.hands.adjust(self.rng.choice(own))

    def _think_in_hand(self, legal: tuple[Move, ...]) -> Script:
        origins = {part.origin for move in legal for part in move.parts}
        own = [square for square in self._own_squares(legal) if square in origins]
        if own:
            yield from self.hands.adjust(self.rng.choice(own), self.behaviour.in_hand_ms)

    def _own_squares(self, legal: tuple[Move, ...]) -> list[int]:
        """Return the squares of the mover's pieces, except those where a legal move ends.

        A piece that is put down on one of those would be that move.
        """
        targets = {stop.square for move in legal for part in move.parts for stop in part.stops}
        side = self.game.turns[-1].side if self.game.throw is None else self.game.position.turn
        board = self.pieces.board
        return [s for s in range(len(board)) if owner(board[s]) is side and s not in targets]

    def _move_early(self) -> Script:
        """Move before the throw, and undo it. After a throw that counts already, none is early."""
        if self._may(self.behaviour.early) and self.game.turns and self._early_throw() is None:
            act = illegal_act(self.rng, self.game.position, (), occupancies_before(self.game))
            if act:
                known = self.prompts.display.position
                codes = codes_of_the_last_turn(self.game, self.pieces.board, known, act)
                yield from self._do_and_undo(act, codes)

    def _swap(self, legal: tuple[Move, ...]) -> Script:
        """Exchange pieces, and undo it; before the last move is known, that is none of its."""
        position, turns = self.game.position, self.game.turns
        if self._might(self.behaviour.swaps) and self.prompts.display.position == position:
            before = turns[-1].before if turns else position
            yield from self._do_and_undo(exchange(self.rng, position, legal, before))

    def _do_illegal_act(self) -> Script:
        """Do something that no rule allows, and undo it."""
        position, legal, throw = self.game.position, self.game.legal, self.game.throw
        assert throw is not None
        act = illegal_act(self.rng, position, legal, occupancies_after(position, throw.faces))
        yield from self._do_and_undo(act, self._codes_after_what_seems_made(act))

    def _codes_after_what_seems_made(self, act: Act) -> frozenset[str]:
        """Return the codes of an act after the move that the display shows, though nobody made it.

        For the switches the opponent has then not thrown yet.
        """
        display = self.prompts.display
        after = display.after(display.seems) if display.seems else None
        return right_codes(after, None, act) if act and after and after.turn else frozenset()

    def _other_move(self, planned: Move, legal: tuple[Move, ...]) -> Act:
        """Return another legal move than the engine's, of one piece to an empty square."""
        position, throw = self.game.position, self.game.throw
        assert throw is not None
        assert position.turn is not None
        parts = [
            move.parts[0]
            for move in looking_different(position, throw.faces, legal, planned.text)
            if len(move.parts) == 1 and move.parts[0].target != OFF
        ]
        parts = [part for part in parts if not position.board[part.target]]
        if not parts:
            return ()
        part = self.rng.choice(parts)
        origin = position.turn if part.origin == HAND else part.origin
        return (Shift(origin, part.target),)

    def _do_and_undo(self, act: Act, codes: frozenset[str] = frozenset()) -> Script:
        """Do an illegal act, wait until it is noticed, and undo it.

        Args:
            act: What is done.
            codes: Warnings that explain it, besides those of the rules.
        """
        if not act:
            return
        right = right_codes(self.game.position, self.game.throw, act)
        self.deviation = Deviation(act, right | codes | codes_of_the_past(self.game, act))
        done: list[tuple[int | Side, int | Side, str]] = []
        for origin, target in act:
            piece = yield from self.hands.shift(origin, target)
            done.append((origin, target, piece))
        yield from self._notice()
        self.deviation = Deviation()
        # In reverse order: taking a misplaced enemy off before the capturing piece is back
        # would make the capture a legal one.
        for origin, target, piece in reversed(done):
            yield from self.hands.undo(origin, target, piece)
        yield self._in(self.behaviour.rest_ms)
        yield from self.follow_display()
        self.deviation = None

    def _notice(self) -> Script:
        """Wait until the display warns that the board is wrong, or the players notice it."""
        left_ms = self._in(self.behaviour.notice_ms)
        while left_ms > 0 and not self.prompts.wrong:
            yield POLL_MS
            left_ms -= POLL_MS

    def _can_take_back(self, before: Position, move: Move, legal: tuple[Move, ...]) -> bool:
        """Return whether the switches can show that a move is taken back.

        This is so for one piece that came down on an empty square. Its take-back must not leave the
        board as another legal move would, and another move with different occupied squares must
        remain: with prisoners or without, a piece of a tower ends on the same square. Nobody takes
        a move back once the opponent has thrown, perhaps early.
        """
        if self.thrower.made[-1].side is not before.turn:
            return False
        if len(move.parts) != 1 or self.game.position.turn is None:
            return False
        faces = self.game.turns[-1].faces
        if not looking_different(before, faces, legal, move.text):
            return False
        if before.rules.unfinished(move, legal) or before.occupancy in occupancies_after(
            before, faces
        ):
            return False
        target = move.parts[0].target
        return target != OFF and not before.board[target]

    def _take_back(self, looked_at_ms: Span) -> Script:
        first = self.game.turns[-1].move
        self.game.take_back()
        yield from self.hands.restore_board(self.game.position)
        yield self._in(looked_at_ms)
        assert self.game.throw is not None
        position, faces = self.game.position, self.game.throw.faces
        assert position.turn is not None
        yield from self._await_plan(position.turn)
        planned = self._planned(self.game.legal)
        if planned is not None:
            yield from self.move(planned)
            return
        others = looking_different(position, faces, self.game.legal, first)
        yield from self.move(self._choose(self.game.position, others))

    def _answer(self) -> Script:
        """Select the move that was made with the button, and confirm it."""
        choices, self.prompts.choices = self.prompts.choices, ()
        last = self.game.turns[-1] if self.game.turns else None
        if last is None or last.move not in choices:
            return
        yield from press_to(self.thrower.press, last.side, choices.index(last.move))

    def _may(self, chance: float) -> bool:
        return self.rng.random() < chance

    def _might(self, chance: float) -> bool:
        # Draws nothing where there is no chance, so that older seeds keep their games.
        return chance > 0 and self._may(chance)

    def _in(self, span: Span) -> int:
        return self.rng.randint(*span)
