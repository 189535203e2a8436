"""Every long-lived part of the program that fails is reported and works again."""

import asyncio
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from http.client import HTTPConnection
from pathlib import Path
from queue import SimpleQueue
from threading import Event, current_thread

import pytest
from PIL import Image
from starlette.types import Receive, Scope, Send

from tests.hardware.panel import Wires
from tests.waiting import wait_until
from urpi.club.web.wall import Wall
from urpi.core.supervision import faults
from urpi.hardware.bluetooth_dice import BluetoothDice, RadioError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.contact_facts import ContactFacts
from urpi.hardware.contacts import RetryingContacts
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.expander import ExpanderSwitches
from urpi.hardware.gpio import PinsUnavailableError
from urpi.hardware.hub import DiceHub
from urpi.hardware.oled import open_oled
from urpi.hardware.pins import default_pins
from urpi.hardware.screen import Screen
from urpi.hardware.sound import SoundPlayer
from urpi.http.addresses import Address
from urpi.http.reader import Reader
from urpi.http.server import PageServer
from urpi.journal import Journal
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.broker.connection import ClubConnection
from urpi.service.engine_process import EngineProcess, worker_command
from urpi.service.review_process import ReviewProcess

FAILURES = range(1, 3)
"""How often a part fails in a row; a pause follows each failure."""


class FailingClock:
    """A clock that fails in a thread of the program, at a random call and again, then no more."""

    def __init__(self, part: str) -> None:
        self._thread = f"urpi-{part}"
        chance = random.Random()
        self._calls, self._left = chance.randrange(4), chance.choice(FAILURES)
        self.works = Event()

    def __call__(self) -> int:
        if current_thread().name == self._thread:
            if self._calls:
                self._calls -= 1
            elif self._left:
                self._left -= 1
                raise_error()
            else:
                self.works.set()
        return time.monotonic_ns() // 1_000_000


def raise_error() -> None:
    message = "an error in the program"
    raise LookupError(message)


def is_reported(part: str) -> bool:
    return any(fault.part == part and "LookupError" in fault.problem for fault in faults())


@contextmanager
def hub(clock: Callable[[], int]) -> Iterator[None]:
    def open_port() -> None:
        raise FileNotFoundError

    with closing(DiceHub(open_port, DieFaces(), clock, retry_s=(0.01, 0.01))) as dice:
        dice.start(lambda _fact: None)
        yield


@contextmanager
def expander(clock: Callable[[], int]) -> Iterator[None]:
    def open_bus() -> None:
        raise OSError

    pins = default_pins().expander
    assert pins is not None
    with closing(ExpanderSwitches(pins, open_bus, clock, lambda _fact: None, poll_ms=10)):
        yield


@contextmanager
def buttons(clock: Callable[[], int]) -> Iterator[None]:
    facts = ContactFacts(clock, lambda _fact: None)
    facts.start()
    with closing(facts):
        # While a button is down, its thread looks at the clock.
        facts.on_edge("light button", True, clock())
        yield


@contextmanager
def club(clock: Callable[[], int], tmp_path: Path) -> Iterator[None]:
    journal = tmp_path / "journal.db"
    Journal.open(journal).close()
    nowhere = BrokerSettings("127.0.0.1", 1, False, None, "t1", "secret")
    connection = ClubConnection(
        nowhere, journal, "board", clock=clock, now=lambda: datetime.now().astimezone()
    )
    connection.open()
    with closing(connection):
        yield
        wait_until(
            lambda: "error in the program" not in connection.status.problem, "it works again"
        )


@pytest.mark.parametrize("part", ["hub", "expander", "buttons", "club"])
def test_a_part_that_fails_at_a_random_moment_works_again(part: str, tmp_path: Path) -> None:
    clock = FailingClock(part)
    parts: dict[str, Callable[[], AbstractContextManager[None]]] = {
        "hub": lambda: hub(clock),
        "expander": lambda: expander(clock),
        "buttons": lambda: buttons(clock),
        "club": lambda: club(clock, tmp_path),
    }
    with parts[part]():
        wait_until(lambda: is_reported(part), "it is reported")
        assert clock.works.wait(60)
    assert not is_reported(part), "it has been closed"


def test_the_display_shows_the_next_picture_after_one_that_cannot_be_drawn() -> None:
    wires = Wires()
    screen = Screen(lambda: open_oled("ssd1306", wires))
    screen.show_drawn(raise_error)  # type: ignore[arg-type]
    wait_until(lambda: is_reported("oled"), "it is reported")
    assert screen.flush(60), "nobody waits for the picture that failed"
    white = Image.new("1", (128, 64), 1)

    screen.show(white)

    assert screen.flush(60)
    assert wires.sent.is_set()
    screen.close()


