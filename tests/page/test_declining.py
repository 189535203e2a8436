"""An extra throw is declined on the page."""

from tests.page.client import Client
from tests.page.table import STILL_MS, Table
from urpi.referee.facts import Answer, Game, Occupancy
from urpi.rules import Side, parse_position

FORT = "freecompany A2:L,B6:D L6D6 L0D0 L"


def test_the_page_declines_an_extra_throw_and_no_other(client: Client, table: Table) -> None:
    table.service.new_game(Game(table.t, "freecompany", position=FORT, decline=True))
    table.submit(Occupancy(table.t, parse_position(FORT).occupancy))
    table.wait(STILL_MS)
    refused = client.post("/api/decline", {"side": "light"})
    assert (refused.status, refused.json["error"]) == (409, "There is no extra throw to decline.")

    table.submit(Answer(table.t, faces="g-"))
    table.submit(Answer(table.t, move="A2-A1"))
    assert table.service.snapshot.may_decline
    assert client.post("/api/decline", {"side": "light"}).status == 200

    assert table.service.snapshot.side is Side.DARK
    assert not table.service.snapshot.may_decline
