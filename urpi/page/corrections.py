"""Operations that correct or delete a stored game. The referee is not asked: its facts stay."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.types import ASGIApp

from urpi.core.json_schema import Schema, object_of
from urpi.core.moments import local_now
from urpi.http.operations import ConflictError, Handler, Operation, ValidRequest
from urpi.http.responses import json_response
from urpi.journal import CorrectionKind, Journal, correct_game, delete_game
from urpi.journal.correcting import is_newest
from urpi.journal.corrections import LONGEST_REASON
from urpi.page.actions import NAME, valid_name
from urpi.page.games import stored_game
from urpi.page.site import Site
from urpi.show.words import Words

TEXT: Final[Schema] = {**NAME, "maxLength": LONGEST_REASON}
_CORRECTION: Final = object_of(
    (), light=NAME, dark=NAME, note=TEXT, void={"type": "boolean"}, reason=TEXT
)


def correction_operations(site: Site) -> tuple[Operation, ...]:
    """The operations that correct a stored game, and delete one."""

    def correct(journal: Journal, request: ValidRequest, words: Words) -> None:
        game = stored_game(journal, request).id
        body = request.body
        correct_game(journal, game, _changes(body, words), body.get("reason", ""), local_now())

    def delete(journal: Journal, request: ValidRequest, _words: Words) -> None:
        game = stored_game(journal, request).id
        if is_newest(journal, game):
            message = f"Game {game} is the newest one of its table; begin the next game first."
            raise ConflictError("newest-game", message)
        delete_game(journal, game, request.body["reason"], local_now())

    return (
        _operation(
            "/api/games/{game}/correct",
            "Correct the names of a stored game, add a note, or set whether it counts. Each "
            "correction is kept with its time and `reason`, which a note alone does not need.",
            _CORRECTION,
            _writing(site, correct),
        ),
        _operation(
            "/api/games/{game}/delete",
            "Delete a stored game; its number, the time and the `reason` are kept. The newest game "
            "of a table cannot be deleted.",
            object_of(("reason",), reason=TEXT),
            _writing(site, delete),
        ),
    )


def _operation(path: str, summary: str, body: Schema, handler: Handler) -> Operation:
    return Operation("POST", path, summary, handler, body=body, error_statuses=(400, 404, 409, 503))


def _writing(site: Site, write: Callable[[Journal, ValidRequest, Words], None]) -> Handler:
    async def handle(request: ValidRequest) -> ASGIApp:
        words = site.words_of(request.source)

        def in_thread() -> None:
            with Journal.open(site.journal.path, create=False) as journal:
                write(journal, request, words)

        await asyncio.to_thread(in_thread)
        return json_response({"done": True})

    return handle


def _changes(body: Mapping[str, Any], words: Words) -> dict[CorrectionKind, str]:
    changes: dict[CorrectionKind, str] = {}
    if "light" in body:
        changes["light"] = valid_name(body["light"], words)
    if "dark" in body:
        changes["dark"] = valid_name(body["dark"], words)
    if "note" in body:
        changes["note"] = body["note"]
    if "void" in body:
        changes["void" if body["void"] else "valid"] = ""
    return changes
