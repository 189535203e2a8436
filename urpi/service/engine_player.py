"""The engine at the board: requests the moves of the sides whose seat it has, and the coach's.

It observes the game as the views do. A chosen move comes back to the referee as a `Plan`, a move
that is better than a person's as a `Coach`.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from urpi.engine.review.marks import MISTAKE_MARKS, mistake_mark
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Moved
from urpi.referee.facts import Coach, Decline, Draw, Hint, Plan, ProgramThrow
from urpi.referee.seats import engine_sides, is_engine, level_word
from urpi.rules import Side
from urpi.service.devices import log_failure
from urpi.service.engine_process import OnResponse, Request, Response
from urpi.service.service import Service

_EVEN: Final = 0.5
PAUSE_MS: Final = 2000
"""How long the board must be correct before the program throws: time to take a move back."""
COACHED_MS: Final = 8000
"""The same while the coach shows a better move: time to read it, too."""
ENTERED_MS: Final = 8000
"""The same while one square contradicts an entered move: time to make it on the board, too."""
LOOK_MS: Final = 100
"""How often the program looks whether it may throw."""


class Engine(Protocol):
    """Evaluates positions, such as `urpi.service.engine_process.EngineProcess`."""

    def request(self, request: Request, on_response: OnResponse) -> None:
        """Send a request. The response is passed to `on_response` in another thread."""

    def close(self) -> None:
        """Stop."""


class EnginePlayer:
    """Plans the engine's moves. Its methods are called in the service's thread.

    Args:
        service: The service of the board.
        engine: Evaluates the positions.
        chance: Returns random numbers, 0 <= n < 1, by which weaker levels choose and the program
            throws.
        is_busy: Returns whether a person is using the menu, during which the program does not
            throw.
    """

    def __init__(
        self,
        service: Service,
        engine: Engine,
        chance: Callable[[], float],
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        self._service: Final = service
        self._engine: Final = engine
        self._chance: Final = chance
        self._is_busy: Final = is_busy
        self._look_at: int | None = None
        self._ready_since: int | None = None
        self._game: int | None = None
        self._planned: object = None
        self._claimed: object = None
        self._coached: object = None
        self._extra: object = None
        self._undecided = False
        self._waiting = 0
        service.add_task(self)

    @property
    def idle(self) -> bool:
        """Whether no response is awaited."""
        return not self._waiting

    def close(self) -> None:
        self._engine.close()

    def update(self, snapshot: Snapshot) -> None:
        """Request a move if the engine must choose one; call it after every change."""
        self._warm_up(snapshot)
        self._claim_draw(snapshot)
        self._coach(snapshot)
        self._consider_declining(snapshot)
        if self._look_at is None and _awaits_program(snapshot):
            self._look_at = self._service.clock()
        if not snapshot.thinking or snapshot.rolled is None:
            return
        if not is_engine(snapshot.seat(snapshot.rolled.side)):
            return
        planned = self._game, snapshot.rolled
        # `update` is called after every change; one throw is planned once.
        if planned == self._planned:
            return
        self._planned = planned
        side, legal = snapshot.rolled.side, snapshot.rolled.legal
        # Without a choice the engine need not be asked.
        if len(legal) == 1:
            self._service.submit(Plan(self._service.clock(), side, legal[0]))
            return
        request = {
            "position": str(snapshot.position),
            "faces": snapshot.rolled.faces,
            "level": level_word(snapshot.seat(side)),
            "chance": self._chance(),
            "seen": list(map(str, self._service.seen_positions)),
        }
        self._send(request, lambda response: self._plan(planned, side, response))

    @property
    def next_due(self) -> int | None:
        """When to look whether the program must throw, None if it does not have to."""
        return self._look_at

    def tick(self, t: int) -> None:
        """Throw for the engine once the board has been correct for a while."""
        if self._look_at is None or t < self._look_at:
            return
        snapshot = self._service.snapshot
        if not _awaits_program(snapshot):
            self._look_at = self._ready_since = None
            return
        self._look_at = t + LOOK_MS
        is_correct = self._service.current.is_board_correct
        if (
            self._is_busy()
            or self._undecided
            or not (is_correct or self._service.current.contradicts_entry)
        ):
            self._ready_since = None
        elif self._ready_since is None:
            self._ready_since = t
        elif t - self._ready_since >= _pause_ms(snapshot, is_correct=is_correct):
            self._ready_since = None
            self._throw(t, snapshot)

    def _throw(self, t: int, snapshot: Snapshot) -> None:
        if snapshot.side is not None and snapshot.position is not None:
            throw = snapshot.position.rules.dice.roll(self._chance())
            self._service.submit(ProgramThrow(t, snapshot.side, throw.faces))

    def _consider_declining(self, snapshot: Snapshot) -> None:
        """Decline an extra throw of the engine that is worse than none, before it is made."""
        side, position = snapshot.side, snapshot.position
        if side is None or not snapshot.has_extra_throw or not is_engine(snapshot.seat(side)):
            self._extra, self._undecided = None, False
            return
        extra = self._game, position
        if extra == self._extra:
            return
        self._extra, self._undecided = extra, True

        def decide(response: Response | None) -> None:
            if extra != self._extra:
                return
            self._undecided = False
            if response is not None and response["declines"]:
                self._service.process(Decline(self._service.clock(), side))

        self._send({"position": str(position), "extra": True}, decide)

    def _coach(self, snapshot: Snapshot) -> None:
        """Let a person's move be compared with the best one, if the person has a coach."""
        made = _move_made(snapshot)
        rolled, before = snapshot.rolled, snapshot.before
        if made is None or rolled is None or before is None or len(rolled.legal) == 1:
            return
        side, move = made
        judged = self._game, rolled, move
        coach = snapshot.coach[side.number]
        if coach == "off" or is_engine(snapshot.seat(side)) or judged == self._coached:
            return
        self._coached = judged

        def show(response: Response | None) -> None:
            # Another move may have been made while the engine calculated.
            if response is None or judged != self._coached:
                return
            mark = mistake_mark(response["loss"])
            if mark is not None and MISTAKE_MARKS.index(mark) >= MISTAKE_MARKS.index(coach):
                points = round(100 * response["loss"])
                now = self._service.clock()
                self._service.process(Coach(now, side, move, response["best"], points))

        self._send({"position": str(before), "faces": rolled.faces, "played": move}, show)

    def hint(self) -> bool:
        """Give the side to move a hint, which arrives as a `Hint`.

        Returns:
            False if it may not ask for one now.
        """
        snapshot = self._service.snapshot
        throw, side, position = snapshot.throw, snapshot.side, snapshot.position
        if not snapshot.may_hint or throw is None or side is None:
            return False

        def show(response: Response | None) -> None:
            now = self._service.snapshot
            # The game may have gone on while the engine calculated.
            if response is None or (now.position, now.throw, now.may_hint) != (
                position,
                throw,
                True,
            ):
                return
            best, *others = response["moves"]
            margin = round(100 * (best["value"] - others[0]["value"])) if others else None
            self._service.process(Hint(self._service.clock(), side, best["move"], margin))

        self._send({"position": str(position), "faces": throw.faces}, show)
        return True

    def consider_draw(
        self, by: Side, decline: Callable[[], None], accept: Callable[[], None] = lambda: None
    ) -> None:
        """Accept a side's offer of a draw if the engine, its opponent, is behind.

        Args:
            by: The side that offers the draw.
            decline: Called if the engine does not accept, has failed, or the game has gone on.
            accept: Called after the engine has accepted; by default nothing is called.
        """

        def agree() -> None:
            self._service.process(Draw(self._service.clock(), by, agreed=True))
            accept()

        self._if_behind(by.other, agree, decline)

    def _claim_draw(self, snapshot: Snapshot) -> None:
        """Claim a draw that the rules permit for a side of the engine that is behind."""
        claimed = self._game, snapshot.position
        if snapshot.draw is None or claimed == self._claimed:
            return
        # Once for each position: a claim that was declined would be repeated at every change.
        self._claimed = claimed
        for side in engine_sides(snapshot.seats):
            self._if_behind(side, partial(self._claim, side), lambda: None)

    def _claim(self, side: Side) -> None:
        self._service.process(Draw(self._service.clock(), side))

    def _if_behind(
        self, side: Side, then: Callable[[], None], otherwise: Callable[[], None]
    ) -> None:
        """Call `then` if the position's value for a side is less than one half, else the other."""
        position = self._service.snapshot.position
        if position is None or position.turn is None:
            otherwise()
            return

        def decide(response: Response | None) -> None:
            is_same = position == self._service.snapshot.position
            own = None if response is None or not is_same else response["value"]
            if own is not None and position.turn is not side:
                own = 1 - own
            if own is not None and own < _EVEN:
                then()
            else:
                otherwise()

        self._send({"position": str(position)}, decide)

    def _warm_up(self, snapshot: Snapshot) -> None:
        """Let the engine start and read its tables before its first move."""
        if self._service.game == self._game:
            return
        self._game = self._service.game
        position = snapshot.position
        if position is None or position.turn is None:
            return
        if any(map(is_engine, snapshot.seats)):
            self._send({"position": str(position)}, lambda _response: None)

    def _send(self, request: Request, use: Callable[[Response | None], None]) -> None:
        """Send a request; `use` is called with the response in the service's thread."""

        def receive(response: Response | None) -> None:
            self._waiting -= 1
            use(response)

        def on_response(response: Response | None) -> None:
            # The response arrives in the engine's thread, while the game belongs to the service's.
            self._service.call(lambda: receive(response)).add_done_callback(log_failure)

        self._waiting += 1
        self._engine.request(request, on_response)

    def _plan(self, planned: object, side: Side, response: Response | None) -> None:
        if planned == self._planned and self._service.snapshot.thinking:
            move = None if response is None else response["move"]
            self._service.process(Plan(self._service.clock(), side, move))
            if self._service.snapshot.thinking:
                # Nothing is decided while the memory is full: choose again after that.
                self._planned = None


def _awaits_program(snapshot: Snapshot) -> bool:
    """Return whether the program must throw; only a warning, which is shown, delays it."""
    is_throwing = snapshot.phase in {Phase.THROW, Phase.START_THROW}
    return is_throwing and snapshot.warning is None and snapshot.program_throws(snapshot.side)


def _pause_ms(snapshot: Snapshot, *, is_correct: bool) -> int:
    if not is_correct:
        return ENTERED_MS
    return PAUSE_MS if snapshot.coached is None else COACHED_MS


def _move_made(snapshot: Snapshot) -> tuple[Side, str] | None:
    """Return the side and the move that was just made, or that seems made, or None."""
    if snapshot.phase is Phase.MOVE and snapshot.seems is not None and snapshot.side is not None:
        return snapshot.side, snapshot.seems
    acted = snapshot.acted
    if snapshot.phase is Phase.THROW and snapshot.before is not None and isinstance(acted, Moved):
        return acted.side, acted.move
    return None
