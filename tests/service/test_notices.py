"""Which notice is shown when, for devices that come and go."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from urpi.core.supervision import Part
from urpi.journal import Journal, Keeper
from urpi.link.remote.tables_view import ClaimNotice
from urpi.service.notices import MISSING_MS, TRANSIENT_MS, Notice, NoticeCode, Notices
from urpi.service.table_state import _program
from urpi.show.words import words_for
from urpi.show.words.sentences import NOTICES

NO_HUB = Notice("hub-missing", brief=True)
NO_CONTACTS = Notice("contacts-missing", brief=True)


@pytest.fixture
def notices(tmp_path: Path) -> Iterator[Notices]:
    """The notices of a working disk."""
    with Journal.open(tmp_path / "games.db") as journal:
        yield Notices(Keeper(journal))


def test_a_device_is_shown_as_missing_after_three_seconds(notices: Notices) -> None:
    notices.set_unavailable("hub-missing", 1000)

    assert not notices.update(1000 + MISSING_MS - 1)
    assert notices.current is None
    assert notices.update(1000 + MISSING_MS)
    assert notices.current == NO_HUB


def test_a_repeated_report_does_not_postpone_the_notice(notices: Notices) -> None:
    for t in (0, 1000, MISSING_MS - 1):
        notices.set_unavailable("hub-missing", t)

    assert notices.next_due == MISSING_MS
    notices.update(MISSING_MS)
    assert notices.current == NO_HUB


def test_a_device_that_responds_in_time_is_never_shown(notices: Notices) -> None:
    notices.set_unavailable("hub-missing", 0)
    notices.set_available("hub-missing")

    assert notices.next_due is None
    assert not notices.update(MISSING_MS)


def test_a_device_that_fails_again_is_missed_from_then_on(notices: Notices) -> None:
    notices.set_unavailable("hub-missing", 0)
    notices.set_available("hub-missing")
    notices.set_unavailable("hub-missing", 2000)

    notices.update(MISSING_MS)
    assert notices.current is None
    notices.update(2000 + MISSING_MS)
    assert notices.current == NO_HUB


def test_of_two_missing_devices_the_first_is_shown_then_the_other(notices: Notices) -> None:
    notices.set_unavailable("contacts-missing", 0)
    notices.set_unavailable("hub-missing", 1)
    notices.update(1 + MISSING_MS)
    assert notices.current == NO_CONTACTS

    notices.set_available("contacts-missing")
    assert notices.update(2 + MISSING_MS)
    assert notices.current == NO_HUB


def test_both_devices_are_listed_as_unavailable_at_once(notices: Notices) -> None:
    notices.set_unavailable("contacts-missing", 0)
    notices.set_unavailable("hub-missing", 0)

    assert notices.unavailable == ("contacts-missing", "hub-missing")


def test_an_announcement_covers_a_missing_device_for_a_while(notices: Notices) -> None:
    notices.set_unavailable("hub-missing", 0)
    notices.update(MISSING_MS)
    notices.announce("resumed", 5000)

    assert notices.update(5000)
    assert notices.current == Notice("resumed")
    assert notices.next_due == 5000 + TRANSIENT_MS
    assert not notices.update(5000 + TRANSIENT_MS - 1)
    assert notices.update(5000 + TRANSIENT_MS)
    assert notices.current == NO_HUB


def test_low_batteries_are_announced_one_after_the_other(notices: Notices) -> None:
    notices.set_dice("battery-low", (2,), 0)
    notices.set_dice("battery-low", (2, 3), 10)
    shown, dues = [], []
    for t in (10, TRANSIENT_MS, 2 * TRANSIENT_MS):
        notices.update(t)
        shown.append(notices.current)
        dues.append(notices.next_due)

    assert dues == [TRANSIENT_MS, 2 * TRANSIENT_MS, None]
    assert shown == [Notice("battery-low", dice=(2,)), Notice("battery-low", dice=(3,)), None]


def test_a_number_that_two_dice_have_is_announced_apart_from_low_batteries(
    notices: Notices,
) -> None:
    notices.set_dice("battery-low", (2,), 0)
    notices.set_dice("same-number", (2,), 0)
    notices.update(0)
    notices.update(TRANSIENT_MS)
    assert notices.current == Notice("same-number", dice=(2,))


def test_the_details_of_a_notice_are_the_values_of_its_sentence() -> None:
    assert Notice("not-stored", "19:02").details == {"since": "19:02", "dice": ""}
    assert Notice("battery-low", dice=(1, 3)).details == {"since": "", "dice": "1, 3"}


def test_every_code_has_a_sentence() -> None:
    codes = {code for each in get_args(NoticeCode) for code in get_args(each)}
    assert codes == set(NOTICES)


def test_a_claim_is_shown_in_place_of_the_silence(notices: Notices) -> None:
    notices.set_silent("19:02")
    notices.set_claim(ClaimNotice("may-lose", "19:07"))
    assert notices.current == Notice("may-lose", "19:07", brief=True)
    notices.set_claim(None)
    assert notices.current == Notice("no-contact", "19:02", brief=True)


def test_a_part_of_the_program_that_fails_is_shown_while_it_affects_players(
    notices: Notices,
) -> None:
    part = Part("hub", affects_players=True)
    part.fail(LookupError("no"))
    assert notices.update(1)
    assert notices.current == Notice("program-fault", brief=True)

    part.end()

    assert notices.update(2)
    assert notices.current is None


def test_the_page_names_every_part_that_fails() -> None:
    part = Part("sound")
    part.fail(LookupError("no"))
    assert _program(words_for("en"))["program"].problem == "A program fault: sound"
    part.end()
    assert _program(words_for("en")) == {}
