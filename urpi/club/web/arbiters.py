"""Operations with which arbiters run tournaments."""

import contextlib
from typing import TYPE_CHECKING, Any, Final

from urpi.club.server.assigned_tables import (
    NoFreeTableError,
    TakenError,
    assign_tables,
    change_table,
)
from urpi.club.server.changed_pairings import RepeatedError, change_pairing
from urpi.club.server.corrected_games import UnpublishedError, exclude_game, move_game
from urpi.club.server.entered_results import (
    MAX_REASON,
    Entry,
    LoggedEntry,
    OutdatedError,
    ReasonError,
    correct_result,
    entered_results,
    remove_round,
)
from urpi.club.server.new_tournaments import add_players, create_tournament
from urpi.club.server.presence import UnknownTableError
from urpi.club.server.tournament_players import (
    NoPlayerError,
    remove_player,
    rename_player,
    request_bye,
    withdraw_player,
)
from urpi.club.server.tournaments import begin_round, delete_tournament
from urpi.club.server.users import User
from urpi.club.tournaments.tournament import (
    FORMATS,
    MAX_BOARDS,
    MAX_GAMES,
    MAX_PLAYERS,
    PAIRING_RESULTS,
    TIE_BREAKS,
)
from urpi.club.web.entered_names import TABLE
from urpi.club.web.games import stored_game
from urpi.club.web.logins import ROLE_ERRORS, Act, with_role
from urpi.club.web.site import ClubSite
from urpi.club.web.tournaments import stored_tournament
from urpi.core.json_schema import Schema, object_of, one_of
from urpi.http.operations import ConflictError, NotFoundError, Operation, ValidRequest
from urpi.rules import Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from psycopg import Connection

_NAME: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": 100}
_PLAYERS: Final[Schema] = {
    "type": "array",
    "items": {"type": "string", "maxLength": 100},
    "minItems": 1,
    # With the names of teams.
    "maxItems": 2 * MAX_PLAYERS,
}
_RESULT: Final[Schema] = {"anyOf": [one_of(*PAIRING_RESULTS), {"type": "null"}]}
_PLACE: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MAX_PLAYERS}
_CREATE: Final = object_of(
    ("name", "format", "players"),
    name=_NAME,
    format=one_of(*FORMATS),
    players=_PLAYERS,
    rounds=_PLACE,
    rules={"type": "string", "maxLength": 40},
    tie_breaks={"type": "array", "items": one_of(*TIE_BREAKS), "maxItems": len(TIE_BREAKS)},
    third_place={"type": "boolean"},
    games={"type": "integer", "minimum": 1, "maximum": MAX_GAMES},
    boards={"type": "integer", "minimum": 0, "maximum": MAX_BOARDS},
)
_ENTER: Final = object_of(
    ("round", "board", "result", "known"),
    round=_PLACE,
    board=_PLACE,
    result=_RESULT,
    known=_RESULT,
    game=_PLACE,
    played={"type": "boolean"},
    reason={"type": "string", "maxLength": MAX_REASON},
)
_PAIR: Final = object_of(
    ("begun", "light", "dark", "reason"),
    begun=_PLACE,
    light=_NAME,
    dark={"anyOf": [_NAME, {"type": "null"}]},
    reason={"type": "string", "maxLength": MAX_REASON},
    again={"type": "boolean"},
)
_REASON: Final[Schema] = {"type": "string", "maxLength": MAX_REASON}
_BEGUN: Final = object_of(
    ("begun",), begun={"type": "integer", "minimum": 0, "maximum": MAX_PLAYERS}
)
_ONE: Final = "/api/tournaments/{tournament}"


