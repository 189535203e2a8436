"""Which messages of tables wait to be stored."""

import pytest
from paho.mqtt.client import MQTTMessage

from urpi.club.topics import Topic
from urpi.club_server.receiver import MOST_OF_TABLE, MOST_WAITING, Receiver
from urpi.club_table.broker_settings import BrokerSettings


@pytest.fixture
def receiver() -> Receiver:
    settings = BrokerSettings("127.0.0.1", 1, tls=False, ca_file=None, user="club", password="")
    return Receiver(settings, "postgresql://127.0.0.1:1/urpi")


def send(receiver: Receiver, table: str, data: bytes) -> None:
    message = MQTTMessage(topic=str(Topic(table, "lines")).encode())
    message.payload = data
    receiver._on_message(receiver._client, None, message)


def waiting(receiver: Receiver) -> list[tuple[str, bytes]]:
    return list(receiver._messages.queue)


def test_a_message_that_is_repeated_before_it_is_answered_waits_once(receiver: Receiver) -> None:
    for table, data in (("lisbon", b"1"), ("lisbon", b"1"), ("porto", b"1"), ("lisbon", b"2")):
        send(receiver, table, data)
    assert waiting(receiver) == [("lisbon", b"1"), ("porto", b"1"), ("lisbon", b"2")]
    assert receiver.dropped == 0


def test_a_message_that_is_repeated_after_its_answer_is_stored_again(receiver: Receiver) -> None:
    send(receiver, "lisbon", b"1")
    receiver._release(*receiver._messages.get())
    send(receiver, "lisbon", b"1")
    assert waiting(receiver) == [("lisbon", b"1")]


def test_a_table_that_floods_the_club_does_not_displace_others(receiver: Receiver) -> None:
    for number in range(MOST_WAITING):
        send(receiver, "lisbon", b"%d" % number)
    send(receiver, "porto", b"1")
    assert len(waiting(receiver)) == MOST_OF_TABLE + 1
    assert receiver.dropped == MOST_WAITING - MOST_OF_TABLE


def test_no_table_is_remembered_when_nothing_waits(receiver: Receiver) -> None:
    for number in range(MOST_WAITING + 5):
        send(receiver, f"table-{number}", b"1")
    assert receiver.dropped == 5
    while receiver._messages.qsize():
        receiver._release(*receiver._messages.get())
    assert not receiver._waiting
