"""The sections of the file as frozen dataclasses: each key with its default and its kind.

This is the one source: the reader checks by it, and `urpi config example` and
docs/reference/configuration.md are written from it. It must not know where a value came from.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final

from urpi.config import wired
from urpi.config.kinds import (
    Choices,
    Flag,
    HostNames,
    Kind,
    Listen,
    OneOf,
    OwnTips,
    PageUrl,
    Pins,
    PlayerName,
    Text,
    Tips,
    Whole,
)
from urpi.errors import UrpiError

_KIND: Final = "kind"
_ABOUT: Final = "about"


def key(
    kind: Kind, about: str, default: object = None, *, made: Callable[[], Any] | None = None
) -> Any:
    """A field of a section; `made` makes a default that can be changed, such as a table."""
    metadata = {_KIND: kind, _ABOUT: about}
    if made is not None:
        return field(default_factory=made, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Table:
    """Who plays, and by which rules, when nobody says otherwise."""

    rules: str = key(
        Text("the id of a rule set"), "The rule set; `urpi rules` lists them.", "finkel"
    )
    options: Mapping[str, str] = key(
        Choices(), "House rules of that rule set; those left out keep their default.", made=dict
    )
    light: str = key(PlayerName(), "Who plays light; empty for nobody in particular.", "")
    dark: str = key(PlayerName(), "Who plays dark.", "")
    language: str = key(
        Text('a language\'s code such as "en"'), "The language of the OLED and the page.", "en"
    )


@dataclass(frozen=True)
class Gpio:
    """The reed switches and buttons on the Pi's header."""

    factory: str = key(
        OneOf(("lgpio", "rpigpio", "mock")),
        "What reaches the pins: lgpio on any Pi, rpigpio up to the Pi 4, mock for the virtual "
        "table. It is never fallen back to another.",
        "lgpio",
    )
    chip: int | None = key(
        Whole(0, 255),
        "The number N of the header's /dev/gpiochipN. Left out, the chip is found by its name.",
    )
    pins: Mapping[str, int] = key(
        Pins(), "Pins that differ from wiring/pins.toml, by BCM number (GPIO17 is 17).", made=dict
    )
    wiring: str = key(
        OneOf(("header", "expander")),
        "Where the contacts are: on the header's pins, or on two MCP23017 as [expander] of "
        "wiring/pins.toml says.",
        "header",
    )
    chutes: bool = key(
        Flag(),
        "Whether the board has finish chutes. On the header they take GPIO "
        f"{' and '.join(map(str, wired.CHUTE_GPIOS))}, the serial console's: switch that off.",
        False,
    )


@dataclass(frozen=True)
class Expander:
    """The two MCP23017, where `wiring` in [gpio] is "expander"."""

    i2c_port: int | None = key(
        Whole(0, 31),
        f"The number N of /dev/i2c-N. Left out, as wiring/pins.toml says: {wired.EXPANDER_PORT}.",
    )
    first: int | None = key(
        Whole(0x20, 0x27, hexadecimal=True),
        "The first chip's 7-bit address. Left out, as wiring/pins.toml says: "
        f"0x{wired.FIRST_ADDRESS:02X}.",
    )
    second: int | None = key(
        Whole(0x20, 0x27, hexadecimal=True),
        "The second chip's 7-bit address. Left out, as wiring/pins.toml says: "
        f"0x{wired.SECOND_ADDRESS:02X}.",
    )
    interrupts: bool = key(
        Flag(),
        "Whether INTA of each chip is wired; without them the chips are looked at again and again.",
        True,
    )
    poll_ms: int = key(
        Whole(3, 100, "ms"), "They are looked at so often where no interrupt is wired.", 5
    )


@dataclass(frozen=True)
class Faces:
    """Which tip of a die is which; a d6 needs no table."""

    d4: tuple[str, ...] = key(
        Tips(),
        "The upper tip for the die's faces 1 to 4, as it was calibrated.",
        ("gold", "silver", "blank", "blank"),
    )
    own: Mapping[int, tuple[str, ...]] = key(
        OwnTips(), "Dice whose tips come in another order, by the die's number.", made=dict
    )


