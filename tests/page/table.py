"""A table for the page's tests: a real service with a journal on disk and a manual clock."""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Self, TypeVar

from PIL import Image

from tests.service_desk import STILL_MS
from tests.service_desk import Desk as ServiceDesk
from urpi.core.errors import UrpiError
from urpi.journal import (
    Journal,
    Keeper,
    Preferences,
    StoredAnswer,
    store_answer,
    store_preferences,
)
from urpi.journal.consents import with_consent, without_consent
from urpi.page.feed import Feed
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Answer, Fact, Game, Occupancy
from urpi.referee.orders import (
    AnswerExercise,
    ChangeLanguage,
    ChangeSound,
    NewGame,
    Order,
    PublishName,
    ShowPlayer,
)
from urpi.rules import Side
from urpi.service.table_state import Device, TableChange
from urpi.service.win_chances import WinChance
from urpi.show.views import draw
from urpi.show.words import Words, words_for

DEADLINE_S = 240.0


class Table(ServiceDesk):
    """A service that notifies its watchers of every change, as a real board does."""

    def __init__(self, path: Path, keeper: Keeper, boot_ms: int = 0) -> None:
        self.watching: list[Callable[[TableChange], None]] = []
        super().__init__(path, keeper, boot_ms)

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self.shown.append(snapshot)
        self.decided += decisions
        for watch in self.watching:
            watch(self.change(decisions, snapshot))

    def change(
        self, decisions: tuple[Decision, ...] = (), snapshot: Snapshot | None = None
    ) -> TableChange:
        service = self.service
        snapshot = snapshot or service.snapshot
        return TableChange(snapshot, decisions, service.game, service.seq, service.notices.current)

    def new_game(self, rules: str = "finkel") -> None:
        self.service.new_game(Game(self.t, rules, "Ann", "Bob"))

    def begin_thrown(self) -> None:
        """Set up the board and throw for the start."""
        self.submit(Occupancy(self.t, 0))
        self.wait(STILL_MS)
        self.throw("ggg-")
        self.throw("----")

    def play_on(self, rng: Random) -> None:
        """Enter the next throw or move of the game, as a person would."""
        shot = self.service.snapshot
        if shot.phase is Phase.MOVE:
            self.submit(Answer(self.t, move=rng.choice(shot.legal)))
        else:
            self.submit(Answer(self.t, faces="".join(rng.choice("gs--") for _ in range(4))))

    @property
    def over(self) -> bool:
        return self.service.snapshot.phase is Phase.OVER


class PageDesk:
    """The desk of such a table, which carries out orders at once."""

    table = "board"
    sounds = ("off", "tones")
    has_club = False
    has_lights = False

    def __init__(self, table: Table) -> None:
        self.at, self.service = table, table.service
        self.words = words_for("en")
        self.current = Preferences("en", "off", "finkel")
        self.pins_shown: list[tuple[str, str]] = []
        self.requested: list[Fact] = []
        self.draws_offered: list[Side] = []
        self.engine_accepts = False
        self.chance: WinChance | None = None

    def look_for_tables(self) -> tuple[str, ...]:
        """None: this table has no club."""
        return ()

    @property
    def preferences(self) -> Self:
        """The preferences, which are attributes of the desk."""
        return self

    def clock(self) -> int:
        return self.at.t

    def now(self) -> TableChange:
        return self.at.change()

    def device_states(self) -> Mapping[str, Device]:
        return {name: Device(available=True) for name in ("hub", "oled", "contacts", "journal")}

    def picture(self) -> Image.Image:
        return draw(self.at.service.snapshot, self.words)

    def submit(self, fact: Fact) -> None:
        self.at.submit(fact)

    def request(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        self.requested.append(fact)
        return _completed(lambda: self.at.service.process(fact))

    def order(self, order: Order) -> Future[int | None]:
        return _completed(lambda: self._carry_out(order))

    def _carry_out(self, order: Order) -> int | None:
        match order:
            case NewGame(rules=rules, light=light, dark=dark, first=first, position=given):
                position = None if given is None else str(given)
                game = Game(self.at.t, rules.id, light, dark, rules.changed, first, position)
                return self.at.service.new_game(game)
            case ChangeLanguage(language=language):
                self.words = words_for(language)
            case PublishName(name=name, agreed=agreed):
                text = self.current.consents
                consents = with_consent(text, name, 0) if agreed else without_consent(text, name)
                changed = replace(self.current, consents=consents)
                with Journal.open(self.at.path) as journal:
                    store_preferences(journal, self.table, self.current, changed)
                self.current = changed
            case ShowPlayer(name=name, agreed=agreed):
                text = self.current.shown
                shown = with_consent(text, name, 0) if agreed else without_consent(text, name)
                changed = replace(self.current, shown=shown)
                with Journal.open(self.at.path) as journal:
                    store_preferences(journal, self.table, self.current, changed)
                self.current = changed
            case AnswerExercise(game=number, throw=throw, move=move, good=good):
                at = self.service.now().isoformat()
                with Journal.open(self.at.path) as journal:
                    store_answer(journal, StoredAnswer(number, throw, at, move, good))
            case ChangeSound(sound=sound) if sound not in self.sounds:
                message = f"This table has no sound {sound!r}."
                raise UrpiError(message)
        return None

    def offer_draw(self, by: Side) -> Future[bool]:
        self.draws_offered.append(by)
        return _completed(lambda: self.engine_accepts)

    def win_chance(self) -> Future[WinChance | None]:
        return _completed(lambda: self.chance)

    def show_pin(self, pin: str, address: str) -> None:
        self.pins_shown.append((pin, address))


def words() -> Words:
    return words_for("en")


_T = TypeVar("_T")


def _completed(act: Callable[[], _T]) -> Future[_T]:
    future: Future[_T] = Future()
    try:
        future.set_result(act())
    except UrpiError as error:
        future.set_exception(error)
    return future


async def until(condition: Callable[[], bool], what: str) -> None:
    """Run the event loop until a condition holds."""
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, f"never came: {what}"
        await asyncio.sleep(0)


def has_processed_all(feed: Feed, table: Table) -> Callable[[], bool]:
    """Return a condition: the feed has processed every change of the table."""
    return lambda: not feed._inbox and feed.version.state["seq"] == (table.service.seq or 0)
