"""A hesitating hand holds its piece low over other squares before it puts it down."""

from dataclasses import replace
from itertools import pairwise

from urpi.rules import Side, rule_set
from urpi.simulation import Outputs, SimulatedPlayers, VirtualTable, behaviour


def closings(hovers: float) -> list[int]:
    """Return for how many milliseconds switches were closed in a game of 60 throws."""
    edges: list[tuple[int, int, bool]] = []

    def edge(square: int, on: bool) -> None:
        edges.append((table.schedule.now, square, on))

    acts = replace(behaviour("calm"), hovers=hovers)
    players = SimulatedPlayers(behaviour=acts, first=Side.LIGHT)
    table = VirtualTable(rule_set("freecompany"), 5, Outputs(edge=edge), players=players)
    table.play_out(60)
    assert table.reeds.levels == table.game.position.occupancy
    return [
        opened - closed
        for (closed, square, on), (opened, other, _) in pairwise(sorted(edges, key=lambda e: e[1]))
        if on and square == other
    ]


def test_a_switch_under_a_hovering_piece_closes_for_less_than_half_a_second() -> None:
    hovered = [ms for ms in closings(1.0) if 60 <= ms <= 400]

    assert len(hovered) > 60
    assert max(hovered) > 300


def test_no_switch_closes_and_opens_under_a_hand_that_does_not_hover() -> None:
    assert [ms for ms in closings(0.0) if 60 <= ms <= 150] == []
