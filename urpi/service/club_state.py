"""What a table publishes to its club."""

from urpi.link.broker.state_message import DieState, TableState
from urpi.referee import Snapshot
from urpi.service.board import BoardService


def club_state(board: BoardService, snapshot: Snapshot) -> TableState:
    """Return the state of a board for its club. Call it in the service's thread."""
    dice = tuple(
        DieState(die.die, die.in_range, die.battery_mv or None, die.battery_percent, die.low)
        for die in board.devices.die_infos
    )
    return TableState(board.service.game, snapshot, dice, tuple(board.service.unavailable))
