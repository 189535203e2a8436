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
        NextGame,
        Offer,
        PagePin,
        PositionSetUp,
        Recap,
        TextPage,
        without_pin,
    )
    from urpi.show.menu.state import (
        DrawOffer,
        LastMinuteRequest,
        Menu,
        Output,
        QuestionRequest,
        SetUpRequest,
    )
    from urpi.show.menu.state_machine import (
        due,
        on_press,
        show_answer,
        show_cleared,
        show_declined,
        show_invitation,
        show_last_minute,
        show_message,
        show_next_game,
        show_offer,
        show_pin,
        tick,
    )
    from urpi.show.menu.status import Activity, DieStatus, PageAccess, TableStatus

export(__name__)
