"""Tables whose values are known without solving a game."""

from array import array
from pathlib import Path

from urpi.engine.exact.values import ValuesHeader, write
from urpi.engine.race_index import RaceIndex
from urpi.rules import parse_rules


def made_table(path: Path, rules: str) -> Path:
    """Write a table in which each value is its index modulo 65,536, and return its path."""
    size = RaceIndex(parse_rules(rules)).size
    values = array("H", (number % 65_536 for number in range(size)))
    with path.open("wb") as file:
        write(file, ValuesHeader(rules, size, 0.5162, 1e-13, "0.1.0"), [values.tobytes()])
    return path
