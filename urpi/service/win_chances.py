"""The probability to win, for views that show it: requested from the engine, once for each throw.

Only a view that shows it requests it, so that the engine's process is not started for a game of two
people who do not want it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Drawn, Won
from urpi.rules import Position, Side
from urpi.service.devices import log_failure
from urpi.service.engine_player import Engine
from urpi.service.engine_process import Request, Response
from urpi.service.service import Service

_KINDS: Final[dict[str, Literal["exact", "estimated"]]] = {
    "exact": "exact",
    "network": "estimated",
}


@dataclass(frozen=True, slots=True)
class WinChance:
    """Light's probability to win under best play of both sides; a draw counts one half.

    Attributes:
        light: The probability, 0 to 1; dark's is the rest.
        kind: Whether it is exact or estimated.
        moves: In an exploration, every legal move of the throw with the probability that its side
            wins after it, the best first; else none.
    """

    light: float
    kind: Literal["exact", "estimated"]
    moves: tuple[tuple[str, float], ...] = ()


OnChance: TypeAlias = Callable[[WinChance | None], None]
"""Called with the probability, None if there is none."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """What a probability depends on: the position, and the throw that has not been played.

    `explores`: whether the moves' values are shown, too.
    """

    position: Position
    faces: str | None
    explores: bool


class WinChances:
    """Requests probabilities and keeps the last one. Used in the service's thread.

    Args:
        service: The service of the board.
        engine: Evaluates the positions.
    """

    def __init__(self, service: Service, engine: Engine) -> None:
        self._service, self._engine = service, engine
        self._known: tuple[_Moment, WinChance] | None = None
        self._requested: _Moment | None = None
        self._waiting: list[OnChance] = []

    def request(self, use: OnChance) -> None:
        """Call `use` with the current probability.

        There is none without a game, before it is known who begins, after a game without a
        winner, where hints are switched off, and if the engine fails.
        """
        snapshot = self._service.snapshot
        if not snapshot.hints or snapshot.position is None:
            use(None)
        elif snapshot.outcome is not None:
            use(_final(snapshot))
        elif snapshot.position.turn is None or snapshot.phase not in {Phase.THROW, Phase.MOVE}:
            use(None)
        else:
            faces = None if snapshot.throw is None else snapshot.throw.faces
            explores = snapshot.explore is not None
            self._request(_Moment(snapshot.position, faces, explores), use)

    def _request(self, moment: _Moment, use: OnChance) -> None:
        if self._known is not None and self._known[0] == moment:
            use(self._known[1])
            return
        # If the game has gone on, those that wait for the moment before receive this one's, too.
        self._waiting.append(use)
        if self._requested != moment:
            self._requested = moment
            self._send(moment)

    def _send(self, moment: _Moment) -> None:
        request: Request = {"position": str(moment.position)}
        if moment.faces is not None:
            request = {**request, "faces": moment.faces}

        def on_response(response: Response | None) -> None:
            done = self._service.call(lambda: self._receive(moment, response))
            done.add_done_callback(log_failure)

        self._engine.request(request, on_response)

    def _receive(self, moment: _Moment, response: Response | None) -> None:
        # Those that wait for this one receive the probability of the later moment.
        if moment != self._requested:
            return
        self._requested = None
        chance = None if response is None else _chance(moment, response)
        if chance is not None:
            self._known = moment, chance
        waiting, self._waiting = self._waiting, []
        for use in waiting:
            use(chance)


def _chance(moment: _Moment, response: Response) -> WinChance:
    moves = response.get("moves")
    value = moves[0]["value"] if moves else response["value"]
    light = value if moment.position.turn is Side.LIGHT else 1 - value
    shown = moves if moves and moment.explores else ()
    values = tuple((one["move"], one["value"]) for one in shown)
    return WinChance(light, _KINDS[response["by"]], values)


def _final(snapshot: Snapshot) -> WinChance | None:
    """Return the result of a game that is over, None if it was abandoned."""
    match snapshot.outcome:
        case Won(side=side):
            return WinChance(float(side is Side.LIGHT), "exact")
        case Drawn():
            return WinChance(0.5, "exact")
        case _:
            return None
