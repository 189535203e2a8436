"""`urpi dice replay`: what the program and the referee read in a recording of dice."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import click

from urpi.cli.output import json_text
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.hardware.bleak_radio import BRAND_NAMES
from urpi.hardware.configured import configured_faces
from urpi.hardware.die_reports import Battery, Motion, Report
from urpi.hardware.recording import MAX_BYTES, Recording, Replayed, parse_recording, replay
from urpi.referee import State, begin, next_due, step
from urpi.referee.decisions import Roll, RollRefused
from urpi.referee.facts import Die, Fact, Game, Occupancy, Time
from urpi.referee.lines import decision_line
from urpi.rules import RuleSet, Side
from urpi.service.game_dice import in_game
from urpi.service.referee_settings import referee_settings
from urpi.show.words import Words, words_for
from urpi.show.words import dice_sentences as sentences
from urpi.show.words.decisions import DecisionTexts, announcements

PATIENCE_MS: Final = 15_000
"""How long the referee waits for the rest of a throw after the last message."""


def read_recording(file: Path) -> Recording:
    """Read a recording.

    Raises:
        UrpiError: If it cannot be read, or is invalid.
    """
    text = read_text(file, "recording", MAX_BYTES, "choose another file")
    try:
        return parse_recording(text)
    except UrpiError as error:
        message = f"The recording {file} is invalid: {error}"
        raise UrpiError(message) from error


def print_replay(
    recording: Recording, rules: RuleSet, config: Config, *, as_json: bool = False
) -> bool:
    """Print each message with what it contains, and the referee's decisions on the throws.

    Returns whether no message differs from what a person read on the die.

    Args:
        recording: The recording.
        rules: The rules that the throws are judged by.
        config: The configuration.
        as_json: Print a JSON line for each message and decision; by default sentences.
    """
    words = words_for(config.table.language)
    say = _silent if as_json else _print
    for die in recording.dice.values():
        say(words, sentences.REPLAY_DIE, die=die.die, brand=BRAND_NAMES[die.brand], faces=die.faces)
    needed = range(1, rules.dice.count + 1)
    missing = [str(die) for die in needed if die not in recording.dice]
    if missing:
        values = {"needed": f"1-{needed[-1]}", "missing": ", ".join(missing)}
        say(words, sentences.REPLAY_MISSING, **values)
    judge = None if missing else Judge(rules, config)
    judged = decision_line if as_json else partial(_judged, announcements(words))
    shown = different = 0
    for one in replay(recording, configured_faces(config.hub)):
        click.echo(json_text(_values(one)) if as_json else _line(one, words))
        shown += one.message.shows is not None
        different += one.differs
        if judge is not None:
            for decision in judge.decisions(_in_game(one.facts, recording, rules)):
                click.echo(judged(decision))
    for decision in () if judge is None else judge.end():
        click.echo(judged(decision))
    say(
        words,
        sentences.REPLAY_RESULT,
        messages=len(recording.messages),
        shown=shown,
        different=different,
    )
    return not different


def _judged(texts: DecisionTexts, decision: Roll | RollRefused) -> str:
    return f"    {texts.text(decision)}"


class Judge:
    """A referee of throws: after each decision a new game begins, so that no move is needed.

    Args:
        rules: The rules of the game.
        config: The times that the referee waits.
    """

    def __init__(self, rules: RuleSet, config: Config) -> None:
        self._rules, self._settings = rules, referee_settings(config, None)
        self._last = 0
        self._state = self._new_game()

    def decisions(self, facts: Iterable[Fact]) -> Iterator[Roll | RollRefused]:
        """Yield the decisions on throws until and at some facts."""
        for fact in facts:
            yield from self._wait(fact.t)
            yield from self._step(fact)

    def end(self) -> Iterator[Roll | RollRefused]:
        """Yield the decisions that only follow because nothing else happens."""
        yield from self._wait(self._last + PATIENCE_MS)

    def _wait(self, until: int) -> Iterator[Roll | RollRefused]:
        while (due := next_due(self._state)) is not None and due < until:
            yield from self._step(Time(max(due, self._last)))

    def _step(self, fact: Fact) -> Iterator[Roll | RollRefused]:
        self._state, decided = step(self._state, fact)
        self._last = fact.t
        for decision in decided:
            if isinstance(decision, Roll | RollRefused):
                yield decision
                self._state = self._new_game()

    def _new_game(self) -> State:
        rules, state = self._rules, begin(self._settings)
        options = tuple(sorted(rules.options.items()))
        game = Game(self._last, rules.id, options=options, first=Side.LIGHT)
        start = rules.start(Side.LIGHT).occupancy
        for fact in (game, Occupancy(self._last, start)):
            state, _ = step(state, fact)
        return state


def _in_game(facts: tuple[Die, ...], recording: Recording, rules: RuleSet) -> list[Die]:
    paired = {one.die: {"faces": one.faces} for one in recording.dice.values()}
    return [in_game(fact, rules.dice, paired) for fact in facts]


def _values(one: Replayed) -> dict[str, object]:
    return {
        "t": one.message.t,
        "die": one.message.die,
        "data": one.message.data.hex(),
        "value": one.value,
        "shows": one.message.shows,
        "differs": one.differs,
    }


def _line(one: Replayed, words: Words) -> str:
    message = words.text(sentences.REPLAY_MESSAGE).format(
        seconds=f"{one.message.t / 1000:.3f}",
        die=one.message.die,
        data=one.message.data.hex(" "),
    )
    found = ", ".join(report_words(report, words) for report in one.reports)
    found = found or words.text(sentences.REPLAY_NOTHING)
    if not one.differs:
        return f"{message}: {found}"
    differs = words.text(sentences.REPLAY_DIFFERS)
    return f"{message}: {differs.format(found=found, shows=one.message.shows)}"


def report_words(report: Report, words: Words) -> str:
    """A die's report in words."""
    match report:
        case Motion(state, value):
            return words.text(sentences.MOTIONS[state]).format(value=value)
        case Battery(percent):
            return words.percent(percent)
        case _:
            return words.text(sentences.REPLAY_IDENTITY)


def _silent(_words: Words, _sentence: str, **_values: object) -> None:
    """Print nothing, where sentences would disturb a program."""


def _print(words: Words, sentence: str, **values: object) -> None:
    click.echo(words.text(sentence).format(**values))
