"""The menu: what the two buttons do besides the referee's questions; it decides no game."""

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
