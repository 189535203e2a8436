"""Operations that concern other tables and the club: invitations, their answers, the next game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.types import ASGIApp

from urpi.core.json_schema import Schema, object_of, one_of
from urpi.core.names import check_table
from urpi.http.operations import SIDE, Handler, Operation, ValidRequest
from urpi.http.responses import json_response
from urpi.page.actions import AGREED, NAME, options_schema, post_operation, result_of, valid_name
from urpi.page.site import Site
from urpi.referee.orders import (
    AnswerInvitation,
    AnswerPairing,
    AnswerProposal,
    Invite,
    PublishName,
    TableRequest,
    WithdrawInvitation,
)
from urpi.referee.seats import place_name
from urpi.rules import RULE_SETS, Side, rule_set
from urpi.show.words import Words

TABLE: Final[Schema] = {"type": "string", "maxLength": 32}
GAME: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
INVITE: Final[Schema] = {
    "oneOf": [
        object_of(
            ("rules", "table", "side"),
            rules={"const": kind.id},
            table=TABLE,
            options=options_schema(kind),
            side=SIDE,
            name=NAME,
            first=SIDE,
            publish=AGREED,
        )
        for kind in RULE_SETS.values()
    ]
}


def table_operations(site: Site) -> tuple[Operation, ...]:
    """The operations that concern other tables."""

    async def free(_request: ValidRequest) -> ASGIApp:
        found = site.desk.look_for_tables()
        tables = [{"table": table, "place": place_name(table)} for table in found]
        return json_response({"tables": tables, "looking": site.desk.preferences.has_club})

    def invite(body: Mapping[str, Any], words: Words) -> Invite:
        rules = rule_set(body["rules"], body.get("options", {}))
        first = Side(body["first"]) if "first" in body else None
        name = valid_name(body.get("name", ""), words)
        return Invite(check_table(body["table"]), rules, Side(body["side"]), name, first)

    async def send_invitation(request: ValidRequest) -> ASGIApp:
        order = invite(request.body, site.words_of(request.source))
        if "publish" in request.body:
            await result_of(site.desk.order(PublishName(order.name, request.body["publish"])))
        await result_of(site.desk.order(order))
        return json_response({"done": True})

    async def answer(request: ValidRequest) -> ASGIApp:
        body = request.body
        words = site.words_of(request.source)
        name = valid_name(body["name"], words) if "name" in body else None
        if name and "publish" in body:
            await result_of(site.desk.order(PublishName(name, body["publish"])))
        await result_of(site.desk.order(AnswerInvitation(body["game"], body["accepted"], name)))
        return json_response({"done": True})

    return (
        Operation(
            "GET",
            "/api/tables",
            "The other tables that can be invited to a game now, as far as they are known: they "
            "arrive soon after the first request. `looking` is false without a club.",
            free,
        ),
        post_operation(
            "/api/tables/invite",
            "Invite the players at another table. `side` and `name` are those of the player here; "
            "without `first` chance decides who begins. The game begins at both tables when they "
            "accept; until then the state has the invitation in `tables`.",
            INVITE,
            send_invitation,
        ),
        post_operation(
            "/api/tables/withdraw",
            "Withdraw the invitation, or dismiss its result.",
            object_of(),
            _ordered(site, lambda _body: WithdrawInvitation()),
        ),
        post_operation(
            "/api/tables/answer-invitation",
            "Accept or decline the invitation to a game. `name` is that of the player here, by "
            "default the name of that side in the last game; `publish` is whether the club may "
            "show it.",
            object_of(("game", "accepted"), game=GAME, accepted=AGREED, name=NAME, publish=AGREED),
            answer,
        ),
        post_operation(
            "/api/tables/begin-next",
            "Begin the game that the club has assigned to this table, which the state has in "
            "`tables`, in place of one in which nothing was thrown. The club may then show the "
            "names of both players.",
            object_of(("game",), game=GAME),
            _ordered(site, lambda body: AnswerPairing(body["game"], accepted=True)),
        ),
        post_operation(
            "/api/tables/answer-proposal",
            "Accept or decline what the other table proposes during a game.",
            object_of(
                ("what", "accepted"), what=one_of("takeback", "draw", "abandon"), accepted=AGREED
            ),
            _ordered(site, lambda body: AnswerProposal(body["what"], body["accepted"])),
        ),
    )


def _ordered(site: Site, order_of: Callable[[Mapping[str, Any]], TableRequest]) -> Handler:
    async def handle(request: ValidRequest) -> ASGIApp:
        await result_of(site.desk.order(order_of(request.body)))
        return json_response({"done": True})

    return handle
