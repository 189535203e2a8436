"""The hand-wired die's layout on perforated board has the nets of wiring/dice.toml."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

from wiring.draw.perfboard import COLUMNS, LAYOUT, ROWS, net_of, nets, pins

DICE = tomllib.loads((Path(__file__).parents[3] / "wiring" / "dice.toml").read_text("utf-8"))
PINS = pins()
SUPPLY = DICE["die-supply"]
GROUND, PLUS = net_of(PINS[SUPPLY["GND"]]), net_of(PINS[SUPPLY["VCC"]])
CELL = net_of(LAYOUT["leads"]["cell"]["+"])


def net_of_wire(name):
    return net_of(PINS[DICE["die"][name]["pin"]])


def parts_between(one, other):
    """Return the values of the parts between two nets."""
    found = [
        part["value"]
        for part in LAYOUT["parts"]
        if {net_of(hole) for hole in part["holes"]} == {one, other}
    ]
    return sorted(found)


def test_every_hole_is_on_the_board():
    paths = [*LAYOUT["bridges"], *LAYOUT["wires"], *(part["holes"] for part in LAYOUT["parts"])]
    holes = {hole for path in paths for hole in path} | {*LAYOUT["regulator"]}
    holes |= {hole for ends in LAYOUT["leads"].values() for hole in ends.values()}
    assert all(hole[0] in ROWS and 1 <= int(hole[1:]) <= COLUMNS for hole in holes)


def test_bridges_and_parts_connect_neighbours():
    steps = [step for path in LAYOUT["bridges"] for step in pairwise(path)]
    for one, other in [*steps, *(part["holes"] for part in LAYOUT["parts"])]:
        across = abs(int(one[1:]) - int(other[1:]))
        down = abs(ROWS.index(one[0]) - ROWS.index(other[0]))
        assert across + down == 1, (one, other)


def test_no_two_parts_or_bridges_cover_the_same_place():
    steps = [step for path in LAYOUT["bridges"] for step in pairwise(path)]
    places = [frozenset(step) for step in [*steps, *(part["holes"] for part in LAYOUT["parts"])]]
    assert len(places) == len(set(places))


def test_each_net_has_one_pin_of_the_chip_or_a_supply():
    for net in nets():
        found = {pin for pin, hole in PINS.items() if hole in net}
        supplies = [{SUPPLY["GND"], SUPPLY["AGND"]}, {SUPPLY["VCC"], SUPPLY["AVCC"]}]
        assert len(found) <= 1 or found in supplies, (found, sorted(net))


def test_the_supplies_are_connected():
    assert net_of(PINS[SUPPLY["AGND"]]) == GROUND
    assert net_of(PINS[SUPPLY["AVCC"]]) == PLUS
    assert len({GROUND, PLUS, CELL}) == 3
    assert net_of(LAYOUT["leads"]["cell"]["-"]) == GROUND
    by_pin = dict(enumerate(map(net_of, LAYOUT["regulator"]), start=1))
    feet = DICE["regulator"]
    wanted = {feet["GND"]: GROUND, feet["VIN"]: CELL, feet["VOUT"]: PLUS}
    assert by_pin == wanted


def test_the_modules_are_connected_as_in_dice_toml():
    radio, sensor = LAYOUT["leads"]["radio"], LAYOUT["leads"]["sensor"]
    assert set(radio) == set(DICE["radio"])
    assert set(sensor) == set(DICE["sensor"])
    for wire in DICE["die"].values():
        found = re.match(r"(nRF24L01\+|LIS3DH) (\w+)", wire["to"])
        if found:
            lead = (radio if found[1] == "nRF24L01+" else sensor)[found[2]]
            assert net_of(lead) == net_of(PINS[wire["pin"]]), wire
    for lead, net in (
        *((radio[name], net) for name, net in (("VCC", PLUS), ("GND", GROUND))),
        *((sensor[name], PLUS) for name in ("VCC", "CS")),
        *((sensor[name], GROUND) for name in ("GND", "SA0")),
    ):
        assert net_of(lead) == net


def test_every_resistor_and_capacitor_is_there():
    lamp = net_of(LAYOUT["leads"]["LED"]["+"])
    assert net_of(LAYOUT["leads"]["LED"]["-"]) == GROUND
    expected = [
        (net_of_wire("SDA"), PLUS, ["4.7k"]),
        (net_of_wire("SCL"), PLUS, ["4.7k"]),
        (net_of_wire("CSN"), PLUS, ["10k"]),
        (net_of(PINS[SUPPLY["RESET"]]), PLUS, ["10k"]),
        (net_of_wire("LED"), lamp, ["1k"]),
        (net_of_wire("BATTERY"), CELL, ["1M"]),
        (net_of_wire("BATTERY"), GROUND, ["100n", "220k"]),
        (PLUS, GROUND, ["100n", "100n", "1u"]),
        (CELL, GROUND, ["1u"]),
    ]
    for one, other, values in expected:
        assert parts_between(one, other) == values
    assert sum(len(values) for _, _, values in expected) == len(LAYOUT["parts"])
