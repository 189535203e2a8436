"""The backends that a configuration specifies."""

import os
import pty
import tty
from queue import SimpleQueue

import pytest

from urpi import hardware
from urpi.config import Config, DiceSection, FacesSection, GpioSection, HubSection
from urpi.core.errors import UrpiError
from urpi.hardware import (
    BluetoothDice,
    CombinedDice,
    DiceHealth,
    DiceHub,
    DieLine,
    PairedDie,
    line_bytes,
)
from urpi.hardware.advertised_dice import AdvertisedDie
from urpi.hardware.bluetooth_dice import RadioError
from urpi.hardware.configured import advertised_dice, paired_dice
from urpi.referee.facts import Die, Fact
from urpi.rules import parse_square
from urpi.service.backends import configured_backends

DEADLINE_S = 240.0
MOCK = GpioSection(factory="mock")


def test_the_pins_are_those_of_the_pin_map_with_the_configured_changes() -> None:
    backends = configured_backends(Config(gpio=GpioSection(factory="mock", pins={"B4": 14})))

    assert backends.pins.squares[parse_square("B4")] == 14


def test_two_wires_on_one_pin_are_an_error() -> None:
    with pytest.raises(UrpiError, match="is already that of"):
        configured_backends(Config(gpio=GpioSection(factory="mock", pins={"A1": 17})))


@pytest.mark.parametrize(
    ("tumbles", "fall_ms", "thrown"), [(6, 122, False), (7, 0, True), (0, 123, True)]
)
def test_the_dice_source_is_a_hub_with_the_configured_port_limits_and_faces(
    tumbles: int, fall_ms: int, thrown: bool
) -> None:
    end, host_end = pty.openpty()
    tty.setraw(host_end)
    settings = HubSection(
        port=os.ttyname(host_end),
        tumbled_faces=7,
        free_fall_ms=123,
        faces=FacesSection(own={3: ("silver", "gold", "gold", "gold")}),
    )
    facts: SimpleQueue[Fact] = SimpleQueue()
    hub = configured_backends(Config(gpio=MOCK, hub=settings)).make_dice(lambda: 0)
    hub.start(facts.put, lambda _: None)
    report = DieLine(1, 3, "settled", 1, 4, 1, 0, tumbles, fall_ms, 3900, t_ms=5)
    # Opening the port discards what was sent before; the hub's first request shows that it is open.
    os.read(end, 64)
    os.write(end, line_bytes(report))
    fact = facts.get(timeout=DEADLINE_S)
    hub.close()
    os.close(end)
    os.close(host_end)

    assert isinstance(hub, DiceHub)
    assert isinstance(fact, Die)
    assert (fact.die, fact.face, fact.tumbled) == (3, "s", thrown)


PAIRED = {3: {"address": "C4:00:11:22:33:44", "brand": "godice", "faces": 6, "owner": "both"}}


@pytest.mark.parametrize(
    ("source", "kind"), [("hub", DiceHub), ("bluetooth", BluetoothDice), ("both", CombinedDice)]
)
def test_the_source_of_dice_is_the_configured_one(source: str, kind: type) -> None:
    config = Config(gpio=MOCK, dice=DiceSection(source=source, paired=PAIRED))
    assert type(configured_backends(config).make_dice(lambda: 0)) is kind


def test_the_paired_dice_are_those_of_the_configuration() -> None:
    dice = paired_dice(DiceSection(paired=PAIRED))
    assert dice == (PairedDie(3, "godice", "C4:00:11:22:33:44", 6),)


def test_a_die_with_a_key_is_one_that_advertises() -> None:
    key = "000102030405060708090a0b0c0d0e0f"
    built = {"address": "C4:00:11:22:33:55", "brand": "urpi", "faces": 4, "key": key}
    dice = DiceSection(paired={**PAIRED, 2: built})
    assert [die.number for die in paired_dice(dice)] == [3]
    assert advertised_dice(dice) == (AdvertisedDie(2, "C4:00:11:22:33:55", 4, bytes.fromhex(key)),)


def test_the_service_logs_why_bluetooth_is_not_available(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def open_radio(_adapter: str | None) -> None:
        message = "Bluetooth is switched off"
        raise RadioError(message)

    monkeypatch.setattr(hardware, "open_radio", open_radio)
    healths: SimpleQueue[DiceHealth] = SimpleQueue()
    source = configured_backends(Config(gpio=MOCK, dice=DiceSection(source="bluetooth"))).make_dice(
        lambda: 0
    )
    source.start(lambda _: None, healths.put)
    while healths.get(timeout=DEADLINE_S).error != "Bluetooth is switched off":
        pass
    source.close()
    assert "Bluetooth is not available: Bluetooth is switched off." in caplog.messages
