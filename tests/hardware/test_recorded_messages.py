"""Messages that real dice sent, in `recorded/`, one file for each recording.

They are in the format of `urpi dice record` (FORMATS.md, Dice recordings), with the `source` where
the owner published what the die sent and showed.
"""

import math
from itertools import combinations, permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.slow import mostly_slow
from urpi.hardware import godice
from urpi.hardware.bluetooth_link import BluetoothLink, PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_reports import FACES, RECORDED, Motion, numbers_of
from urpi.hardware.recording import parse_recording, replay
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.virtual_dice import DieReport

RECORDINGS = [
    parse_recording(file.read_text("utf-8"))
    for file in sorted((Path(__file__).parent / "recorded").glob("*.jsonl"))
]
WHOLE = [
    (one.dice[each.die].faces, each.data, each.shows) for one in RECORDINGS for each in one.messages
]
KINDS_ONLY = [(4, b"S", 2, 3)]
"""A fifth throw of the recording of the d4 shell. The vendor's demo does not display the
acceleration of ``S``, only the number of the cube, 2, while the shell showed 3."""
NOISE_DEG = 2
"""Maximum angle between a recorded acceleration and the vector of its position."""
LEVEL_DEG = 10
"""How far a table may slope, together with the noise, for a die to be read."""
SHELLS = [faces for faces in FACES if faces != 6]
SHOWN_BY_D4 = DieFaces().tips
MARKS = {"g", "s"}


def positions(faces):
    """Return each vector of a shell with the number that it shows."""
    return [
        (one, vector) for one in numbers_of(faces) for vector in godice.accelerations(one, faces)
    ]


def split(message):
    x, y, z = message[-3:]
    return message[:-3], tuple(each - 256 if each > 127 else each for each in (x, y, z))


def message(kind, vector):
    return kind + bytes(axis & 0xFF for axis in vector)


def angle_deg(one, other):
    cosine = sum(a * b for a, b in zip(one, other, strict=True))
    cosine /= math.hypot(*one) * math.hypot(*other)
    return math.degrees(math.acos(min(1, max(-1, cosine))))


def leaning(vector, by_deg, towards_deg):
    """Return the acceleration of a die that leans from a face by an angle, in some direction."""
    x, y, z = (axis / math.hypot(*vector) for axis in vector)
    flat = math.hypot(x, y) or 1
    across = (-y / flat, x / flat, 0) if (x, y) != (0, 0) else (1, 0, 0)
    along = (
        y * across[2] - z * across[1], z * across[0] - x * across[2], x * across[1] - y * across[0]
    )  # fmt: skip
    lean, towards = math.radians(by_deg), math.radians(towards_deg)
    return tuple(
        round(64 * (math.cos(lean) * up
                    + math.sin(lean) * (math.cos(towards) * a + math.sin(towards) * b)))
        for up, a, b in zip((x, y, z), across, along, strict=True)
    )  # fmt: skip


def simulated(faces, number):
    """Return what a simulated die sends that shows a number, in each of its positions, twice."""
    die = SimulatedDie(1, "godice", faces)
    throws = range(2 * len(godice.accelerations(number, faces)))
    return [die.message(DieReport(1, "settled", each, face=number, tumbles=5)) for each in throws]


def test_each_recording_has_a_source_and_throws():
    assert len(WHOLE) >= 4
    for one in RECORDINGS:
        assert one.about.source.startswith("https://")
        assert any(each.shows is not None for each in one.messages)


def test_the_dice_that_are_called_tried_are_those_with_a_recording():
    assert {(die.brand, die.faces) for one in RECORDINGS for die in one.dice.values()} == RECORDED


def test_nothing_in_a_recording_differs_from_what_its_owner_saw():
    for one in RECORDINGS:
        assert not [each for each in replay(one, DieFaces()) if each.differs]


@pytest.mark.parametrize(("faces", "recorded", "shows"), WHOLE)
def test_a_recorded_throw_is_read_as_what_the_die_showed(faces, recorded, shows):
    assert godice.parse(recorded, faces) == (Motion("rolled", shows),)


@pytest.mark.parametrize(("faces", "recorded", "shows"), WHOLE)
def test_a_simulated_die_sends_what_was_recorded(faces, recorded, shows):
    kind, acceleration = split(recorded)
    assert any(
        sent == kind and godice.within(vector, acceleration, NOISE_DEG)
        for sent, vector in map(split, simulated(faces, shows))
    )


@pytest.mark.parametrize(("faces", "kind", "cube_face", "shows"), KINDS_ONLY)
def test_a_simulated_die_sends_the_recorded_kind(faces, kind, cube_face, shows):
    assert any(
        sent == kind and godice.face_value(vector, 6) == cube_face
        for sent, vector in map(split, simulated(faces, shows))
    )


def test_a_simulated_die_without_a_shell_sends_that_it_lies_flat():
    assert {split(each)[0] for face in range(1, 7) for each in simulated(6, face)} == {b"S"}


@pytest.mark.parametrize("faces", SHELLS)
def test_a_simulated_shell_mostly_sends_that_it_is_tilted(faces):
    kinds = [split(each)[0] for number in numbers_of(faces) for each in simulated(faces, number)]
    assert set(kinds) == {b"S", b"TS"}
    assert kinds.count(b"TS") > kinds.count(b"S")


@pytest.mark.parametrize("faces", FACES)
@pytest.mark.parametrize("throws", mostly_slow(range(24), 6))
def test_a_simulated_die_that_leans_is_cocked(faces, throws):
    die = SimulatedDie(1, "godice", faces)
    for number in numbers_of(faces):
        report = DieReport(1, "cocked", throws, face=number)
        assert godice.parse(die.message(report), faces) == (Motion("cocked"),)


