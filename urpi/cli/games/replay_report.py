"""Reports of `urpi games replay` and `check`."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from urpi import __version__
from urpi.cli.output import counted, echo_json, json_text, printable
from urpi.journal import (
    CheckedGame,
    CheckVerdict,
    Choice,
    Difference,
    Journal,
    Replay,
    check_answers,
    check_game,
    check_games,
    check_pages,
    check_preferences,
    list_games,
)
from urpi.referee.decisions import Decision
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.show.evidence import Wording
from urpi.show.words import words_for


def replay_game(journal: Journal, game: int, language: Callable[[], str], *, as_json: bool) -> None:
    """Compare a game's decisions with those of this version; exit with 1 if they differ."""
    checked = check_game(journal, game)
    if as_json:
        echo_json(_values(checked))
    else:
        for line in (_first_line(checked), *_differences(checked, journal, language())):
            click.echo(printable(line))
    _exit_if_different([checked])


def check_journal(
    journal: Journal, path: Path, choice: Choice, jobs: int, *, as_json: bool
) -> None:
    """Print for each selected game whether its decisions are the same; exit with 1 if not."""
    # SQLite may skip the rows of a damaged page without an error.
    check_pages(journal)
    check_preferences(journal)
    check_answers(journal)
    chosen = [game.id for game in reversed(list_games(journal, choice))]
    done = []
    for checked in check_games(path, chosen, jobs):
        click.echo(json_text(_values(checked)) if as_json else _row(checked))
        done.append(checked)
    if not as_json:
        click.echo(_summary(done))
    _exit_if_different(done)


def _exit_if_different(done: Iterable[CheckedGame]) -> None:
    if any(checked.verdict in {CheckVerdict.DIFFERS, CheckVerdict.UNREADABLE} for checked in done):
        raise SystemExit(1)


def _row(checked: CheckedGame) -> str:
    return f"Game {checked.game}: {printable(_first_line(checked))}"


def _summary(done: list[CheckedGame]) -> str:
    verdicts = Counter(checked.verdict for checked in done)
    counts = (f"{count} {verdict.value}" for verdict, count in _in_order(verdicts))
    return f"{counted(len(done), 'game', 'games')}: {', '.join(counts) or 'nothing to check'}."


def _in_order(verdicts: Counter[CheckVerdict]) -> Iterator[tuple[CheckVerdict, int]]:
    return ((verdict, verdicts[verdict]) for verdict in CheckVerdict if verdicts[verdict])


def _first_line(checked: CheckedGame) -> str:
    """The result of a check in one sentence."""
    done = checked.replay
    if done is None:
        return checked.why
    differs = checked.verdict is CheckVerdict.DIFFERS
    versions = f"; refereed by {checked.program}, now {__version__}" if differs else ""
    return f"{_compared(done)}{versions}."


def _differences(checked: CheckedGame, journal: Journal, language: str) -> Iterator[str]:
    """Yield each decision that differs, as stored and as it is now."""
    if checked.replay is None or not checked.replay.differences:
        return
    opening = parse_fact(next(journal.entries(checked.game)).line)
    assert isinstance(opening, Game), "a journal's games begin with their game fact"
    wording = Wording(words_for(language), opening)
    for difference in checked.replay.differences:
        then, now = _sentences(difference, wording)
        yield f"after throw {difference.throw}, entry {difference.seq}:"
        yield f"  then {then}"
        yield f"  now  {now}"


def _sentences(difference: Difference, wording: Wording) -> tuple[str, str]:
    """Both decisions in words, or as stored lines if the words are the same."""
    lines = difference.stored, difference.new
    then, now = (
        "nothing" if line is None else _sentence(parse_decision(line), wording) for line in lines
    )
    return (then, now) if then != now else (lines[0] or "", lines[1] or "")


def _sentence(decision: Decision, wording: Wording) -> str:
    return f"{wording.clock(decision.t)} {wording.decision(decision)}"


def _compared(done: Replay) -> str:
    if done.differences:
        return f"{len(done.differences)} of {done.decisions} decisions differ"
    unstored = f"; {len(done.unstored)} more were not stored" if done.unstored else ""
    return f"{done.facts} facts, {done.decisions} decisions, all the same{unstored}"


def _values(checked: CheckedGame) -> dict[str, Any]:
    values: dict[str, Any] = {
        "game": checked.game,
        "verdict": checked.verdict.value,
        "refereed_by": checked.program,
        "replayed_by": __version__,
    }
    done = checked.replay
    if done is None:
        return values | {"why": checked.why}
    return values | {
        "facts": done.facts,
        "decisions": done.decisions,
        "differences": [_difference(each) for each in done.differences],
        "unstored": [json.loads(line) for line in done.unstored],
    }


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "entry": difference.seq,
        "throw": difference.throw,
        "then": difference.stored and json.loads(difference.stored),
        "now": difference.new and json.loads(difference.new),
    }
