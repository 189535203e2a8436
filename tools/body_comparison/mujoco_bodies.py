"""The same dice in MuJoCo, a library of rigid bodies that this project has not written."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import mujoco
import numpy as np

from tools.body_comparison.falls import (
    GRAVITY,
    LONGEST_TICKS,
    REST_TICKS,
    Start,
    Tick,
    Vec,
    rests,
    turned,
)

SHAPES: Final = Path(__file__).parents[2] / "firmware" / "sim" / "body_shapes.c"
CONTACT_S: Final = 1.0e-3
"""How long a corner touches in a straight bounce, as in firmware/sim/body.c."""
STEP_S: Final = 50.0e-6
LOOKS: Final = 4
"""How often it is looked for a contact in a millisecond."""
STEPS: Final = round(1.0e-3 / STEP_S / LOOKS)
IMPEDANCE: Final = 0.99


@dataclass(frozen=True, slots=True)
class Shape:
    """A die of firmware/sim/body_shapes.c."""

    corners: tuple[Vec, ...]
    ups: tuple[Vec, ...]
    radius: float
    mass: float
    inertia: tuple[Vec, ...]


def read_shape(name: str) -> Shape:
    """Read a die by its name."""
    text = SHAPES.read_text("utf-8").partition(f'.name = "{name}"')[2].partition(".name =")[0]

    def vectors(field: str) -> tuple[Vec, ...]:
        found = re.search(rf"\.{field} =\s*\{{(.*?)\}},?\s*\.", text, re.DOTALL)
        assert found is not None
        numbers = [float(number) for number in re.findall(r"[-+.\de]+", found[1])]
        return tuple(
            (numbers[i], numbers[i + 1], numbers[i + 2]) for i in range(0, len(numbers), 3)
        )

    def number(field: str) -> float:
        found = re.search(rf"\.{field} = ([-+.\de]+)", text)
        assert found is not None
        return float(found[1])

    return Shape(
        vectors("corner"),
        vectors("up"),
        number("corner_radius"),
        number("mass"),
        vectors("inertia"),
    )


def _model(shape: Shape) -> Any:
    (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = shape.inertia
    corners = "".join(
        f'<geom type="sphere" size="{shape.radius}" pos="{x} {y} {z}"/>'
        for x, y, z in shape.corners
    )
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco>
        <option timestep="{STEP_S}" gravity="0 0 -{GRAVITY}" cone="elliptic" impratio="10"/>
        <default><geom condim="3" solimp="{IMPEDANCE} {IMPEDANCE} 0.001"/></default>
        <worldbody>
          <geom type="plane" size="9 9 1"/>
          <body><freejoint/>
            <inertial pos="0 0 0" mass="{shape.mass}"
              fullinertia="{ixx} {iyy} {izz} {ixy} {ixz} {iyz}"/>
            {corners}
          </body>
        </worldbody></mujoco>"""
    )


def _set_table(model: Any, start: Start) -> None:
    loss = -math.log(start.restitution)
    ratio = loss / math.hypot(math.pi, loss)
    natural = math.pi / CONTACT_S / math.sqrt(1 - ratio * ratio)
    model.geom_friction[:, 0] = start.friction
    model.geom_solref[:] = (-natural * natural, -2 * ratio * natural)


def _begin(model: Any, shape: Shape, start: Start) -> Any:
    data = mujoco.MjData(model)
    lowest = min(turned(start.attitude, corner)[2] for corner in shape.corners)
    data.qpos[:] = (0, 0, start.clearance - lowest + shape.radius, *start.attitude)
    w, x, y, z = start.attitude
    # The linear speed is in the world, and the spin in the body.
    data.qvel[:] = (*start.speed, *turned((w, -x, -y, -z), start.spin))
    return data


def mujoco_bodies(shape: Shape, begun: Iterable[Start]) -> Iterator[list[Tick]]:
    """Yield the falls of a die in MuJoCo."""
    model = _model(shape)
    for start in begun:
        _set_table(model, start)
        data = _begin(model, shape, start)
        ticks: list[Tick] = []
        resting = 0
        while len(ticks) < LONGEST_TICKS and resting < REST_TICKS:
            touched = False
            for _ in range(LOOKS):
                mujoco.mj_step(model, data, STEPS)
                touched |= data.ncon > 0
            speed, spin = (float(np.linalg.norm(part)) for part in (data.qvel[:3], data.qvel[3:]))
            w, x, y, z = map(float, data.qpos[3:7])
            ticks.append(Tick(touched, speed, spin, (w, x, y, z)))
            resting = resting + 1 if rests(ticks[-1]) else 0
        yield ticks
