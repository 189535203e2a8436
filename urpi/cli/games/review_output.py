"""Output of `urpi games review`: text, JSON or a page, with the progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from urpi.cli.evaluators import Evaluators
from urpi.cli.games.listing import began
from urpi.cli.output import echo_json, printable, table, write
from urpi.engine.review import Review, review_record
from urpi.journal import GameSummary, Journal, entries_of, find_game
from urpi.journal.build_record import build_record
from urpi.page.documents.replay import frames_of, standing_frames
from urpi.rules import Side
from urpi.rules.record import GameRecord, first_position
from urpi.show.review_report.document import review_document
from urpi.show.review_report.page import review_page
from urpi.show.review_report.tables import (
    MISTAKES_NOTE,
    RIGHT_ALIGNED,
    THROW_HEADINGS,
    mistake_rows,
    throw_rows,
    total_rows,
)
from urpi.show.review_report.wording import ReviewWording
from urpi.show.words import Words
from urpi.show.words.sentences import N_


def print_review(  # noqa: PLR0913 - a call's options
    journal: Journal,
    game: int,
    evaluators: Evaluators,
    words: Words,
    *,
    as_json: bool,
    html: Path | None,
    lines: bool,
) -> None:
    """Review a game, and print it or write it to a file.

    Args:
        journal: The journal.
        game: The number of the game.
        evaluators: The sources of values.
        words: The language.
        as_json: Print JSON.
        html: The file to write a page to.
        lines: Report the progress in lines; else a bar on a terminal.

    Raises:
        UrpiError: If there is no such game, it cannot be read, has no evaluator, or the file cannot
            be written.
    """
    summary = find_game(journal, game)
    entries = entries_of(journal, game)
    record = build_record(entries, summary.started.astimezone())
    evaluator = evaluators.of(first_position(record).rules)
    with _progress(record, lines=lines) as report:
        reviewed = review_record(record, evaluator, report)
    wording = ReviewWording(words, (summary.light, summary.dark))
    if html is not None:
        write(html, review_page(reviewed, _title(summary, wording), wording))
    if as_json:
        frames = standing_frames(frames_of(entries, words, summary.names))
        document = review_values(summary, reviewed, wording, frames)
        echo_json(document)
    elif html is None:
        for line in _lines(reviewed, _title(summary, wording), wording):
            click.echo(printable(line) if line else "")


def _lines(reviewed: Review, title: str, wording: ReviewWording) -> Iterator[str]:
    """Yield the sentence on what decided the game, the totals, and a line for each throw."""
    words = wording.words
    yield from (title, wording.source(reviewed), "", wording.verdict(reviewed))
    names = [printable(wording.name(side)).upper() for side in Side]
    for heading, rows in (
        (N_("Totals"), list(total_rows(reviewed, wording))),
        (N_("Kinds of mistakes"), mistake_rows(reviewed, wording)),
    ):
        if rows:
            yield ""
            yield from table([words.text(heading).upper(), *names], rows, names)
    yield from (words.text(MISTAKES_NOTE), "")
    headings = [words.text(heading).upper() for heading in THROW_HEADINGS]
    right = {words.text(heading).upper() for heading in RIGHT_ALIGNED}
    yield from table(headings, list(throw_rows(reviewed, wording)), right)


def review_values(
    summary: GameSummary,
    reviewed: Review,
    wording: ReviewWording,
    frames: list[tuple[int, int | None]],
) -> dict[str, Any]:
    """A review for JSON, each throw with its steps as the page counts them."""
    document = review_document(reviewed, wording)
    for thrown, (at_throw, at_move) in zip(document["throws"], frames, strict=True):
        thrown["steps"] = {"throw": at_throw, "move": at_move}
    names = {"light": summary.light, "dark": summary.dark}
    return {"game": summary.id, **names, **document}


def _title(summary: GameSummary, wording: ReviewWording) -> str:
    words = wording.words
    light, dark = map(wording.name, Side)
    rules = words.rules(summary.rules.partition("[")[0])
    players = f"{summary.id}. {light} \N{EN DASH} {dark}"
    return words.joined((players, rules, began(summary, words)))


@contextmanager
def _progress(record: GameRecord, *, lines: bool) -> Iterator[Callable[[int], None]]:
    """Yield a function that reports the number of reviewed throws on standard error."""
    throws = sum(len(turn.throws) for turn in record.turns)
    if lines:
        yield lambda done: click.echo(f"{done}/{throws}", err=True)
    elif sys.stderr is not None and sys.stderr.isatty():
        with click.progressbar(length=throws, label="Reviewing", file=sys.stderr) as bar:
            yield lambda _: bar.update(1)
    else:
        yield lambda _: None
