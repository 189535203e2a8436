"""Writes the perft files: positions, and from each the number of leaves by depth in throws."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from .dice import throws
from .game import moves_of, pass_turn, perft_from, start
from .texts import Position, parse_position, parse_rules, write_position
from .wishes import WISHES, Wish

FOLDER = Path(__file__).parent.parent / "perft"

RULES = [
    "finkel",
    "finkel[pieces=3]",
    "finkel3",
    "finkel3[safe_rosettes=no]",
    "finkel3[start=one]",
    "murray",
    "murray[exit_row=opponent]",
    "murray[exit_row=opponent;loop=own-first;pieces=3]",
    "murray[exit_row=opponent;safe_rosettes=yes]",
    "murray[loop=own-first]",
    "bell",
    "bell[pieces=5]",
    "coursework",
    "coursework[pieces=3;zero=0]",
    "coursework[zero=0]",
    "skiryuk",
    "skiryuk[loop=own-first]",
    "skiryuk[loop=own-first;pieces=5]",
    "ravensburger",
    "freecompany",
    "freecompany[path=orthogonal]",
    "masters",
    "masters[pieces=3;safe_rosettes=yes]",
    "masters[pieces=5]",
    "blitz",
    "blitz[pieces=3]",
    "blitz[safe_rosettes=yes]",
]

START_LEAVES = 1_200_000
MIDGAME_LEAVES = 200_000
MIDGAME_DEPTH = 3
LONGEST_GAME = 2_000
GAMES_FOR_A_WISH = 60


def random_game(rules: str, rng: Random) -> list[Position]:
    """The unfinished positions of a game of random moves, cut off when it is very long."""
    odds = throws(rules)
    faces, weights = [face for face, _ in odds], [float(chance) for _, chance in odds]
    position = parse_position(start(rules, rng.choice("LD")))
    seen: list[Position] = []
    while position.turn != "=" and len(seen) < LONGEST_GAME:
        seen.append(position)
        found = moves_of(position, rng.choices(faces, weights)[0])
        texts = sorted(found)
        position = found[rng.choice(texts)] if texts else pass_turn(position)
    return seen


def find_wish(rules: str, rng: Random, wish: Wish, side: str) -> str | None:
    """A position of random play, this side to move, that fulfils a wish; None if none comes."""
    for _ in range(GAMES_FOR_A_WISH):
        seen = random_game(rules, rng)
        fitting = [position for position in seen if position.turn == side and wish[1](position)]
        if fitting:
            return write_position(rng.choice(fitting))
    return None


def counts(position: str, leaves: int, deepest: int) -> list[int]:
    """The leaves at depth 1, 2, ... as long as the next is not expected to pass `leaves`."""
    found = [1, perft_from(position, 1)]
    while len(found) <= deepest and found[-1] ** 2 <= leaves * found[-2] and found[-1] > 0:
        found.append(perft_from(position, len(found)))
    return found[1:]


def line(position: str, leaves: int, deepest: int) -> str:
    """The line of one position: `position | depth count depth count ...`."""
    numbered = enumerate(counts(position, leaves, deepest), start=1)
    return f"{position} | " + " ".join(f"{depth} {count}" for depth, count in numbered)


def file_lines(rules: str) -> Iterator[str]:
    """The lines of one rule set's file."""
    yield f"# {rules}"
    yield "# Leaves by depth in throws; written by `python -m tests.second write-perft`."
    yield "# Each different throw branches once, each legal move once, a pass counts one; a"
    yield "# finished position counts where it is reached with the last throw, and 0 deeper."
    for side in "LD":
        yield line(start(rules, side), START_LEAVES if side == "L" else MIDGAME_LEAVES, 99)
    rng = Random(rules)
    for wish in WISHES[parse_rules(rules)[0]]:
        for side in "LD":
            position = find_wish(rules, rng, wish, side)
            if position is not None:
                yield f"# {wish[0]}"
                yield line(position, MIDGAME_LEAVES, MIDGAME_DEPTH)


def file_name(rules: str) -> str:
    """`murray+exit_row=opponent.txt` for `murray[exit_row=opponent]`."""
    return rules.replace("[", "+").replace(";", "+").removesuffix("]") + ".txt"


def write_perft_file(rules: str) -> Path:
    """Write the file of one rule set; gives its path."""
    path = FOLDER / file_name(rules)
    FOLDER.mkdir(exist_ok=True)
    path.write_text("".join(text + "\n" for text in file_lines(rules)), encoding="ascii")
    return path
