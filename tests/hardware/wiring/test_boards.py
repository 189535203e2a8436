"""The circuit boards' generator: files, nets, tracks. KiCad checks them in tests/boards."""

import random
import tomllib
from dataclasses import replace
from math import hypot
from pathlib import Path

import pytest

from tests.slow import slow_except
from wiring.boards import library
from wiring.boards.__main__ import BOARDS, files
from wiring.boards.design import Board, Keepout, Laid, Part, Rules, rectangle
from wiring.boards.hub import pin_on_nano
from wiring.boards.layout import layout
from wiring.boards.router import Track, UnroutableError, Via, route
from wiring.boards.sexpr import Word, child, children, dump, parse
from wiring.draw.sources import DICE

EVERY = {path: make for board in BOARDS for path, make in files(board()).items()}
CONTENTS = tomllib.loads((library.LIBRARY / "contents.toml").read_text("utf-8"))


# The wires of large schematics take seconds.
QUICK = [path for path in EVERY if path.name not in {"panel.kicad_sch", "squares.kicad_sch"}]


@pytest.mark.parametrize("path", slow_except(EVERY, *QUICK[::4]), ids=lambda path: path.name)
def test_a_generated_file_is_fresh(path):
    assert path.read_text("utf-8") == EVERY[path](), "run `make -C wiring`"


def pads_of(name: str) -> dict[tuple[str, str], str]:
    """Return the net of every pad in a board's file, by part and number."""
    path = Path(library.LIBRARY).parent / name / f"{name}.kicad_pcb"
    found = {}
    for one in children(parse(path.read_text("utf-8")), "footprint"):
        reference = next(text[2] for text in children(one, "property") if text[1] == "Reference")
        for pad in children(one, "pad"):
            name = child(pad, "net")[2] if children(pad, "net") else ""
            found[reference, pad[1]] = name.removeprefix("/")
    return found


def test_every_wire_of_the_hub_is_on_its_pads():
    pads = pads_of("hub")
    for name, number in DICE["radio"].items():
        supply = DICE["hub-supply"].get(name)
        wire = DICE["hub"].get("RADIO_IRQ" if name == "IRQ" else name)
        printed = supply or wire["pin"]
        assert pads["U1", str(number)] == pads["A1", pin_on_nano(printed)] != ""


def test_every_wire_of_the_die_is_on_its_pads():
    pads = pads_of("die")
    on_chip = {pin.name: pads["U1", pin.number] for pin in library.pins("ATmega328P-M")}
    supplies = {"VCC": "3V3", "GND": "GND", "RESET": "RESET"}
    assert {on_chip["VCC"], on_chip["AVCC"]} == {"3V3"}
    assert on_chip["~{RESET}/PC6"] == "RESET"
    for part, table in (("U5", "radio"), ("J3", "die-isp")):
        for name, number in DICE[table].items():
            wire = DICE["die"].get("RADIO_IRQ" if name == "IRQ" else name)
            expected = on_chip[wire["port"]] if wire else supplies[name]
            assert pads[part, str(number)] == expected != ""


def test_a_part_on_the_back_is_mirrored():
    """Pin 1 of the sensor is at its upper left from the front, so at the lower left through it."""
    (front,) = [part for part in BOARDS[0]().parts if part.reference == "U2"]
    front = replace(front, back=False, place=(0, 0, 0))
    seen = {pad.pad.number: pad for pad in front.pads()}
    mirrored = {pad.pad.number: pad for pad in replace(front, back=True).pads()}
    assert seen["1"].pad.front
    assert not seen["1"].pad.back
    assert mirrored["1"].pad.back
    assert not mirrored["1"].pad.front
    assert mirrored["1"].at == pytest.approx((seen["1"].at[0], -seen["1"].at[1]))


def test_the_usb_connector_ends_at_the_edge_of_the_board():
    """Its footprint has a line there, between two points on the layer for drawings."""
    die = BOARDS[0]()
    (usb,) = [part for part in die.parts if part.reference == "J1"]
    (line,) = [
        one
        for one in children(library.footprint(usb.footprint), "fp_line")
        if child(one, "layer")[1] == "Dwgs.User"
    ]
    (x1, y1), (x2, y2) = (
        library.turned(*map(float, child(line, end)[1:3]), usb.place[2]) for end in ("start", "end")
    )
    ends = [(usb.place[0] + x, usb.place[1] + y) for x, y in ((x1, y1), (x2, y2))]
    edges = zip(die.outline, die.outline[1:] + die.outline[:1], strict=True)
    assert any(
        all(any(at == pytest.approx(end, abs=1e-6) for at in edge) for end in ends)
        for edge in edges
    )


def test_no_two_plugs_of_the_panel_have_the_same_number_of_contacts():
    (panel,) = [make() for make in BOARDS if make().name == "panel"]
    plugs = [part for part in panel.parts if part.footprint.startswith("JST_XH")]
    assert len(plugs) == len({len(library.pads(part.footprint)) for part in plugs}) == 7
    assert all(
        set(part.nets) == {pin.number for pin in library.pins(part.symbol)} for part in plugs
    )


