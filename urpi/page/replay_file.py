"""A replay as one HTML file to keep or to send, without scripts and without external resources.

Each step has a radio button, so that the arrow keys of the browser move between the steps, and the
style sheet shows the selected one. A throw and the move that was played with it are one step here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from urpi.journal import Entry, GameSummary
from urpi.page.documents.replay import Frame, frames_of, played_text
from urpi.rules import Side, parse_move
from urpi.show.svg import (
    BoardScene,
    Labels,
    board_defs,
    board_picture,
    element,
    escaped,
    html_document,
)
from urpi.show.svg.board import STYLE as BOARD_STYLE
from urpi.show.svg.elements import die_picture
from urpi.show.views.score import off_label
from urpi.show.words import Words
from urpi.show.words.move_texts import move_text
from urpi.show.words.sentences import N_, NC_

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = """
:root { color-scheme: light dark; --paper: #f6f1e7; --card: #fffdf8; --ink: #241f19;
  --dim: #665c4d; --line: #e0d6c3; --lapis: #1f4e8c; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161b; --card: #1d2027; --ink: #ece6d8;
  --dim: #a9a190; --line: #343842; --lapis: #8db9f2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 20px; background: var(--paper);
  color: var(--ink); font: 16px/1.45 system-ui, "DejaVu Sans", sans-serif; }
h1, h2 { font-family: Palatino, "Noto Serif", Georgia, serif; margin: 0; line-height: 1.2;
  overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; } h2 { font-size: 1.25rem; min-height: 2.6em; }
header p, .steps span { color: var(--dim); }
header { margin-bottom: 14px; } p { margin: 0; }
main { display: grid; gap: 20px; }
@media (min-width: 900px) { main { grid-template-columns: minmax(0, 1fr) 20rem; }
  .list { grid-column: 2; grid-row: 1; } }
input { position: absolute; opacity: 0; pointer-events: none; }
.step { display: none; grid-column: 1; grid-row: 1; gap: 10px; align-content: start; }
input:checked + .step { display: grid; }
input:focus-visible + .step .board { outline: 3px solid var(--lapis); outline-offset: 4px; }
.board { max-width: 760px; }
.face { width: 34px; height: 34px; vertical-align: middle; }
.face .body { fill: #34405a; stroke: #1b2233; stroke-width: 1.5; }
.face .g { fill: #f0b63a; } .face .s { fill: #dfe5ee; }
.face .blank { fill: #46536f; stroke: #8b97b0; stroke-dasharray: 3 2; }
.face text { font: 700 22px system-ui, sans-serif; fill: #fffaf0; }
svg, .steps { direction: ltr; }
.steps span { unicode-bidi: plaintext; }
.steps { display: flex; align-items: center; gap: 10px; }
label { cursor: pointer; }
.steps label { min-width: 64px; min-height: 48px; display: grid; place-items: center;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.steps label:not([for]) { opacity: .4; cursor: default; }
.notes { color: var(--dim); }
summary { cursor: pointer; min-height: 40px; padding: 8px 0; color: var(--lapis); }
.list { max-height: 34rem; overflow: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; padding: 8px; }
.list label { display: grid; grid-template-columns: 2.4em 1fr; gap: 8px; padding: 7px 6px;
  border-radius: 7px; overflow-wrap: anywhere; }
.list label:hover { background: var(--paper); }
.list b { color: var(--dim); font-weight: 400; text-align: end; }
@media print { .step { display: grid; break-inside: avoid; } .list, .steps { display: none; } }
"""
"""Style sheet for screens, light and dark, and for paper."""


def replay_page(summary: GameSummary, entries: Iterable[Entry], words: Words) -> str:
    """The replay of a game as HTML.

    Raises:
        UrpiError: If the stored entries cannot be read.
    """
    page = _ReplayHtml(summary, words)
    head = element(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        element("title", escaped(page.players)),
        element("style", _STYLE, BOARD_STYLE),
    )
    body = element("body", *page.content(steps_of(frames_of(entries, words, summary.names))))
    return html_document(head, body, words.language, words.direction)


def steps_of(frames: Iterable[Frame]) -> tuple[Frame, ...]:
    """Merge the frame of each throw into the frame of the move that was played with it."""
    steps: list[Frame] = []
    thrown: Frame | None = None
    for frame in frames:
        if thrown is not None:
            texts = [*thrown.texts, *frame.texts]
            frame = replace(frame, legal=thrown.legal, texts=texts)  # noqa: PLW2901
        thrown = frame if frame.kind == "roll" else None
        if thrown is None:
            steps.append(frame)
    return tuple(steps) if thrown is None else (*steps, thrown)


class _ReplayHtml:
    def __init__(self, summary: GameSummary, words: Words) -> None:
        self._summary, self._words = summary, words
        names = (summary.light, summary.dark)
        light, dark = (names[side.number] or words.side(side) for side in Side)
        self.players = f"{light} \N{EN DASH} {dark}"

    def _text(self, message: str, **details: str | int) -> str:
        return escaped(self._words.text(message).format(**details))

    def content(self, steps: tuple[Frame, ...]) -> Iterator[str]:
        """Yield the parts of the page in their order."""
        summary = self._summary
        yield board_defs()
        rules = self._words.rules(summary.rules.partition("[")[0])
        when = element("bdi", f"{summary.started.astimezone():%Y-%m-%d %H:%M}", dir="ltr")
        about = element("p", escaped(rules), " · ", when)
        yield element("header", element("h1", escaped(self.players)), about)
        shown = (part for at, frame in enumerate(steps) for part in self._step(at, frame, steps))
        yield element("main", *shown, element("nav", *self._list(steps), class_="list"))

    def _step(self, at: int, frame: Frame, steps: tuple[Frame, ...]) -> Iterator[str]:
        last = len(steps) - 1
        place = self._text(
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
            *(element("p", escaped(line), class_="notes") for line in frame.texts),
            class_="step",
        )

    def _steps_beside(self, at: int, last: int) -> Iterator[str]:
        """Yield the labels for the previous and the next step, disabled where there is none."""
        for to, sign, title in (
            (at - 1, "◀", N_("A step back")),
            (at + 1, "▶", N_("A step on")),
        ):
            target = f"s{to}" if 0 <= to <= last else None
            yield element("label", sign, for_=target, title=self._words.text(title))

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
        text, off = self._words.text, off_label(frame.position.rules)
        return Labels(self._played(frame), text(NC_("label", "hand")), text(off) if off else "")

    def _played(self, frame: Frame) -> str:
        return played_text(frame, (self._summary.light, self._summary.dark), self._words)

    @staticmethod
    def _dice(frame: Frame) -> Iterator[str]:
        if frame.throw is not None and frame.kind != "end":
            yield from map(die_picture, frame.throw.shown)

    def _legal(self, frame: Frame) -> Iterator[str]:
        if frame.legal:
            moves = (move_text(parse_move(move), self._words) for move in frame.legal)
            items = "".join(element("li", escaped(move)) for move in moves)
            yield element(
                "details",
                element("summary", self._text(N_("Legal moves"))),
                element("ul", items),
            )
