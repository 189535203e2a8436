"""The referee's steps with and without a club: `python -m tests.bench.club`.

The facts of a whole game, with bouncing contacts, are passed to a service with its journal.
Measured is the duration of each step that decides something: refereeing, storing with its sync, and
publishing the state. The variants take turns: no club; a broker that does not respond; mosquitto
with a club that acknowledges. The last one sends a journal with earlier games at the same time, so
that the connection is busy during every step.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.club_live.running import Broker, free_port
from tests.journal.games import store_game
from tests.kernel.latency import percentile
from tests.link.protocol.memory import MemoryStore
from tests.output import print_line
from urpi.config import ClubSection
from urpi.journal import Journal, Keeper
from urpi.link.broker.broker_settings import read_password
from urpi.link.broker.club_link import ClubLink
from urpi.link.broker.state_message import TableState
from urpi.link.protocol.archive import receive
from urpi.link.protocol.message_parsers import parse_from_table
from urpi.referee import Settings, Snapshot, Timing
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Game
from urpi.referee.lines import parse_fact
from urpi.service.service import Service

FACTS: Final = Path(__file__).parents[1] / "vectors" / "clumsy-game.facts.jsonl"
PAUSE_S: Final = 0.002
"""The time between two facts, in which the connection may work. A player leaves far more."""
EARLIER_GAMES: Final = 30
MAX_RATIO: Final = 1.5
"""The target: the 99th percentile with a club, as a multiple of the one without."""


def facts() -> list[Fact]:
    return [parse_fact(line) for line in FACTS.read_text("utf-8").splitlines()]


def now() -> datetime:
    return datetime.now().astimezone()


def play(path: Path, section: ClubSection) -> list[float]:
    """Return the milliseconds of each step that decided something."""
    link = ClubLink(section, path, "board")
    opening, *others = facts()
    assert isinstance(opening, Game)
    times = []
    with link.opened():

        def show(snapshot: Snapshot, _decisions: tuple[Decision, ...]) -> None:
            if link.is_open:
                link.publish(TableState(service.game, snapshot))

        keeper = Keeper.open(path, now())
        settings = Settings(lambda code, _details: code, Timing())
        clock = [0]
        service = Service(keeper, settings, lambda: clock[0], show, language="en", now=now)
        service.new_game(opening)
        for fact in others:
            time.sleep(PAUSE_S)
            clock[0] = fact.t
            began = time.perf_counter()
            decided = service.process(fact)
            if decided:
                times.append(1000 * (time.perf_counter() - began))
        service.close()
    return times


@contextmanager
def club(broker: Broker) -> Iterator[None]:
    """A club in memory, in a process of its own."""
    password = read_password(broker.files / "club.password")
    process = get_context("spawn").Process(target=answer, args=(broker.port, password), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()


def answer(port: int, password: str) -> None:
    """Answer all tables."""
    store = MemoryStore()
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.username_pw_set("club", password)
    client.on_connect = lambda *_: client.subscribe("urpi/tables/+/lines", 1)

    def on_message(_client: object, _user: object, message: MQTTMessage) -> None:
        found = receive(store, parse_from_table(message.payload))
        client.publish(message.topic.replace("lines", "ack"), found.encode(), 1)

    client.on_message = on_message
    client.connect("127.0.0.1", port)
    client.loop_forever()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5)
    rounds = options.parse_args().rounds
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        broker = Broker(folder, ["lisbon"])
        broker.start()
        stack.callback(broker.kill)
        stack.enter_context(club(broker))
        right = broker.section("lisbon")
        wrong = ClubSection(f"127.0.0.1:{free_port()}", "lisbon", right.password_file)
        earlier = folder / "earlier.db"
        with Journal.open(earlier) as journal:
            for seed in range(EARLIER_GAMES):
                number = store_game(journal, seed=seed)
                journal.rewrite(number, lambda entry: entry.line, settings={"table": "board"})
        variants = {"no club": ClubSection(), "no broker": wrong, "broker and club": right}
        times: dict[str, list[float]] = {name: [] for name in variants}
        for number in range(rounds):
            for name, section in variants.items():
                path = folder / f"{name}-{number}.db"
                shutil.copy(earlier, path)
                times[name] += play(path, section)
        print_line("| variant | steps | median | p99 | longest |")
        print_line("|---|---|---|---|---|")
        for name, found in times.items():
            values = (median(found), percentile(found, 0.99), max(found))
            shown = " | ".join(f"{value:.2f} ms" for value in values)
            print_line(f"| {name} | {len(found)} | {shown} |")
        ratio = percentile(times["broker and club"], 0.99) / percentile(times["no club"], 0.99)
        print_line(f"p99 with broker and club / without: {ratio:.2f}, target {MAX_RATIO}")
        return 0 if ratio <= MAX_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