@dataclass(frozen=True)
class Hub:
    """The dice hub on a serial port, and when a throw counts as thrown."""

    port: str = key(
        Text("a device's path"), "The serial port; a udev rule gives it this name.", "/dev/urpi-hub"
    )
    baud: int = key(
        OneOf((9600, 19200, 38400, 57600, 115200)), "Bits a second, as the firmware has it.", 115200
    )
    tumbled_faces: int = key(
        Whole(1, 20, "faces"), "A die that passed so many faces or more was thrown.", 2
    )
    free_fall_ms: int = key(
        Whole(10, 1000, "ms"), "A die that fell freely so long or longer was thrown.", 80
    )
    faces: Faces = field(default_factory=Faces)


@dataclass(frozen=True)
class Oled:
    """The display, 128 by 64 pixels on I2C."""

    driver: str = key(
        OneOf(("ssd1306", "sh1106", "none")),
        "The display's controller; none: there is none.",
        "ssd1306",
    )
    i2c_port: int = key(Whole(0, 31), "The number N of /dev/i2c-N.", wired.OLED_PORT)
    i2c_address: int = key(
        Whole(0x08, 0x77, hexadecimal=True),
        "The display's 7-bit address, 0x3C or 0x3D on most.",
        wired.OLED_ADDRESS,
    )
    rotate: int = key(OneOf((0, 2)), "Quarter turns: 2 when it is mounted upside down.", 0)
    contrast: int = key(Whole(0, 255), "Brightness; less keeps the panel young.", 128)
    dim_s: int = key(
        Whole(0, 86400, "s"), "Dimmed when nothing has happened for so long; 0: never.", 120
    )
    blank_s: int = key(
        Whole(0, 86400, "s"), "Dark when nothing has happened for so long; 0: never.", 600
    )


@dataclass(frozen=True)
class Timing:
    """The referee's waiting times."""

    contact_stable_ms: int = key(
        Whole(0, 100, "ms"), "Time without a change after which a switch counts.", 5
    )
    still_ms: int = key(
        Whole(10, 5000, "ms"), "Time without a change after which a landing counts.", 150
    )
    hover_ms: int = key(
        Whole(0, 5000, "ms"),
        "As still_ms, where the piece may still be moved on to another legal square.",
        400,
    )
    bear_off_ms: int = key(
        Whole(0, 60000, "ms"), "Time without a change after which a bear-off seems made.", 1000
    )
    capture_ms: int = key(
        Whole(0, 60000, "ms"),
        "As bear_off_ms, for a capture whose target was never seen empty.",
        3000,
    )
    seems_ms: int = key(
        Whole(0, 600000, "ms"), "Time after which a move that seems made is accepted.", 12000
    )
    win_ms: int = key(
        Whole(0, 600000, "ms"),
        "As seems_ms, for a winning move that is the only legal one.",
        12000,
    )
    warning_ms: int = key(
        Whole(0, 60000, "ms"),
        "Time after which a wrong board causes a warning.",
        2500,
    )
    lifted_ms: int = key(
        Whole(0, 600000, "ms"), "Time after which a lifted piece is reported missing.", 12000
    )
    stuck_ms: int = key(
        Whole(0, 600000, "ms"),
        "Time after which an uncorrected square counts as a faulty switch.",
        12000,
    )
    cocked_ms: int = key(Whole(0, 60000, "ms"), "Time after which a leaning die is refused.", 1000)
    missing_die_ms: int = key(
        Whole(0, 600000, "ms"),
        "Time after the last settled die at which a die is reported missing.",
        5000,
    )
    pending_ms: int = key(
        Whole(0, 600000, "ms"),
        "Time for which a throw is kept while a player is asked for a move.",
        60000,
    )
    full_reading_ms: int = key(
        Whole(100, 60000, "ms"),
        "Interval of full readings of all squares; an edge can be lost.",
        1000,
    )


@dataclass(frozen=True)
class Journal:
    """Where games are kept."""

    path: str = key(
        Text("a file's path"),
        "The journal, one SQLite file; ~ is the home.",
        "~/.local/share/urpi/journal.db",
    )

    @property
    def file(self) -> Path:
        """The path with ~ in its place.

        Raises:
            UrpiError: when ~ stands for a home that is not known.
        """
        try:
            return Path(self.path).expanduser()
        except RuntimeError:
            message = (
                f"journal.path is {self.path}, and this system knows no such home folder; "
                "give a path that begins with /."
            )
            raise UrpiError(message) from None


