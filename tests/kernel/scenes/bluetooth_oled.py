"""What the OLED shows of Pixels: the menu's page of the dice, a low battery, no Bluetooth."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PIL import Image

from tests.kernel.bluez import system_bus
from tests.kernel.board import SHORT_GAME
from tests.kernel.bumble_room import Room, room
from tests.kernel.display_reader import DisplayReader
from tests.kernel.findings import Findings, play
from tests.kernel.guest import MEASURED
from tests.kernel.panel import shown
from tests.kernel.program import Program
from tests.kernel.whole_game import READY_S
from urpi.hardware import default_pins
from urpi.rules import Side
from urpi.service.notices import Notice
from urpi.show.menu import DieStatus, Item, Listing, MenuScreen
from urpi.show.scene import Scene, oled_picture
from urpi.show.views import HEIGHT, WIDTH
from urpi.show.words import words_for

TURNED, LOW, AWAY = 1, 2, 3
"""The numbers of the dice that are turned by hand, low, and out of range."""
MENU: Final = ("play-on", "new-game", "minute", "sound", "language", "dice", "about")
"""The lines of the menu's first page during a game."""
PRESS_S: Final = 0.2
HOLD_S: Final = 1.2
"""Longer than a hold has to be, 0.8 s."""
REST_S: Final = 0.3
SHOWN_S: Final = 60.0
CHARGED: Final = 80
ALL_GOLD: Final = tuple(DieStatus(die, True, "g", battery_percent=CHARGED) for die in range(1, 5))

CHANGED: Final = (
    DieStatus(TURNED, True, "s", battery_percent=CHARGED),
    DieStatus(LOW, True, "g", low=True, battery_percent=5),
    *ALL_GOLD[2:],
)
"""The dice after one was turned, and one has become low."""


class Onlooker:
    """A person who operates the buttons of a room's board, and reads its display."""

    def __init__(self, at: Room, display: DisplayReader, findings: Findings) -> None:
        self._at, self._display, self._findings = at, display, findings
        self._pins = default_pins().buttons
        self._seen = 0, Image.new("1", (WIDTH, HEIGHT))

    def press(self, *buttons: Side, for_s: float = PRESS_S) -> None:
        """Press buttons together for a time, and release them."""
        for closed, wait_s in ((True, for_s), (False, REST_S)):
            for button in buttons:
                self._at.chip.pull(self._pins[button], closed=closed)
            self.wait(wait_s)

    def open_dice_page(self) -> None:
        """Open the menu's page of the dice."""
        self.press(*Side, for_s=HOLD_S)
        for _ in range(MENU.index("dice")):
            self.press(Side.LIGHT)
        self.press(Side.LIGHT, for_s=HOLD_S)

    def close_menu(self) -> None:
        """Close the menu."""
        self.press(*Side, for_s=HOLD_S)

    def wait_for_question(self) -> None:
        """Wait until the referee asks a question."""
        asks = lambda: self._display.snapshot.question is not None  # noqa: E731
        self._at.table.run(asks, READY_S, "the referee asks")

    def wait(self, seconds: float) -> None:
        """Let the table's time pass."""
        until = time.monotonic() + seconds
        self._at.table.run(lambda: time.monotonic() > until, READY_S, "the time has passed")

    def sees(
        self, what: str, screen: MenuScreen | None = None, notice: Notice | None = None
    ) -> None:
        """Check that the display comes to show a screen of the menu or the game, and a notice."""

        def expected() -> Image.Image:
            words, text = words_for("en"), ""
            if notice is not None:
                text = words.sentence(notice.code, notice.details)
            brief = notice is not None and notice.brief
            snapshot = self._display.snapshot
            return oled_picture(Scene(snapshot, words, (), text, brief, screen))

        def is_shown() -> bool:
            return self._picture().tobytes() == expected().tobytes()

        holds = True
        try:
            self._at.table.run(is_shown, SHOWN_S, what)
        except TimeoutError:
            holds = False
            expected().save(MEASURED / f"{_file_name(what)}-expected.png")
        self._picture().save(MEASURED / f"{_file_name(what)}.png")
        self._findings.check(f"the display shows {what}", holds)

    def _picture(self) -> Image.Image:
        """Return the picture on the glass, read again only if the panel was written to."""
        size = self._at.place.notes.stat().st_size
        if size != self._seen[0]:
            self._seen = size, shown(self._at.place.notes, time.monotonic_ns()).picture
        return self._seen[1]


def _file_name(what: str) -> str:
    return "oled-" + "-".join(what.replace(",", "").split())


def dice_page(dice: Iterable[DieStatus], chosen: int = 0, *missing: str) -> Listing:
    """Return the page of the dice, after lines for the missing sources."""
    lines = [Item(f"no-{one}") for one in missing] + [Item("die", die=one) for one in dice]
    return Listing("dice", (*lines, Item("back")), chosen)


def look_at_dice(at: Room, person: Onlooker) -> None:
    """Turn a die, let one become low and one go out of range, and look at each on the page."""
    person.open_dice_page()
    person.sees("the face and charge of each die", dice_page(ALL_GOLD))
    simulated = at.table.table
    simulated.schedule.start(simulated.dice.lay(TURNED, 2))
    at.air.send(LOW, at.air.own[LOW - 1].die.battery(5))
    at.air.set_range(AWAY, in_range=False)
    dice = (*CHANGED[: AWAY - 1], DieStatus(AWAY, False), *CHANGED[AWAY:])
    low = Notice("battery-low", dice=(LOW,))
    person.sees("a notice of the low battery", dice_page(dice), low)
    person.sees("a turned, a low and a lost die", dice_page(dice))
    for _ in dice[1:]:
        person.press(Side.LIGHT)
    person.sees("the end of the page", dice_page(dice, 3))
    at.air.set_range(AWAY, in_range=True)
    person.sees("the die that is back", dice_page(CHANGED, 3))
    person.close_menu()


def end_bluetoothd(at: Room, person: Onlooker) -> None:
    """Kill bluetoothd and start it again while the service runs."""
    missing = Notice("bluetooth-missing", brief=True)
    at.bluetoothd.kill()
    person.sees("that Bluetooth is missing", notice=missing)
    # From then on no other prompt closes the menu.
    person.wait_for_question()
    person.sees("a question for the throw without Bluetooth", notice=missing)
    person.open_dice_page()
    lost = tuple(DieStatus(one.die, False) for one in ALL_GOLD)
    person.sees("no signal of any die", dice_page(lost, 0, "bluetooth"))
    person.close_menu()
    at.bluetoothd.start()
    person.sees("the game when Bluetooth is back")
    person.open_dice_page()
    person.sees("each die again", dice_page(CHANGED))
    person.close_menu()


def act(findings: Findings) -> None:
    """Look at the display of a running service."""
    with (
        system_bus(Path.cwd()),
        room(Path.cwd() / "table", "finkel", SHORT_GAME) as at,
        Program(at.place.config) as program,
    ):
        table = at.table
        is_ready = lambda: at.are_dice_connected and bool(program.lines)  # noqa: E731
        table.run(is_ready, READY_S, "it is ready")
        program.slow_gpio_polls()
        display = table.read_display(at.place.journal)
        table.run(lambda: display.asks_for_throw, READY_S, "the display asks for a throw")
        person = Onlooker(at, display, findings)
        look_at_dice(at, person)
        end_bluetoothd(at, person)
        status, _ = program.stop()
        findings.check("SIGTERM stops the service", status == 0, status)


if __name__ == "__main__":
    play("bluetooth_oled", act)
