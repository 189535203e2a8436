"""The figures of stored games, computed and stored, with the progress on standard error."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from urpi.cli.evaluators import Evaluators
from urpi.cli.output import echo_error, echo_json
from urpi.core.errors import UrpiError
from urpi.engine.exact.installed import Installed
from urpi.engine.review import Review, review_record
from urpi.journal import GameSummary, Journal, entries_of
from urpi.journal.build_record import build_record
from urpi.journal.stats import GameReview, game_review
from urpi.journal.study import exercises_of
from urpi.rules import Side, parse_rules
from urpi.rules.record import first_position
from urpi.show.stats_report.figure_file import REVIEWED, FigureFile, ends_of, has_ended
from urpi.show.stats_report.reading import figures_of_game

_AT_ONCE: Final = 50
"""Number of games whose figures are stored at once."""


def compute_figures(  # noqa: PLR0913 - a call's options
    journal: Journal,
    path: Path,
    selected: Iterable[GameSummary],
    installed: Installed,
    evaluators: Evaluators,
    *,
    as_json: bool,
) -> None:
    """Compute and store the missing figures and reviews of games that have ended.

    Args:
        journal: The journal.
        path: Its file.
        selected: The games.
        installed: The installed tables.
        evaluators: The sources of values.
        as_json: Print a JSON object for each game with a review.

    Raises:
        UrpiError: If the journal cannot be read.
    """
    games = [each for each in selected if has_ended(each)]
    file, ends = FigureFile(path), ends_of(journal)
    lessons = _store_figures(journal, file, games, ends)
    stored = file.read_reviews(games, ends)
    games = [each for each in games if each.result in REVIEWED and each.id not in lessons]
    missing = [each for each in games if _needs_review(each, stored, installed)]
    with _progress(len(missing)) as report:
        for each in missing:
            found = _review_of(journal, each, evaluators)
            stored[each.id] = None if found is None else game_review(found)
            exercises = () if found is None else exercises_of(each.id, found)
            file.write_review(each.id, stored[each.id], exercises, ends)
            report(each)
    if as_json:
        for each in games:
            if (review := stored[each.id]) is not None:
                echo_json(end_values(each, review))


def _store_figures(
    journal: Journal,
    file: FigureFile,
    games: list[GameSummary],
    ends: dict[int, tuple[int, int]],
) -> set[int]:
    """Compute and store missing figures; return the numbers of the games that are lessons."""
    figures = file.read(games, ends)
    missing = [each for each in games if each not in figures]
    for start in range(0, len(missing), _AT_ONCE):
        part = missing[start : start + _AT_ONCE]
        computed = {each: figures_of_game(journal, each.id) for each in part}
        file.write(computed, ends)
        figures |= computed
    return {each.id for each, one in figures.items() if one is None}


def _needs_review(
    game: GameSummary, stored: dict[int, GameReview | None], installed: Installed
) -> bool:
    """Whether there is no review, or an estimated one although a table is installed now."""
    if game.id not in stored:
        return True
    review = stored[game.id]
    if review is None or review.source == "exact":
        return False
    return installed.path_of(parse_rules(game.rules)).exists()


def _review_of(journal: Journal, game: GameSummary, evaluators: Evaluators) -> Review | None:
    """The review of a game, None if it cannot be reviewed, as some imported ones."""
    record = build_record(entries_of(journal, game.id), game.started.astimezone())
    try:
        evaluator = evaluators.of(first_position(record).rules)
        return review_record(record, evaluator)
    except UrpiError as error:
        echo_error(f"Game {game.id} cannot be reviewed: {error}")
        return None


def end_values(game: GameSummary, review: GameReview) -> dict[str, Any]:
    """The values of `urpi.show.words.end_review.EndReview` as JSON."""
    light, dark = review.sides
    winners = {side.value for side in Side}
    return {
        "game": game.id,
        "light": game.light,
        "dark": game.dark,
        "winner": game.result if game.result in winners else None,
        "luck": light.luck - dark.luck,
        "loss": light.loss - dark.loss,
        "mistakes": [light.mistakes.total(), dark.mistakes.total()],
    }


@contextmanager
def _progress(games: int) -> Iterator[Callable[[GameSummary], None]]:
    """Yield a function that reports each reviewed game on standard error."""
    if games and sys.stderr is not None and sys.stderr.isatty():
        with click.progressbar(length=games, label="Reviewing games", file=sys.stderr) as bar:
            yield lambda _: bar.update(1)
        return
    numbers = iter(range(1, games + 1))
    yield lambda _: click.echo(f"{next(numbers)}/{games}", err=True)
