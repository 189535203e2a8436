"""An adjourned game at the simulated board, set up again from its replay as the display leads."""

from pathlib import Path
from random import Random

import pytest

from tests.simulation.test_setting_up import LONGEST_MS, Hands, clear, is_up_to_date
from tests.slow import slow_except
from urpi.config import Config
from urpi.journal import Journal, entries_of, find_game, stored_record
from urpi.page.documents.replay import replay_document
from urpi.referee import Phase
from urpi.rules import RULE_SETS, Position, Side, each_square, parse_position, rule_set
from urpi.service.virtual import Setting, VirtualService
from urpi.show.words import words_for
from urpi.simulation import PLAYERS, SimulatedPlayers, behaviour
from urpi.simulation.schedule import Script

BEFORE, AFTER = 18, 4
"""Throws until the game is adjourned, and after that."""
MISHAPS = 0.3


class Restorers(Hands):
    """Hands that correct the square that the display names first, and sometimes hit another."""

    done: bool = False

    def restore(self) -> Script:
        shown = self.service.service.snapshot
        while shown.phase is Phase.SET_UP:
            squares = [*each_square(shown.clear or shown.fill)]
            if shown.clear:
                yield from self.take_off(squares[0])
            elif squares:
                assert shown.position is not None
                yield from self.lay(squares[0], shown.position)
            # The switches must have stood still before the display shows what is left.
            yield from self.follow(1_500)
            shown = self.service.service.snapshot
        self.done = True

    def take_off(self, square: int) -> Script:
        pieces = self.table.pieces
        pieces.lay_beside(pieces.lift(square, len(pieces.pile(square))))
        yield from self.follow(300)

    def lay(self, square: int, position: Position) -> Script:
        """Put the pile that the display shows on its square, or on one that must be empty.

        Not on that of another piece: no switch shows whose piece it is.
        """
        pieces, board = self.table.pieces, position.board
        free = [each for each in range(20) if not board[each] and not pieces.pile(each)]
        target = self.rng.choice(free) if self.rng.random() < MISHAPS else square
        for letter in position.board[square]:
            piece = pieces.pick_up(Side.of_letter(letter))
            pieces.put(target, pieces.turn(piece, letter))
            yield from self.follow(self.rng.randrange(50, 900))


def play(service: VirtualService, throws: int) -> None:
    service.table.play(throws)
    while service.table.busy or not is_up_to_date(service):
        service.run()
        assert service.now() < LONGEST_MS


@pytest.mark.slow
@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "ravensburger"))
def test_an_adjourned_game_is_set_up_from_its_replay_and_played_on(
    rules: str, tmp_path: Path
) -> None:
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour("calm"), first=Side.LIGHT)
    setting = Setting(rule_set(rules), 11, 0.0, players=players, first=Side.LIGHT)
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting, Config(), journal, lambda *_: None) as service,
    ):
        adjourned = service.begin()
        play(service, BEFORE)
        left = service.service.snapshot.position

    with Journal.open(tmp_path / "games.db") as journal:
        words = words_for("en")
        found = replay_document(
            find_game(journal, adjourned), entries_of(journal, adjourned), words
        )
        wanted = parse_position(found["frames"][-1]["position"])
        assert wanted == left
        setting = Setting(wanted.rules, 11, 0.0, players=players, position=wanted)
        with VirtualService(setting, Config(), journal, lambda *_: None) as service:
            clear(service.table)
            number = service.begin()
            hands = Restorers(service, wanted, Random(f"restoring {rules}"))
            service.table.schedule.start(hands.restore())
            # No switch shows the height of the last pile: the game may begin before it is complete.
            while not hands.done:
                service.run()
                assert service.now() < LONGEST_MS
            snapshot = service.service.snapshot
            assert str(snapshot.position) == str(wanted)
            assert service.table.pieces.board == [*wanted.board]
            assert snapshot.side is wanted.turn
            play(service, AFTER)

    with Journal.open(tmp_path / "games.db") as journal:
        assert dict(stored_record(journal, number).tags)["Position"] == str(wanted)
        assert find_game(journal, adjourned).result is None
