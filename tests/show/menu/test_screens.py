"""The screens as shown outside the board, without the PIN."""

import pytest

from urpi.show.menu import Item, Listing, MenuScreen, Message, PagePin, Recap, without_pin

ABOUT = Listing("about", (Item("version"), Item("address", "urpi:8011"), Item("pin", "314159")))


@pytest.mark.parametrize("screen", [ABOUT, PagePin("314159", "urpi:8011")])
def test_pin_is_hidden(screen: MenuScreen) -> None:
    hidden = without_pin(screen)
    assert "314159" in str(screen)
    assert "314159" not in str(hidden)
    assert "urpi:8011" in str(hidden)


@pytest.mark.parametrize("screen", [Message("saved"), Recap(), Listing("menu", (Item("back"),))])
def test_other_screens_are_unchanged(screen: MenuScreen) -> None:
    assert without_pin(screen) == screen
