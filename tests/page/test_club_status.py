"""The page's line about the connection to the club, among the devices."""

import pytest

from urpi.link.broker.state_message import ClubStatus
from urpi.service.table_state import Device, club_device
from urpi.show.words import words_for


@pytest.mark.parametrize(
    ("status", "device"),
    [
        (ClubStatus(connected=True), Device(True)),
        (
            ClubStatus(problem="the broker does not respond", waiting=2),
            Device(False, "No connection to the club: games will be sent later."),
        ),
        (
            ClubStatus(connected=True, rejected=True),
            Device(
                True,
                "The club refused a game. Ask the person who runs this table to read the program's "
                "log.",
            ),
        ),
    ],
)
def test_the_state_of_the_connection_is_shown(status: ClubStatus, device: Device) -> None:
    assert club_device(status, words_for("en")) == {"club": device}


def test_without_a_club_there_is_no_line() -> None:
    assert club_device(None, words_for("en")) == {}
