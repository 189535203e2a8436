"""The squares, the paths and the graph of the modern game, as RULES.md spells them."""

from functools import cache

BIT_ORDER = "A1 A2 A3 A4 A7 A8 B1 B2 B3 B4 B5 B6 B7 B8 C1 C2 C3 C4 C7 C8"
SQUARES = BIT_ORDER.split()
ROSETTES = ["A1", "C1", "B4", "A7", "C7"]

START_ROW = "A4 A3 A2 A1"
MIDDLE_ROW_TO_B7 = "B1 B2 B3 B4 B5 B6 B7"
MIDDLE_ROW_BACK = "B7 B6 B5 B4 B3 B2 B1"
LOOPS = {"opponent-first": "C7 C8 B8 A8 A7", "own-first": "A7 A8 B8 C8 C7"}
EXIT_ROWS = {"own": "A1 A2 A3 A4", "opponent": "C1 C2 C3 C4"}

OTHER_SIDE = {"L": "D", "D": "L"}
OTHER_ROW = {"A": "C", "B": "B", "C": "A"}


def other_side(side: str) -> str:
    """The opponent of `L` or `D`."""
    return OTHER_SIDE[side]


def side_of(piece: str) -> str:
    """`L` or `D`: whose piece it is, whatever its mark."""
    return piece[0]


def is_marked(piece: str) -> bool:
    """True for a piece that is dotted, red, or on the second visit of its square."""
    return piece.endswith("'")


def light_path(name: str, options: dict[str, str]) -> list[str]:
    """Light's squares in the order of its path; index 1 is the first of the list."""
    if name in {"finkel", "finkel3", "coursework", "ravensburger"}:
        return f"{START_ROW} {MIDDLE_ROW_TO_B7} B8 A8 A7".split()
    if name in {"bell", "masters", "blitz"}:
        return f"{START_ROW} {MIDDLE_ROW_TO_B7} C7 C8 B8 A8 A7".split()
    loop = LOOPS[options["loop"]]
    path_to_b1 = f"{START_ROW} {MIDDLE_ROW_TO_B7} {loop} {MIDDLE_ROW_BACK}"
    if name == "skiryuk":
        return path_to_b1.split()
    return f"{path_to_b1} {EXIT_ROWS[options['exit_row']]}".split()


def path_of(name: str, options: dict[str, str], side: str) -> list[str]:
    """A side's path: dark's is light's with A and C swapped."""
    path = light_path(name, options)
    if side == "L":
        return path
    return [OTHER_ROW[square[0]] + square[1] for square in path]


def edges_of_path(path: list[str]) -> list[tuple[str, str]]:
    """The pairs of squares that follow each other on a path."""
    return [(path[k], path[k + 1]) for k in range(len(path) - 1)]


def track_edges() -> list[tuple[str, str]]:
    """The edges of both P14 tracks."""
    return edges_of_path(path_of("finkel", {}, "L")) + edges_of_path(path_of("finkel", {}, "D"))


def are_orthogonal(one: str, two: str) -> bool:
    """True when the two squares share a side."""
    rows_apart = abs(ord(one[0]) - ord(two[0]))
    columns_apart = abs(int(one[1]) - int(two[1]))
    return rows_apart + columns_apart == 1


@cache
def neighbours(kind: str) -> dict[str, list[str]]:
    """For each square those beside it on the `freecompany` path of this kind."""
    beside: dict[str, list[str]] = {}
    tracks = track_edges()
    for one in SQUARES:
        beside[one] = []
        for two in SQUARES:
            if kind == "orthogonal":
                joined = are_orthogonal(one, two)
            else:
                joined = (one, two) in tracks or (two, one) in tracks
            if joined:
                beside[one].append(two)
    return beside
