"""The wires of the schematics; KiCad itself compares them with the boards in tests/boards."""

import networkx as nx
import pytest

from wiring.boards.__main__ import BOARDS
from wiring.boards.schematic import SHEETS
from wiring.boards.sheet import ends, node_of, wires


# Everyday tests compare the sheets of die and hub with those that have passed this (test_boards),
# `make -C wiring check` also that of the panel.
@pytest.mark.slow
@pytest.mark.parametrize("make", BOARDS)
def test_every_pin_of_a_net_is_reached_by_wires_that_touch_no_other_net(make):
    board = make()
    nets = wires(board, SHEETS[board.paper])
    pins = {
        node_of(at): part.nets.get(pin.number)
        for part in board.parts
        for at, pin in ends(part).items()
    }
    turns: dict[tuple[int, int], set[str]] = {}
    lines: dict[tuple, str] = {}
    passing: dict[tuple[int, int], set[str]] = {}
    for name, net in nets.items():
        assert not net.missed
        nodes = {node for edge in net.edges for node in edge}
        assert {node for node, at in pins.items() if at == name} <= nodes
        assert all(pins.get(node, name) == name for node in nodes)
        assert connected(net.edges) == nodes
        for edge in net.edges:
            assert lines.setdefault(edge, name) == name
            for node in edge:
                passing.setdefault(node, set()).add(name)
        for start, end in net.straights():
            turns.setdefault(start, set()).add(name)
            turns.setdefault(end, set()).add(name)
    for node, there in turns.items():
        assert passing[node] == there, node
        assert len(there) == 1


def connected(edges: set) -> set:
    """Return the nodes that can be reached from one of them."""
    return set(nx.node_connected_component(nx.Graph(edges), min(edges)[0]))