@given(st.data(), st.sampled_from(SHELLS), st.floats(0, LEVEL_DEG), st.floats(0, 360))
def test_a_die_on_a_face_of_its_shell_has_rolled_on_a_slope_too(data, faces, by_deg, towards_deg):
    number, vector = data.draw(st.sampled_from(positions(faces)))
    kind = data.draw(st.sampled_from([b"S", b"TS"]))
    sent = message(kind, leaning(vector, by_deg, towards_deg))
    assert godice.parse(sent, faces) == (Motion("rolled", number),)


@given(st.sampled_from(SHELLS), st.sampled_from([b"S", b"TS"]),
       st.tuples(*[st.integers(-128, 127)] * 3))  # fmt: skip
def test_a_shell_is_cocked_unless_a_face_is_up(faces, kind, acceleration):
    """Also a die that balances on an edge so that its cube is flat sends ``S``."""
    near = [
        Motion("rolled", number)
        for number, vector in positions(faces)
        if any(acceleration) and angle_deg(vector, acceleration) < godice.LEAN_DEG
    ]
    assert godice.parse(message(kind, acceleration), faces) == tuple(near or [Motion("cocked")])


def exact_faces(faces):
    """Return the directions of the body's faces: an icosahedron's or a tetrakis hexahedron's."""
    signs = list(product((1, -1), repeat=3))
    if faces in {10, 20}:
        golden = (1 + 5**0.5) / 2
        corners = [(1, 1, 1), (0, 1 / golden, golden), (1 / golden, golden, 0),
                   (golden, 0, 1 / golden)]  # fmt: skip
        return {
            tuple(sign * axis for sign, axis in zip(each, corner, strict=True))
            for corner, each in product(corners, signs)
        }
    turned = 2**-0.5
    return {
        (turned * (x * a + z * c), y * b, turned * (z * c - x * a))
        for (a, b, c), (x, y, z) in product(permutations((0, 1, 2)), signs)
    }


@pytest.mark.parametrize("faces", SHELLS)
def test_the_vectors_are_the_faces_of_the_body(faces):
    exact = exact_faces(faces)
    allowed_deg = 2 if faces in {10, 20} else 0.5
    vectors = [vector for _, vector in positions(faces)]
    assert len(exact) == len(vectors)
    for each in exact:
        assert sum(angle_deg(each, vector) < allowed_deg for vector in vectors) == 1


@pytest.mark.parametrize("faces", SHELLS)
@pytest.mark.parametrize("towards_deg", mostly_slow(range(0, 360, 30), 5))
def test_a_die_on_an_edge_is_cocked(faces, towards_deg):
    exact = exact_faces(faces)
    nearest = min(angle_deg(*pair) for pair in combinations(exact, 2))
    edges = [pair for pair in combinations(exact, 2) if angle_deg(*pair) < nearest + 1]
    assert len(edges) == (30 if faces in {10, 20} else 36)
    for one, other in edges:
        edge = [a + b for a, b in zip(one, other, strict=True)]
        for by_deg in (0, NOISE_DEG):
            sent = message(b"S", leaning(edge, by_deg, towards_deg))
            assert godice.parse(sent, faces) == (Motion("cocked"),)


def test_the_vendors_vectors_are_within_the_limit():
    """The vectors of godice.js that differ most from the faces of the shell, by position."""
    vendors = {3: (-40, -40, 40), 5: (40, 20, 40), 8: (-40, 20, -40), 9: (-40, 40, 40),
               16: (40, -20, -40), 18: (-40, -40, -40), 19: (40, -20, 40), 22: (40, 20, -40),
               1: (20, -60, -20), 2: (20, 0, 60)}  # fmt: skip
    for position, vector in vendors.items():
        number = (position - 1) % 12 + 1
        assert godice.parse(message(b"TS", vector), 12) == (Motion("rolled", number),)


def throw(sent):
    """Throw four d4 shells, which send these messages, for a referee of `finkel`."""
    dice = range(1, 5)
    link = BluetoothLink(
        [PairedDie(die, "godice", f"C0:00:00:00:00:0{die}", 4) for die in dice], DieFaces()
    )
    desk = Desk.at("finkel A4:L L6D7 L0D0 L").wait(300)
    desk.pop_decisions()
    for die in dice:
        link.on_connect(die, desk.t)
    for messages in ([b"R"] * 4, sent):
        desk.wait(300)
        for die, each in zip(dice, messages, strict=True):
            for report in godice.parse(each, 4):
                for fact in link.on_report(die, report, desk.t):
                    desk.do(fact)
    desk.wait(2_000)
    return [one for one in desk.pop_decisions() if one.startswith("roll")]


lying = st.tuples(
    st.sampled_from(positions(4)), st.floats(0, LEVEL_DEG), st.floats(0, 360),
    st.sampled_from([b"S", b"TS"]),
)  # fmt: skip


def sent_by(lies):
    (_, vector), by_deg, towards_deg, kind = lies
    return message(kind, leaning(vector, by_deg, towards_deg))


@given(st.tuples(*[lying] * 4))
def test_a_throw_of_four_shells_counts(dice):
    marks = sum(SHOWN_BY_D4[number - 1] in MARKS for (number, _), *_ in dice)
    assert throw([sent_by(die) for die in dice]) == [f"roll {marks}"]


@given(st.tuples(*[lying] * 3), st.integers(0, 255))
def test_a_throw_with_a_leaning_shell_is_refused(dice, throws):
    leans = SimulatedDie(4, "godice", 4).message(DieReport(4, "cocked", throws, face=2))
    assert throw([*(sent_by(die) for die in dice), leans]) == ["roll-refused cocked"]


def test_the_recorded_throws_count_as_one():
    assert throw([recorded for _, recorded, _ in WHOLE]) == ["roll 1"]
