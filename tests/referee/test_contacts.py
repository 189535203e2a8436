"""Contacts: which edges of a switch are changes, and which are a fault."""

from urpi.referee.contacts import Contacts, edge, flickers, settled
from urpi.referee.settings import Timing
from urpi.rules import parse_square

TIMING = Timing()
A1, A2 = parse_square("A1"), parse_square("A2")


def changed(times: list[int], square: int = A1, contacts: Contacts | None = None) -> Contacts:
    """Return the contacts after edges of a square that close and open it in turn."""
    found = contacts or Contacts()
    for t in times:
        found = edge(found, t, square, not found.raw >> square & 1, TIMING)
    return found


def test_a_bounce_back_to_the_same_level_is_no_change() -> None:
    contacts = settled(changed([1000, 1002]), 1100, TIMING)
    assert (contacts.log, contacts.stable, contacts.unsettled) == ((), 0, 0)


def test_a_level_that_lasts_is_logged_when_it_began() -> None:
    contacts = settled(changed([1000]), 1000 + TIMING.contact_stable_ms, TIMING)
    assert [(one.t, one.square, one.on) for one in contacts.log] == [(1000, A1, True)]


def test_every_square_that_closed_once_is_remembered() -> None:
    contacts = changed([1000, 2000], A2, changed([500, 700]))
    assert contacts.closed == 1 << A1 | 1 << A2


def test_a_contact_flickers_with_the_twelfth_edge_without_rest() -> None:
    times = [1000 + 140 * number for number in range(TIMING.flicker_edges)]
    assert times[-1] - times[0] >= TIMING.flicker_ms
    assert not flickers(changed(times[:-1]), A1, TIMING)
    assert flickers(changed(times), A1, TIMING)


def test_a_contact_that_changes_once_a_second_does_not_flicker() -> None:
    times = [1000 * number for number in range(1, 3 * TIMING.restless_changes)]
    assert not flickers(changed(times), A1, TIMING)


def test_a_contact_that_changes_faster_than_any_hand_flickers() -> None:
    times = [1000 + 400 * number for number in range(TIMING.restless_changes + 1)]
    assert times[-1] - times[0] < TIMING.restless_ms
    assert flickers(changed(times), A1, TIMING)
