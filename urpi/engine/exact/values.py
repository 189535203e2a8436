"""The file of a table of exact values (FORMATS.md, Tables of exact values).

A header of 4,096 bytes precedes two bytes for each value. It is one JSON object, filled up with
spaces. The values, from 0 to 65,535 for 0 to 1, the low byte first, are in the order of
`RaceIndex`. For games without such an index the keys of their positions
(`urpi.engine.position_key`) come before the values: six bytes each, the high byte first, in rising
order, so that a position is found by bisection.
"""

import hashlib
import json
import os
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from urpi.core.errors import UrpiError
from urpi.core.inputs import opened
from urpi.engine.evaluator import EvaluatorKind
from urpi.engine.position_key import MAX_PIECES, has_keys, key_of
from urpi.engine.race_index import RaceIndex, has_race_index, indexed_rules
from urpi.rules import RULE_SETS, Position, RuleSet, parse_rules, rule_set

FORMAT: Final = "urpi-table-1"
HEADER_BYTES: Final = 4096
HIGHEST: Final = 65_535
"""The stored value of a certain win."""
KEY_BYTES: Final = 6
_CHUNK: Final = 1 << 20
_ADVICE: Final = "build it again with `urpi solve`, or install another copy"


@dataclass(frozen=True, slots=True)
class ValuesHeader:
    """What the header of a table of exact values states.

    Attributes:
        rules: The rule set with its options, such as ``finkel[pieces=5]``.
        positions: The number of values.
        start: The value of the start position before rounding, for the side to throw.
        residual: The largest change of any value in one more sweep.
        program: The version of urpi that built the table.
        sha256: The checksum of all bytes after the header, in hexadecimal.
        format: The version of the format.
    """

    rules: str
    positions: int
    start: float
    residual: float
    program: str
    sha256: str = ""
    format: str = FORMAT

    def rule_set(self) -> RuleSet:
        """Return the rule set.

        Raises:
            UrpiError: If there is no such rule set.
        """
        return parse_rules(self.rules)

    def to_bytes(self) -> bytes:
        """Return the header as it is stored."""
        return json.dumps(asdict(self)).encode().ljust(HEADER_BYTES - 1) + b"\n"


def check_solvable(rules: RuleSet) -> None:
    """Check that a rule set can have a table.

    Raises:
        UrpiError: If its positions have neither an index nor keys.
    """
    if rules.may_decline and rules.bears_off:
        message = (
            f"There are no tables of exact values for {rules.text}: their values are those of "
            "games in which every extra throw is made; choose decline=no."
        )
        raise UrpiError(message)
    if not has_race_index(rules) and not has_keys(rules):
        indexed, few = indexed_rules(), {"pieces": str(MAX_PIECES)}
        keyed = (
            name
            for name, kind in RULE_SETS.items()
            if name not in indexed
            and any(option.name == "pieces" for option in kind.known_options)
            and has_keys(rule_set(name, few))
        )
        message = (
            f"There are no tables of exact values for {rules.text}, only for {', '.join(indexed)}, "
            f"and with pieces={MAX_PIECES} for {', '.join(keyed)}."
        )
        raise UrpiError(message)


def read_header(path: Path) -> ValuesHeader:
    """Read the header of a table, and compare it with the size of the file.

    Raises:
        UrpiError: If the file cannot be read, is no table, or does not have the stated size.
    """
    with opened(path, "table of exact values", _ADVICE) as file:
        header = _parse_header(path, file.read(HEADER_BYTES))
        # The size is compared at once, the checksum only by `check`: it needs every byte of the
        # file.
        size = file.seek(0, 2)
    rules = header.rule_set()
    check_solvable(rules)
    expected = HEADER_BYTES + _keys_size(rules, header.positions) + 2 * header.positions
    if size != expected:
        message = (
            f"The table of exact values {path} has {size} bytes instead of {expected}; {_ADVICE}."
        )
        raise UrpiError(message)
    if has_race_index(rules) and header.positions != (positions := RaceIndex(rules).size):
        message = (
            f"The table of exact values {path} has {header.positions} values instead of the "
            f"{positions} of {header.rules}; {_ADVICE}."
        )
        raise UrpiError(message)
    return header


def _keys_size(rules: RuleSet, positions: int) -> int:
    """Return the size of the keys of a table in bytes, 0 if its positions have an index."""
    return 0 if has_race_index(rules) else KEY_BYTES * positions


