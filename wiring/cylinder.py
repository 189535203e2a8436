"""The exact field of a disc magnet, and the force between two discs of a pile.

A disc is a cylinder that is magnetised evenly along its axis. Its field is a pair of generalized
complete elliptic integrals (N. Derby and S. Olbert, "Cylindrical magnets and ideal solenoids",
Am. J. Phys. 78, 229, 2010, equations 4 to 6), which Bulirsch's algorithm calculates (R. Bulirsch,
"Numerical calculation of elliptic integrals and elliptic functions III", Numer. Math. 13, 305,
1969).

Lengths are in millimetres, fields in millitesla, forces in newtons.
"""

import math
from typing import Final

from wiring.magnets import Disc

MU_0: Final = 4e-7 * math.pi
_ERROR: Final = 1e-9
_RINGS: Final = 60


def elliptic(kc: float, p: float, c: float, s: float) -> float:
    """Return the generalized complete elliptic integral C(kc, p, c, s).

    It is the integral from 0 to pi/2 of (c cos² + s sin²) / ((cos² + p sin²) sqrt(cos² + kc² sin²))
    over the angle, for p above 0.

    >>> round(2 * elliptic(1.0, 1.0, 1.0, 1.0) / math.pi, 9)
    1.0
    """
    kc = abs(kc)
    p = math.sqrt(p)
    s /= p
    f = c
    c += s / p
    g = kc / p
    s = 2 * (s + f * g)
    p += g
    g, em, kk = 1.0, 1.0 + kc, kc
    while abs(g - kc) > g * _ERROR:
        kc = 2 * math.sqrt(kk)
        kk = kc * em
        f = c
        c += s / p
        g = kk / p
        s = 2 * (s + f * g)
        p += g
        g = em
        em += kc
    return math.pi / 2 * (s + c * em) / (em * (em + p))


def exact_field_mt(disc: Disc, depth_mm: float, aside_mm: float = 0.0) -> tuple[float, float]:
    """Return the field below a disc's centre: downwards, and away from its axis.

    The disc's lower pole is the one from which the field comes. `depth_mm` is negative above the
    centre; on the disc's edge itself the field has no value.

    >>> [round(part, 2) for part in exact_field_mt(Disc(8, 3), 20.0, 0.0)]
    [3.65, 0.0]
    """
    radius, half = disc.diameter_mm / 2, disc.height_mm / 2
    # p is 0 below the edge, where the integral is the limit from either side.
    aside = aside_mm if abs(aside_mm - radius) > 1e-6 else radius + 1e-6
    ratio = (radius - aside) / (radius + aside)
    along = across = 0.0
    for sign in (1, -1):
        end = depth_mm + sign * half
        far = math.hypot(end, radius + aside)
        kc = math.hypot(end, radius - aside) / far
        along += sign * end / far * elliptic(kc, ratio**2, 1.0, ratio)
        across += sign * radius / far * elliptic(kc, 1.0, 1.0, -1.0)
    scale = 1000 * disc.remanence_t / math.pi
    return scale * radius / (radius + aside) * along, scale * across


def pile_force_n(disc: Disc, pitch_mm: float) -> float:
    """Return the force between two equal discs on one axis, whose centres are `pitch_mm` apart.

    They attract each other with it if the same poles are up, and otherwise repel each other. It is
    the force of the field on the poles of the other disc, added up over rings of both faces.
    """
    width = disc.diameter_mm / 2 / _RINGS
    through = 0.0
    for ring in range(_RINGS):
        aside = (ring + 0.5) * width
        near, far = (
            exact_field_mt(disc, pitch_mm + side * disc.height_mm / 2, aside)[0] for side in (-1, 1)
        )
        through += 2 * math.pi * aside * width * (near - far)
    # mT mm² to T m².
    return disc.remanence_t / MU_0 * through * 1e-9
