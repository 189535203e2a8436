"""The sections of the file as frozen dataclasses: each key with its default and its kind.

This is the only source of the keys: the reader, `urpi config example` and
docs/reference/configuration.md use it. It must not depend on where a value came from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from urpi.config.address_kinds import Broker, HostNames, Listen, PageUrl, TableId
from urpi.config.keys import key
from urpi.config.kinds import (
    ClockWord,
    Flag,
    HouseRules,
    OneOf,
    PairedDice,
    Pins,
    PlayerName,
    Readings,
    Text,
    Tips,
    TipsByDie,
    Whole,
)
from urpi.core.errors import UrpiError
from urpi.referee.seats import COACHES, ENGINE_THROWS, SEATS

# Defaults that are also in wiring/pins.toml. They are repeated because every command needs the
# defaults but few need the pin map, which takes longer to read than all other defaults. A test
# compares the two.
OLED_PORT: Final = 1
OLED_ADDRESS: Final = 0x3C
EXPANDER_PORT: Final = 1
EXPANDER_ADDRESSES: Final = (0x20, 0x21)
BUZZER_GPIO: Final = 18
CHUTE_GPIOS: Final = (14, 15)

COLOURS: Final[Mapping[str, tuple[int, int, int]]] = {
    "white": (255, 255, 255),
    "blue": (0, 80, 255),
    "orange": (255, 90, 0),
    "yellow": (255, 180, 0),
    "green": (0, 255, 90),
    "purple": (200, 60, 160),
}
"""The colours of the lights as red, green and blue. White, blue and orange, the defaults, differ
for every kind of colour blindness (Okabe and Ito, "Color Universal Design", 2008)."""

# What several sections have in common.
_FILE: Final = Text("a file's path")
_NAMES: Final = (
    "Host names of the page besides this machine's own name and addresses; requests for any other "
    "name are refused."
)
_PUBLIC_URL: Final = (
    "The URL under which a reverse proxy on this machine serves the page. Scheme, host and port "
    "must be those that browsers use. Empty: there is no proxy."
)
_BROKER: Final = "The broker's host, with a port if it is not 8883, or 1883 without TLS."
_TLS: Final = (
    "Whether the connection is encrypted. If not set, it is unless the broker is on this machine "
    "(loopback)."
)
_CA_FILE: Final = (
    "The certificate of the authority that signed the broker's, in PEM, if it is the club's own. "
    "If not set, the system's authorities are trusted."
)


@dataclass(frozen=True)
class TableSection:
    """The default players, rules and language."""

    rules: str = key(
        Text("the id of a rule set, or as records write it, such as finkel[pieces=3]"),
        "The rule set; `urpi rules` lists them.",
        "finkel",
    )
    options: Mapping[str, str] = key(
        HouseRules(), "House rules of that rule set; the others have their defaults.", factory=dict
    )
    light: str = key(PlayerName(), "The name of the light player; may be empty.", "")
    dark: str = key(PlayerName(), "The name of the dark player; may be empty.", "")
    light_seat: str = key(
        OneOf(SEATS), "Who decides light's moves: a person, or the engine at a level.", "person"
    )
    dark_seat: str = key(OneOf(SEATS), "The same for dark.", "person")
    hints: bool = key(Flag(), "Whether players may ask the engine for hints.", True)
    engine_throws: str = key(
        OneOf(ENGINE_THROWS),
        "What throws for the engine: real dice, which a person throws, or the program.",
        "dice",
    )
    takebacks: bool = key(
        Flag(), "Whether people may take moves back in games against the engine.", True
    )
    early_throws: bool = key(
        Flag(),
        "Whether a throw counts that the next player makes while a piece is still being moved.",
        False,
    )
    clock: str = key(
        ClockWord(),
        "The game clock: minutes for each side, and seconds added after each own move, such as "
        "10+5. Empty: none. Games with another table have none.",
        "",
    )
    light_coach: str = key(
        OneOf(COACHES),
        "The least mistake for which the coach shows light a better move: very bad, bad or "
        "doubtful, which give away 8, 4 or 2 percentage points.",
        "off",
    )
    dark_coach: str = key(OneOf(COACHES), "The same for dark.", "off")
    review: bool = key(
        Flag(),
        "Whether the display shows at the end of a game who was lucky and who made mistakes.",
        True,
    )
    language: str = key(
        Text('a language\'s code such as "en"'), "The language of the OLED and the page.", "en"
    )


@dataclass(frozen=True)
class GpioSection:
    """The reed switches and buttons on the Pi's header."""

    factory: str = key(
        OneOf(("lgpio", "rpigpio", "mock")),
        "The library for the pins: lgpio on any Pi, rpigpio up to the Pi 4, mock for the virtual "
        "table. There is no fallback to another.",
        "lgpio",
    )
    chip: int | None = key(
        Whole(0, 255),
        "The number N of the header's /dev/gpiochipN. If not set, the chip is found by its name.",
    )
    pins: Mapping[str, int] = key(
        Pins(),
        "Pins that differ from wiring/pins.toml, by BCM number (GPIO17 is 17).",
        factory=dict,
    )
    wiring: str = key(
        OneOf(("header", "expander")),
        "Where the contacts are: on the header's pins, or on two MCP23017 as in [expander] of "
        "wiring/pins.toml.",
        "header",
    )
    chutes: bool = key(
        Flag(),
        "Whether the board has finish chutes. On the header they use GPIO "
        f"{' and '.join(map(str, CHUTE_GPIOS))}, which are the serial console's: disable it.",
        False,
    )