def arbiter_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operations that require the role of an arbiter."""

    def change(path: str, summary: str, body: Schema, act: Act) -> Operation:
        handler = with_role(site.changes, "arbiter", act)
        return Operation("POST", path, summary, handler, body=body, error_statuses=ROLE_ERRORS)

    def removal(path: str, summary: str, act: Act) -> Operation:
        handler = with_role(site.changes, "arbiter", act)
        return Operation("DELETE", path, summary, handler, error_statuses=ROLE_ERRORS)

    return (
        change(
            "/api/tournaments",
            "Create a tournament; returns its id. With `boards`, teams meet on so many boards: each"
            " team's name with a colon is followed by its players, the first board first.",
            _CREATE,
            _create,
        ),
        change(
            f"{_ONE}/players",
            "Add players to a tournament that has not begun, or to a Swiss before its last round:"
            " then without points for the rounds that have begun, or with half a point for each.",
            object_of(("players",), players=_PLAYERS, half_points={"type": "boolean"}),
            _add,
        ),
        change(
            f"{_ONE}/players/removed",
            "Remove a player from a tournament that has not begun.",
            object_of(("player",), player=_NAME),
            _remove,
        ),
        change(
            f"{_ONE}/players/renamed",
            "Replace the name of a player.",
            object_of(("player", "name"), player=_NAME, name=_NAME),
            _rename,
        ),
        removal(_ONE, "Delete a tournament; its games remain.", _delete),
        change(f"{_ONE}/rounds", "Begin the next round.", _BEGUN, _begin),
        removal(
            f"{_ONE}/rounds/{{round}}",
            "Remove the newest round, which has this number, with its results.",
            _remove_round,
        ),
        change(
            f"{_ONE}/pairings",
            "Pair two players of the newest round of a Swiss by hand, or with null give one a bye"
            " with half a point. `begun` is the number of that round; players meet again, or have"
            " another bye, with `again` only.",
            _PAIR,
            _pair,
        ),
        change(
            f"{_ONE}/tables",
            "Give each open pairing of the newest round that has no table a free one, by their"
            " order. `begun` is the number of that round.",
            _BEGUN,
            _assign,
        ),
        change(
            f"{_ONE}/tables/chosen",
            "Let an open pairing play at a table, or with null at none. Another pairing of the"
            " tournament that has this table gets the one that this pairing had.",
            object_of(
                ("round", "board", "table"),
                round=_PLACE,
                board=_PLACE,
                table={"anyOf": [TABLE, {"type": "null"}]},
            ),
            _choose_table,
        ),
        change(
            f"{_ONE}/results",
            "Enter a result, or with null remove one; a reason is needed to replace one. It is that"
            " of a game unless `played` is false. In a match of several games, `game` is the number"
            " of the game, whose own sides count; without it, it is the result of the whole match,"
            " and null removes the one that was entered for it, or else all its games.",
            _ENTER,
            _enter,
        ),
        change(
            f"{_ONE}/withdrawals",
            "Leave a player out of all further rounds, or undo that.",
            object_of(("player",), player=_NAME, undo={"type": "boolean"}),
            _withdraw,
        ),
        change(
            f"{_ONE}/byes",
            "Give a player a bye with half a point in a round that has not begun, or undo that.",
            object_of(("player", "round"), player=_NAME, round=_PLACE, undo={"type": "boolean"}),
            _bye,
        ),
        change(
            "/api/games/{game}/excluded",
            "Leave a game out of the ratings, or let it count again; they are calculated anew.",
            object_of(("excluded", "reason"), excluded={"type": "boolean"}, reason=_REASON),
            _exclude,
        ),
        change(
            "/api/games/{game}/moved",
            "Let a side of a game be that of another player with a published name; with the name"
            " that its table has sent, it is moved back.",
            object_of(
                ("side", "player", "reason"),
                side=one_of("light", "dark"),
                player=_NAME,
                reason=_REASON,
            ),
            _move,
        ),
        Operation(
            "GET",
            f"{_ONE}/log",
            "What arbiters have entered and changed, the newest first.",
            with_role(site.games, "arbiter", _log),
            error_statuses=(401, 403, 404, 503),
        ),
    )


def _create(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    body = request.body
    found = create_tournament(
        connection,
        body["name"],
        body["format"],
        body["players"],
        rounds=body.get("rounds"),
        rules=body.get("rules"),
        tie_breaks=body.get("tie_breaks", ()),
        third_place=body.get("third_place", False),
        games=body.get("games", 1),
        boards=body.get("boards", 0),
    )
    return {"id": found.id}


def _add(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    number, body = stored_tournament(connection, request).id, request.body
    half_points = body.get("half_points", False)
    found = add_players(connection, number, body["players"], half_points=half_points)
    return {"players": len(found.names)}


def _begin(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    number = stored_tournament(connection, request).id
    return {"begun": len(begin_round(connection, number, request.body["begun"]).rounds)}


def _assign(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    number = stored_tournament(connection, request).id
    try:
        found = assign_tables(connection, number, request.body["begun"])
    except NoFreeTableError as error:
        raise ConflictError("no-free-table", str(error)) from error
    return {"tables": len(found.rounds[-1].tables)}


def _choose_table(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    number, body = stored_tournament(connection, request).id, request.body
    try:
        change_table(connection, number, body["round"] - 1, body["board"] - 1, body["table"])
    except UnknownTableError as error:
        raise NotFoundError(str(error), "no-table") from error
    except TakenError as error:
        raise ConflictError("taken", str(error)) from error
    return {"table": body["table"]}


def _enter(connection: "Connection", request: ValidRequest, user: User) -> Any:
    body, number = request.body, stored_tournament(connection, request).id
    reason = " ".join(body.get("reason", "").split())
    played = body.get("played", True)
    game = body["game"] - 1 if "game" in body else None
    place = body["round"] - 1, body["board"] - 1
    entry = Entry(*place, body["result"], user.name, reason, played, game)
    with _conflicts():
        correct_result(connection, number, entry, body["known"])
    return {"done": True}


def _pair(connection: "Connection", request: ValidRequest, user: User) -> Any:
    body, number = request.body, stored_tournament(connection, request).id
    reason = " ".join(body["reason"].split())
    with _player_of_request(), _conflicts():
        change_pairing(
            connection,
            number,
            body["light"],
            body["dark"],
            reason=reason,
            user=user.name,
            again=body.get("again", False),
            known=body["begun"],
        )
    return {"done": True}


@contextlib.contextmanager
def _conflicts() -> "Iterator[None]":
    """Let a response have the code of what an arbiter can put right."""
    try:
        yield
    except OutdatedError as error:
        raise ConflictError("outdated", str(error)) from error
    except ReasonError as error:
        raise ConflictError("no-reason", str(error)) from error
    except UnpublishedError as error:
        raise ConflictError("not-published", str(error)) from error
    except RepeatedError as error:
        raise ConflictError("repeated", str(error)) from error


def _delete(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    delete_tournament(connection, stored_tournament(connection, request).id)
    return {"done": True}


def _remove_round(connection: "Connection", request: ValidRequest, user: User) -> Any:
    number, index = stored_tournament(connection, request).id, request.numbers["round"] - 1
    return {"begun": len(remove_round(connection, number, index, user.name).rounds)}


def _withdraw(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    player, undo = request.body["player"], request.body.get("undo", False)
    with _player_of_request():
        withdraw_player(connection, stored_tournament(connection, request).id, player, undo=undo)
    return {"done": True}


def _bye(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    body, undo = request.body, request.body.get("undo", False)
    number = stored_tournament(connection, request).id
    with _player_of_request():
        request_bye(connection, number, body["player"], body["round"], undo=undo)
    return {"done": True}


def _exclude(connection: "Connection", request: ValidRequest, user: User) -> Any:
    number, body = stored_game(connection, request).id, request.body
    reason = " ".join(body["reason"].split())
    with _conflicts():
        exclude_game(connection, number, excluded=body["excluded"], user=user.name, reason=reason)
    return {"done": True}


def _move(connection: "Connection", request: ValidRequest, user: User) -> Any:
    number, body = stored_game(connection, request).id, request.body
    reason = " ".join(body["reason"].split())
    with _conflicts():
        move_game(
            connection,
            number,
            Side(body["side"]),
            body["player"],
            user=user.name,
            reason=reason,
        )
    return {"done": True}


def _rename(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    player, name = request.body["player"], request.body["name"]
    number = stored_tournament(connection, request).id
    with _player_of_request():
        return {"name": rename_player(connection, number, player, name)}


def _remove(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    player = request.body["player"]
    with _player_of_request():
        found = remove_player(connection, stored_tournament(connection, request).id, player)
    return {"players": len(found.names)}


@contextlib.contextmanager
def _player_of_request() -> "Iterator[None]":
    """Let a response have the status 404 if the tournament has no such player."""
    try:
        yield
    except NoPlayerError as error:
        raise NotFoundError(str(error)) from error


def _log(connection: "Connection", request: ValidRequest, _user: User) -> Any:
    found = stored_tournament(connection, request)
    return {"entries": [_logged(one, found.names) for one in entered_results(connection, found.id)]}


def _logged(logged: LoggedEntry, names: "Sequence[str]") -> dict[str, Any]:
    entry = logged.entry
    return {
        "entered": logged.entered.isoformat(),
        "user": entry.user,
        "round": entry.round + 1,
        "board": None if logged.removed or logged.pairings else entry.board + 1,
        # The pairings before and after a change by hand, each with its players' names.
        "pairings": logged.pairings
        and [
            [[names[player] for player in pair if player is not None] for pair in some]
            for some in logged.pairings
        ],
        "game": None if entry.game is None else entry.game + 1,
        "removed": logged.removed,
        "before": logged.before,
        "before_played": logged.before_played,
        "result": entry.result,
        "played": entry.played,
        "reason": entry.reason,
    }
