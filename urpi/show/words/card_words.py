"""The texts that a card shows while it installs urpi. The English text is the msgid.

The display has room for a title of one line and a text of about 75 letters.
"""

from types import MappingProxyType
from typing import Final

from urpi.show.words.sentences import N_

# Translators: While the card is prepared: the title, 16 letters.
STEP: Final = N_("Step {step} of {steps}")
"""The title of a step."""
# Translators: What is being done: three lines of 21 letters on the display.
STEPS: Final = MappingProxyType(
    {
        "settings": N_("Applying the card's settings."),
        "check": N_("Checking the packages on the card."),
        "libraries": N_("Downloading libraries. This takes a few minutes."),
        "install": N_("Installing the program. This takes a few minutes."),
        "start": N_("Starting the program."),
    }
)
"""The steps in their order, by the names that the card's installer reports."""
# Translators: The title if the installation failed: 16 letters.
FAULT: Final = N_("Not installed yet")
"""The title of a fault; the installer tries again every 30 seconds."""
# Translators: Why the installation failed: three lines of 21 letters on the display.
FAULTS: Final = MappingProxyType(
    {
        "damaged": N_("A package on the card is damaged. Prepare the card again."),
        "network": N_("No network. Check the cable, or the Wi-Fi's name, passphrase and country."),
        "full": N_("The card is full. Use one of 8 GB or more."),
        "failed": N_("The installation failed. The log says why: journalctl -u urpi-card"),
    }
)
"""The faults, by the names that the card's installer reports."""
