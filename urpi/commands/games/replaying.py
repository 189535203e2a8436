"""What `urpi games replay` and `check` do: whether this version would decide the same."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from urpi import __version__
from urpi.commands.games.tables import counted, harmless
from urpi.evidence import Wording
from urpi.journal import (
    CheckedGame,
    Choice,
    Difference,
    Journal,
    Replay,
    Verdict,
    check_game,
    check_games,
    check_pages,
    check_preferences,
    list_games,
)
from urpi.referee.decisions import Decision
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.words import words_for


def replay_game(journal: Journal, game: int, language: Callable[[], str], *, as_json: bool) -> None:
    """Print how a game is decided now; leave with status 1 where that differs."""
    checked = check_game(journal, game)
    if as_json:
        click.echo(json.dumps(_told(checked), ensure_ascii=False))
    else:
        for line in (_first_line(checked), *_differences(checked, journal, language())):
            click.echo(harmless(line))
    _leave([checked])


def check_journal(
    journal: Journal, path: Path, choice: Choice, jobs: int, *, as_json: bool
) -> None:
    """Print of each chosen game whether it is decided the same; status 1 where one is not."""
    # SQLite passes over what a damaged page had, now and then without a word.
    check_pages(journal)
    check_preferences(journal)
    chosen = [game.id for game in reversed(list_games(journal, choice))]
    done = []
    for checked in check_games(path, chosen, min(jobs, max(len(chosen), 1))):
        click.echo(json.dumps(_told(checked), ensure_ascii=False) if as_json else _row(checked))
        done.append(checked)
    if not as_json:
        click.echo(_sum(done))
    _leave(done)


def _leave(done: Iterable[CheckedGame]) -> None:
    if any(checked.verdict in {Verdict.DIFFERS, Verdict.UNREADABLE} for checked in done):
        raise SystemExit(1)


def _row(checked: CheckedGame) -> str:
    return f"Game {checked.game}: {harmless(_first_line(checked))}"


def _sum(done: list[CheckedGame]) -> str:
    verdicts = Counter(checked.verdict for checked in done)
    counts = (f"{count} {verdict.value}" for verdict, count in _in_order(verdicts))
    return f"{counted(len(done), 'game', 'games')}: {', '.join(counts) or 'nothing to check'}."


def _in_order(verdicts: Counter[Verdict]) -> Iterator[tuple[Verdict, int]]:
    return ((verdict, verdicts[verdict]) for verdict in Verdict if verdicts[verdict])


def _first_line(checked: CheckedGame) -> str:
    """What a check came to, in one sentence."""
    done = checked.replay
    if done is None:
        return checked.why
    differs = checked.verdict is Verdict.DIFFERS
    whose = f"; refereed by {checked.program}, now {__version__}" if differs else ""
    return f"{_compared(done)}{whose}."


def _differences(checked: CheckedGame, journal: Journal, language: str) -> Iterator[str]:
    """Every decision that would be another one: then, and now."""
    if checked.replay is None or not checked.replay.differences:
        return
    opening = parse_fact(next(journal.entries(checked.game)).line)
    assert isinstance(opening, Game), "a journal's games begin with their game fact"
    wording = Wording(words_for(language), opening)
    for difference in checked.replay.differences:
        then, now = _sentences(difference, wording)
        yield f"behind throw {difference.throw}, entry {difference.seq}:"
        yield f"  then {then}"
        yield f"  now  {now}"


def _sentences(difference: Difference, wording: Wording) -> tuple[str, str]:
    """Both decisions in words, or as they are stored where the words are the same."""
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


def _told(checked: CheckedGame) -> dict[str, Any]:
    told: dict[str, Any] = {
        "game": checked.game,
        "verdict": checked.verdict.value,
        "refereed_by": checked.program,
        "replayed_by": __version__,
    }
    done = checked.replay
    if done is None:
        return told | {"why": checked.why}
    return told | {
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
