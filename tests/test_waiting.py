"""The function with which tests wait for what another thread or process does."""

import pytest

from tests.waiting import wait_until


def test_the_value_of_the_condition_is_returned_as_soon_as_it_holds() -> None:
    values = iter(["", "", "ready"])
    assert wait_until(lambda: next(values), "the third value") == "ready"


def test_an_error_names_what_did_not_come_in_time() -> None:
    with pytest.raises(AssertionError, match=r"not within 0 s: the end of the game"):
        wait_until(lambda: False, "the end of the game", timeout_s=0.01)
