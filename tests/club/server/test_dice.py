"""Dice whose faces contradict a fair die, and how often fair ones are marked."""

import json
from math import exp, lgamma, log
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.journal.games import StoredGame
from tests.slow import slow_except
from urpi.club.server.dice import ALPHA, MIN_THROWS, dice_of_game, unusual_dice
from urpi.journal import Journal, entries_of
from urpi.journal.fairness import Tally
from urpi.referee import Phase
from urpi.referee.facts import Answer, Die, Game
from urpi.rules import Side
from urpi.rules.lesson import LESSONS
from urpi.show.stats_report.reading import figures_of_game

TIPS = ("g", "s", "--")
CUBE = tuple("123456")
CLUB = 8_000
"""The dice of a thousand tables."""
OWN_DICE = ((1, 2, 3, 4), (5, 6, 7, 8))


def play_with_dice(
    journal: Journal, opening: Game, rng: Random
) -> tuple[list[str], dict[int, list[str]]]:
    """Play with dice that report, and throws that are entered; return what the dice showed, too."""
    journal.rows("PRAGMA synchronous = OFF")
    game, shown, t = StoredGame(journal, opening), dict[int, list[str]](), 2000
    game.apply_reading(1000)
    while (len(shown) < 3 and t < 2_000_000) or t < 300_000:
        now, t = game.now, t + 5000
        if now.phase is Phase.OVER:
            break
        if now.phase is Phase.MOVE:
            game.apply(Answer(t, move=rng.choice(now.legal)))
            game.apply_reading(t + 500)
            continue
        assert now.side is not None
        dice = game.position.rules.dice
        faces = rng.choices(list(dice.faces), k=dice.count)
        own = opening.dice[now.side.number] if opening.dice else range(1, dice.count + 1)
        if rng.random() < 0.3:
            # Dice that are touched meanwhile do not make an entered throw theirs.
            game.apply(Die(t, own[0], "rolling"))
            game.apply(Answer(t + 1, faces="".join(faces)))
            continue
        for die in own:
            game.apply(Die(t, die, "rolling"))
        for place, (die, face) in enumerate(zip(own, faces, strict=True), 1):
            game.apply(Die(t + 100 * place, die, "settled", face, tumbled=True))
            shown.setdefault(die, []).append(face)
    return [entry.line for entry in entries_of(journal, game.number)], shown


@pytest.mark.parametrize("rules", ["finkel", "masters", "skiryuk", "blitz"])
@pytest.mark.parametrize("own", [None, OWN_DICE])
def test_only_what_dice_have_reported_is_counted(
    tmp_path: Path, rules: str, own: tuple[tuple[int, ...], tuple[int, ...]] | None
) -> None:
    rng = Random(f"{rules} {own}")
    with Journal.open(tmp_path / "j.db") as journal:
        number = 3 if rules in {"masters", "skiryuk"} else 4
        dice = None if own is None else (own[0][:number], own[1][:number])
        opening = Game(0, rules, "Ann", "Zoë", first=Side.DARK, dice=dice)
        lines, shown = play_with_dice(journal, opening, rng)
        # The statistics of the journal read the same lines in another way.
        figures = figures_of_game(journal, 1)
    assert figures is not None
    found = {
        one["die"]: Tally(one["die"], TIPS, tuple(one["counts"])) for one in dice_of_game(lines)
    }
    assert found.keys() == shown.keys() == figures.faces.keys() != set()
    for die, faces in shown.items():
        assert found[die].counts == tuple(faces.count(shows[0]) for shows in TIPS)
        assert found[die].throws == figures.faces[die].total()


