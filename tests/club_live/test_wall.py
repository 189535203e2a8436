"""The wall shows tables that play, through a real broker."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import urlopen

from tests.club_live.conftest import World
from tests.club_live.running import WAIT_S, accepts
from tests.waiting import wait_until


@contextmanager
def events(world: World) -> Iterator[Iterator[tuple[str, Any]]]:
    """Open the wall's stream as a browser does."""
    wait_until(lambda: accepts(world.club.page_port), "the club's page")
    url = f"http://127.0.0.1:{world.club.page_port}/api/events"

    def parsed() -> Iterator[tuple[str, Any]]:
        kind = ""
        for line in stream:
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                kind = text.removeprefix("event: ")
            elif text.startswith("data: "):
                yield kind, json.loads(text.removeprefix("data: "))

    with urlopen(url, timeout=WAIT_S) as stream:
        yield parsed()


def test_the_wall_follows_tables_and_survives_a_restart_of_the_broker(
    world: World,
) -> None:
    for number, name in enumerate(("lisbon", "porto")):
        world.run(world.table(name, number))
    with events(world) as received:
        boards: dict[str, set[str]] = {"lisbon": set(), "porto": set()}
        for kind, data in received:
            state = data.get("state") if kind == "table" else None
            if state and state["position"]:
                boards[data["table"]].add(state["position"]["text"])
            if all(len(positions) > 2 for positions in boards.values()):
                break
    # A page that is opened later begins with every table.
    with events(world) as received:
        tables = (data["table"] for kind, data in received if kind == "table")
        assert {next(tables), next(tables)} == {"lisbon", "porto"}
        world.broker.end()
        assert any(kind == "club" and not data["connected"] for kind, data in received)
        world.broker.start()
        assert any(kind == "club" and data["connected"] for kind, data in received)
        assert any(kind == "table" and data["online"] for kind, data in received)
