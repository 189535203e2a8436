"""What `urpi card` does: complete the options by questions, draw the screens, write the card."""

import sys
import zoneinfo
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from urpi.cli.card import DICE, OLEDS, WIRINGS
from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.hardware.oled import transfers_for
from urpi.install.card import boot_files, cloud_init, first_boot, values
from urpi.install.card.first_boot import Screen, Screens
from urpi.install.card.packages import Package, read_packages
from urpi.install.card.partition import BACKUP, BootPartition
from urpi.install.card.settings import BoardSetup, CardSettings, WifiNetwork
from urpi.rules import RULE_SETS
from urpi.show.views.notice import draw_progress
from urpi.show.words import display_languages, words_for
from urpi.show.words.card_words import FAULT, FAULTS, STEP, STEPS

DEFAULT_KEYS: Final = ("id_ed25519.pub", "id_ecdsa.pub", "id_rsa.pub")
_EXCLUSIVE: Final = {
    "no_wifi": ("ssid", "passphrase_file", "is_open", "hidden", "country"),
    "is_open": ("passphrase_file",),
}
_MAX_BYTES: Final = 64 * 1024
NO_OLED: Final = "none"

_T = TypeVar("_T")


def prepare(
    folder: Path, packages: Sequence[Path], given: dict[str, Any], *, force: bool
) -> list[str]:
    """Prepare a card, and return the lines that report it.

    Args:
        folder: The boot partition.
        packages: Files of the Debian packages.
        given: The other options by their parameter names.
        force: Whether a configured card is changed.

    Raises:
        UrpiError: If an input is invalid, or the card cannot be read or written.
    """
    partition = BootPartition(folder)
    if partition.is_configured and not force:
        message = (
            f"The card in {folder} is already configured, by Raspberry Pi Imager or by this "
            "command; flash it without settings, or add --force to replace them."
        )
        raise UrpiError(message)
    found = read_packages(packages)
    answers = Answers(given, asks=sys.stdin is not None and sys.stdin.isatty())
    settings = answers.settings()
    return [
        f"{folder}: {partition.release or 'Raspberry Pi OS'}",
        *write_card(partition, settings, found),
    ]


def write_card(
    partition: BootPartition, settings: CardSettings, packages: Sequence[Package]
) -> list[str]:
    """Write everything to the card, and return the lines that report it.

    Raises:
        UrpiError: If the card cannot be read or written.
    """
    screens = card_screens(settings.board.language, settings.board.oled)
    texts = {
        "user-data": cloud_init.user_data(
            settings, first_boot.source(), screens.to_json(), packages
        ),
        "network-config": cloud_init.network_config(settings.wifi),
    }
    own_id = cloud_init.instance_id([*texts.values(), *(each.file.name for each in packages)])
    texts["config.txt"] = boot_files.with_interfaces(partition.read("config.txt"))
    texts["cmdline.txt"] = boot_files.with_parameters(
        partition.read("cmdline.txt"),
        own_id,
        settings.wifi.country if settings.wifi else None,
        serial_console=not settings.board.needs_serial_pins,
    )
    # It is renamed last: without a new id, cloud-init applies nothing.
    texts["meta-data"] = cloud_init.meta_data(own_id)
    copies = [each.file for each in packages]
    changed = partition.write(texts, cloud_init.PACKAGES, copies)
    (version,) = (each.version for each in packages if each.name == "urpi")
    return [
        *(f"{name}: written" for name in changed),
        f"{cloud_init.PACKAGES}: urpi {version} and {len(packages) - 1} other packages",
        f"What was there before is kept as NAME{BACKUP}. Eject the card and start the Pi with it.",
        f"After the installation: ssh {settings.user}@{settings.hostname}.local",
    ]


