"""An attacker with the account of a table."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paho.mqtt.client import Client, MQTTMessageInfo

from tests.club_live.running import Broker
from tests.waiting import wait_until
from urpi.link.broker.broker_settings import broker_settings
from urpi.link.broker.mqtt import make_client, stop_client

ATTACKER = "mallory"


class Mallory:
    """A client of the broker that publishes what it likes."""

    def __init__(self, broker: Broker) -> None:
        settings = broker_settings(broker.section(ATTACKER))
        self.client: Client = make_client(settings, f"mallory-{secrets.token_hex(4)}")
        # A real attacker does not limit itself.
        self.client.max_queued_messages_set(0)
        self.client.max_inflight_messages_set(1000)
        self.client.connect(settings.host, settings.port)
        self.client.loop_start()
        wait_until(self.client.is_connected, "the attacker's connection")

    def publish(self, topic: str, data: bytes, *, retain: bool = False) -> MQTTMessageInfo:
        return self.client.publish(topic, data, 1, retain=retain)

    def wait(self, sent: list[MQTTMessageInfo]) -> None:
        """Wait until the broker has processed messages, or has disconnected the attacker."""
        wait_until(
            lambda: all(each.is_published() for each in sent) or not self.client.is_connected(),
            "the broker's answers",
        )


@contextmanager
def mallory(broker: Broker) -> Iterator[Mallory]:
    found = Mallory(broker)
    try:
        yield found
    finally:
        stop_client(found.client)


def memory_of(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024
