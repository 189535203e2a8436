"""A virtual table that plays a game with another one: the whole program, with simulated hands.

Run as ``python -m tests.club_live.guest ARGUMENTS``, a JSON object with the fields of `Guest`. It
continues the game of its journal, or begins it, and ends at a signal. To begin, either both tables
get the order, or one invites the other one.
"""

import json
import secrets
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.output import print_line
from urpi.config import ClubSection, Config
from urpi.link.broker.club_link import ClubLink
from urpi.link.remote.events import events_of
from urpi.link.remote.messages import Invited
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.orders import NewGame
from urpi.referee.seats import Seats, SharedGame
from urpi.rules import Side, parse_rules
from urpi.service.board import BoardService
from urpi.service.interactive import InteractiveService, InteractiveSetting

OVER = "The game is over."


@dataclass(frozen=True)
class Guest:
    """A table, and the game that it plays."""

    journal: str
    broker: str
    table: str
    password_file: str
    other: str
    game: str
    side: str
    first: str
    rules: str
    seed: int
    speed: float
    invites: bool = False
    """Whether light's table invites and dark's accepts; otherwise both begin by an order."""

    def order(self) -> NewGame:
        """Return the order that begins the game."""
        shared = SharedGame(self.game, self.other, "2026.11.20")
        seats: Seats = ("person", "remote") if self.side == "light" else ("remote", "person")
        rules = parse_rules(self.rules)
        return NewGame(rules, "Ann", "Zoë", Side(self.first), seats, shared=shared)

    def agree(self, board: BoardService) -> None:
        """Do what leads to the game by an invitation: invite, or accept."""
        invitations = board.remote.invitations
        if self.side != "light":
            if invitations.agreement.asked is not None:
                invitations.answer(invitations.agreement.asked[1].game, "Zoë")
        elif invitations.agreement.state != "waiting":
            side, first = Side(self.side), Side(self.first)
            # The other table may start too late for the first invitation; each has its own game.
            game = secrets.token_hex(16)
            invited = Invited(game, self.rules, side, "Ann", first, "2026.11.20")
            invitations.invite(self.other, invited)

    def arguments(self) -> str:
        """Return the argument of the program."""
        return json.dumps(asdict(self))


def play(guest: Guest, watch: Callable[[InteractiveService], None] = lambda _service: None) -> None:
    """Play until a signal.

    Args:
        guest: The table and its game.
        watch: Called with the table before the game begins.
    """
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: stopped.append(number))
    section = ClubSection(guest.broker, guest.table, guest.password_file)
    setting = InteractiveSetting(
        parse_rules(guest.rules),
        guest.seed,
        guest.speed,
        plays=frozenset() if guest.invites else frozenset(Side),
        resume=True,
    )
    path = Path(guest.journal)
    link = ClubLink(section, path, "virtual")
    with InteractiveService(setting, Config(club=section), path) as service:
        board = service.board
        service.connect_tables(link)
        link.on_message, link.on_connected = service.receive, service.on_connect
        watch(service)
        begun = board.service.opening is not None and board.service.opening.shared is not None
        ordered = begun
        with link.opened():
            while not stopped:
                service.run()
                shot = board.service.snapshot
                if guest.invites:
                    # No throw may count before the game that is agreed. It ends at one table if the
                    # other one has waited too long for it to begin, and they agree again.
                    plays = shot.shared is not None and shot.in_progress
                    service.table.partner.plays = frozenset(Side) if plays else frozenset()
                    if not plays:
                        guest.agree(board)
                    continue
                if not ordered and board.service.game is not None:
                    ordered = True
                    board.order(guest.order())
                if shot.shared is not None and shot.phase is Phase.OVER:
                    print_line(OVER)
                    break
            while not stopped:
                service.run()


def shown_path(journal: str) -> Path:
    """Return the file with the throws and moves that the display of a table has shown."""
    return Path(f"{journal}.shown")


def play_and_write_shown(guest: Guest) -> None:
    """Play, and write every throw and move of the game when it is shown, kept if it is killed."""
    with shown_path(guest.journal).open("a", encoding="utf-8", buffering=1) as file:

        def on_change(snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
            if snapshot.shared is not None:
                for event in events_of(decisions):
                    file.write(f"{event}\n")

        play(guest, lambda service: service.subscribe(on_change))


if __name__ == "__main__":
    play_and_write_shown(Guest(**json.loads(sys.argv[1])))
