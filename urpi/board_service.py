"""The service at a board: switches, buttons, dice hub and OLED joined with the referee.

What they are plugged into is passed in (`Plugs`): the Pi's header, a serial port and an I2C
bus, or the virtual table's ends of the same.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, Self

from PIL import Image

from urpi.config import Config, Hub, Oled
from urpi.devices import (
    DiceHub,
    DieFaces,
    HubHealth,
    HubSettings,
    PinMap,
    Player,
    Rest,
    Screen,
    Sockets,
    changed_pins,
    default_pins,
    i2c_bus,
    open_contacts,
    open_oled,
    open_serial,
    open_sound,
    pin_factory,
    smbus,
)
from urpi.errors import UrpiError
from urpi.journal import Keeper
from urpi.notices import Notice
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Game
from urpi.rules import RuleSet, Side, Squares
from urpi.service import Clock, Service, Show, referee_settings
from urpi.views import draw
from urpi.views.notice import NEWS_LINES, draw_notice
from urpi.views.sounds import sound
from urpi.words import words_for

PROBE_S: Final = 2.0
"""The OLED is asked so often whether it is there."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plugs:
    """What the devices are plugged into.

    `factory` is gpiozero's for the pins of `pins`; `hub` is what pyserial opens; `faces` what
    the dice show; `oled` opens a luma device, None where there is no display; `open_bus` opens
    the I2C bus of a port for the expanders.
    """

    factory: Any
    pins: PinMap
    hub: str
    faces: DieFaces
    oled: Callable[[], Any] | None
    open_bus: Callable[[int], Any] = smbus


def configured_plugs(config: Config) -> Plugs:
    """The far ends that the configuration names.

    Raises:
        UrpiError: when the pins' library is missing, or two wires come to lie on one pin.
    """
    factory = pin_factory(config.gpio.factory, chip=config.gpio.chip)
    pins = changed_pins(default_pins(), config.gpio.pins, chutes=config.gpio.chutes)
    display = None if config.oled.driver == "none" else partial(_open_oled, config.oled)
    return Plugs(factory, pins, config.hub.port, configured_faces(config.hub), display)


def _open_oled(oled: Oled) -> Any:
    bus = i2c_bus(oled.i2c_port, oled.i2c_address)
    return open_oled(oled.driver, bus, upside_down=oled.rotate == 2)


TIP_LETTERS: Mapping[str, str] = {"gold": "g", "silver": "s", "blank": "-"}


def configured_faces(hub: Hub) -> DieFaces:
    """What the configured dice show."""
    own = {die: _letters(tips) for die, tips in hub.faces.own.items()}
    return DieFaces(_letters(hub.faces.d4), own)


def _letters(tips: tuple[str, ...]) -> str:
    return "".join(TIP_LETTERS[tip] for tip in tips)


class BoardService:
    """A `Service` with its devices. Use it in a ``with``; it opens and closes them.

    `watch` is told of every change, after it is stored and sent to the OLED.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        config: Config,
        keeper: Keeper,
        clock: Clock,
        plugs: Plugs,
        watch: Show,
        *,
        table: str = "board",
    ) -> None:
        self._config, self._plugs, self._watch = config, plugs, watch
        self._words = words_for(config.table.language)
        self._opened = ExitStack()
        self.screen: Screen | None = None
        self._player: Player | None = None
        self.service = Service(
            keeper,
            referee_settings(config),
            clock,
            self._show,
            language=config.table.language,
            now=local_now,
            table=table,
        )
        self._clock = self.service.clock

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            self._open(opening)
            self._opened = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def _open(self, opening: ExitStack) -> None:
        config, plugs = self._config, self._plugs
        opening.callback(self.service.close)
        if plugs.oled is not None:
            self.screen = self._open_screen(plugs.oled)
            opening.callback(self.screen.close)
        self._player = open_sound(config, plugs.pins, plugs.factory)
        if self._player is not None:
            opening.callback(self._player.close)
        self._contacts = open_contacts(
            config,
            Sockets(plugs.factory, plugs.pins, plugs.open_bus),
            self._clock,
            self._heard,
            self._contacts_fault,
        )
        opening.callback(self._contacts.close)
        self._hub = self._open_hub(plugs)
        opening.callback(self._hub.close)
        self._show(self.service.snapshot, ())
        if self.service.game is not None:
            self._read_board()

    def _open_screen(self, display: Callable[[], Any]) -> Screen:
        oled = self._config.oled
        rest = Rest(dim_ms=1000 * oled.dim_s, blank_ms=1000 * oled.blank_s)
        screen = Screen(display, rest=rest, probe_s=PROBE_S, on_fault=_log_oled)
        screen.dim(oled.contrast)
        return screen

    def _open_hub(self, plugs: Plugs) -> DiceHub:
        hub = self._config.hub
        self.service.device_away("hub-missing")
        return DiceHub(
            lambda: open_serial(plugs.hub),
            plugs.faces,
            self._clock,
            self._heard,
            self._hub_changed,
            settings=HubSettings(hub.tumbled_faces, hub.free_fall_ms),
        )

    def _heard(self, fact: Fact) -> None:
        if self.screen is not None:
            self.screen.wake()
        self.service.emit(fact)

    def _hub_changed(self, health: HubHealth) -> None:
        if health.alive:
            self.service.device_back("hub-missing")
        else:
            self.service.device_away("hub-missing")

    def _contacts_fault(self, fault: UrpiError | None) -> None:
        if fault is None:
            _log.warning("The board's switches answer again.")
            self.service.device_back("contacts-missing")
        else:
            _log.warning("%s", fault)
            self.service.device_away("contacts-missing")

    @property
    def hub(self) -> HubHealth:
        """How the dice hub is."""
        return self._hub.health

    def occupancy(self) -> Squares:
        """What stands where, read now.

        Raises:
            UrpiError: when a pin cannot be read.
        """
        return self._contacts.read().squares

    def begin(
        self,
        rules: RuleSet,
        first: Side | None,
        dice: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
    ) -> int:
        """Begin a game with the configured players; its number in the journal.

        Raises:
            UrpiError: when it cannot be stored.
        """
        table = self._config.table
        game = Game(
            self._clock(),
            rules.id,
            table.light,
            table.dark,
            options=rules.changed,
            first=first,
            dice=dice,
        )
        number = self.service.new_game(game)
        self._read_board()
        return number

    def resume(self) -> int | None:
        """Go on with this table's last game; its number, None when it was finished.

        To be called before the devices are opened. Their first reading says what has been
        moved since, and the referee guides the players to put it right.

        Raises:
            UrpiError: when what is stored cannot be understood.
        """
        return self.service.resume()

    def _read_board(self) -> None:
        self.service.emit(self._contacts.read())
        self.service.read_board(self._contacts.read, self._config.timing.full_reading_ms)

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        if self.screen is not None:
            notice = self.service.notice
            self.screen.show_drawn(lambda: self._picture(snapshot, notice))
        if self._player is not None and (heard := sound(snapshot, decisions, self._words)):
            self._player.play(heard.motif, heard.text)
        self._watch(snapshot, decisions)

    def _picture(self, snapshot: Snapshot, notice: Notice | None) -> Image.Image:
        picture = draw(snapshot, self._words)
        if notice is not None:
            text = self._words.say(notice.code, {"since": notice.since})
            draw_notice(picture, text, lines=1 if notice.brief else NEWS_LINES)
        return picture


def _log_oled(fault: UrpiError | None) -> None:
    _log.warning("%s", fault or "The OLED answers again.")


def local_now() -> datetime:
    """The local time, with its offset from UTC."""
    return datetime.now().astimezone()
