"""The shipped club serves its metrics, which follow its tables, its database and its broker."""

from urllib.request import Request, urlopen

from prometheus_client.parser import text_string_to_metric_families

from tests.club_live.conftest import World
from tests.club_live.running import WAIT_S, accepts
from tests.waiting import wait_until


def scrape(world: World) -> dict[str, float]:
    """Return the values by name, with the value of the label behind it."""
    url = f"http://127.0.0.1:{world.club.page_port}/metrics"
    with urlopen(Request(url), timeout=WAIT_S) as response:
        assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
        text = response.read().decode()
    return {
        " ".join((one.name, *one.labels.values())): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def wait_for(world: World, **expected: float) -> dict[str, float]:
    """Scrape until the club's metrics have these values, and return all of them."""

    def found() -> dict[str, float]:
        values = scrape(world)
        as_expected = (values.get(f"urpi_club_{key}") == expected[key] for key in expected)
        return values if all(as_expected) else {}

    return wait_until(found, f"metrics with {expected}")


def test_metrics_follow_the_tables_the_database_and_the_broker(world: World) -> None:
    wait_until(lambda: accepts(world.club.page_port), "the club's page")
    # A new database has no tables until the receiver has migrated it.
    before = wait_for(world, broker_connected=1, database_reachable=1, tables_connected=0)
    assert before["process_start_time_seconds"] > 0
    table = world.table("lisbon")
    world.run(table)
    playing = wait_for(world, tables_connected=1, database_storing=1)
    assert playing["urpi_club_table_connected lisbon"] == 1

    def stored() -> float:
        return scrape(world)["urpi_club_messages_stored_total"]

    wait_until(lambda: stored() > 0, "a stored message")
    world.database.kill()
    down = wait_for(world, database_reachable=0, database_storing=0)
    assert down["urpi_club_broker_connected"] == 1
    assert down["urpi_club_tables_connected"] == 1
    assert "urpi_club_backup_failed" not in down
    world.database.start()
    up = wait_for(world, database_reachable=1, database_storing=1)
    assert up["urpi_club_backup_failed"] == 0
    world.broker.kill()
    wait_for(world, broker_connected=0)
