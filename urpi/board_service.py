"""The service at a board: switches, buttons, dice hub and OLED joined with the referee.

What they are plugged into is passed in (`Plugs`): the Pi's header, a serial port and an I2C
bus, or the virtual table's ends of the same.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from PIL import Image

from urpi.config import Config, Hub
from urpi.devices import (
    DiceHub,
    DieFaces,
    HubHealth,
    HubSettings,
    PinMap,
    PressTiming,
    Screen,
    Switches,
    default_pins,
    i2c_bus,
    open_oled,
    open_serial,
    pin_factory,
)
from urpi.errors import UrpiError
from urpi.journal import Keeper
from urpi.notices import Notice
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Game
from urpi.rules import RuleSet, Side, Squares, parse_square
from urpi.service import Clock, Service, Show, referee_settings
from urpi.views import draw
from urpi.views.notice import NEWS_LINES, draw_notice
from urpi.words import words_for


@dataclass(frozen=True, slots=True)
class Plugs:
    """What the devices are plugged into.

    `factory` is gpiozero's for the pins of `pins`; `hub` is what pyserial opens; `faces` what
    the dice show; `oled` a luma device, None where there is no display.
    """

    factory: Any
    pins: PinMap
    hub: str
    faces: DieFaces
    oled: Any | None


def configured_plugs(config: Config) -> Plugs:
    """The far ends that the configuration names.

    Raises:
        UrpiError: when a library is missing, or the pins or the display do not answer.
    """
    oled = None
    if config.oled.driver != "none":
        bus = i2c_bus(config.oled.i2c_port, config.oled.i2c_address)
        oled = open_oled(config.oled.driver, bus, upside_down=config.oled.rotate == 2)
    factory = pin_factory(config.gpio.factory, chip=config.gpio.chip)
    return Plugs(
        factory, _pins(config.gpio.pins), config.hub.port, configured_faces(config.hub), oled
    )


def _pins(changed: Mapping[str, int]) -> PinMap:
    """The pin map with those pins in place of the usual ones.

    Raises:
        UrpiError: when two wires come to lie on one pin.
    """
    pins = default_pins()
    squares, buttons = list(pins.squares), dict(pins.buttons)
    for name, gpio in changed.items():
        if name in {side.value for side in Side}:
            buttons[Side(name)] = gpio
        else:
            squares[parse_square(name)] = gpio
    used = [*squares, *buttons.values()]
    for gpio in used:
        if used.count(gpio) > 1:
            message = f"GPIO {gpio} is used twice; give each square and button its own [gpio] pin."
            raise UrpiError(message)
    return replace(pins, squares=tuple(squares), buttons=buttons)


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
            self.screen = Screen(plugs.oled)
            self.screen.dim(config.oled.contrast)
            opening.callback(self.screen.close)
        self._switches = Switches(
            plugs.factory,
            plugs.pins,
            self._clock,
            self.service.emit,
            timing=PressTiming(long_ms=config.buttons.long_press_ms),
        )
        opening.callback(self._switches.close)
        self._hub = DiceHub(
            lambda: open_serial(plugs.hub),
            plugs.faces,
            self._clock,
            self.service.emit,
            settings=HubSettings(config.hub.tumbled_faces, config.hub.free_fall_ms),
        )
        opening.callback(self._hub.close)
        self._show(self.service.snapshot, ())
        if self.service.game is not None:
            self._read_board()

    @property
    def hub(self) -> HubHealth:
        """How the dice hub is."""
        return self._hub.health

    def occupancy(self) -> Squares:
        """What stands where, read now.

        Raises:
            UrpiError: when a pin cannot be read.
        """
        return self._switches.read().squares

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
        self.service.emit(self._switches.read())
        self.service.read_board(self._switches.read, self._config.timing.full_reading_ms)

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        if self.screen is not None:
            notice = self.service.notice
            self.screen.show_drawn(lambda: self._picture(snapshot, notice))
        self._watch(snapshot, decisions)

    def _picture(self, snapshot: Snapshot, notice: Notice | None) -> Image.Image:
        picture = draw(snapshot, self._words)
        if notice is not None:
            text = self._words.say(notice.code, {"since": notice.since})
            draw_notice(picture, text, lines=1 if notice.brief else NEWS_LINES)
        return picture


def local_now() -> datetime:
    """The local time, with its offset from UTC."""
    return datetime.now().astimezone()
