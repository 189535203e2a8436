"""The file of a network (FORMATS.md, Networks): a header line, then two bytes for each weight."""

import hashlib
import json
import struct
from dataclasses import asdict, dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, Final

from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError
from urpi.core.inputs import opened
from urpi.engine.evaluator import Evaluator
from urpi.engine.features import LETTERS, MAX_ROWS, Layout
from urpi.engine.lead import Lead
from urpi.engine.network import Network, Weights
from urpi.rules import ALL_SQUARES, RULE_SETS, SQUARE_NAMES, RuleSet, names_of, parse_square
from urpi.rules.board import squares_of

FORMAT: Final = "urpi-network-1"
FOLDER: Final = Path(__file__).with_name("networks")
SUFFIX: Final = ".network"
MAX_BYTES: Final = 1_000_000
_MAX_UNITS: Final = 1024
_ADVICE: Final = "install urpi again"


@dataclass(frozen=True, slots=True)
class NetworkHeader:
    """What a network's header states.

    Attributes:
        rules: The id of the rule set.
        pieces: The number of pieces of each side.
        tops: See `Layout`.
        patterns: The names of the squares of each pattern, separated by spaces; see `Layout`.
        piles: See `Layout`.
        units: The widths of the two hidden layers.
        made: How the weights were made.
        program: The version of urpi that made them.
        sha256: The checksum of the weights' bytes, in hexadecimal.
        format: The version of the format; defaults to the one that this program writes.
    """

    rules: str
    pieces: int
    tops: list[str]
    patterns: list[str]
    piles: bool
    units: list[int]
    made: str
    program: str
    sha256: str = ""
    format: str = FORMAT

    @property
    def layout(self) -> Layout:
        """The layout.

        Raises:
            UrpiError: If there is no such square.
        """
        patterns = tuple(
            tuple(parse_square(name) for name in squares.split(" ")) for squares in self.patterns
        )
        return Layout(self.pieces, tuple(self.tops), patterns, self.piles)

    @property
    def weights(self) -> int:
        """The number of weights."""
        first, second = self.units
        return (self.layout.size + 1) * first + (first + 2) * second + 1


def write(path: Path, header: NetworkHeader, weights: list[float]) -> NetworkHeader:
    """Write a network, and return its header with the checksum.

    The weights are in the order of FORMATS.md.
    """
    content = struct.pack(f"<{len(weights)}e", *weights)
    complete = NetworkHeader(**asdict(header) | {"sha256": hashlib.sha256(content).hexdigest()})
    with draft_of(path) as draft:
        draft.write_bytes(json.dumps(asdict(complete)).encode() + b"\n" + content)
    return complete


def read(path: Path) -> tuple[NetworkHeader, Network]:
    """Read a network.

    Raises:
        UrpiError: If the file cannot be read or is damaged; the message names it.
    """
    with opened(path, "network", _ADVICE) as file:
        content = file.read(MAX_BYTES + 1)
    line, _, packed = content.partition(b"\n")
    header = _parse_header(path, line)
    if len(content) > MAX_BYTES or len(packed) != 2 * header.weights:
        message = (
            f"The network {path} has {len(packed)} bytes of weights instead of "
            f"{2 * header.weights}; {_ADVICE}."
        )
        raise UrpiError(message)
    if hashlib.sha256(packed).hexdigest() != header.sha256:
        message = f"The weights of the network {path} have changed: wrong checksum; {_ADVICE}."
        raise UrpiError(message)
    numbers = struct.unpack(f"<{header.weights}e", packed)
    if not all(map(isfinite, numbers)):
        message = f"The network {path} has a weight that is not a number; {_ADVICE}."
        raise UrpiError(message)
    return header, Network(header.layout, _weights(header, numbers))


def network(rules: RuleSet, folder: Path = FOLDER) -> Network:
    """Return the network of a rule set, which is read once.

    It was made for the default options. With fewer pieces it is as good as there; other house
    rules make its values less exact.

    Args:
        rules: The rule set.
        folder: The folder of the networks' files.

    Raises:
        UrpiError: If the file is missing or damaged, or is for another rule set.
    """
    return _read_once(rules.id, folder)


def estimator(rules: RuleSet, folder: Path = FOLDER) -> Evaluator:
    """Return the network of a rule set, or the lead if none has been trained for it.

    Args:
        rules: The rule set.
        folder: The folder of the networks' files.

    Raises:
        UrpiError: If the network's file is damaged, or is for another rule set.
    """
    if (folder / f"{rules.id}{SUFFIX}").exists():
        return network(rules, folder)
    return Lead(rules)


@cache
def _read_once(rules: str, folder: Path) -> Network:
    path = folder / f"{rules}{SUFFIX}"
    header, found = read(path)
    if header.rules != rules or header.pieces < RULE_SETS[rules]({}).pieces:
        message = f"The network {path} is for {header.rules}, not for {rules}; {_ADVICE}."
        raise UrpiError(message)
    return found


def square_names(layout: Layout) -> list[str]:
    """Return the patterns of a layout as a header has them."""
    return [" ".join(SQUARE_NAMES[square] for square in squares) for squares in layout.patterns]


def _weights(header: NetworkHeader, numbers: tuple[float, ...]) -> Weights:
    first, second = header.units
    size = header.layout.size

    def matrix(start: int, rows: int, columns: int) -> list[tuple[float, ...]]:
        return [
            numbers[place : place + columns]
            for place in range(start, start + rows * columns, columns)
        ]

    place = size * first
    bias = numbers[place : place + first]
    place += first
    units = matrix(place, second, first)
    place += second * first
    return Weights(
        rows=matrix(0, size, first),
        bias=bias,
        second=units,
        second_bias=numbers[place : place + second],
        last=numbers[place + second : place + 2 * second],
        last_bias=numbers[-1],
    )


def _parse_header(path: Path, line: bytes) -> NetworkHeader:
    try:
        found = json.loads(line)
        valid = _valid(found)
    except (ValueError, RecursionError, UrpiError):
        valid = False
    if not valid:
        message = f"The file {path} is not a network of the format {FORMAT}; {_ADVICE}."
        raise UrpiError(message)
    return NetworkHeader(**found)


def _valid(found: Any) -> bool:
    """Return whether a JSON value is a header.

    Raises:
        UrpiError: If a pattern names a square that does not exist.
    """
    if not isinstance(found, dict) or set(found) != set(NetworkHeader.__slots__):
        return False
    types = {"pieces": int, "tops": list, "patterns": list, "piles": bool, "units": list}
    if not all(type(value) is types.get(key, str) for key, value in found.items()):
        return False
    texts = all(isinstance(each, str) for each in (*found["tops"], *found["patterns"]))
    units = len(found["units"]) == 2 and all(
        type(each) is int and 1 <= each <= _MAX_UNITS for each in found["units"]
    )
    if not (texts and units and found["format"] == FORMAT and found["rules"] in RULE_SETS):
        return False
    tops = len(found["tops"]) == len(ALL_SQUARES) and all(
        "".join(letter for letter in LETTERS if letter in each) == each for each in found["tops"]
    )
    patterns = 0 < len(found["patterns"]) <= 64 and all(
        0 < len(each.split(" ")) <= 8 and _distinct(each.split(" ")) for each in found["patterns"]
    )
    return (
        tops
        and patterns
        and 1 <= found["pieces"] <= 20
        and NetworkHeader(**found).layout.size <= MAX_ROWS
    )


def _distinct(names: list[str]) -> bool:
    return len(names_of(squares_of(map(parse_square, names)))) == len(names)