@dataclass(frozen=True)
class ExpanderSection:
    """The two MCP23017, if `wiring` in [gpio] is "expander"."""

    i2c_port: int | None = key(
        Whole(0, 31),
        f"The number N of /dev/i2c-N. If not set, as in wiring/pins.toml: {EXPANDER_PORT}.",
    )
    first: int | None = key(
        Whole(0x20, 0x27, hexadecimal=True),
        "The first chip's 7-bit address. If not set, as in wiring/pins.toml: "
        f"0x{EXPANDER_ADDRESSES[0]:02X}.",
    )
    second: int | None = key(
        Whole(0x20, 0x27, hexadecimal=True),
        "The second chip's 7-bit address. If not set, as in wiring/pins.toml: "
        f"0x{EXPANDER_ADDRESSES[1]:02X}.",
    )
    interrupts: bool = key(
        Flag(),
        "Whether INTA of each chip is wired; otherwise the chips are polled.",
        True,
    )
    poll_ms: int = key(Whole(3, 100, "ms"), "Polling interval without interrupts.", 5)


@dataclass(frozen=True)
class SquaresSection:
    """The sensors below the squares."""

    sensor: str = key(
        OneOf(("reed", "hall")),
        "Reed switches, wired as in [gpio]; or Hall sensors on three converters on I2C, which also "
        "tell the sides apart. Buttons and chutes are wired as in [gpio] either way.",
        "reed",
    )
    converter: str = key(
        OneOf(("ads7828", "ads7830")),
        "The Hall sensors' converters: ADS7828 with 12 bits, or ADS7830 with 8, which "
        "sees no piles.",
        "ads7828",
    )
    i2c_port: int = key(Whole(0, 31), "The number N of the converters' /dev/i2c-N.", EXPANDER_PORT)
    empty: tuple[int, ...] = key(
        Readings(1, 4095),
        "The calibration by `urpi doctor --squares`: each Hall sensor's reading without a piece.",
        (),
    )
    piece: tuple[int, ...] = key(
        Readings(-4095, 4095), "How much a light piece adds to each, and a dark one subtracts.", ()
    )


@dataclass(frozen=True)
class FacesSection:
    """The tips of the dice; a d6 needs none."""

    d4: tuple[str, ...] = key(
        Tips(),
        "The tip that is up on the die's faces 1 to 4, in the order of calibration.",
        ("gold", "silver", "blank", "blank"),
    )
    own: Mapping[int, tuple[str, ...]] = key(
        TipsByDie(), "Dice whose tips are in another order, by the die's number.", factory=dict
    )


@dataclass(frozen=True)
class HubSection:
    """The dice hub on a serial port, and when a die counts as thrown."""

    port: str = key(
        Text("a device's path"), "The serial port; a udev rule gives it this name.", "/dev/urpi-hub"
    )
    baud: int = key(
        OneOf((9600, 19200, 38400, 57600, 115200)), "Bits per second, as in the firmware.", 115200
    )
    tumbled_faces: int = key(
        Whole(1, 20, "faces"),
        "Minimum number of faces passed by a thrown die with firmware older than the verdict.",
        2,
    )
    free_fall_ms: int = key(
        Whole(10, 1000, "ms"),
        "Minimum duration of the free fall of a thrown die with firmware older than the verdict.",
        80,
    )
    faces: FacesSection = field(default_factory=FacesSection)


@dataclass(frozen=True)
class DiceSection:
    """Where the throws come from, and the dice with Bluetooth, such as Pixels and GoDice."""

    source: str = key(
        OneOf(("hub", "bluetooth", "both", "hand")),
        "The dice hub of [hub], dice with Bluetooth, or both; hand for ordinary dice, whose throws "
        "the players enter.",
        "hub",
    )
    strictness: Literal["home", "club"] = key(
        OneOf(("home", "club")),
        "How strictly a table judges whether a die of a hub was thrown: at a club, a die that was "
        "held still until it fell counts only if it rolls over three edges.",
        "home",
    )
    adapter: str | None = key(
        Text("an adapter's name such as hci0"),
        "The Bluetooth adapter. If not set, the first one is used.",
    )
    paired: Mapping[int, Mapping[str, str | int]] = key(
        PairedDice(),
        "The dice with Bluetooth, which `urpi dice pair` adds: their address, brand, number of "
        "faces, whose they are, and the secret key of those of the brand urpi.",
        factory=dict,
    )