def test_a_revision_is_printed_on_each_board():
    for make in BOARDS:
        board = make()
        assert f"rev {board.revision}" in {text.text for text in board.texts}


def test_a_nano_without_the_pin_is_an_error():
    with pytest.raises(LookupError, match="'D77'"):
        pin_on_nano("D77")


def test_the_library_has_what_the_boards_use_and_no_more():
    parts = [part for make in BOARDS for part in make().parts]
    symbols = {name.partition(":")[2] for name in CONTENTS["symbols"]}
    footprints = {name.partition(":")[2] for name in CONTENTS["footprints"]} | {*CONTENTS["own"]}
    assert symbols == {part.symbol for part in parts} | {"PWR_FLAG"}
    assert footprints == {part.footprint for part in parts}
    assert footprints == {path.stem for path in library.LIBRARY.glob("*.pretty/*.kicad_mod")}


@pytest.mark.parametrize("make", BOARDS)
def test_every_pin_has_a_pad(make):
    for part in make().parts:
        pins = {pin.number for pin in library.pins(part.symbol)}
        assert set(part.nets) <= pins <= {pad.number for pad in library.pads(part.footprint)}


def resistor(reference: str, x: float, y: float, first: str, second: str) -> Part:
    footprint = "R_0805_2012Metric_Pad1.20x1.40mm_HandSolder"
    nets = {"1": first, "2": second}
    return Part(reference, "1k", "R", footprint, nets, (x, y, 0), (25.4, 25.4))


def crossed() -> Board:
    """Two pairs of resistors whose nets cross each other, and one on ground."""
    parts = (
        resistor("R1", 5, 5, "a", "b"),
        resistor("R2", 15, 15, "c", "a"),
        resistor("R3", 15, 5, "b", "GND"),
        resistor("R4", 5, 15, "GND", "c"),
    )
    outline = rectangle(0, 0, 20, 20)
    return Board("crossed", "Crossed", outline, parts, rules=Rules(step=0.5))


def test_nets_that_cross_are_connected_and_keep_their_distance():
    board = crossed()
    copper = route(board)
    assert copper == route(board)
    for net in ("a", "b", "c"):
        ends = [at for one in copper if isinstance(one, Track) and one.net == net
                for at in (one.start, one.end)]  # fmt: skip
        for pad in (pad for pad in board.pads() if pad.net == net):
            assert any(
                abs(x - pad.at[0]) <= pad.pad.width / 2 and abs(y - pad.at[1]) <= pad.pad.height / 2
                for x, y in ends
            )
    least = board.rules.clearance + board.rules.track - 1e-6
    spots = [(one, at) for one in copper if isinstance(one, Track) for at in along(one)]
    for one, (x, y) in spots:
        for other, (u, v) in spots:
            if one.net < other.net and one.layer == other.layer:
                assert hypot(x - u, y - v) >= least


def along(track: Track) -> list[tuple[float, float]]:
    """Points of a track, a tenth of a millimetre apart."""
    (x, y), (u, v) = track.start, track.end
    count = max(int(hypot(u - x, v - y) / 0.1), 1)
    return [(x + (u - x) * at / count, y + (v - y) * at / count) for at in range(count + 1)]


def test_a_pad_of_ground_reaches_the_other_side():
    vias = [one for one in route(crossed()) if isinstance(one, Via) and one.net == "GND"]
    assert len(vias) == 2


def test_a_pad_behind_a_wall_is_an_error():
    wall = replace(crossed(), keepouts=(Keepout("wall", rectangle(9, 0, 2, 20)),))
    with pytest.raises(UnroutableError, match="cannot reach"):
        route(wall)


def test_a_wall_on_one_side_is_passed_on_the_other():
    corners = rectangle(9, 0, 2, 20)
    copper = route(replace(crossed(), keepouts=(Keepout("wall", corners, layers=(1,)),)))
    within = [one for one in copper if isinstance(one, Track)
              and any(9 <= x <= 11 for x, _ in along(one))]  # fmt: skip
    assert within
    assert {one.layer for one in within} == {0}
    assert not [one for one in copper if isinstance(one, Via) and 9 <= one.at[0] <= 11]


def test_tracks_end_at_copper_that_is_laid_before_and_keep_their_distance_from_it():
    wide = Laid("a", 0, ((2.0, 10.0), (18.0, 10.0)), 2.0)
    copper = route(replace(crossed(), laid=(wide,)))
    assert copper[0] == Track("a", 0, (2.0, 10.0), (18.0, 10.0), 2.0)
    tracks = [one for one in copper[1:] if isinstance(one, Track) and one.layer == 0]
    reached = {one.net for one in tracks for x, y in along(one) if 2 <= x <= 18 and 9 <= y <= 11}
    assert reached == {"a"}


