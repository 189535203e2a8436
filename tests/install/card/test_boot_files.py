"""The firmware's files: what is added, what is kept, and that a second time changes nothing."""

import pytest

from urpi.install.card.boot_files import with_interfaces, with_parameters

STOCK = "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait resize\n"


@pytest.mark.parametrize("before", ["", "dtparam=spi=on\n[cm4]\notg_mode=1\n", "a=1"])
def test_interfaces_are_added_for_every_model_and_only_once(before: str) -> None:
    once = with_interfaces(before)
    assert once.startswith(before.rstrip("\n"))
    added = once[len(before.rstrip("\n")) :].splitlines()
    assert added.index("[all]") < added.index("dtparam=i2c_arm=on")
    assert "dtparam=spi=off" in added
    assert with_interfaces(once) == once


def test_what_the_owner_adds_later_is_kept() -> None:
    changed = with_interfaces("a=1\n") + "b=2\n"
    again = with_interfaces(changed)
    assert again.startswith("a=1\n")
    assert "b=2\n" in again
    assert again.count("i2c_arm=on") == 1


@pytest.mark.parametrize(
    ("before", "country", "console", "after"),
    [
        (STOCK, None, True, STOCK),
        (STOCK, None, False, STOCK.replace("console=serial0,115200 ", "")),
        (STOCK, "HU", True, f"{STOCK.strip()} cfg80211.ieee80211_regdom=HU\n"),
        ("a cfg80211.ieee80211_regdom=GB b\n", "HU", True, "a b cfg80211.ieee80211_regdom=HU\n"),
        ("a ds=nocloud;i=rpi-imager-17 b\n", None, True, "a ds=nocloud;i=own b\n"),
    ],
)
def test_parameters_stay_in_one_line(
    before: str, country: str | None, console: bool, after: str
) -> None:
    once = with_parameters(before, "own", country, serial_console=console)
    assert once == after
    assert with_parameters(once, "own", country, serial_console=console) == once