@dataclass(frozen=True)
class OledSection:
    """The display, 128 by 64 pixels on I2C or SPI."""

    driver: str = key(
        OneOf(("ssd1306", "ssd1309", "sh1106", "none")),
        "The display's controller: ssd1306 on most panels of 0.96 inch, sh1106 on most of 1.3, "
        "ssd1309 on those of 2.42; none for no display.",
        "ssd1306",
    )
    column_offset: int | None = key(
        Whole(0, 4),
        "The column of an sh1106's memory at the left edge of the glass, 2 on most panels: 0 if "
        "the two columns at the left edge are stray, 4 if those at the right edge are.",
    )
    interface: str = key(
        OneOf(("i2c", "spi")),
        "The wires that its module uses: I2C, or SPI on /dev/spidev0.0, whose pins are those of "
        "squares, so that the contacts must be on expanders.",
        "i2c",
    )
    dc_pin: int = key(Whole(4, 27), "The GPIO of the module's D/C, with SPI.", 24)
    reset_pin: int | None = key(
        Whole(4, 27),
        "The GPIO of the module's reset (RES), which most of 2.42 inch need with I2C too; without "
        "a pin, the module resets itself.",
    )
    i2c_port: int = key(Whole(0, 31), "The number N of /dev/i2c-N.", OLED_PORT)
    i2c_address: int = key(
        Whole(0x08, 0x77, hexadecimal=True),
        "The display's 7-bit address, usually 0x3C or 0x3D.",
        OLED_ADDRESS,
    )
    rotate: int = key(OneOf((0, 2)), "Quarter turns: 2 if it is mounted upside down.", 0)
    contrast: int = key(Whole(0, 255), "Brightness; a lower value extends the panel's life.", 128)
    dim_s: int = key(
        Whole(0, 86400, "s"), "Time without activity after which it is dimmed; 0 for never.", 120
    )
    blank_s: int = key(
        Whole(0, 86400, "s"),
        "Time without activity after which it is switched off; 0 for never.",
        600,
    )


