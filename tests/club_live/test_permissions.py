"""The broker and the club reject what a malicious table sends, by name, and serve the others."""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.club_live.conftest import World
from tests.club_live.running import WAIT_S, Broker, accepts, free_port
from tests.club_live.test_delivery import stored, truth
from tests.club_live.test_wall import events
from tests.waiting import wait_until
from urpi.install.doctor.facts import BrokerFacts
from urpi.install.doctor.probes.broker import try_broker
from urpi.install.doctor.probes.broker_trial import CLOSED
from urpi.link.broker.broker_settings import BrokerSettings, broker_settings
from urpi.link.broker.mqtt import stop_client
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import GameHead, Lines, Offer

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"","first":"light"}'
HEAD = GameHead(1, "2026-11-20T19:02:11+01:00", "1.0.0", "finkel", {})


class Attacker:
    """A client with a table's credentials that sends any message."""

    def __init__(self, broker: Broker, user: str, password: str | None = None) -> None:
        self.answers: list[dict[str, Any]] = []
        self.reasons: dict[int, str] = {}
        self.connected = threading.Event()
        """Set when the broker has accepted the subscription, or refused the connection."""
        self.compared = threading.Event()
        """Set when the club has answered an offer."""
        self.refused = ""
        self.ends = 0
        self.received: list[str] = []
        self.newest: dict[str, bytes] = {}
        """The newest message of each topic."""
        client = self.client = Client(
            CallbackAPIVersion.VERSION2, f"attacker-{user}", protocol=MQTTProtocolVersion.MQTTv5
        )
        client.username_pw_set(
            user, password or (broker.files / f"{user}.password").read_text().strip()
        )
        client.on_connect = self._on_connect
        client.on_subscribe = lambda *_: self.connected.set()
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.on_disconnect = self._on_disconnect
        client.connect("127.0.0.1", broker.port)
        client.loop_start()

    def _on_connect(self, client: Client, *arguments: Any) -> None:
        if arguments[2].is_failure:
            self.refused = str(arguments[2])
            self.connected.set()
        else:
            client.subscribe("#", 1)

    def _on_message(self, _client: Client, _user: object, message: Any) -> None:
        self.received.append(message.topic)
        self.newest[message.topic] = message.payload
        if message.topic.endswith("/ack"):
            answer = json.loads(message.payload)
            # Several offers may have been sent until the club answered the first one.
            if answer["type"] == "compared":
                self.compared.set()
            else:
                self.answers.append(answer)

    def _on_publish(self, _client: Client, _user: object, mid: int, *arguments: Any) -> None:
        self.reasons[mid] = str(arguments[0])

    def _on_disconnect(self, *_: Any) -> None:
        self.ends += 1

    def publish(self, topic: str, payload: bytes) -> str:
        """Publish, and return the broker's reason code."""
        mid = self.client.publish(topic, payload, 1).mid
        wait_until(lambda: mid in self.reasons, f"the broker's answer for {topic}")
        return self.reasons[mid]

    def answer(self, payload: bytes) -> dict[str, Any]:
        """Send lines as lisbon, and return the club's answer."""
        known = len(self.answers)
        self.publish("urpi/tables/lisbon/lines", payload)
        wait_until(lambda: len(self.answers) > known, "the club's answer")
        return self.answers[-1]


@contextmanager
def attacker(broker: Broker, user: str, password: str | None = None) -> Iterator[Attacker]:
    one = Attacker(broker, user, password)
    try:
        assert one.connected.wait(WAIT_S)
        yield one
    finally:
        stop_client(one.client)


def lines(*texts: str, head: GameHead = HEAD, finished: str | None = None) -> Lines:
    return Lines(head.number, head.key, 1, head.key, texts, head, {}, finished)


def verdict(world: World, number: int) -> tuple[object, ...]:
    def found() -> list[tuple[object, ...]]:
        return world.database.rows(
            "SELECT verdict, verdict_text FROM histories"
            f" WHERE (table_id, game) = ('lisbon', {number}) AND verdict != ''"
        )

    wait_until(found, "the verdict")
    return found()[0]


