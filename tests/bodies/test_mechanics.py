"""The simulator's bodies are those of the OpenSCAD files."""

import ast
import re

import numpy as np
import pytest

from tests.bodies.test_mesh import box
from wiring.boards.die import BACK, HALF, THICKNESS, die, from_middle
from wiring.bodies import board
from wiring.bodies.balance import HERE as SCAD
from wiring.bodies.balance import STANDING, mass_table
from wiring.bodies.mechanics import SHAPES, fingerprint, second_moments


def test_the_simulators_bodies_are_made_from_the_present_files() -> None:
    advice = "run `make -C wiring/bodies stl` and `python -m wiring.bodies.mechanics`"
    assert f"Checksum of its sources: {fingerprint()} " in SHAPES.read_text("utf-8"), advice


def test_second_moments_of_a_box() -> None:
    mesh = box(6, 4, 2).moved((-3, -2, -1))
    assert second_moments(mesh) == pytest.approx(np.diag([36, 16, 4]) * 48 / 12, abs=1e-6)
    moved = second_moments(mesh.moved((5, 0, 0)))
    assert moved[0, 0] == pytest.approx(48 * (3 + 25))


def boxes() -> list[np.ndarray]:
    """The boxes of parts.scad that the populated board fills, as [from, to]."""
    text = (SCAD / "parts.scad").read_text("utf-8")
    found = re.search(r"^pcb = (.+);", text, re.MULTILINE)
    listed = re.search(r"^pcb_boxes = \[(.+?)^\];", text, re.MULTILINE | re.DOTALL)
    assert found
    assert listed
    rest = re.sub(r"//.*", "", listed[1]).strip().rstrip(",").removeprefix("pcb,")
    return [np.array(one) for one in [ast.literal_eval(found[1]), *ast.literal_eval(f"[{rest}]")]]


def test_the_body_has_room_for_the_board_and_its_parts() -> None:
    bare, *rooms = boxes()
    x, y = HALF
    assert bare == pytest.approx(np.array([[-x, -y, BACK], [x, y, BACK + THICKNESS]]))
    heights = mass_table()["board"]["parts"]
    for part in die().parts:
        height = heights[part.footprint]["height"]
        top = BACK - height if part.back else BACK + THICKNESS + height
        for pad in part.pads():
            x, y = from_middle(pad.at)
            corner = np.array([x, y, top])
            inside = [np.all(room[0] <= corner) and np.all(corner <= room[1]) for room in rooms]
            assert any(inside) or not height, f"{part.reference} is outside at {corner}"


def test_the_body_has_room_for_the_tab_below_the_usb_connector() -> None:
    text = (SCAD / "parts.scad").read_text("utf-8")
    found = re.search(r"^pcb_tab = (.+);", text, re.MULTILINE)
    assert found
    low, high = (np.array(one) for one in ast.literal_eval(found[1]))
    corners = [from_middle(corner) for corner in die().outline]
    beyond = np.array([corner for corner in corners if corner[0] > HALF[0]])
    assert beyond[:, 0] == pytest.approx(high[0])
    assert (beyond[:, 1].min(), beyond[:, 1].max()) == pytest.approx((low[1], high[1]))
    assert (low[2], high[2]) == pytest.approx((BACK, BACK + THICKNESS))


def test_the_sensor_is_in_the_middle() -> None:
    assert np.linalg.norm(board.sensor()) <= 0.5


def test_the_boards_mass_is_that_of_its_parts() -> None:
    masses = mass_table()["board"]
    parts = board.boxes(masses)
    assert board.mass(parts) == pytest.approx(3.2, abs=0.3)
    # A heavier radio moves the balance towards the antenna's end.
    heavier = {**masses, "parts": {**masses["parts"]}}
    radio = "nRF24L01_Module_12x18mm"
    heavier["parts"][radio] = {**masses["parts"][radio], "grams": 1.7}
    assert board.centre(board.boxes(heavier))[0] < board.centre(parts)[0]
    moments = board.second_moments(parts)
    assert moments == pytest.approx(moments.T)
    assert np.linalg.eigvalsh(moments).min() > 0


def numbers(name: str) -> list[float]:
    """Return the numbers of a variable of bought.scad."""
    found = re.search(rf"^{name} = (.+);", (SCAD / "bought.scad").read_text("utf-8"), re.MULTILINE)
    assert found, name
    value = ast.literal_eval(found[1])
    return value if isinstance(value, list) else [value]


def test_the_parts_of_the_bought_board_are_inside_of_its_boxes() -> None:
    length, breadth, thick = numbers("xiao")
    free, high = numbers("xiao_parts")
    mouth = length / 2 + numbers("xiao_usb_out")[0]
    bare, *parts = board.bought_boxes(mass_table()["bought"])
    assert bare.size == pytest.approx([length, breadth, thick])
    for part in parts:
        low, top = part.middle - part.size / 2, part.middle + part.size / 2
        assert low[2] >= thick
        assert top[2] <= thick + high
        assert max(-low[1], top[1]) <= free / 2
        assert -length / 2 <= low[0]
        assert top[0] <= mouth + 0.01


def test_a_box_is_turned_with_its_board() -> None:
    turn = np.array(STANDING)
    box = board.Box(2.0, np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    placed = box.placed(turn, np.array([10.0, 0.0, 0.0]))
    assert placed.middle.tolist() == [13, 1, 2]
    assert placed.size.tolist() == [6, 4, 5]
    moments = board.second_moments([box.placed(turn, np.zeros(3))])
    assert moments == pytest.approx(turn @ board.second_moments([box]) @ turn.T)
    assert np.linalg.det(turn) == pytest.approx(1)
