from dataclasses import replace

from urpi.hardware import DieFaces, DieLine, HubHealth
from urpi.hardware.hub_link import DieStatuses
from urpi.show.menu import DieStatus

THROWN = DieLine(1, 2, "settled", kind=4, face=1, battery_mv=3870, t_ms=0)
HUB = HubHealth(connected=True, alive=True, dice=(2,))


def statuses(hub, *reports):
    dice = DieStatuses(DieFaces())
    for line in reports:
        dice.on_line(line)
    return dice.statuses(hub)


def test_status_has_face_and_battery():
    assert statuses(HUB, THROWN) == (DieStatus(2, True, "g", 3870),)


def test_values_missing_in_a_report_keep_their_last_value():
    rolling = DieLine(2, 2, "rolling", t_ms=9)
    assert statuses(HUB, THROWN, rolling) == (DieStatus(2, True, "g", 3870),)


def test_die_out_of_range_low_battery_and_error():
    broken = replace(THROWN, die=3, error="accel")
    hub = replace(HUB, dice=(3,), low=(2,))
    assert statuses(hub, broken, THROWN) == (
        DieStatus(2, False, "g", 3870, low=True),
        DieStatus(3, True, "g", 3870, error="accel"),
    )
