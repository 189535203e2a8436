"""The virtual table: pieces, switches, dice, hands and players with a game of their own.

It simulates the physical world only. It communicates with a program through the contacts, the
serial line and what a display shows the players, and knows nothing of a referee. Everything happens
inside `advance`, `run_next` and `rig.poll`, in the caller's thread.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from urpi.core.errors import UrpiError
from urpi.referee.decisions import Decision
from urpi.rules import Position, RuleSet, Side, Square, Starter, Throw, each_square
from urpi.simulation.behaviour import Behaviour, Player, any_move
from urpi.simulation.conductor import Conductor
from urpi.simulation.display_state import SEEN_BY_PLAYERS, DisplayState, Prompts
from urpi.simulation.hall_sensors import HallSensors
from urpi.simulation.hands import Hands
from urpi.simulation.hardware import Equipment, Outputs, TableHardware
from urpi.simulation.illegal_acts import Deviation
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.mishaps import Mishaps
from urpi.simulation.piece_layout import PieceLayout
from urpi.simulation.schedule import Script
from urpi.simulation.throwing import MadeThrow, Thrower
from urpi.simulation.true_game import TrueGame

REACTION_MS: Final = 700
"""Time until the players act on the display when their game is over."""
CLEARING_MS: Final = 150
"""Time for a square that hands clear before another game."""


@dataclass(frozen=True, slots=True)
class SimulatedPlayers:
    """Settings of the simulated players: how they choose, how they act, whether each has own dice.

    `first` is the side that begins, None if throws decide it, and `position` the one to begin with,
    whose side begins; None is the start position. `engine` are the sides whose
    moves the players read on the display. `wait_for_display`: they continue only when the display
    shows their throw or their move. A table that advances in lockstep with the program does not
    need this: there the display shows everything before the players' next act.
    """

    player: Player = any_move
    behaviour: Behaviour = Behaviour()  # noqa: RUF009 - frozen
    own_dice: bool = False
    first: Side | None = None
    engine: frozenset[Side] = frozenset()
    wait_for_display: bool = False
    position: Position | None = None


class VirtualTable(TableHardware):
    """One table with a game set up. The same seed and the same calls produce the same signals."""

    def __init__(
        self,
        rules: RuleSet,
        seed: int | str,
        outputs: Outputs,
        *,
        players: SimulatedPlayers | None = None,
        equipment: Equipment | None = None,
    ) -> None:
        """Set the board up and switch everything on.

        Args:
            rules: The rule set to be played.
            seed: The seed of everything random.
            outputs: The callbacks for the signals.
            players: Who plays, and how; by default any legal move, calmly.
            equipment: What the table is made of.

        Raises:
            UrpiError: If the rules require a first side, and there is none.
        """
        players = players or SimulatedPlayers()
        self.game = TrueGame(rules, players.first, players.position)
        super().__init__(rules, seed, outputs, equipment or Equipment(), own_dice=players.own_dice)
        self._layout = layout = PieceLayout(two_faced=rules.two_faced)
        layout.set_piece_count(rules.pieces)
        layout.arrange(self.game.position)
        self.pieces = LayoutAccess(layout)
        self.prompts = Prompts()
        self._acts: deque[Script] = deque()
        self._busy = self._plays_alone = False
        self.hands = self._make_hands(seed, players.behaviour)
        self._conductor = self._make_conductor(seed, players)
        if outputs.field is not None:
            rng = Random(f"{seed} fields")  # noqa: S311 - a game, no secret
            sensors = HallSensors(self.schedule, rng, layout, outputs.field)
            self.reeds.followed = sensors.follow
        if outputs.hall is not None:
            outputs.hall.connect(self.schedule, layout)
        self._conductor.mishaps.set_up_wrong()
        self.reeds.set_at_rest(self.pieces.occupancy)

    @property
    def busy(self) -> bool:
        """Whether hands are at work or a game is played."""
        return self._busy

    @property
    def deviation(self) -> Deviation | None:
        """What the players do besides playing, None while they only play."""
        return self._conductor.deviation

    @property
    def throws(self) -> list[MadeThrow]:
        """All throws that the players have made, also those that do not count."""
        return self._conductor.thrower.made

    def play(self, max_turns: int | None = None) -> None:
        """Let the players play until a side wins, or `max_turns` throws were played."""
        self._plays_alone = True
        self._conduct(lambda players: players.play(max_turns))

    def play_out(self, max_turns: int | None = None) -> None:
        """Play a whole game as fast as possible. Not with a wire, whose hub is never idle."""
        assert self._outputs.wire is None
        self.play(max_turns)
        while self._busy:
            self.run_next()

    def follow_display(self) -> None:
        """Let the players do what the display asks for, even if their game is over."""
        if self._is_prompted and not self._busy:
            self._conduct(Conductor.follow_display)

    def change_game(
        self,
        rules: RuleSet,
        position: Position | None = None,
        first: Side | None = None,
        engine: frozenset[Side] = frozenset(),
    ) -> None:
        """Prepare another game: change the dice, and let hands put the pieces where it begins.

        They finish first what they are doing. Simulated players who play alone go on with it.

        Raises:
            UrpiError: If this table's dice cannot be replaced.
        """
        self.replace_dice(rules)
        self._conductor.ended = True
        self._acts.clear()
        self._act(self._begin(rules, position, first, engine))
        if self._plays_alone:
            self._conduct(Conductor.play)

    def take_over(self, position: Position, throw: Throw | None) -> None:
        """Let the players go on from a position with its side to move, and a throw of it."""
        game = TrueGame(position.rules, position=position)
        if throw is not None:
            game.throw, game.to_throw = throw, None
        if (position, throw) != (self.game.position, self.game.throw):
            self._take(game, self._conductor.engine)

    def throw(self) -> None:
        """Throw for the side to throw.

        Raises:
            UrpiError: If no side is to throw.
        """
        if self.game.to_throw is None:
            message = "No side may throw: a throw must be played first, or the game is over."
            raise UrpiError(message)
        self._conduct(Conductor.throw)

    def enter_throw(self, faces: str) -> None:
        """Regard a throw as made whose faces a player has entered, if no hands are throwing.

        Args:
            faces: What the dice show, or what those without a signal do.
        """
        if self.game.to_throw is not None and not self._busy:
            self.game.record_throw(faces)

    def move(self, text: str) -> None:
        """Play a legal move with the current throw.

        Raises:
            UrpiError: If it is illegal; use `lift` and `put` for illegal acts.
        """
        for move in self.game.legal:
            if move.text == text:
                self._act(self._conductor.move(move))
                return
        legal = ", ".join(move.text for move in self.game.legal) or "none"
        message = f"{text!r} is not a legal move now; the legal moves are: {legal}."
        raise UrpiError(message)

    def lift(self, square: Square) -> None:
        """Take the top piece off a square, regardless of the rules.

        Raises:
            UrpiError: If the square is empty.
        """
        piece = self.pieces.lift(square)
        self.pieces.lay_beside(piece)
        self.reeds.follow(self.pieces.occupancy)

    def put(self, square: Square, side: Side) -> None:
        """Put a piece from beside the board on a square, regardless of the rules.

        Raises:
            UrpiError: If the side has none there.
        """
        self.pieces.put(square, self.pieces.pick_up(side))
        self.reeds.follow(self.pieces.occupancy)

    def restore_board(self) -> None:
        """Put every piece where the game has it."""
        self._conduct(Conductor.restore_board)

    def bump(self) -> None:
        self.hands.bump()

    def cock(self, die: int) -> None:
        """Throw one die so that it leans on something.

        Raises:
            UrpiError: If there is no such die.
        """
        self.dice.check(die)
        self._act(self.dice.throw([die], [die]))

    def show(
        self,
        display: DisplayState,
        decisions: Iterable[Decision] = (),
        seen: Collection[str] = SEEN_BY_PLAYERS,
    ) -> None:
        """Show the players the state of the display.

        Args:
            display: The state after a change.
            decisions: The decisions that changed it.
            seen: The codes of refused throws that the players recognize by themselves.
        """
        self.prompts.read(display)
        self.prompts.read_decisions(decisions, seen)
        self._react()

    @property
    def _is_prompted(self) -> bool:
        """Whether the display asks for something that the players can do now."""
        return self._conductor.can_answer or bool(self.prompts.wrong)

    def _react(self) -> None:
        """Let players whose game is over read the display soon: a question may come late."""
        if self._plays_alone and not self._busy and self._is_prompted:
            self.schedule.after(REACTION_MS, self.follow_display)

    def _begin(
        self,
        rules: RuleSet,
        position: Position | None,
        first: Side | None,
        engine: frozenset[Side],
    ) -> Script:
        """Put the pieces where a game begins, as far as they are not there, and take it up."""
        is_open = first is None and rules.starter in {Starter.DRAWN, Starter.CHOICE}
        game = TrueGame(rules, Side.LIGHT if is_open else first, position)
        stands, layout = self.pieces.looks_like(game.position), self._layout
        for square in () if stands else each_square(self.pieces.occupancy):
            self.hands.brush_off(square)
            yield CLEARING_MS
        layout.collect()
        layout.two_faced = rules.two_faced
        layout.set_piece_count(rules.pieces)
        layout.bring_home(game.position)
        if stands:
            layout.turn(game.position)
        else:
            yield from self.hands.restore_board(game.position)
        self._take(game, engine)
        while is_open and position is None:
            # The display shows who begins.
            yield REACTION_MS
            display = self.prompts.display
            if display.waits_for == "throw" and display.position is not None:
                self.take_over(display.position, None)
                is_open = False

    def _take(self, game: TrueGame, engine: frozenset[Side]) -> None:
        self.game = game
        thrower = replace(
            self._conductor.thrower,
            kind=game.rules.dice,
            dice=self.dice,
            dice_of=self.dice_of,
            spare=self._spare_dice,
        )
        self._conductor = replace(
            self._conductor, game=game, thrower=thrower, engine=engine, deviation=None, ended=False
        )

    def _make_hands(self, seed: int | str, behaviour: Behaviour) -> Hands:
        rng = Random(f"{seed} hands")  # noqa: S311 - a game, no secret
        return Hands(rng, self.pieces, self.reeds, behaviour, self._outputs.chute)

    def _make_conductor(self, seed: int | str, players: SimulatedPlayers) -> Conductor:
        rng = Random(f"{seed} players")  # noqa: S311 - a game, no secret
        mishaps = Random(f"{seed} mishaps")  # noqa: S311 - a game, no secret
        return Conductor(
            self.game,
            self._make_thrower(players.behaviour, rng, mishaps),
            Mishaps(self.pieces, self.hands, players.behaviour, mishaps, self._outputs.power),
            self.pieces,
            self.hands,
            players.player,
            players.behaviour,
            rng,
            self.prompts,
            players.engine,
            wait_for_display=players.wait_for_display,
        )

    def _make_thrower(self, behaviour: Behaviour, rng: Random, mishaps: Random) -> Thrower:
        return Thrower(
            self.game.rules.dice,
            self.dice,
            self.dice_of,
            self._spare_dice,
            behaviour,
            rng,
            mishaps,
            self.prompts,
            self.pressing,
            self.restart_hub,
            lambda: self.rig.powered,
        )

    @property
    def _spare_dice(self) -> tuple[int, ...]:
        return tuple(range(max(map(max, self.dice_of)) + 1, self.dice.count + 1))

    def _conduct(self, act: Callable[[Conductor], Script]) -> None:
        """Let the players do something after what hands are doing, which may begin another game."""

        def script() -> Script:
            yield from act(self._conductor)

        self._act(script())

    def _act(self, script: Script) -> None:
        """Let hands do something now, or after what they are doing."""
        self._acts.append(script)
        if not self._busy:
            self._busy = True
            self.schedule.start(self._run_acts())

    def _run_acts(self) -> Script:
        while self._acts:
            yield from self._acts.popleft()
        self._busy = False
