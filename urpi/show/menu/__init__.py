"""The menu: what the two buttons do besides answering the referee. It makes no decisions."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.show.menu.proposals import Proposal
    from urpi.show.menu.screens import (
        Invitation,
        Item,
        LastMinute,
        Listing,
        MenuScreen,
        Message,
        Offer,
        PagePin,
        Recap,
        TextPage,
        without_pin,
    )
    from urpi.show.menu.state import DrawOffer, LastMinuteRequest, Menu, Output
    from urpi.show.menu.state_machine import (
        due,
        on_press,
        show_declined,
        show_invitation,
        show_last_minute,
        show_message,
        show_offer,
        show_pin,
        tick,
    )
    from urpi.show.menu.status import Activity, DieInfo, PageAccess, TableStatus
else:
    export(
        __name__,
        {
            "state_machine": (
                "due",
                "on_press",
                "show_declined",
                "show_invitation",
                "show_last_minute",
                "show_message",
                "show_offer",
                "show_pin",
                "tick",
            ),
            "proposals": ("Proposal",),
            "screens": (
                "Invitation",
                "Item",
                "LastMinute",
                "Listing",
                "MenuScreen",
                "Message",
                "Offer",
                "PagePin",
                "Recap",
                "TextPage",
                "without_pin",
            ),
            "state": ("DrawOffer", "LastMinuteRequest", "Menu", "Output"),
            "status": ("Activity", "DieInfo", "PageAccess", "TableStatus"),
        },
    )

__all__ = [
    "Activity",
    "DieInfo",
    "DrawOffer",
    "Invitation",
    "Item",
    "LastMinute",
    "LastMinuteRequest",
    "Listing",
    "Menu",
    "MenuScreen",
    "Message",
    "Offer",
    "Output",
    "PageAccess",
    "PagePin",
    "Proposal",
    "Recap",
    "TableStatus",
    "TextPage",
    "due",
    "on_press",
    "show_declined",
    "show_invitation",
    "show_last_minute",
    "show_message",
    "show_offer",
    "show_pin",
    "tick",
    "without_pin",
]
