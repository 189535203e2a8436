"""The file of a table (FORMATS.md, Tables): a header of 4,096 bytes, then two bytes for each value.

The header is one JSON object, filled up with spaces. The values are those of `RaceIndex`, from 0 to
65,535 for 0 to 1, the low byte first.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from urpi.engine.evaluator import EvaluatorKind
from urpi.engine.race_index import RaceIndex
from urpi.errors import UrpiError
from urpi.inputs import opened
from urpi.rules import Position, RuleSet, parse_rules

FORMAT: Final = "urpi-table-1"
HEADER_BYTES: Final = 4096
HIGHEST: Final = 65_535
"""The stored value of a certain win."""
_CHUNK: Final = 1 << 20
_ADVICE: Final = "build it again with `urpi solve`, or install another copy"


@dataclass(frozen=True, slots=True)
class Header:
    """What a table's header states.

    Attributes:
        rules: The rule set with its options, such as ``finkel[pieces=5]``.
        positions: The number of values.
        start: The value of the start position before rounding, for the side to throw.
        residual: The largest change of any value in one more sweep.
        program: The version of urpi that built the table.
        sha256: The checksum of the values' bytes, in hexadecimal.
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


def read_header(path: Path) -> Header:
    """Read the header of a table, and compare it with the size of the file.

    Raises:
        UrpiError: If the file cannot be read, is no table, or does not have the stated size.
    """
    with opened(path, "table", _ADVICE) as file:
        header = _parse_header(path, file.read(HEADER_BYTES))
        size = file.seek(0, 2)
    expected = HEADER_BYTES + 2 * header.positions
    if size != expected:
        message = f"The table {path} has {size} bytes instead of {expected}; {_ADVICE}."
        raise UrpiError(message)
    index = RaceIndex(header.rule_set())
    if header.positions != index.size:
        message = (
            f"The table {path} has {header.positions} values instead of the {index.size} of "
            f"{header.rules}; {_ADVICE}."
        )
        raise UrpiError(message)
    return header


def _parse_header(path: Path, content: bytes) -> Header:
    try:
        found = json.loads(content)
        types: dict[str, Any] = {"positions": int, "start": int | float, "residual": int | float}
        valid = (
            isinstance(found, dict)
            and found.get("format") == FORMAT
            and set(found) == set(Header.__slots__)
            and all(isinstance(value, types.get(key, str)) for key, value in found.items())
        )
    except (ValueError, RecursionError):
        valid = False
    if not valid:
        message = f"The file {path} is not a table of the format {FORMAT}; {_ADVICE}."
        raise UrpiError(message)
    return Header(**found)


def check(path: Path) -> Header:
    """Read a whole table, and return its header.

    Raises:
        UrpiError: As `read_header`, or if the checksum of the values differs.
    """
    header = read_header(path)
    digest = hashlib.sha256()
    with opened(path, "table", _ADVICE) as file:
        file.seek(HEADER_BYTES)
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != header.sha256:
        message = f"The values of the table {path} have changed: wrong checksum; {_ADVICE}."
        raise UrpiError(message)
    return header


def write(file: BinaryIO, header: Header, chunks: Iterable[bytes]) -> Header:
    """Write a table to a new file, and return its header with the checksum.

    The header is written last, so that an incomplete file is never taken for a table.
    """
    digest = hashlib.sha256()
    file.seek(HEADER_BYTES)
    for chunk in chunks:
        digest.update(chunk)
        file.write(chunk)
    complete = Header(**asdict(header) | {"sha256": digest.hexdigest()})
    file.seek(0)
    file.write(complete.to_bytes())
    return complete


class Table:
    """An evaluator that reads exact values from a table, rounded to 1/65,535.

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
        self._index = RaceIndex(self.rules)
        with opened(path, "table", _ADVICE) as file:
            self._file = os.dup(file.fileno())
        # Positions are anywhere in the file, so reading ahead would only delay a slow card.
        os.posix_fadvise(self._file, 0, 0, os.POSIX_FADV_RANDOM)

    def value(self, position: Position) -> float:
        """Return the value of a position of the table's rule set that is not over.

        Raises:
            UrpiError: If the file cannot be read any more, or has become shorter.
        """
        try:
            low, high = os.pread(self._file, 2, HEADER_BYTES + 2 * self._index(position))
        except (OSError, ValueError) as error:
            message = f"The table {self.path} cannot be read any more; {_ADVICE}."
            raise UrpiError(message) from error
        return (low + 256 * high) / HIGHEST

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
