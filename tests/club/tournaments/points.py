"""The points of light and dark for each result, counted without the program."""

from urpi.club.tournaments.tournament import PairingResult

POINTS: dict[PairingResult, tuple[float, float]] = {
    "light": (1, 0),
    "dark": (0, 1),
    "draw": (0.5, 0.5),
    "none": (0, 0),
}