@dataclass(frozen=True)
class TimingSection:
    """The referee's waiting times."""

    contact_stable_ms: int = key(
        Whole(0, 100, "ms"), "Time without a change after which a switch counts.", 5
    )
    still_ms: int = key(
        Whole(10, 5000, "ms"), "Time without a change after which a landing counts.", 150
    )
    hover_ms: int = key(
        Whole(0, 5000, "ms"),
        "As still_ms, of a picture that a hand may pass through, as in a take-back.",
        400,
    )
    final_ms: int = key(
        Whole(0, 60000, "ms"),
        "Time after which a landing is final from which the piece may still be moved on.",
        1000,
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
class JournalSection:
    """The file of the games."""

    path: str = key(
        _FILE,
        "The journal, an SQLite file; ~ is the home directory.",
        "~/.local/share/urpi/journal.db",
    )

    @property
    def file(self) -> Path:
        """The path with ~ expanded.

        Raises:
            UrpiError: If the home directory is not known.
        """
        try:
            return Path(self.path).expanduser()
        except RuntimeError:
            message = (
                f"journal.path is {self.path}, but this system has no such home folder; "
                "use a path that begins with /."
            )
            raise UrpiError(message) from None


@dataclass(frozen=True)
class ButtonsSection:
    """The two players' buttons."""

    long_press_ms: int = key(Whole(100, 10000, "ms"), "Minimum duration of a long press.", 800)


@dataclass(frozen=True)
class SoundSection:
    """The sounds for throw, turn, warning and winner."""

    buzzer: bool = key(Flag(), "Whether a passive buzzer plays a motif for each.", False)
    buzzer_pin: int | None = key(
        Whole(0, 27),
        f"The buzzer's GPIO. If not set, it is {BUZZER_GPIO} with expanders, as in "
        "wiring/pins.toml. With contacts on the header only "
        f"{' and '.join(map(str, CHUTE_GPIOS))} are free, if there are no chutes and no "
        "serial console.",
    )
    speech: bool = key(
        Flag(),
        "Whether espeak-ng, if installed, speaks them in the table's language.",
        False,
    )
    volume: int = key(Whole(0, 100, "%"), "Volume of the speech; a buzzer has none.", 70)
    words_a_minute: int = key(Whole(80, 400), "Speed of the speech in words per minute.", 150)


@dataclass(frozen=True)
class LightsSection:
    """The lights: an LED below each square, WS2812B or SK6812, on SPI."""

    on: bool = key(
        Flag(),
        "Whether there are lights. Their data wire is on the pin of a square, so that the contacts "
        "must be on expanders.",
        False,
    )
    brightness: int = key(Whole(5, 100, "%"), "Brightness of the lights that are not dim.", 30)
    limit_ma: int = key(
        Whole(100, 1500, "mA"),
        "Maximum current of all LEDs together, as computed; they are darkened to keep it.",
        500,
    )
    light_colour: str = key(
        OneOf(tuple(COLOURS)), "The colour of light's moves and pieces.", "white"
    )
    dark_colour: str = key(OneOf(tuple(COLOURS)), "The same for dark, which also winks.", "blue")
    take_off_colour: str = key(
        OneOf(tuple(COLOURS)), "The colour of pieces to be taken off, which also blinks.", "orange"
    )
    night_from: int | None = key(
        Whole(0, 23), "The hour, in local time, from which they are off. If not set, never."
    )
    night_until: int = key(Whole(0, 23), "The hour from which they are on again.", 7)


@dataclass(frozen=True)
class PageSection:
    """The page in a browser, to watch and to operate the table."""

    listen: str = key(
        Listen(),
        "The address and port that it is served on. On loopback it can be reached from this "
        "machine only, on another address from the network. Anyone who can reach it may watch; "
        'acting requires the PIN. "off" disables the page.',
        "127.0.0.1:8011",
    )
    names: tuple[str, ...] = key(HostNames(), _NAMES, ())
    public_url: str = key(PageUrl(), _PUBLIC_URL, "")
    trust_loopback: bool = key(
        Flag(),
        "Whether direct connections from this machine may act without the PIN. With a proxy on "
        "this machine, only if it adds a forwarding header to every request.",
        False,
    )


@dataclass(frozen=True)
class ClubSection:
    """The club to which this table sends its games, by an MQTT broker."""

    broker: str | None = key(Broker(), f"{_BROKER} If not set, nothing is sent.")
    table: str | None = key(
        TableId(), "This table's id in the club, which is also its user at the broker."
    )
    password_file: str = key(
        _FILE,
        "The file with the table's password at the broker, which other users must not be able to "
        "read.",
        "~/.config/urpi/club-password",
    )
    tls: bool | None = key(Flag(), _TLS)
    ca_file: str | None = key(_FILE, _CA_FILE)
    home_assistant: bool = key(
        Flag(),
        "Whether the table announces itself to Home Assistant: turn, throw, score, faults and the "
        "dice's batteries.",
        False,
    )


@dataclass(frozen=True)
class ClubServerSection:
    """The club that `urpi club serve` runs, on a machine without a board."""

    broker: str | None = key(Broker(), _BROKER)
    password_file: str = key(
        _FILE,
        'The file with the password of the user "club" at the broker, which other users must not '
        "be able to read.",
        "/etc/mosquitto/urpi/club.password",
    )
    tls: bool | None = key(Flag(), _TLS)
    ca_file: str | None = key(_FILE, _CA_FILE)
    database: str = key(
        Text("a URL such as postgresql://user@host/name"),
        "The PostgreSQL database, as a connection URI of libpq. A password belongs in ~/.pgpass.",
        "postgresql:///urpi",
    )
    listen: str = key(
        Listen(),
        "The address and port of the club's page: the wall and the games. On loopback it can be "
        "reached from this machine only, on another address from the network. Anyone who can reach "
        'it may watch. "off" disables the page.',
        "127.0.0.1:8032",
    )
    names: tuple[str, ...] = key(HostNames(), _NAMES, ())
    public_url: str = key(PageUrl(), _PUBLIC_URL, "")
    log: str = key(
        OneOf(("text", "json")),
        "The form of the log: text for people, or a JSON object in each line for programs that "
        "collect logs.",
        "text",
    )


@dataclass(frozen=True)
class Config:
    """The whole configuration."""

    table: TableSection = field(default_factory=TableSection)
    gpio: GpioSection = field(default_factory=GpioSection)
    expander: ExpanderSection = field(default_factory=ExpanderSection)
    squares: SquaresSection = field(default_factory=SquaresSection)
    hub: HubSection = field(default_factory=HubSection)
    dice: DiceSection = field(default_factory=DiceSection)
    oled: OledSection = field(default_factory=OledSection)
    timing: TimingSection = field(default_factory=TimingSection)
    journal: JournalSection = field(default_factory=JournalSection)
    buttons: ButtonsSection = field(default_factory=ButtonsSection)
    sound: SoundSection = field(default_factory=SoundSection)
    lights: LightsSection = field(default_factory=LightsSection)
    page: PageSection = field(default_factory=PageSection)
    club: ClubSection = field(default_factory=ClubSection)
    club_server: ClubServerSection = field(default_factory=ClubServerSection)
