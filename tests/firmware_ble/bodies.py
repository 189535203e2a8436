"""The motions of the simulator of the other die (firmware/sim), as a library of this process."""

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path

SIM = Path(__file__).parents[2] / "firmware" / "sim"
PARTS = ("chance", "body", "body_shapes", "hand", "motion", "motion_plans", "motion_actions")
MOTION_BYTES = 1 << 16
"""More than `struct motion` has, and more than any other one."""


def build(folder: Path) -> ctypes.CDLL:
    """Return the library, compiled into the folder."""
    path = folder / "motions.so"
    sources = [str(SIM / f"{part}.c") for part in PARTS]
    flags = ["-std=c11", "-D_DEFAULT_SOURCE", "-D_XOPEN_SOURCE=700", "-O2", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, *sources, "-lm", "-o", str(path)], check=True)
    library = ctypes.CDLL(str(path))
    library.body_named.restype = ctypes.c_void_p
    library.motion_more_ms.restype = ctypes.c_double
    library.motion_options_read.restype = ctypes.c_bool
    return library


class Body:
    """A die that lies on the table until something is done with it, with face 1 up or another.

    Face 0 is the one that the benches draw.
    """

    def __init__(self, library: ctypes.CDLL, name: str, seed: int, face: int = 1):
        self.library, self.seed = library, ctypes.c_uint64(seed)
        self.motion, self.chance, self.options = (
            ctypes.create_string_buffer(MOTION_BYTES) for _ in range(3)
        )
        shape = ctypes.c_void_p(library.body_named(name.encode()))
        # The benches of the other die draw the face before a motion, and then that of the motion.
        drawn = library.motion_face_before(self.chance, self.seed, shape)
        library.motion_begin(self.motion, shape, self.seed, face or drawn)
        self.more_ms = float(library.motion_more_ms(self.chance))
        self.now_ns = 0

    def do(self, now_ns: float, action: str, *face: int) -> None:
        """Begin a motion: throw, gentle, spun, drop, set_down, place, nudge, ..."""
        self.felt(now_ns, 16)
        getattr(self.library, f"motion_{action}")(self.motion, *face)

    def act(self, now_ns: float, action: str, ranges: Sequence[str] = ()) -> int:
        """Begin a motion by its name in the benches; return the face that is drawn for it, or 0."""
        self.felt(now_ns, 16)
        self.library.motion_options_start(self.options)
        assert all(self.library.motion_options_read(self.options, each.encode()) for each in ranges)
        return int(self.library.motion_act(self.motion, action.encode(), self.chance, self.options))

    def felt(self, until_ns: float, limit_g: float) -> list[float]:
        mean = (ctypes.c_double * 3)()
        if until_ns <= self.now_ns:
            until_ns = self.now_ns + 1
        self.now_ns = int(until_ns)
        self.library.motion_advance(
            self.motion, ctypes.c_uint64(self.now_ns), ctypes.c_double(limit_g), mean
        )
        return list(mean)

    def is_still(self) -> bool:
        self.library.motion_is_still.restype = ctypes.c_bool
        return bool(self.library.motion_is_still(self.motion))

    def face(self) -> int:
        return self.lies()[0]

    def lies(self) -> tuple[int, float]:
        """Return the face that is up, and the tilt from it in degrees."""
        angle = ctypes.c_double()
        face = self.library.motion_face(self.motion, ctypes.byref(angle))
        return int(face), angle.value
