"""The analysis of any position: its values, computed by a process of its own.

The process is not that of the game's engine, so that no request delays a move of a game. It runs at
a low priority, is started with the first request, and ends when nobody has asked for a while.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, one_of
from urpi.http.operations import (
    ConflictError,
    NotFoundError,
    Operation,
    QueueFullError,
    ValidRequest,
)
from urpi.http.responses import compressed, json_response
from urpi.page.actions import FACES
from urpi.page.documents.analysis import analysis_document
from urpi.page.invitation import linked_document
from urpi.page.site import Site
from urpi.referee import Phase, Snapshot
from urpi.rules import PASS, Move, Position, Side, Throw, parse_move, parse_position, parse_rules
from urpi.service.engine_player import Engine
from urpi.service.engine_process import Response
from urpi.show.words import languages

MAX_WAITING: Final = 4
"""Maximum number of positions that wait to be analysed; further ones are rejected."""
MAX_KEPT: Final = 200
"""Default for the number of analyses that are kept in memory, of about 3 kB each."""
_ASCII: Final = "^[ -~]*$"
POSITION: Final[Schema] = {"type": "string", "maxLength": 500, "pattern": _ASCII}
_MOVE: Final[Schema] = {"type": "string", "maxLength": 100, "pattern": _ASCII}
QUERY: Final[Mapping[str, Schema]] = {
    "position": POSITION,
    "faces": {**FACES, "pattern": _ASCII},
    "move": _MOVE,
    "language": one_of(*languages()),
}
Found: TypeAlias = Mapping[str, Any]
"""The values of a position, as from `urpi.engine.analysis.Analysis.document`."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position to analyse, before a throw or after it.

    Attributes:
        position: The position.
        throw: The throw, None before it.
        played: A legal move to evaluate like the best ones, None if there is none.
    """

    position: Position
    throw: Throw | None = None
    played: Move | None = None

    @property
    def query(self) -> dict[str, str]:
        """The query of its address."""
        query = {"position": str(self.position)}
        if self.throw is not None:
            query["faces"] = self.throw.faces
        if self.played is not None:
            query["move"] = self.played.text
        return query


class Analyses:
    """Has positions analysed one after the other, and keeps the latest analyses.

    Args:
        engine: The process that analyses positions.
        max_kept: Maximum number of analyses that are kept in memory.
    """

    def __init__(self, engine: Engine, *, max_kept: int = MAX_KEPT) -> None:
        self._engine, self._max_kept = engine, max_kept
        self._kept: OrderedDict[Question, asyncio.Future[Found]] = OrderedDict()

    async def of(self, question: Question) -> Found:
        """Return the analysis of a position in which a side is to throw.

        Raises:
            QueueFullError: If too many positions are waiting.
            UrpiError: If the engine fails.
        """
        kept = self._kept.get(question)
        if kept is None:
            if sum(not each.done() for each in self._kept.values()) >= MAX_WAITING:
                message = "Too many positions are being analysed; try again in a few seconds."
                raise QueueFullError(message)
            kept = self._kept[question] = self._request(question)
        self._kept.move_to_end(question)
        # Others may wait for the same analysis when this request is cancelled.
        return await asyncio.shield(kept)

    def _request(self, question: Question) -> asyncio.Future[Found]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Found] = loop.create_future()
        request: dict[str, object] = {**question.query, "analysis": True}

        def on_response(response: Response | None) -> None:
            # The loop is closed if the server has stopped.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._receive, question, future, response)

        self._engine.request(request, on_response)
        return future

    def _receive(
        self, question: Question, future: asyncio.Future[Found], response: Response | None
    ) -> None:
        if response is None:
            del self._kept[question]
            message = "The position could not be analysed; the program's log has the reason."
            future.set_exception(UrpiError(message))
            # Marks it as seen: the request that waited for it may have been cancelled.
            future.exception()
            return
        future.set_result(response)
        done = [key for key, each in self._kept.items() if each.done()]
        for key in done[: -self._max_kept]:
            del self._kept[key]


def analysis_operations(site: Site) -> tuple[Operation, ...]:
    """The operation that analyses a position."""
    analyses = Analyses(site.engine)

    async def analysis(request: ValidRequest) -> ASGIApp:
        snapshot = site.desk.now().snapshot
        _check_allowed(snapshot)
        default = _current(snapshot) or _start(site)
        question = default if "position" not in request.query else question_of(request)
        over = question.position.turn is None
        found = None if over else await analyses.of(question)
        words = site.words_of(request.source)
        document = analysis_document(question.position, question.throw, found, words)
        return compressed(json_response(document), request.source)

    async def link(request: ValidRequest) -> ASGIApp:
        question = question_of(request)
        document = linked_document(site, request, f"/analysis?{urlencode(question.query)}")
        return compressed(json_response(document), request.source)

    return (
        Operation(
            "GET",
            "/api/analysis/link",
            "The link to the analysis of a position, its QR code, and whether it works on this "
            "machine only.",
            link,
            QUERY,
            error_statuses=(404,),
        ),
        Operation(
            "GET",
            "/api/analysis",
            "A position with the value of every throw and its best move, and with `faces` those of "
            "the legal moves, each with the position after it; by default the table's position. "
            "`move` is evaluated like the best ones. Not while a game without hints is played.",
            analysis,
            QUERY,
            error_statuses=(404, 409),
        ),
    )


def _check_allowed(snapshot: Snapshot) -> None:
    """Check that an analysis helps nobody in a game that must be played without help.

    Raises:
        ConflictError: If it does.
    """
    is_running = snapshot.position is not None and snapshot.outcome is None
    if is_running and not snapshot.hints:
        message = "Hints are switched off in the current game; analyse positions when it is over."
        raise ConflictError("hints-off", message)


def question_of(request: ValidRequest) -> Question:
    """Return the position that the query of a request describes.

    Raises:
        NotFoundError: If there is no such position, throw or move.
    """
    query = request.query
    if "position" not in query:
        message = "The parameter position is missing."
        raise NotFoundError(message)
    try:
        position = _position(query["position"])
        if position.turn is None or "faces" not in query:
            return Question(position)
        throw = position.rules.dice.throw(query["faces"])
        played = parse_move(query["move"]) if "move" in query else None
        if played and played not in (position.rules.legal_moves(position, throw) or (PASS,)):
            message = f"The move {played.text} is not legal after the throw {throw.faces}."
            raise NotFoundError(message)
    except UrpiError as error:
        raise NotFoundError(str(error)) from error
    return Question(position, throw, played)


def _position(text: str) -> Position:
    """Parse a position; the name of a rule set stands for the start of its game."""
    return parse_position(text) if " " in text else parse_rules(text).start(Side.LIGHT)


def _current(snapshot: Snapshot) -> Question | None:
    position = snapshot.position
    if position is None or snapshot.phase not in {Phase.THROW, Phase.MOVE, Phase.OVER}:
        return None
    # After a game that was given up, its last position is analysed, too.
    return Question(position, snapshot.throw if snapshot.phase is Phase.MOVE else None)


def _start(site: Site) -> Question:
    return Question(parse_rules(site.desk.preferences.current.rules).start(Side.LIGHT))
