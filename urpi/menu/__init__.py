"""The menu: what the two buttons do besides the referee's questions; it decides no game."""

from urpi.menu.around import Around, DieSeen, Page, Sight
from urpi.menu.deals import Deal
from urpi.menu.machine import due, looked_back, press, seen
from urpi.menu.screens import Entry, Item, Listing, Note, Offer, Reading, Recap, Screen
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
    "Reading",
    "Recap",
    "Screen",
    "Sight",
    "Told",
    "due",
    "looked_back",
    "press",
    "seen",
]