def test_the_sound_plays_the_next_motif_after_one_that_does_not_exist() -> None:
    played: SimpleQueue[object] = SimpleQueue()

    class Buzzer:
        def play(self, tone: object) -> None:
            played.put(tone)

        def stop(self) -> None:
            pass

        def close(self) -> None:
            played.put("closed")

    player = SoundPlayer(Buzzer(), None, lambda _fault: None)
    player.play("no motif", "")
    wait_until(lambda: any(fault.part == "sound" for fault in faults()), "it is reported")
    player.play("throw", "")
    assert played.get(timeout=60) is not None
    player.close()
    assert [played.get() for _ in range(played.qsize())][-1] == "closed"


def test_contacts_are_opened_though_opening_them_has_failed() -> None:
    attempts = []

    def open_contacts() -> object:
        attempts.append(1)
        if len(attempts) == 1:
            message = "a pin is in use."
            raise PinsUnavailableError(message)
        if len(attempts) == 2:
            raise_error()
        return closing(Wires())

    opened = Event()
    contacts = RetryingContacts(
        open_contacts,  # type: ignore[arg-type]
        lambda fault: None if fault else opened.set(),
        retry_s=0.01,
    )
    wait_until(lambda: is_reported("contacts"), "it is reported")
    assert opened.wait(60)
    contacts._thread.join(60)


def test_bluetooth_dice_are_looked_for_again() -> None:
    attempts: SimpleQueue[int] = SimpleQueue()

    def open_radio() -> None:
        attempts.put(1)
        if attempts.qsize() == 1:
            raise_error()
        message = "there is no adapter"
        raise RadioError(message)

    die = PairedDie(1, "pixels", "AA:BB:CC:DD:EE:FF", 6)
    dice = BluetoothDice([die], DieFaces(), lambda: 0, open_radio)  # type: ignore[arg-type]
    dice.start(lambda _fact: None)
    wait_until(lambda: is_reported("bluetooth"), "it is reported")
    wait_until(lambda: dice.health.error == "there is no adapter", "it looks again")
    dice.close()


def test_the_engine_answers_that_it_cannot_and_then_answers(tmp_path: Path) -> None:
    engine = EngineProcess(worker_command(tmp_path))
    answers: SimpleQueue[object] = SimpleQueue()
    engine.request({"position": object()}, answers.put)
    assert answers.get(timeout=60) is None
    wait_until(lambda: any(fault.part == "engine" for fault in faults()), "it is reported")

    engine.request({"no": "request"}, answers.put)

    assert answers.get(timeout=60) is None
    engine.close()


def test_the_next_game_is_reviewed_though_the_last_review_cannot_be_shown() -> None:
    reviews = ReviewProcess((sys.executable, "-c", ""))
    reviewed = Event()
    reviews._handle = lambda item: item[1](None)  # type: ignore[method-assign,arg-type]
    reviews.request(1, lambda _review: raise_error())
    wait_until(lambda: is_reported("reviews"), "it is reported")
    reviews.request(2, lambda _review: reviewed.set())
    assert reviewed.wait(60)
    reviews.close()


async def respond(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def test_the_wall_continues_after_a_round_that_has_failed() -> None:
    wall = Wall(lambda: datetime.now().astimezone())
    with PageServer(respond, wall, Address("127.0.0.1", 0)):
        wall.set_storage(object())  # type: ignore[arg-type]
        wait_until(lambda: any(fault.part == "page's feed" for fault in faults()), "it is reported")
        wall.set_storage("works")
        wait_until(lambda: not wall.closed, "it runs again")
        wall.set_connected(True)
        wait_until(lambda: b'"connected":true' in wall._events[""][1], "it shows that")
    assert wall.closed


class FailingServer(PageServer):
    """A server whose thread fails at its first start."""

    has_failed = False

    async def _serve(self) -> None:
        if not self.has_failed:
            self.has_failed = True
            raise_error()
        await super()._serve()


def test_the_page_is_served_at_its_address_though_its_thread_has_failed() -> None:
    wall = Wall(lambda: datetime.now().astimezone())
    with FailingServer(respond, wall, Address("127.0.0.1", 0)) as server:
        wait_until(lambda: is_reported("page"), "it is reported")

        def status() -> int | None:
            connection = HTTPConnection(*server.address)
            with suppress(OSError), closing(connection):
                connection.request("GET", "/")
                return connection.getresponse().status
            return None

        assert wait_until(status, "the page is served") == 204


def test_a_read_that_fails_ends_neither_the_reader_nor_the_next_read() -> None:
    @contextmanager
    def opened() -> Iterator[int]:
        yield 5

    async def main() -> None:
        reader = Reader("a-reader", opened)
        with pytest.raises(LookupError):
            await reader.read(lambda _source: raise_error())
        assert await reader.read(lambda source: source + 1) == 6

    asyncio.run(main())