def test_a_malicious_table_is_rejected_by_name_and_the_others_are_served(world: World) -> None:
    porto = world.table("porto", 7)
    world.run(porto)
    with attacker(world.broker, "lisbon") as one:
        # Topics of other tables and of the club.
        for topic in (
            *("urpi/tables/porto/lines", "urpi/tables/porto/state", "urpi/tables/porto/online"),
            "urpi/tables/porto/free",
            *("urpi/tables/lisbon/next", "urpi/tables/porto/next"),
            *("urpi/tables/lisbon/ack", "urpi/tables/porto/ack", "urpi/club/hello"),
            *("homeassistant/device/urpi-porto/config", "anything", "$SYS/broker"),
        ):
            assert one.publish(topic, b"{}") == "Not authorized", topic
        # What is malformed.
        wait_until(lambda: answers(one), "the club's start")
        for payload in (b"", b"\xff", b"{}", b"[" * 100_000, b'{"type":"lines"}'):
            found = one.answer(payload)
            assert (found["type"], found["code"]) == ("rejected", "malformed"), payload
        # A key that does not belong to the game, and lines that do not belong to any.
        forged = Lines(1, "ab" * 16, 1, "ab" * 16, (GAME,), HEAD)
        assert one.answer(forged.encode())["code"] == "forged"
        assert one.answer(lines('{"t":0,"type":"time"}').encode())["code"] == "forged"
        assert one.answer(lines(GAME, '{"t":0,"type":"evil"}').encode())["code"] == "forged"
        assert one.answer(lines(GAME, "x" * 70_000).encode())["code"] == "forged"
        named = GAME.replace('"light":""', '"light":"Eve"')
        assert one.answer(lines(named).encode())["code"] == "forged"
        # What only the database notices.
        head = GameHead(1, "2026-02-31T19:02:11+01:00", "1.0.0", "finkel", {})
        assert one.answer(lines(GAME, head=head).encode())["code"] == "malformed"
        head = GameHead(1, HEAD.started, "\0", "finkel", {})
        assert one.answer(lines(GAME, head=head).encode())["code"] == "malformed"
        # Lines after others that were never sent.
        late = Lines(1, HEAD.key, 9, "cd" * 16, ('{"t":9,"type":"time"}',))
        found = one.answer(late.encode())
        assert (found["type"], found["stored"]) == ("ack", False)
        # A game that nobody has won.
        won = '{"t":5,"type":"won","side":"light","code":"off"}'
        head = GameHead(2, HEAD.started, "1.0.0", "finkel", {})
        found = one.answer(lines(GAME, won, head=head, finished=HEAD.started).encode())
        assert found["stored"]
        assert verdict(world, 2)[0] == "differs"
        # Other rules in the head than in the game.
        head = GameHead(3, HEAD.started, "1.0.0", "bell", {})
        one.answer(lines(GAME, head=head, finished=HEAD.started).encode())
        assert verdict(world, 3) == ("invalid", "The rules are finkel; the head has bell.")
        # Only its own topics, and which tables can be invited.
        allowed = {"urpi/tables/lisbon/ack", "urpi/club/hello", "urpi/tables/porto/online"}
        assert set(one.received) <= {*allowed, "urpi/tables/porto/free"}
        # Too large: the broker ends the connection.
        one.client.publish("urpi/tables/lisbon/lines", b"x" * 600_000, 1)
        wait_until(lambda: one.ends, "the end of the connection")
    assert porto.finish() == 0, porto.log.read_text()
    assert stored(world, "porto") == list(truth(porto).items())
    log = world.club.log.read_text()
    assert "A message of table lisbon is rejected" in log
    assert "Game 2 of table lisbon is not verified (differs)" in log
    assert "Game 3 of table lisbon is not verified (invalid)" in log
    assert "table porto" not in log
    # What the broker rejects is in its own log.
    broker = world.broker.log.read_text()
    assert "attacker-lisbon" in broker


def answers(one: Attacker) -> bool:
    """Whether the club answers."""
    one.publish("urpi/tables/lisbon/lines", Offer("a-1", ()).encode())
    return one.compared.wait(0.2)


