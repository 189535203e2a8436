"""What the display shows, for whoever is not there: without the PIN."""

import pytest

from urpi.menu import Item, Listing, Note, Pin, Recap, Screen, without_pin

ABOUT = Listing("about", (Item("version"), Item("address", "urpi:8011"), Item("pin", "314159")))


@pytest.mark.parametrize("screen", [ABOUT, Pin("314159", "urpi:8011")])
def test_the_pin_is_hidden_wherever_it_stands(screen: Screen) -> None:
    hidden = without_pin(screen)
    assert "314159" in str(screen)
    assert "314159" not in str(hidden)
    assert "urpi:8011" in str(hidden)


@pytest.mark.parametrize("screen", [Note("saved"), Recap(), Listing("menu", (Item("back"),))])
def test_any_other_screen_is_as_it_is(screen: Screen) -> None:
    assert without_pin(screen) == screen
