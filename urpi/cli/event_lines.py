"""The events of a game as sentences, which `urpi serve` and `urpi demo` print in the terminal."""

from typing import Final

from urpi.referee import Snapshot
from urpi.referee.decisions import Coached, Decision, Hinted, Planned, Roll, Warned
from urpi.show.views.phrases import last_event, player_name, refusal
from urpi.show.words import Words
from urpi.show.words.decisions import DecisionTexts, announcements

OF_ENGINE: Final = (Planned, Hinted, Coached)
"""The decisions that follow from the engine's choice, its hint and the coach's answer."""


def event_lines(snapshot: Snapshot, decisions: tuple[Decision, ...], words: Words) -> list[str]:
    """Return the new events as sentences: warnings, throws, the engine's, and the last event."""
    lines = [one.text for one in decisions if isinstance(one, Warned)]
    lines += [_throw(snapshot, one, words) for one in decisions if isinstance(one, Roll)]
    texts = announcements(words, snapshot.light, snapshot.dark)
    lines += [_of_engine(one, texts) for one in decisions if isinstance(one, OF_ENGINE)]
    if any(one is snapshot.last for one in decisions):
        lines.append(last_event(snapshot, words) or refusal(snapshot, words))
    return [line for line in lines if line]


def _throw(snapshot: Snapshot, roll: Roll, words: Words) -> str:
    template = words.text("{name} throws {value} ({faces})")
    name = player_name(snapshot, roll.side, words)
    return template.format(name=name, value=roll.value, faces=roll.faces)


def _of_engine(decision: Planned | Hinted | Coached, texts: DecisionTexts) -> str:
    gain = f" (+{texts.words.percent(decision.loss)})" if isinstance(decision, Coached) else ""
    return texts.text(decision) + gain
