"""The virtual table: pieces, reeds, dice, hands and players joined, with a game of its own.

The physical world and nothing else: it speaks to a program through the contacts, the serial
line and what a display tells the people at it, and knows of no referee. Everything happens
inside `advance`, `run_next` and `poll`, in the caller's thread.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from urpi.errors import UrpiError
from urpi.rules import RuleSet, Side, Square, Squares
from urpi.table.behaviour import Behaviour
from urpi.table.clock import Schedule, Script
from urpi.table.conductor import Conductor
from urpi.table.dice import FACES_OF_D6, TIPS, DieSink
from urpi.table.hands import Hands
from urpi.table.mishaps import Mishaps
from urpi.table.pieces import Pieces
from urpi.table.players import Player, any_move
from urpi.table.reeds import Bounce, EdgeSink, ReedFault, Reeds
from urpi.table.rig import DiceRig, RigMaker, TableDice, VirtualRig
from urpi.table.throwing import Thrower
from urpi.table.told import Deed, Told
from urpi.table.truth import TrueGame
from urpi.table.wires import Wire

ButtonSink: TypeAlias = Callable[[Side, bool], None]
"""Takes a side's button going down (True) and up."""

_SHORT_MS: Final = 150
_LONG_MS: Final = 1100


@dataclass(frozen=True, slots=True)
class Outlets:
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
class People:
    """Who sits at the table: how they choose, how they act, and whether each has own dice.

    `first` begins; None where the rules let throws decide.
    """

    player: Player = any_move
    behaviour: Behaviour = Behaviour()  # noqa: RUF009 - frozen
    own_dice: bool = False
    first: Side | None = None


@dataclass(frozen=True, slots=True)
class Things:
    """What the table is made of.

    How switches bounce, what the tips 1 to 4 of a d4 show, how many dice lie there that the set
    does not need, and what makes the dice and their hub: without `rig` they are the Python ones,
    and the outlets' `die` and `wire` are theirs.
    """

    bounce: Bounce = Bounce()  # noqa: RUF009 - frozen
    tips: str = TIPS
    spare_dice: int = 0
    rig: RigMaker | None = None


