"""The menu: what the two buttons do besides the referee's questions; it decides no game."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.menu.around import Around, DieSeen, Page, Sight
    from urpi.menu.deals import Deal
    from urpi.menu.machine import due, looked_back, press, seen, shown_pin
    from urpi.menu.screens import (
        Entry,
        Item,
        Listing,
        Note,
        Offer,
        Pin,
        Reading,
        Recap,
        Screen,
        without_pin,
    )
    from urpi.menu.state import LookBack, Menu, Told
else:
    export(
        __name__,
        {
            "around": ("Around", "DieSeen", "Page", "Sight"),
            "deals": ("Deal",),
            "machine": ("due", "looked_back", "press", "seen", "shown_pin"),
            "screens": (
                "Entry",
                "Item",
                "Listing",
                "Note",
                "Offer",
                "Pin",
                "Reading",
                "Recap",
                "Screen",
                "without_pin",
            ),
            "state": ("LookBack", "Menu", "Told"),
        },
    )

__all__ = [
    "Around",
    "Deal",
    "DieSeen",
    "Entry",
    "Item",
    "Listing",
    "LookBack",
    "Menu",
    "Note",
    "Offer",
    "Page",
    "Pin",
    "Reading",
    "Recap",
    "Screen",
    "Sight",
    "Told",
    "due",
    "looked_back",
    "press",
    "seen",
    "shown_pin",
    "without_pin",
]
