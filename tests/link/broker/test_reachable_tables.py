"""Which other tables can be invited, from what they have announced."""

import pytest

from urpi.core.errors import UrpiError
from urpi.link.broker.reachable_tables import ReachableTables
from urpi.link.protocol.messages import Free, Online


@pytest.fixture
def tables() -> ReachableTables:
    return ReachableTables("lisbon")


def announce(tables: ReachableTables, table: str, *, online: bool, free: bool) -> None:
    assert tables.receive(f"urpi/tables/{table}/online", Online(online, "1.0").encode())
    assert tables.receive(f"urpi/tables/{table}/free", Free(free).encode())


def test_only_another_table_that_is_connected_and_free_can_be_invited(
    tables: ReachableTables,
) -> None:
    announce(tables, "porto", online=True, free=True)
    announce(tables, "faro", online=False, free=True)
    announce(tables, "paris", online=True, free=False)
    announce(tables, "lisbon", online=True, free=True)
    tables.receive("urpi/tables/braga/free", Free(True).encode())
    assert tables.free == ("porto",)
    assert [one for one in ("porto", "faro", "braga") if tables.is_offline(one)] == ["faro"]


def test_a_new_connection_forgets_them(tables: ReachableTables) -> None:
    announce(tables, "porto", online=True, free=True)
    tables.clear()
    assert tables.free == ()
    assert not tables.is_offline("porto")


def test_a_removed_message_is_forgotten(tables: ReachableTables) -> None:
    announce(tables, "porto", online=True, free=True)
    tables.receive("urpi/tables/porto/free", b"")
    assert tables.free == ()


def test_other_topics_are_for_others(tables: ReachableTables) -> None:
    assert not tables.receive("urpi/tables/lisbon/ack", b"{}")


@pytest.mark.parametrize("data", [b"{}", b"\xff", b'{"type":"free","format":1,"free":1}'])
def test_an_invalid_message_is_rejected(tables: ReachableTables, data: bytes) -> None:
    with pytest.raises(UrpiError):
        tables.receive("urpi/tables/porto/free", data)
