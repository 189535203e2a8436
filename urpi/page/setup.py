"""Operations for setting up a position: what each square can hold, and whether a game can begin."""

from typing import Any, Final

from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema
from urpi.http.operations import NotFoundError, Operation, ValidRequest
from urpi.http.responses import compressed, json_response
from urpi.page.actions import POSITION
from urpi.page.documents.positions import rules_document
from urpi.page.rules import RULES, requested_rules
from urpi.page.site import Site
from urpi.rules import SQUARE_NAMES, Position, RuleSet, check_given
from urpi.rules.impossible import ImpossiblePositionError
from urpi.rules.notation import read_any_position
from urpi.rules.piece_places import piece_places
from urpi.show.words import Words
from urpi.show.words.position_reasons import position_reason

_TEXT: Final[dict[str, Schema]] = {"text": POSITION}


def setup_operations(site: Site) -> tuple[Operation, ...]:
    """The operations for setting up a position."""

    async def position(request: ValidRequest) -> ASGIApp:
        try:
            found = read_any_position(request.query.get("text", ""))
        except UrpiError as error:
            raise NotFoundError(str(error)) from error
        reason = reason_against(found, site.words_of(request.source))
        return json_response({"text": str(found), "reason": reason})

    async def setup(request: ValidRequest) -> ASGIApp:
        rules, words = requested_rules(site, request), site.words_of(request.source)
        document = setup_document(rules, words)
        return compressed(json_response(document), request.source)

    return (
        Operation(
            "GET",
            "/api/position",
            "Whether a game can begin from a position; `reason` is why not, null if it can.",
            position,
            _TEXT,
            error_statuses=(404,),
        ),
        Operation(
            "GET",
            "/api/setup",
            "The pieces that each square of a rule set can hold, by default of the current game's.",
            setup,
            RULES,
            error_statuses=(400, 404),
        ),
    )


def reason_against(position: Position, words: Words) -> str | None:
    """Why no game can begin from a position, None if one can."""
    try:
        check_given(position)
    except ImpossiblePositionError as error:
        return position_reason(error, position.rules.winner(position), words)
    return None


def setup_document(rules: RuleSet, words: Words) -> dict[str, Any]:
    """The rule set, and what each square can hold.

    `pieces` are written as in positions, with ' if turned; `leave` is whether pieces go home, and
    `extra` whether a position knows of an extra throw that is used up.
    """
    places = piece_places(rules)
    return {
        "rules": rules_document(rules, words),
        "squares": {
            SQUARE_NAMES[square]: {
                "pieces": [f"{one.upper()}'" if one.islower() else one for one in use.letters],
                "piles": use.piles,
            }
            for square, use in places.squares.items()
        },
        "leave": places.leave,
        "extra": places.extra,
    }