@pytest.mark.parametrize("kind", ["numbers", "lesson"])
def test_dice_of_any_number_are_counted_and_prepared_throws_left_out(kind: str) -> None:
    """As a hostile table may send them; the verification of the game must not fail for them."""
    own = {"light": [1, 2, 3, 99], "dark": [97, 98, 97, 98]}
    about = {"dice": own} if kind == "numbers" else {"position": next(iter(LESSONS))}
    opening = {"t": 0, "type": "game", "rules": "finkel", "options": {}, "light": "", "dark": ""}
    lines = [
        json.dumps({**opening, **about}),
        '{"t":1,"type":"die","die":1,"state":"settled","face":"g","tumbled":true}',
        '{"t":1,"type":"roll","side":"light","faces":"gs--","value":2,"legal":[]}',
        '{"t":2,"type":"die","die":97,"state":"settled","face":"g","tumbled":true}',
        '{"t":2,"type":"roll","side":"dark","faces":"gs--","value":2,"legal":[]}',
    ]
    expected = {1: [1, 0, 0], 2: [0, 1, 0], 3: [0, 0, 1]}
    # The same die twice in a throw.
    expected |= {97: [1, 0, 1], 98: [0, 1, 1], 99: [0, 0, 1]}
    found = {one["die"]: one["counts"] for one in dice_of_game(lines)}
    assert found == (expected if kind == "numbers" else {})


def alarm(throws: int, level: float) -> float:
    """The exact probability that Pearson's test rejects a fair tetrahedron, from all outcomes.

    With two degrees of freedom the chi-square distribution is exponential: P(X > x) = exp(-x / 2).
    """
    critical, total = -2 * log(level), 0.0
    logs = [lgamma(number + 1) for number in range(throws + 1)]
    quarter, half = throws / 4, throws / 2
    for gold in range(throws + 1):
        for silver in range(throws - gold + 1):
            blank = throws - gold - silver
            far = ((gold - quarter) ** 2 + (silver - quarter) ** 2) / quarter
            if far + (blank - half) ** 2 / half >= critical:
                ways = logs[throws] - logs[gold] - logs[silver] - logs[blank]
                total += exp(ways + (gold + silver) * log(0.25) + blank * log(0.5))
    return total


@pytest.mark.parametrize("dice", [8, CLUB])
def test_the_shortest_tests_are_accurate_in_the_tail(dice: int) -> None:
    """Holm's correction keeps the rate of the whole club if each test keeps its own."""
    assert alarm(MIN_THROWS, ALPHA / dice) <= 1.15 * ALPHA / dice


def fair_club(rng: np.random.Generator, dice: int) -> list[tuple[str, Tally]]:
    found = []
    for number in range(dice):
        throws = int(rng.integers(MIN_THROWS, 40_000))
        outcomes, shares = (TIPS, [0.25, 0.25, 0.5]) if number % 4 else (CUBE, [1 / 6] * 6)
        counts = tuple(map(int, rng.multinomial(throws, shares)))
        found.append((f"table-{number // 8}", Tally(number % 8 + 1, outcomes, counts)))
    return found


@pytest.mark.parametrize("seed", slow_except(range(4), 0))
def test_fair_dice_are_marked_at_one_in_a_thousand_looks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marked = sum(bool(unusual_dice(fair_club(rng, 40))) for _ in range(1_000))
    # One is expected; more than six have a probability of 1 in 12,000 (Poisson).
    assert marked <= 6


@pytest.mark.parametrize("seed", range(3))
def test_a_die_that_favours_its_marks_is_found_among_a_thousand_tables(seed: int) -> None:
    """55 of 100 throws show a mark: sixty games of 100 throws each are enough."""
    rng = np.random.default_rng(seed)
    club = fair_club(rng, CLUB)
    counts = tuple(map(int, rng.multinomial(6_000, [0.275, 0.275, 0.45])))
    loaded = ("porto", Tally(3, TIPS, counts))
    place = int(rng.integers(CLUB))
    assert unusual_dice([*club[:place], loaded, *club[place:]]) == [loaded]


def test_a_die_with_few_throws_is_not_judged() -> None:
    few = Tally(1, TIPS, (MIN_THROWS - 1, 0, 0))
    assert unusual_dice([("porto", few)]) == []
    assert unusual_dice([("porto", few.with_throw(0))]) == [("porto", few.with_throw(0))]