def _parse_header(path: Path, content: bytes) -> ValuesHeader:
    try:
        found = json.loads(content)
        types: dict[str, Any] = {"positions": int, "start": int | float, "residual": int | float}
        valid = (
            isinstance(found, dict)
            and found.get("format") == FORMAT
            and set(found) == set(ValuesHeader.__slots__)
            and all(isinstance(value, types.get(key, str)) for key, value in found.items())
        )
    except (ValueError, RecursionError):
        valid = False
    if not valid:
        message = f"The file {path} is no table of exact values of the format {FORMAT}; {_ADVICE}."
        raise UrpiError(message)
    return ValuesHeader(**found)


def check(path: Path) -> ValuesHeader:
    """Read a whole table, and return its header.

    Raises:
        UrpiError: As `read_header`, or if the checksum of the values differs.
    """
    header = read_header(path)
    digest = hashlib.sha256()
    with opened(path, "table of exact values", _ADVICE) as file:
        file.seek(HEADER_BYTES)
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != header.sha256:
        message = f"The exact values of the table {path} have changed: wrong checksum; {_ADVICE}."
        raise UrpiError(message)
    return header


def write(file: BinaryIO, header: ValuesHeader, chunks: Iterable[bytes]) -> ValuesHeader:
    """Write a table to a new file, and return its header with the checksum.

    The header is written last, so that an incomplete file is never taken for a table.
    """
    digest = hashlib.sha256()
    file.seek(HEADER_BYTES)
    for chunk in chunks:
        digest.update(chunk)
        file.write(chunk)
    complete = ValuesHeader(**asdict(header) | {"sha256": digest.hexdigest()})
    file.seek(0)
    file.write(complete.to_bytes())
    return complete


class ExactValues:
    """An evaluator that reads exact values from a file, rounded to 1/65,535.

    Each value is read when it is needed. The system caches the parts of the file that are used, but
    unlike those of a mapped file they do not count as this process's memory.
    """

    kind: EvaluatorKind = "exact"

    def __init__(self, path: Path) -> None:
        """Open a table.

        Raises:
            UrpiError: As `read_header`.
        """
        self.path = path
        self.header = read_header(path)
        self.rules = self.header.rule_set()
        self._index = RaceIndex(self.rules) if has_race_index(self.rules) else self._place_of
        self._values_at = HEADER_BYTES + _keys_size(self.rules, self.header.positions)
        with opened(path, "table of exact values", _ADVICE) as file:
            # Kept open: an upgrade may replace the file, and a game goes on with the old one.
            self._file = os.dup(file.fileno())
        # Positions are anywhere in the file, so reading ahead would only delay a slow card.
        os.posix_fadvise(self._file, 0, 0, os.POSIX_FADV_RANDOM)

    def value(self, position: Position) -> float:
        """Return the value of a position of the table's rule set that is not over.

        Raises:
            UrpiError: If the file cannot be read any more, or has become shorter, or if the
                position cannot be reached in a game and the table has only those that can.
        """
        low, high = self._read(2, self._values_at + 2 * self._index(position))
        return (low + 256 * high) / HIGHEST

    def _place_of(self, position: Position) -> int:
        """Return the number of a position's key."""
        key, positions = key_of(position).to_bytes(KEY_BYTES), self.header.positions
        place = bisect_left(range(positions), key, key=self._key_at)
        if place == positions or self._key_at(place) != key:
            message = (
                f"The position {position} cannot be reached in a game of {self.rules.id}, so the "
                f"table of exact values {self.path} has none for it; --evaluator network "
                "estimates one."
            )
            raise UrpiError(message)
        return place

    def _key_at(self, place: int) -> bytes:
        return self._read(KEY_BYTES, HEADER_BYTES + KEY_BYTES * place)

    def _read(self, count: int, place: int) -> bytes:
        try:
            # Reads at a place without moving a common position, so that threads may share the
            # table.
            found = os.pread(self._file, count, place)
        except OSError as error:
            message = f"The table of exact values {self.path} cannot be read any more; {_ADVICE}."
            raise UrpiError(message) from error
        if len(found) < count:
            message = f"The table of exact values {self.path} has become shorter; {_ADVICE}."
            raise UrpiError(message)
        return found

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
