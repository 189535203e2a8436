"""The interactive table: played at by hands from outside, with simulated players among them.

It simulates the physical world only, as `urpi.simulation.virtual_table` does, but has no game of
its own. What the players know of the game they read on the display (`DisplayState`).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from urpi.rules import Position, RuleSet, Side, Square, each_square
from urpi.rules.lesson import Lesson
from urpi.simulation.behaviour import Behaviour, Player, greedy
from urpi.simulation.display_state import DisplayState, without_faces
from urpi.simulation.hands import Hands
from urpi.simulation.hardware import PRESS_MS, Equipment, Outputs, TableHardware
from urpi.simulation.layout_access import OWN_HAND, LayoutAccess
from urpi.simulation.move_effects import MoveEffects, move_effects
from urpi.simulation.partner import LOOK_MS, Partner
from urpi.simulation.piece_layout import Grip, ImpossibleError, Piece, PieceLayout, Place
from urpi.simulation.schedule import Script
from urpi.simulation.throwing import PRESS_PAUSE_MS

PATIENCE_MS: Final = 10_000
"""Inactivity after which a hand counts as gone and its piece is put back."""
QUIET_MS: Final = 800
"""Delay of the simulated players after an act of another hand."""
PUSH_MS: Final = 50
"""From one piece being pushed off to the other one being put in its place."""
TIDY_MS: Final = 400
"""From a capture to the captured piece being put into its reserve."""
JUMP_MS: Final = 50
"""A bumped piece jumps within this time, and for no longer."""
CLEARING_MS: Final = 120
SWEEP_MS: Final = 40


@dataclass(frozen=True, slots=True)
class InteractiveOptions:
    """How the simulated players play, how long hands may be inactive, and who plays at first."""

    player: Player = greedy
    behaviour: Behaviour = Behaviour()  # noqa: RUF009 - frozen
    patience_ms: int = PATIENCE_MS
    plays: frozenset[Side] = frozenset()


class InteractiveTable(TableHardware):
    """One table. The same seed and the same acts at the same times produce the same signals."""

    def __init__(
        self,
        rules: RuleSet,
        seed: int | str,
        outputs: Outputs,
        *,
        options: InteractiveOptions | None = None,
        equipment: Equipment | None = None,
    ) -> None:
        """Put the pieces and dice of a rule set on the table, and switch everything on."""
        super().__init__(rules, seed, outputs, equipment or Equipment(), own_dice=False)
        self.rules = rules
        self.layout = PieceLayout()
        self.layout.set_piece_count(rules.pieces)
        self.display = DisplayState()
        self._display_at_lift: dict[str, DisplayState] = {}
        """What each hand's player read when the hand lifted its pieces."""
        self.buttons_down: set[Side] = set()
        self._button_free_at = dict.fromkeys(Side, 0)
        """When each button can be pressed again."""
        self.power = True
        """Whether the program has power, and the hub through it."""
        self.cable_in = True
        self.lesson: Lesson | None = None
        """The lesson that is being played, None during an ordinary game."""
        self._plays_after_lesson: frozenset[Side] = frozenset()
        self._options = options or InteractiveOptions()
        self._acts: deque[Script] = deque()
        # In the past, so that the simulated players may begin at once.
        self._touched_at = -QUIET_MS
        self._rng = Random(f"{seed} hands")  # noqa: S311 - a game, no secret
        self.partner = self._make_partner(seed)
        # An empty board before the schedule runs: the program reads it when it starts.
        self.reeds.set_at_rest(0)
        if outputs.hall is not None:
            outputs.hall.connect(self.schedule, self.layout)
        self.schedule.start(self._live())

    def _make_partner(self, seed: int | str) -> Partner:
        access, options = LayoutAccess(self.layout), self._options
        hands = Hands(self._rng, access, self.reeds, options.behaviour, self._outputs.chute)
        players = Random(f"{seed} players")  # noqa: S311 - a game, no secret
        return Partner(
            access,
            hands,
            self.rig,
            self.pressing,
            options.player,
            options.behaviour,
            players,
            self._others_rest,
            plays=options.plays,
        )

    @property
    def is_held(self) -> bool:
        """Whether a hand from outside holds a piece."""
        return any(hand != OWN_HAND for hand in self.layout.grips)

    def plug_hub(self, *, plugged: bool) -> None:
        """Plug the hub's cable in, or pull it out."""
        self._touch()
        self.cable_in = plugged
        self._power_hub()

    def switch_power(self, *, on: bool) -> None:
        """Switch the program's power on or off."""
        self._touch()
        self.power = on
        if not on:
            # Without power the display is dark, and the players know nothing of the game.
            self.show(DisplayState())
        self._power_hub()

    def _power_hub(self) -> None:
        has_power = self.power and self.cable_in
        if has_power and not self.rig.powered:
            self.plug()
        elif not has_power and self.rig.powered:
            self.unplug()

    def show(self, display: DisplayState) -> None:
        """Set the state of the display that the simulated players see."""
        self.display = self.partner.display = display
        if self.lesson is not None:
            self.dice.prepare(self.lesson.faces(display.position))

    def seat_players(self, simulated: frozenset[Side]) -> None:
        """Let simulated players play some sides from now on, and hands the others."""
        self.partner.plays = simulated

    def change_rules(self, rules: RuleSet) -> None:
        """Prepare a game of another rule set: change the dice, and let hands put the pieces aside.

        Raises:
            UrpiError: If this table's dice cannot be replaced.
        """
        self.replace_dice(rules)
        self._end_lesson()
        self.rules = rules
        for hand in [hand for hand in self.layout.grips if hand != OWN_HAND]:
            # The pieces belong to the old rule set, which may have another number of them.
            self._put_beside(hand)
        self._acts.clear()
        self._acts.append(self._clear(rules))

    def begin_lesson(self, lesson: Lesson, position: Position) -> None:
        """Prepare a lesson: let hands set up its position, and a simulated player play dark.

        The next call of `change_rules` ends it.

        Raises:
            UrpiError: If this table's dice cannot be prepared.
        """
        self.dice.prepare(lesson.faces(position))
        self.change_rules(position.rules)
        self.dice.prepare(lesson.faces(position))
        self.lesson = lesson
        self._plays_after_lesson = frozenset(self.partner.plays)
        self.partner.plays = frozenset({Side.DARK})
        self.set_up(position)

    def set_up(self, position: Position) -> None:
        """Let hands set up a position of the rule set that `change_rules` has prepared."""
        self._acts.append(self._set_up(without_faces(position)))

    def has_set_up(self, position: Position) -> bool:
        """Return whether hands have set up a position with the pieces of its rule set."""
        board = LayoutAccess(self.layout).board
        return self.rules is position.rules and board == list(without_faces(position).board)

    def keep(self, position: Position) -> None:
        """Leave a position that hands have set up, and sort only the pieces beside the board."""
        self._acts.append(self._sort_beside(position))

    def _end_lesson(self) -> None:
        if self.lesson is not None:
            self.lesson = None
            self.dice.prepare("")
            self.partner.plays = self._plays_after_lesson

    def lay_out(self, position: Position) -> None:
        """Set up a position with the pieces in the reserves, before the program listens.

        Raises:
            UrpiError: If this table's dice cannot be those of its rule set.
        """
        self.replace_dice(position.rules)
        self.rules = position.rules
        self.layout.set_piece_count(position.rules.pieces)
        self.layout.arrange(without_faces(position))
        self.reeds.set_at_rest(self.layout.occupancy)

    def lift(self, hand: str, place: Place, count: int = 1, name: str | None = None) -> None:
        """Lift the top pieces of a place.

        Raises:
            ImpossibleError: If they cannot be lifted, or the hand holds pieces already.
        """
        self._touch()
        if hand in self.layout.grips:
            message = "This hand holds a piece already; put that down first."
            raise ImpossibleError(message)
        self.layout.lift(hand, place, count, name)
        self.layout.grips[hand].seen_at = self.schedule.now
        # A move may be committed while its piece is held; the display then shows the next one.
        self._display_at_lift[hand] = self.display
        self._follow()

    def lift_named(self, hand: str, name: str) -> None:
        """Lift a piece by its name, with those on top of it.

        Raises:
            UrpiError: If there is no such piece.
            ImpossibleError: If it cannot be lifted.
        """
        place, count = self.layout.find(name)
        self.lift(hand, place, count, name)

    def hold_over(self, hand: str, square: Square | None) -> None:
        """Hold a hand's pieces over a square, or with None beside the board or high above it.

        Raises:
            ImpossibleError: If the hand holds nothing.
        """
        self.keep_alive(hand).over = square
        self._follow()

    def keep_alive(self, hand: str) -> Grip:
        """Record that a hand is active, and return what it holds.

        Raises:
            ImpossibleError: If it holds nothing.
        """
        self._touch()
        grip = self.layout.held(hand)
        grip.seen_at = self.schedule.now
        return grip

    def turn(self, hand: str) -> None:
        """Turn a hand's pieces over, each one to its other face.

        Raises:
            ImpossibleError: If the hand holds nothing.
        """
        for piece in self.keep_alive(hand).pieces:
            piece.turned = not piece.turned

    def put(
        self, hand: str, place: Place, *, push: bool | None = None, move: str | None = None
    ) -> None:
        """Put down a hand's pieces.

        Args:
            hand: The name of the hand.
            place: Where to put them.
            push: Whether pieces on that square are pushed off the board; by default an enemy's is,
                in rule sets without piles.
            move: The legal move that the player completes or continues by this. The hand then also
                does the rest of it: it takes captured pieces off, turns its piece over, and takes
                prisoners home. Ignored if the position has no such move that is displayed or was
                when the hand lifted its pieces: held over its target they may commit the move.

        Raises:
            ImpossibleError: If the hand holds nothing.
        """
        grip = self.keep_alive(hand)
        displays = (self.display, self._display_at_lift[hand])
        found = (move_effects(display, move, grip.pieces, place) for display in displays)
        played = next((effects for effects in found if effects is not None), None)
        if played is not None:
            self._put_as_played(hand, grip, place, played)
        elif place.square is not None and self._pushes(place.square, grip.pieces, push):
            self.schedule.start(self._push_in(hand, grip, place, [place.square], tidies=False))
        else:
            self._lay(hand, place)

    def _put_as_played(self, hand: str, grip: Grip, place: Place, played: MoveEffects) -> None:
        *prisoners, own = grip.pieces
        if played.turned is not None:
            own.turned = played.turned
        if played.releases and prisoners:
            self.layout.put(hand, Place(side=own.side, home=True), prisoners)
        if played.captures:
            self.schedule.start(self._push_in(hand, grip, place, played.captures, tidies=True))
        else:
            self._lay(hand, place)

    def _lay(self, hand: str, place: Place) -> None:
        self.layout.put(hand, place)
        self._follow()

    def _pushes(self, square: Square, group: Sequence[Piece], push: bool | None) -> bool:
        pile = self.layout.board[square]
        if push is None:
            return bool(pile) and not self.rules.piles and pile[-1].side is not group[0].side
        return push and bool(pile)

    def _push_in(
        self, hand: str, grip: Grip, place: Place, squares: Sequence[Square], *, tidies: bool
    ) -> Script:
        """Push the pieces on some squares off and put the others down, with a short gap between."""
        grip.over = None
        pushed = [piece for square in squares for piece in self.layout.push_off(square)]
        self._follow()
        yield PUSH_MS
        if self.layout.grips.get(hand) is grip:
            self._lay(hand, place)
        if tidies:
            yield TIDY_MS
            self.layout.tidy(pushed)

    def put_back(self, hand: str) -> None:
        """Put a hand's pieces back where they were lifted.

        Raises:
            ImpossibleError: If the hand holds nothing.
        """
        self.put(hand, self.keep_alive(hand).origin, push=False)

    def throw(self, dice: Sequence[int] = (), how: str = "thrown") -> None:
        """Throw dice, all of them if none is given.

        Args:
            dice: The numbers of the dice.
            how: ``thrown``, ``cocked`` (they lean then), or ``turned`` by hand.

        Raises:
            UrpiError: If there is no such die.
            ImpossibleError: If one still rolls.
        """
        dice = dice or range(1, self.dice.count + 1)
        for die in dice:
            self.dice.check(die)
            if self.dice.appearance(die).moves:
                message = f"Die {die} still rolls; wait until it comes to rest."
                raise ImpossibleError(message)
        self._touch()
        if how == "turned":
            for die in dice:
                self.schedule.start(self.dice.turn_by_hand(die))
        else:
            self.schedule.start(self.dice.throw(dice, dice if how == "cocked" else ()))

    def bump(self) -> None:
        """Bump the table: pieces jump, and stay where they are."""
        self._touch()
        for square in each_square(self.layout.occupancy):
            self.reeds.knock(square, self._rng.randint(0, JUMP_MS), self._rng.randint(6, JUMP_MS))

    def sweep(self) -> None:
        """Brush every piece off the board; they lie aside then."""
        self._touch()
        self.schedule.start(self._sweep())

    def move(self, text: str) -> None:
        """Let the simulated hands play a legal move of the displayed position.

        What other hands hold is put back first.

        Raises:
            ImpossibleError: If it is not legal.
        """
        for move in self.display.legal:
            if move.text == text:
                self._put_all_back()
                self._acts.append(self.partner.make(move))
                return
        legal = ", ".join(move.text for move in self.display.legal) or "none"
        message = f"{text!r} is not a legal move now; the legal moves are: {legal}."
        raise ImpossibleError(message)

    def restore_board(self) -> None:
        """Let the simulated hands put every piece where the display has it."""
        self._put_all_back()
        self._acts.append(self.partner.restore_board())

    def _put_all_back(self) -> None:
        for hand in [hand for hand in self.layout.grips if hand != OWN_HAND]:
            self.put_back(hand)

    def press(self, side: Side, press: str) -> None:
        """Press a side's button ``short`` or ``long``, or with ``both`` the two together, long."""
        self._touch()
        sides, press = (tuple(Side), "long") if press == "both" else ((side,), press)
        now = self.schedule.now
        # Nobody can press a button that is down: it must come up first.
        begins = max(now, *(self._button_free_at[each] for each in sides))
        for each in sides:
            self._button_free_at[each] = begins + PRESS_MS[press] + PRESS_PAUSE_MS
            self.schedule.start(self._pressed(each, press, begins - now))

    def _pressed(self, side: Side, press: str, wait_ms: int) -> Script:
        if wait_ms:
            yield wait_ms
        self.buttons_down.add(side)
        yield from self.pressing(side, press)
        self.buttons_down.discard(side)

    def _live(self) -> Script:
        """Run the simulated players and clear up after hands that have gone, without end."""
        while True:
            while self._acts:
                yield from self._acts.popleft()
            self._put_back_abandoned()
            yield from self.partner.look_up()
            yield LOOK_MS

    def _put_back_abandoned(self) -> None:
        long_ago = self.schedule.now - self._options.patience_ms
        for hand, grip in list(self.layout.grips.items()):
            if hand != OWN_HAND and grip.seen_at < long_ago:
                self.put_back(hand)

    def _others_rest(self) -> bool:
        quiet = self.schedule.now - self._touched_at >= QUIET_MS
        dice = range(1, self.dice.count + 1)
        return (
            quiet and not self.is_held and not any(self.dice.appearance(die).moves for die in dice)
        )

    def _clear(self, rules: RuleSet) -> Script:
        """Put all pieces into the reserves, one after another, and change their number."""
        for square in each_square(self.layout.occupancy):
            while self.layout.board[square]:
                self.layout.lift(OWN_HAND, Place(square))
                self._follow()
                yield CLEARING_MS
                self._put_beside(OWN_HAND)
        self.layout.collect()
        self.layout.set_piece_count(rules.pieces)

    def _sort_beside(self, position: Position) -> Script:
        """Bring the pieces home that a position has off the board, the others to the reserves."""
        self.layout.collect()
        self.layout.bring_home(position)
        yield CLEARING_MS

    def _set_up(self, position: Position) -> Script:
        """Put the pieces of a position from the reserves to their places, one after another.

        The game begins as soon as the squares are right, so the pieces at home and the piles come
        first.
        """
        self.layout.bring_home(position)
        piles = {square: position.board[square] for square in each_square(position.occupancy)}
        for square in sorted(piles, key=lambda square: len(piles[square]) == 1):
            for letter in piles[square]:
                self.layout.lift(OWN_HAND, Place(side=Side.of_letter(letter)))
                self.layout.held(OWN_HAND).pieces[0].turned = (
                    position.rules.two_faced and letter.islower()
                )
                self.layout.put(OWN_HAND, Place(square))
                self._follow()
                yield CLEARING_MS

    def _put_beside(self, hand: str) -> None:
        self.layout.put(hand, Place(side=Side.LIGHT))
        self._follow()

    def _sweep(self) -> Script:
        for square in each_square(self.layout.occupancy):
            self.layout.push_off(square)
            self._follow()
            yield self._rng.randint(0, SWEEP_MS)

    def _touch(self) -> None:
        self._touched_at = self.schedule.now

    def _follow(self) -> None:
        self.reeds.follow(self.layout.occupancy)
