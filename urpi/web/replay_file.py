"""A replay as one file to keep or to send: no script runs in it, and nothing is fetched.

A step is a choice of one among many (radio buttons), so that the browser itself goes from step to
step by the arrow keys, and a style shows the one that is chosen. A throw and what was played with
it are one step here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from urpi.journal import Entry, GameSummary
from urpi.rules import Side, parse_move
from urpi.svg import BoardScene, Labels, board_defs, board_picture, element, escaped
from urpi.svg.board import STYLE as BOARD_STYLE
from urpi.svg.die import die_picture
from urpi.views.score import off_label
from urpi.web.documents.pieces import move_said
from urpi.web.documents.replay import Frame, frames_of
from urpi.web.replay_style import STYLE
from urpi.words import Words
from urpi.words.sentences import N_

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def replay_page(summary: GameSummary, entries: Iterable[Entry], words: Words) -> str:
    """The game as HTML.

    Raises:
        UrpiError: when what is stored cannot be read.
    """
    page = _Page(summary, words)
    head = element(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        element("title", escaped(page.players)),
        element("style", STYLE, BOARD_STYLE),
    )
    body = element("body", *page.content(steps_of(frames_of(entries, words))))
    return f'<!DOCTYPE html>\n<html lang="{escaped(words.language)}">{head}{body}</html>\n'


def steps_of(frames: Iterable[Frame]) -> tuple[Frame, ...]:
    """The frames without those of throws that were played: their words go on to what was."""
    steps: list[Frame] = []
    thrown: Frame | None = None
    for frame in frames:
        if thrown is not None:
            told = [*thrown.told, *frame.told]
            frame = replace(frame, legal=thrown.legal, told=told)  # noqa: PLW2901
        thrown = frame if frame.kind == "roll" else None
        if thrown is None:
            steps.append(frame)
    return tuple(steps) if thrown is None else (*steps, thrown)


class _Page:
    def __init__(self, summary: GameSummary, words: Words) -> None:
        self._summary, self._words = summary, words
        names = (summary.light, summary.dark)
        light, dark = (names[side.number] or words.side(side) for side in Side)
        self.players = f"{light} \N{EN DASH} {dark}"

    def _say(self, message: str, **details: str | int) -> str:
        return escaped(self._words.text(message).format(**details))

    def content(self, steps: tuple[Frame, ...]) -> Iterator[str]:
        """The parts of the page in their order."""
        summary = self._summary
        yield board_defs()
        rules = self._words.rules(summary.rules.partition("[")[0])
        about = f"{rules} · {summary.started.astimezone():%Y-%m-%d %H:%M}"
        yield element("header", element("h1", escaped(self.players)), element("p", escaped(about)))
        shown = (part for at, frame in enumerate(steps) for part in self._step(at, frame, steps))
        yield element("main", *shown, element("nav", *self._list(steps), class_="list"))

    def _step(self, at: int, frame: Frame, steps: tuple[Frame, ...]) -> Iterator[str]:
        last = len(steps) - 1
        place = self._say(
            N_("Step {step} of {all}, turn {turn}"), step=at, all=last, turn=frame.turn
        )
        checked = " checked" if at == 0 else ""
        yield f'<input type="radio" name="step" id="s{at}" aria-label="{place}"{checked}>'
        yield element(
            "section",
            element("h2", *self._dice(frame), " ", escaped(self._played(frame))),
            board_picture(self._scene(frame), self._labels(frame)),
            element("p", *self._steps_beside(at, last), element("span", place), class_="steps"),
            *self._legal(frame),
            *(element("p", escaped(line), class_="told") for line in frame.told),
            class_="step",
        )

    def _steps_beside(self, at: int, last: int) -> Iterator[str]:
        """To the step before and the next; where there is none, the sign alone."""
        for to, sign, title in (
            (at - 1, "◀", N_("A step back")),
            (at + 1, "▶", N_("A step on")),
        ):
            there = f"s{to}" if 0 <= to <= last else None
            yield element("label", sign, for_=there, title=self._words.text(title))

    def _list(self, steps: tuple[Frame, ...]) -> Iterator[str]:
        for at, frame in enumerate(steps):
            value = f"{frame.throw.value}: " if frame.throw and frame.kind == "move" else ""
            text = escaped(value + self._played(frame))
            turn = element("b", str(frame.turn or "\N{NO-BREAK SPACE}"))
            yield element("label", turn, " ", text, for_=f"s{at}")

    def _scene(self, frame: Frame) -> BoardScene:
        position = frame.position
        moved = parse_move(frame.move) if frame.kind == "move" else None
        return BoardScene(position, position.occupancy, moved)

    def _labels(self, frame: Frame) -> Labels:
        text = self._words.text
        return Labels(self._played(frame), text(N_("hand")), text(off_label(frame.position.rules)))

    def _played(self, frame: Frame) -> str:
        text, names = self._words.text, (self._summary.light, self._summary.dark)
        if frame.kind == "start":
            return text(N_("The beginning"))
        if frame.move and frame.side is not None:
            name = names[frame.side.number] or self._words.side(frame.side)
            message = (
                N_("{name} takes back: {move}") if frame.kind == "back" else N_("{name}: {move}")
            )
            move = move_said(parse_move(frame.move), self._words)
            return text(message).format(name=name, move=move)
        return frame.told[0] if frame.told else ""

    @staticmethod
    def _dice(frame: Frame) -> Iterator[str]:
        if frame.throw is not None and frame.kind != "end":
            yield from map(die_picture, frame.throw.faces)

    def _legal(self, frame: Frame) -> Iterator[str]:
        if frame.legal:
            moves = (move_said(parse_move(move), self._words) for move in frame.legal)
            items = "".join(element("li", escaped(move)) for move in moves)
            yield element(
                "details", element("summary", self._say(N_("What was legal"))), element("ul", items)
            )
