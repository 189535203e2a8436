"""The screens of a card's first boot, drawn when the card is prepared."""

from typing import Final

from urpi.hardware.recorded_oled import transfers_for
from urpi.install.card.first_boot import Screen, Screens
from urpi.show.views.card_progress import draw_progress
from urpi.show.words import words_for
from urpi.show.words.card_words import FAULT, FAULTS, STEP, STEPS

NO_OLED: Final = "none"


def card_screens(language: str, oled: str) -> Screens:
    """Return the steps and faults in a language, drawn for a display.

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