def test_only_nets_with_a_pad_there_enter_an_area_that_may_be_cut_off():
    board = crossed()
    (far,) = [part for part in board.parts if part.reference == "R2"]
    parts = (
        *board.parts,
        replace(far, reference="R5", nets={"1": "d", "2": "d"}, place=(5, 25, 0)),
    )
    board = replace(board, parts=parts, outline=rectangle(0, 0, 20, 30))
    cut = replace(board, cuts=(rectangle(8, 0, 4, 12),))
    within = {
        one.net
        for one in route(cut)
        if isinstance(one, Track)
        for x, y in along(one)
        if 8 <= x <= 12 and y <= 12
    }
    assert within == set()
    assert [one for one in route(board) if isinstance(one, Track)
            and any(8 <= x <= 12 and y <= 12 for x, y in along(one))]  # fmt: skip
    welcome = replace(cut, cuts=(rectangle(0, 0, 20, 20),))
    assert {one.net for one in route(welcome)} >= {"a", "b", "c"}


def test_an_island_of_ground_is_connected_with_the_rest():
    """Rings enclose a pad, on the back farther away: between them a via leads out."""

    def ring(layer: int, half: float) -> Laid:
        low, high = 10 - half, 10 + half
        corners = ((low, low), (high, low), (high, high), (low, high), (low, low))
        return Laid("a", layer, corners, 0.5)

    parts = (resistor("R1", 10, 10, "GND", "GND"), resistor("R2", 4, 1.5, "a", "GND"))
    board = replace(crossed(), parts=parts, laid=(ring(0, 4.0), ring(1, 7.0)))
    joined = replace(board, rules=replace(board.rules, islands=True))
    between = [
        [
            one
            for one in route(made)
            if isinstance(one, Via) and 4 < max(abs(one.at[0] - 10), abs(one.at[1] - 10)) < 7
        ]
        for made in (board, joined)
    ]
    assert [len(one) for one in between] == [0, 1]


def test_islands_of_ground_are_connected_without_what_may_be_cut_off():
    """A wall leads to the right edge on both sides: the way round its end may be cut off."""
    wall = tuple(Laid("a", layer, ((5.0, 10.0), (19.2, 10.0)), 0.5) for layer in (0, 1))
    parts = (
        resistor("R1", 14, 5, "GND", "GND"),
        resistor("R2", 14, 15, "GND", "GND"),
        resistor("R3", 14, 8, "a", "a"),
    )
    board = replace(crossed(), parts=parts, laid=wall, rules=Rules(step=0.5, islands=True))
    route(board)
    with pytest.raises(UnroutableError, match="GND cannot reach"):
        route(replace(board, cuts=(rectangle(0, 0, 8, 20),)))


def test_nothing_is_below_the_sensor_but_the_ends_of_tracks_on_its_pads():
    board = BOARDS[0]()
    (sensor,) = [part for part in board.parts if part.reference == "U2"]
    x, y, _ = sensor.place
    path = Path(library.LIBRARY).parent / "die" / "die.kicad_pcb"
    file = parse(path.read_text("utf-8"))
    radius = board.rules.via / 2
    for via in children(file, "via"):
        dx, dy = (
            abs(float(one) - middle)
            for one, middle in zip(child(via, "at")[1:3], (x, y), strict=True)
        )
        assert hypot(max(dx - 1.5, 0), max(dy - 1.5, 0)) >= radius - 1e-6
    for track in children(file, "segment"):
        if child(track, "layer")[1] != "B.Cu":
            continue
        start, end = (tuple(map(float, child(track, which)[1:3])) for which in ("start", "end"))
        for u, v in along(Track("", 1, start, end)):
            assert max(abs(u - x), abs(v - y)) > 0.9 + board.rules.track / 2


def test_tracks_are_used_again_until_something_changes_on_which_they_depend():
    text = layout(crossed())
    marked = text.replace("(width 0.4)", "(width 0.41)", 1)
    assert marked != text
    assert layout(crossed(), marked) == marked
    moved = replace(crossed(), outline=rectangle(0, 0, 20, 21))
    assert "(width 0.41)" not in layout(moved, marked)


def test_a_text_is_the_same_after_it_was_read():
    text = (library.LIBRARY / "urpi.kicad_sym").read_text("utf-8")
    assert dump(parse(text)) == text
    node = [Word("a"), 'quote " and \\ and\nline', Word("1.5"), [Word("b")]]
    assert parse(dump(node)) == node


@pytest.mark.parametrize("text", ["", "(a", "(a))", "a", "(a) (b)", '(a "b)'])
def test_an_incomplete_text_is_an_error(text):
    with pytest.raises(ValueError, match=r"list|parenthesis|Invalid"):
        parse(text)


def test_damaged_texts_are_read_or_rejected():
    text = dump([Word("part"), 'a "name"', [Word("at"), 1.5, 2, 90], [Word("hide"), True]])
    for _ in range(2000):
        at = random.randrange(len(text))
        damaged = text[:at] + random.choice('()" \\\nx') + text[at + random.randrange(3) :]
        try:
            node = parse(damaged)
        except ValueError:
            continue
        assert parse(dump(node)) == node