@dataclass(frozen=True)
class Buttons:
    """The two players' buttons."""

    long_press_ms: int = key(
        Whole(100, 10000, "ms"), "A press of so long or longer is a long one.", 800
    )


@dataclass(frozen=True)
class Sound:
    """What is heard of throw, turn, warning and winner."""

    buzzer: bool = key(Flag(), "Whether a passive buzzer plays a motif for each.", False)
    buzzer_pin: int | None = key(
        Whole(0, 27),
        f"The buzzer's GPIO. Left out, it is {wired.BUZZER_GPIO} behind expanders, as "
        "wiring/pins.toml says; contacts on the header leave "
        f"{' and '.join(map(str, wired.CHUTE_GPIOS))} alone, and those only without chutes and "
        "serial console.",
    )
    speech: bool = key(
        Flag(),
        "Whether espeak-ng, where it is installed, says them in the table's language.",
        False,
    )
    volume: int = key(Whole(0, 100, "%"), "How loud it speaks; a buzzer knows no loudness.", 70)
    words_a_minute: int = key(Whole(80, 400), "How fast it speaks.", 150)


@dataclass(frozen=True)
class Page:
    """The page in a browser: to watch, and to run the table."""

    listen: str = key(
        Listen(),
        "The address and port that it is served on. On loopback it can be reached from this "
        "machine only, on another address from the network. Anyone who can reach it may watch; "
        'acting requires the PIN. "off" disables the page.',
        "127.0.0.1:8011",
    )
    names: tuple[str, ...] = key(
        HostNames(),
        "Host names of the page besides this machine's own name and addresses; requests for any "
        "other name are refused.",
        (),
    )
    public_url: str = key(
        PageUrl(),
        "The URL under which a reverse proxy on this machine serves the page. Scheme, host and "
        "port must be those that browsers use. Empty: there is no proxy.",
        "",
    )
    trust_loopback: bool = key(
        Flag(),
        "Whether direct connections from this machine may act without the PIN. With a proxy on "
        "this machine, only if it adds a forwarding header to every request.",
        False,
    )


@dataclass(frozen=True)
class Config:
    """All that can be configured."""

    table: Table = field(default_factory=Table)
    gpio: Gpio = field(default_factory=Gpio)
    expander: Expander = field(default_factory=Expander)
    hub: Hub = field(default_factory=Hub)
    oled: Oled = field(default_factory=Oled)
    timing: Timing = field(default_factory=Timing)
    journal: Journal = field(default_factory=Journal)
    buttons: Buttons = field(default_factory=Buttons)
    sound: Sound = field(default_factory=Sound)
    page: Page = field(default_factory=Page)


def kind_of(one: Field[Any]) -> Kind | None:
    """The kind of a key, None for a section."""
    kind: Kind | None = one.metadata.get(_KIND)
    return kind


@dataclass(frozen=True)
class Entry:
    """A key in its place: the section's dotted name, its field, and a value."""

    section: str
    field: Field[Any]
    kind: Kind
    value: object

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost section to the key."""
        return (*self.section.split("."), self.field.name)

    @property
    def about(self) -> str:
        """What the key does."""
        return str(self.field.metadata[_ABOUT])

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return "_".join(("URPI", *self.path)).upper()


def each_section(config: object, name: str = "") -> Iterator[tuple[str, str, list[Entry]]]:
    """Every section in the file's order: its dotted name, what it is for, its entries."""
    assert is_dataclass(config)
    for one in fields(config):
        value = getattr(config, one.name)
        if kind_of(one) is None:
            inner = f"{name}.{one.name}" if name else one.name
            yield inner, str(value.__doc__), list(_entries(value, inner))
            yield from each_section(value, inner)


def _entries(config: Any, name: str) -> Iterator[Entry]:
    for one in fields(config):
        kind = kind_of(one)
        if kind is not None:
            yield Entry(name, one, kind, getattr(config, one.name))