class Answers:
    """The values of the options; those that are missing are asked for at a terminal.

    Args:
        given: The options by their parameter names.
        asks: Whether a terminal is attached.
    """

    def __init__(self, given: dict[str, Any], *, asks: bool) -> None:
        self._given, self._asks = given, asks

    def settings(self) -> CardSettings:
        """All settings, checked.

        Raises:
            UrpiError: If a value is invalid, or is missing and cannot be asked for.
        """
        zones = zoneinfo.available_timezones()
        return CardSettings(
            wifi=self._wifi(),
            hostname=self._value("hostname", "Host name", values.parse_hostname, "urpi"),
            user=self._value("user", "User", values.parse_user, "pi"),
            ssh_keys=self._value("ssh_key", "File of the SSH key", _ssh_keys, _default_key()),
            time_zone=self._value(
                "time_zone", "Time zone", lambda text: values.parse_time_zone(text, zones), "UTC"
            ),
            board=self._board(),
        )

    def _wifi(self) -> WifiNetwork | None:
        self._check_combinations()
        if self._given["no_wifi"]:
            return None
        ssid = self._value("ssid", "Name of the Wi-Fi", values.parse_ssid)
        country = self._value("country", "Country code, such as GB", values.parse_country)
        return WifiNetwork(ssid, self._psk(ssid), country, self._given["hidden"])

    def _check_combinations(self) -> None:
        for one, others in _EXCLUSIVE.items():
            both = [other for other in others if self._given[other]]
            if self._given[one] and both:
                names = one.removeprefix("is_"), both[0].removeprefix("is_")
                message = "--{} cannot be combined with --{}; leave one of them out.".format(
                    *(name.replace("_", "-") for name in names)
                )
                raise UrpiError(message)

    def _psk(self, ssid: str) -> str | None:
        file: Path | None = self._given["passphrase_file"]
        if self._given["is_open"]:
            return None
        if file is not None:
            text = read_text(file, "passphrase file", _MAX_BYTES, "choose another")
            return values.pre_shared_key(ssid, text.removesuffix("\n"))
        if not self._asks:
            message = "The Wi-Fi's passphrase is missing; add --passphrase-file FILE or --open."
            raise UrpiError(message)
        return _asked(
            "Passphrase", lambda text: values.pre_shared_key(ssid, text), None, hidden=True
        )

    def _board(self) -> BoardSetup:
        def choice(key: str, what: str, allowed: Sequence[str], default: str) -> str:
            return self._value(
                key,
                f"{what.capitalize()} ({', '.join(allowed)})",
                lambda text: values.parse_choice(what, text, allowed),
                default,
            )

        return BoardSetup(
            language=choice("language", "language", display_languages(), "en"),
            rules=choice("rules", "rule set", tuple(RULE_SETS), "finkel"),
            wiring=choice("wiring", "wiring", WIRINGS, "header"),
            oled=choice("oled", "display", OLEDS, "ssd1306"),
            dice=choice("dice", "dice", DICE, "hub"),
            chutes=self._given["chutes"],
            open_page=self._given["open_page"],
        )

    def _value(
        self, key: str, question: str, parse: Callable[[str], _T], default: str | None = None
    ) -> _T:
        given = self._given[key]
        if given is not None:
            return parse(str(given))
        if self._asks:
            return _asked(question, parse, default)
        if default is None:
            message = f"--{key.replace('_', '-')} is missing; `urpi card --help` lists the options."
            raise UrpiError(message)
        return parse(default)


def _asked(
    question: str, parse: Callable[[str], _T], default: str | None, *, hidden: bool = False
) -> _T:
    """The answer to a question, which is repeated after an invalid one."""

    def parsed(text: str) -> _T:
        try:
            return parse(text)
        except UrpiError as error:
            raise click.UsageError(str(error)) from error

    answer: _T = click.prompt(question, default, value_proc=parsed, hide_input=hidden, err=True)
    return answer


def _ssh_keys(file: str) -> tuple[str, ...]:
    path = Path(file).expanduser()
    return values.parse_ssh_keys(read_text(path, "SSH key", _MAX_BYTES, "choose another"))


def _default_key() -> str | None:
    """Return the path of this machine's own public key; None if there is none."""
    paths = (Path("~/.ssh").expanduser() / name for name in DEFAULT_KEYS)
    return next((str(path) for path in paths if path.is_file()), None)


def card_screens(language: str, oled: str) -> Screens:
    """The steps and faults in a language, drawn for a display.

    Args:
        language: Code of the language.
        oled: The display's controller, or ``none``.
    """
    words = words_for(language)

    def screen(title: str, text: str) -> Screen:
        image = draw_progress(title, text)
        return Screen(title, text, () if oled == NO_OLED else transfers_for(oled, image))

    steps = {
        name: screen(words.text(STEP).format(step=number, steps=len(STEPS)), words.text(text))
        for number, (name, text) in enumerate(STEPS.items(), start=1)
    }
    faults = {name: screen(words.text(FAULT), words.text(text)) for name, text in FAULTS.items()}
    first, *_, last = STEPS
    return Screens(language, steps | faults, first, last)
