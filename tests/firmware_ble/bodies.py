"""The motions of the simulator of the other die (firmware/sim), as a library of this process."""

import ctypes
import subprocess
from pathlib import Path

SIM = Path(__file__).parents[2] / "firmware" / "sim"
PARTS = ("chance", "body", "body_shapes", "hand", "motion", "motion_plans")
MOTION_BYTES = 1 << 16
"""More than `struct motion` has."""


def build(folder: Path) -> ctypes.CDLL:
    """Return the library, compiled into the folder."""
    path = folder / "motions.so"
    sources = [str(SIM / f"{part}.c") for part in PARTS]
    flags = ["-std=c11", "-D_DEFAULT_SOURCE", "-D_XOPEN_SOURCE=700", "-O2", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, *sources, "-lm", "-o", str(path)], check=True)
    library = ctypes.CDLL(str(path))
    library.body_named.restype = ctypes.c_void_p
    return library


class Body:
    """A die that lies on the table with face 1 up until something is done with it."""

    def __init__(self, library: ctypes.CDLL, name: str, seed: int, face: int = 1):
        self.library = library
        self.motion = ctypes.create_string_buffer(MOTION_BYTES)
        shape = ctypes.c_void_p(library.body_named(name.encode()))
        library.motion_begin(self.motion, shape, ctypes.c_uint64(seed), face)
        self.now_ns = 0

    def do(self, now_ns: float, action: str, *face: int) -> None:
        """Begin a motion: throw, gentle, spun, drop, set_down, place, nudge, ..."""
        self.felt(now_ns, 16)
        getattr(self.library, f"motion_{action}")(self.motion, *face)

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
        return int(self.library.motion_face(self.motion, ctypes.byref(ctypes.c_double())))