class VirtualTable:
    """One table with one game set up. The same seed and the same calls give the same signals."""

    def __init__(
        self,
        rules: RuleSet,
        seed: int | str,
        outlets: Outlets,
        *,
        people: People | None = None,
        things: Things | None = None,
    ) -> None:
        """Set the board up and switch everything on.

        Args:
            rules: The rule set to be played.
            seed: Of all that is random here.
            outlets: Where the signals go.
            people: Who plays and how; unless said otherwise any legal move, calmly.
            things: What the table is made of.

        Raises:
            UrpiError: when the rules leave it to be said who begins, and nobody has.
        """
        people, things = people or People(), things or Things()
        self.schedule = Schedule()
        self.game = TrueGame(rules, people.first)
        self.pieces = Pieces(self.game.position)
        self.told = Told()
        self._outlets = outlets
        self._acts: deque[Script] = deque()
        self._busy = False
        self.dice_of = _dice_of(rules, own=people.own_dice)
        count = max(map(max, self.dice_of)) + things.spare_dice
        shows = FACES_OF_D6 if rules.dice.body == "d6" else things.tips
        self.rig: DiceRig = (things.rig or self._virtual_rig(seed))(self.schedule, count, shows)
        bounces = Random(f"{seed} bounces")  # noqa: S311 - a game, no secret
        self.reeds = Reeds(self.schedule, bounces, outlets.edge, things.bounce)
        self.hands = self._make_hands(seed, people.behaviour)
        self._conductor = self._make_conductor(seed, people)
        self._conductor.mishaps.set_up_wrong()
        self.reeds.set_at_rest(self.pieces.occupancy)

    @property
    def next_due(self) -> int | None:
        """When something happens next, in the schedule's milliseconds; None: nothing will."""
        dues = (self.schedule.next_due, self.rig.next_due)
        return min((due for due in dues if due is not None), default=None)

    @property
    def quiet(self) -> bool:
        """Whether the hub waits for no acknowledgement."""
        return self.rig.quiet

    @property
    def lines_sent(self) -> int:
        """Lines that the hub has sent to the program so far."""
        return self.rig.lines_sent

    @property
    def dice(self) -> TableDice:
        """The dice as hands have them."""
        return self.rig.dice

    @property
    def busy(self) -> bool:
        """Whether hands are at work, or a game is being played."""
        return self._busy

    @property
    def deed(self) -> Deed | None:
        """What the players are at that is no play, None while they do nothing but play."""
        return self._conductor.deed

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

    def play(self, max_turns: int | None = None) -> None:
        """Let the people play by themselves until somebody wins, or so many throws were played."""
        self._act(self._conductor.play(max_turns))

    def play_out(self, max_turns: int | None = None) -> None:
        """Play a whole game as fast as it goes. Only without a wire, whose hub never rests."""
        assert self._outlets.wire is None
        self.play(max_turns)
        while self._busy:
            self.run_next()

    def heed(self) -> None:
        """Let the players answer what the display asks, also when their game is over."""
        if self.told.choices and not self._busy:
            self._act(self._conductor.heed())

    def throw(self) -> None:
        """Whoever is to throw throws.

        Raises:
            UrpiError: when nobody is to.
        """
        if self.game.to_throw is None:
            message = "Nobody is to throw: a throw is still to be played, or the game is over."
            raise UrpiError(message)
        self._act(self._conductor.throw())

    def move(self, text: str) -> None:
        """Play that legal move with the throw that lies there.

        Raises:
            UrpiError: when it is not legal; what is not goes by `lift` and `put`.
        """
        for move in self.game.legal:
            if move.text == text:
                self._act(self._conductor.move(move))
                return
        legal = ", ".join(move.text for move in self.game.legal) or "none"
        message = f"{text!r} is no legal move now; the legal moves are: {legal}."
        raise UrpiError(message)

    def lift(self, square: Square) -> None:
        """Take the top piece of a square off the board, whatever the rules say.

        Raises:
            UrpiError: when none stands there.
        """
        piece = self.pieces.lift(square)
        self.pieces.lay_beside(piece)
        self.reeds.follow(self.pieces.occupancy)

    def put(self, square: Square, side: Side) -> None:
        """Put a piece from beside the board on a square, whatever the rules say.

        Raises:
            UrpiError: when that side has none there.
        """
        self.pieces.put(square, self.pieces.take(side))
        self.reeds.follow(self.pieces.occupancy)

    def mend(self) -> None:
        """Put every piece where it truly belongs."""
        self._act(self._conductor.put_right())

    def bump(self) -> None:
        """Knock the board."""
        self.hands.bump()

    def cock(self, die: int) -> None:
        """Throw one die so that it comes to lean on something.

        Raises:
            UrpiError: when there is no such die.
        """
        self.dice.check(die)
        self._act(self.dice.throw([die], [die]))

    def press(self, side: Side, press: str) -> None:
        """Press a side's button: ``short`` or ``long``."""
        self.schedule.start(self._press(side, press))

    def break_switch(self, square: Square, fault: ReedFault | None) -> None:
        """Give a square's switch a fault, or with None repair it."""
        if fault is None:
            self.reeds.repair(square)
        else:
            self.reeds.break_down(square, fault)

    def plug(self) -> None:
        """Put the hub's cable in: it gets power, starts anew, and hears what dice still say."""
        if not self.rig.powered:
            self._outlets.hub(True)
            self.rig.plug()

    def unplug(self) -> None:
        """Pull the hub's cable out."""
        self.rig.unplug()
        self._outlets.hub(False)

    def restart_hub(self, dark_ms: int) -> None:
        """Let the hub be without power for so long, beginning now."""
        self.unplug()
        self.schedule.after(dark_ms, self.plug)

    def told_to_mend(self, fill: Squares, clear: Squares) -> None:
        """A display says which squares to fill and to clear; nothing: the board is right again."""
        self.told.fill, self.told.clear = fill, clear

    def told_to_answer(self, choices: tuple[str, ...]) -> None:
        """A display asks which of these moves it was, the first one marked; none: no more."""
        self.told.choices = choices

    def told_to_enter(self, faces: tuple[str, ...]) -> None:
        """A display asks which of these a throw with a dead die was, the first one marked."""
        self.told.faces = faces

    def told_to_throw_again(self, dice: tuple[int, ...]) -> None:
        """A display says that a throw does not count because of these dice."""
        self.told.again = dice

    def _virtual_rig(self, seed: int | str) -> RigMaker:
        rng = Random(f"{seed} dice")  # noqa: S311 - a game, no secret
        outlets = self._outlets
        return lambda schedule, count, shows: VirtualRig(
            schedule, rng, count=count, shows=shows, die=outlets.die, wire=outlets.wire
        )

    def _make_hands(self, seed: int | str, behaviour: Behaviour) -> Hands:
        rng = Random(f"{seed} hands")  # noqa: S311 - a game, no secret
        return Hands(rng, self.pieces, self.reeds, behaviour, self._outlets.chute)

    def _make_conductor(self, seed: int | str, people: People) -> Conductor:
        rng = Random(f"{seed} players")  # noqa: S311 - a game, no secret
        mishaps = Random(f"{seed} mishaps")  # noqa: S311 - a game, no secret
        return Conductor(
            self.game,
            self._make_thrower(people.behaviour, rng, mishaps),
            Mishaps(self.pieces, self.hands, people.behaviour, mishaps, self._outlets.power),
            self.pieces,
            self.hands,
            people.player,
            people.behaviour,
            rng,
            self.told,
        )

    def _make_thrower(self, behaviour: Behaviour, rng: Random, mishaps: Random) -> Thrower:
        spare = range(max(map(max, self.dice_of)) + 1, self.dice.count + 1)
        return Thrower(
            self.game.rules.dice,
            self.dice,
            self.dice_of,
            tuple(spare),
            behaviour,
            rng,
            mishaps,
            self.told,
            self._press,
            self.restart_hub,
            lambda: self.rig.powered,
        )

    def _act(self, script: Script) -> None:
        """Let hands do that now, or when they have done what they are at."""
        self._acts.append(script)
        if not self._busy:
            self._busy = True
            self.schedule.start(self._run_acts())

    def _run_acts(self) -> Script:
        while self._acts:
            yield from self._acts.popleft()
        self._busy = False

    def _press(self, side: Side, press: str) -> Script:
        self._outlets.button(side, True)
        yield _LONG_MS if press == "long" else _SHORT_MS
        self._outlets.button(side, False)


def _dice_of(rules: RuleSet, *, own: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    count = rules.dice.count
    light = tuple(range(1, count + 1))
    return light, tuple(range(count + 1, 2 * count + 1)) if own else light
