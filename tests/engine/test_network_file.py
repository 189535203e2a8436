"""The networks' files: what is read back, what is refused by name, and whole games of values."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import reads, spoilt
from urpi.core.errors import UrpiError
from urpi.engine.features import Layout
from urpi.engine.network_file import FOLDER, NetworkHeader, network, read, write
from urpi.rules import PASS, RULE_SETS, Side, parse_position, rule_set

HEADER = NetworkHeader(
    rules="finkel",
    pieces=7,
    tops=["L"] * 6 + ["LD"] * 8 + ["D"] * 6,
    patterns=["A4 A3 B1", "B1 B2 B3"],
    piles=False,
    units=[3, 2],
    made="by a test",
    program="0.1.0",
)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return a small network with weights from -1 to 1."""
    path = tmp_path / "any.network"
    write(path, HEADER, [Random(n).uniform(-1, 1) for n in range(HEADER.weights)])
    return path


def test_a_network_comes_back(made: Path) -> None:
    header, found = read(made)
    assert header.layout == Layout(7, tuple(HEADER.tops), ((3, 2, 6), (6, 7, 8)), piles=False)
    assert found.weights.rows[0][0] == pytest.approx(Random(0).uniform(-1, 1), abs=1e-3)
    assert len(found.weights.rows) == header.layout.size == 12 + 27 + 3 * 64 + 1
    assert found.weights.last_bias == pytest.approx(
        Random(HEADER.weights - 1).uniform(-1, 1), abs=1e-3
    )
    assert 0 < found.value(rule_set("finkel").start(Side.LIGHT)) < 1


def test_the_value_is_that_of_the_formula(tmp_path: Path) -> None:
    path = tmp_path / "any.network"
    size = HEADER.layout.size
    rows = [float(n % 7) for n in range(3 * size)]
    rest = [1.0, 0.0, -99.0, 0.5, 0.25, 1.0, -1.0, 0.0, 0.0, 0.5, 0.25, 0.125, 2.0, 0.0625]
    write(path, HEADER, rows + rest[:3] + rest[3:9] + rest[9:11] + rest[11:13] + rest[13:])
    _, found = read(path)
    position = parse_position("finkel A4:L,B2:D L6D6 L0D0 L")
    layout = HEADER.layout
    one, two = 1, 12 + 2 * 3
    counts = layout.pattern_starts[-1]
    active = [one, two, counts + 6 * 8, counts + 64 + 6 * 8, counts + 128]
    assert found.features.rows(position) == active
    h = [sum(rows[3 * row + unit] for row in active) + rest[unit] for unit in range(3)]
    h = [max(0.0, each) for each in h]
    z = [0.5 * h[0] + 0.25 * h[1] + h[2] + 0.5, -h[0] + 0.25]
    total = 0.0625 + 0.125 * max(0.0, z[0]) + 2 * max(0.0, z[1])
    assert found.value(position) == pytest.approx(1 / (1 + 2.718281828459045**-total))


@pytest.mark.parametrize("cut", [1, 2, 500])
def test_a_truncated_network_is_refused(made: Path, cut: int) -> None:
    made.write_bytes(made.read_bytes()[:-cut])
    with pytest.raises(UrpiError, match=r"any.network has \d+ bytes of weights instead of"):
        read(made)


def test_a_changed_weight_is_found_by_its_checksum(made: Path) -> None:
    content = made.read_bytes()
    made.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    with pytest.raises(UrpiError, match=r"any.network have changed: wrong checksum"):
        read(made)


def test_a_missing_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match=r"The network .*none\.network cannot be read"):
        read(tmp_path / "none.network")


def test_a_weight_that_is_no_number_is_refused(made: Path) -> None:
    write(made, HEADER, [float("nan")] * HEADER.weights)
    with pytest.raises(UrpiError, match="a weight that is not a number"):
        read(made)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "urpi-network-2"),
        ("rules", "chess"),
        ("pieces", 0),
        ("pieces", True),
        ("tops", ["L"] * 19),
        ("tops", ["DL"] * 20),
        ("patterns", []),
        ("patterns", ["A9"]),
        ("patterns", ["A1 A1"]),
        ("patterns", ["A1 A2 A3 A4 B1 B2 B3 B4 B5"]),
        ("patterns", ["B1 B2 B3 B4 B5 B6 B7 B8"] * 6),
        ("units", [3]),
        ("units", [10**9, 2]),
        ("units", [3, 2.0]),
        ("more", 1),
    ],
)
def test_a_wrong_header_is_refused(made: Path, key: str, value: object) -> None:
    line, _, packed = made.read_bytes().partition(b"\n")
    made.write_bytes(json.dumps(json.loads(line) | {key: value}).encode() + b"\n" + packed)
    with pytest.raises(
        UrpiError, match=r"any.network is not a network of the format urpi-network-1"
    ):
        read(made)


@settings(max_examples=60)
@given(st.data())
def test_spoilt_files_are_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("spoilt") / "any.network"
    write(path, HEADER, [0.5] * HEADER.weights)
    content = path.read_bytes()
    line = content.partition(b"\n")[0].decode()
    found = data.draw(spoilt(line)) + content[len(line) :]
    path.write_bytes(found)
    accepted = reads(read, path)
    assert accepted or found != content
    assert not accepted or read(path)[0].weights == HEADER.weights


def test_every_rule_set_has_a_network_and_all_are_small() -> None:
    files = {path.stem: path.stat().st_size for path in FOLDER.glob("*.network")}
    assert set(files) == set(RULE_SETS)
    assert sum(files.values()) <= 1_500_000


def test_a_network_of_another_rule_set_is_refused(made: Path) -> None:
    made.rename(made.parent / "masters.network")
    with pytest.raises(UrpiError, match=r"masters.network is for finkel, not for masters"):
        network(rule_set("masters"), made.parent)


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_whole_games_are_evaluated(name: str) -> None:
    rules = rule_set(name)
    evaluator, rng = network(rules), Random(f"games of {name}")
    position, values = rules.start(Side.LIGHT), []
    for _ in range(300):
        if position.turn is None:
            break
        values.append(evaluator.value(position))
        throw = rules.dice.roll(rng.random())
        legal = rules.legal_moves(position, throw) or (PASS,)
        position = rules.play(position, throw, rng.choice(legal))
    assert all(0 <= value <= 1 for value in values)
    assert len(set(values)) > len(values) // 2


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_both_sides_are_seen_alike(name: str) -> None:
    rules = rule_set(name)
    evaluator, rng = network(rules), Random(f"sides of {name}")
    light, dark = rules.start(Side.LIGHT), rules.start(Side.DARK)
    for _ in range(40):
        if light.turn is None:
            break
        assert evaluator.value(light) == evaluator.value(dark)
        throw = rules.dice.roll(rng.random())
        moves = [rules.legal_moves(each, throw) or (PASS,) for each in (light, dark)]
        move = rng.choice(moves[0])
        mirrored = move.text.translate(str.maketrans("AC", "CA"))
        found = [each for each in moves[1] if _sorted(each.text) == _sorted(mirrored)]
        light = rules.play(light, throw, move)
        dark = rules.play(dark, throw, found[0])


def _sorted(move: str) -> list[str]:
    return sorted(move.split(","))


def test_fewer_pieces_are_pieces_borne_off() -> None:
    short = parse_position("finkel[pieces=3] A1:L,B2:D,C1:D L2D1 L0D0 L")
    long = parse_position("finkel A1:L,B2:D,C1:D L2D1 L4D4 L")
    assert network(short.rules).value(short) == network(long.rules).value(long)
