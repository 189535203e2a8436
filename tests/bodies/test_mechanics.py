"""The simulator's bodies are those of the OpenSCAD files."""

import numpy as np
import pytest

from tests.bodies.test_mesh import box
from wiring.bodies.mechanics import SHAPES, fingerprint, second_moments


def test_the_simulators_bodies_are_made_from_the_present_files() -> None:
    advice = "run `make -C wiring/bodies stl` and `python -m wiring.bodies.mechanics`"
    assert f"Checksum of its sources: {fingerprint()} " in SHAPES.read_text("utf-8"), advice


def test_second_moments_of_a_box() -> None:
    mesh = box(6, 4, 2).moved((-3, -2, -1))
    assert second_moments(mesh) == pytest.approx(np.diag([36, 16, 4]) * 48 / 12, abs=1e-6)
    moved = second_moments(mesh.moved((5, 0, 0)))
    assert moved[0, 0] == pytest.approx(48 * (3 + 25))
