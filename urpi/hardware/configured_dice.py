"""The dice as configured: what their faces show, and which dice with Bluetooth are paired."""

from urpi.config import DiceSection, HubSection
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.rules import TIP_LETTERS


def paired_dice(settings: DiceSection) -> tuple[PairedDie, ...]:
    """Return the paired dice, by number."""
    return tuple(
        PairedDie(
            number,
            "godice" if die["brand"] == "godice" else "pixels",
            str(die["address"]),
            int(die["faces"]),
        )
        for number, die in sorted(settings.paired.items())
    )


def configured_faces(hub: HubSection) -> DieFaces:
    """Return what the faces of the configured dice show."""
    own = {die: _letters(tips) for die, tips in hub.faces.own.items()}
    return DieFaces(_letters(hub.faces.d4), own)


def _letters(tips: tuple[str, ...]) -> str:
    return "".join(TIP_LETTERS[tip] for tip in tips)
