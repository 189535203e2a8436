"""The rounds of a club's tournament, as `urpi club tournament` prints them."""

from datetime import UTC, datetime

from urpi.cli.club_tournament import round_lines
from urpi.club.server.tournaments import StoredRound, StoredTournament
from urpi.club.tournaments.tournament import Pairing

BEGUN = datetime(2026, 5, 1, tzinfo=UTC)
ROUNDS = (
    (Pairing(0, 1, "light"), Pairing(2, None)),
    (Pairing(1, 2, "draw"), Pairing(0, None)),
    (Pairing(2, 0, "dark", played=False), Pairing(1, None)),
)


def begun(rounds: int) -> StoredTournament:
    return StoredTournament(
        id=1,
        name="Spring",
        form="round-robin",
        rules=None,
        planned=3,
        tie_breaks=(),
        created=BEGUN,
        names=("Ann", "Bob", "Cyd"),
        withdrawn=frozenset(),
        rounds=tuple(StoredRound(BEGUN, pairings, {}) for pairings in ROUNDS[:rounds]),
    )


def test_the_newest_round_has_its_number_and_each_pairing_a_line() -> None:
    for rounds, pairing, bye in (
        (1, "Ann - Bob  1 - 0", "Cyd"),
        (2, "Bob - Cyd  ½ - ½", "Ann"),
        (3, "Cyd - Ann  0 - 1 (without a game)", "Bob"),
    ):
        assert round_lines(begun(rounds)) == [
            f"Round {rounds} of 3 (light first)",
            f"   1  {pairing}",
            f"      {bye}: bye",
        ]


def test_an_earlier_round_has_its_own_number() -> None:
    assert [round_lines(begun(3), index)[0] for index in range(3)] == [
        f"Round {number} of 3 (light first)" for number in (1, 2, 3)
    ]