def test_a_flood_of_one_table_is_limited(world: World) -> None:
    porto = world.table("porto", 7)
    world.run(porto)
    with attacker(world.broker, "lisbon") as one:
        wait_until(lambda: answers(one), "the club's start")
        head, chain = HEAD, HEAD.key
        texts = (GAME, *(f'{{"t":{t},"type":"time"}}' for t in range(1500)))
        for number in range(300):
            one.client.publish("urpi/tables/lisbon/lines", lines(*texts, head=head).encode(), 1)
            chain = next_chain(chain, [str(number)])
            head = GameHead(number + 10, HEAD.started, chain, "finkel", {})
        assert porto.finish() == 0, porto.log.read_text()
    assert stored(world, "porto") == list(truth(porto).items())


def test_a_wrong_password_is_refused(world: World) -> None:
    with attacker(world.broker, "lisbon", "wrong") as one:
        assert one.refused == "Not authorized"


def examined(broker: Broker, table: str, **changed: Any) -> BrokerFacts:
    settings = broker_settings(broker.section(table))
    values = {
        name: getattr(settings, name)
        for name in ("host", "port", "tls", "ca_file", "user", "password")
    }
    return try_broker(BrokerSettings(**{**values, **changed}), lambda: datetime.now(UTC))


def test_the_doctor_finds_what_is_wrong_with_a_connection(world: World) -> None:
    wait_until(lambda: examined(world.broker, "lisbon").answered, "the club's answer")
    assert examined(world.broker, "lisbon", password="wrong").refused == "Not authorized"
    assert examined(world.broker, "lisbon", port=free_port()).unreachable == "Connection refused"
    assert examined(world.broker, "lisbon", host="no.such.host.invalid").unresolved
    assert examined(world.broker, "lisbon", tls=True).unreachable
    world.club.end()
    found = examined(world.broker, "lisbon")
    assert (found.answered, found.refused, found.forbidden, found.unreachable) == (False, *[""] * 3)


def test_the_doctor_examines_the_certificate(world: World, request: pytest.FixtureRequest) -> None:
    key, certificate = world.folder / "key.pem", world.folder / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", str(key), "-out", str(certificate), "-days", "9"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    world.broker.end()
    conf, port = world.broker.conf, free_port()
    conf.write_text(
        conf.read_text() + f"listener {port} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\n"
    )
    world.broker.start()
    wait_until(lambda: accepts(port), "the listener with TLS")
    encrypted = {"port": port, "tls": True, "host": "localhost"}
    found = examined(world.broker, "lisbon", ca_file=certificate, **encrypted)
    assert (found.certificate_days, found.untrusted, found.refused) == (8, "", "")
    assert "self-signed" in examined(world.broker, "lisbon", **encrypted).untrusted
    unencrypted = examined(world.broker, "lisbon", port=port, tls=False)
    assert (unencrypted.unreachable, unencrypted.refused) == (CLOSED, "")
    named = {**encrypted, "host": "127.0.0.1", "ca_file": certificate}
    untrusted = examined(world.broker, "lisbon", **named).untrusted
    assert "IP address mismatch" in untrusted
    assert not untrusted.endswith(".")


def test_a_state_that_cannot_be_shown_leaves_the_wall_to_the_others(world: World) -> None:
    state = {
        "type": "state",
        "format": 1,
        "at": "2026-11-20T19:02:11+01:00",
        "game": 1,
        "phase": "no-game",
        "position": None,
        "turn": None,
        "throw": None,
        "seats": {"light": "person", "dark": "person"},
        "warning": None,
    }
    hostile = {**state, "names": {"light": "\ud800", "dark": None}}
    with attacker(world.broker, "lisbon") as one, attacker(world.broker, "porto") as other:
        one.client.publish("urpi/tables/lisbon/state", json.dumps(hostile), 1, retain=True)
        with events(world) as received:
            for game in (1, 2, 3):
                text = json.dumps({**state, "game": game})
                other.client.publish("urpi/tables/porto/state", text, 1, retain=True)
                assert any(
                    kind == "table" and (data["table"], data["state"]["game"]) == ("porto", game)
                    for kind, data in received
                )
    assert "table lisbon publishes is not valid" in world.club.log.read_text()
