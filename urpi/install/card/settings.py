"""What a card is configured with. Pure."""

from dataclasses import dataclass, replace
from typing import Final

from urpi.config import (
    Config,
    DiceSection,
    GpioSection,
    JournalSection,
    OledSection,
    PageSection,
    TableSection,
    rendering,
)
from urpi.install.systemd import STATE

OLED_BUS: Final = f"/dev/i2c-{OledSection().i2c_port}"
OLED_ADDRESS: Final = OledSection().i2c_address
OPEN_PAGE: Final = "0.0.0.0:8011"
"""The page's address on every network interface (IPv4)."""


@dataclass(frozen=True, slots=True)
class WifiNetwork:
    """The Wi-Fi network that the Pi joins.

    Attributes:
        ssid: Name of the network.
        psk: Pre-shared key as 64 hexadecimal digits; None for an open network.
        country: ISO 3166 code of the country whose radio regulations apply.
        hidden: Whether the network does not announce its name.
    """

    ssid: str
    psk: str | None
    country: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """The keys of the configuration in which boards differ.

    Attributes:
        rules: Id of the rule set.
        language: Code of the language of OLED and page.
        wiring: ``header`` or ``expander``.
        chutes: Whether the board has finish chutes.
        oled: The display's controller, or ``none``.
        dice: Where the throws come from, as in the configuration; ``hand`` for ordinary dice.
        open_page: Whether the page can be reached from the network.
    """

    rules: str = "finkel"
    language: str = "en"
    wiring: str = "header"
    chutes: bool = False
    oled: str = "ssd1306"
    dice: str = "hub"
    open_page: bool = False

    @property
    def needs_serial_pins(self) -> bool:
        """Whether the serial console must release its pins, which are those of the chutes."""
        return self.chutes and self.wiring == "header"

    def config_text(self) -> str:
        """The board's configuration, a complete file."""
        page = PageSection()
        config = Config(
            table=TableSection(rules=self.rules, language=self.language),
            gpio=GpioSection(wiring=self.wiring, chutes=self.chutes),
            oled=OledSection(driver=self.oled),
            dice=DiceSection(source=self.dice),
            page=replace(page, listen=OPEN_PAGE) if self.open_page else page,
            # The default path of the journal is in the user's home, which the service's user lacks.
            journal=JournalSection(path=f"{STATE}/journal.db"),
        )
        return rendering.example_text(config)


@dataclass(frozen=True, slots=True)
class CardSettings:
    """Everything that a card is configured with; `urpi.install.card.values` checks the values.

    Attributes:
        hostname: The Pi's name in the network.
        user: The user who logs in over SSH.
        ssh_keys: Public keys of that user, as in ``authorized_keys``.
        time_zone: Name of the time zone, such as ``Europe/Budapest``.
        wifi: The Wi-Fi network; None for a network cable only.
        board: The board's configuration.
    """

    hostname: str
    user: str
    ssh_keys: tuple[str, ...]
    time_zone: str
    wifi: WifiNetwork | None
    board: BoardSetup
