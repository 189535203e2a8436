"""Charts of values with intervals, one per row.

A chart is a complete SVG document for a file or a page. It follows the light or dark scheme of the
reader.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final
from unicodedata import bidirectional

from urpi.show.svg.elements import element, escaped

HEADING: Final = 72
"""Height of the heading with one line for the title and one for what is below it."""
FOOT: Final = 58
TITLE_LINE: Final = 23
SMALL_LINE: Final = 20

STYLE: Final = """
.chart { --ink: #1c2430; --dim: #5b6573; --line: #d5dae1; --paper: #ffffff; --bar: #8fb4d9;
  --dot: #1d4a73; --mark: #b4541a; }
@media (prefers-color-scheme: dark) { .chart { --ink: #e6ebf2; --dim: #9aa6b5; --line: #39424f;
  --paper: #161b22; --bar: #2f5f8f; --dot: #8cc2f5; --mark: #f0a868; } }
.chart { direction: ltr; }
.chart text { font: 16px system-ui, sans-serif; fill: var(--ink); }
.chart .title { font-size: 18px; font-weight: 650; }
.chart .about, .chart .axis { fill: var(--dim); }
.chart .value { font-variant-numeric: tabular-nums; }
.chart .grid { stroke: var(--line); }
.chart .bar { fill: var(--bar); }
.chart .whisker { stroke: var(--dot); stroke-width: 2; }
.chart .dot { fill: var(--dot); stroke: var(--paper); stroke-width: 1.5; }
.chart .expected { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 5 4; }
.chart .paper { fill: var(--paper); }
"""


@dataclass(frozen=True, slots=True)
class Mark:
    """A row of a chart.

    Attributes:
        label: name of the row.
        value: its value.
        low: lower end of the interval, None if there is no interval.
        high: upper end of the interval.
        text: the value as text.
        expected: the value that chance or the rules predict for this row.
    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    text: str = ""
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes:
        title: title.
        about: line below the title that explains the intervals.
        axis: label of the axis, with the unit.
        marks: the rows.
        bars: draw values as bars from 0.
        low: start of the axis, None to choose it by the values.
        high: end of the axis, None to choose it by the values.
        point: decimal separator of the axis labels.
    """

    title: str
    about: str
    axis: str
    marks: tuple[Mark, ...]
    bars: bool = False
    low: float | None = None
    high: float | None = None
    point: str = "."


@dataclass(frozen=True, slots=True)
class _Form:
    """The measures of a chart.

    Attributes:
        width: its width.
        left: where the axis begins; labels are to its left, or above the rows.
        right: where the axis ends; values as text are to its right, or above the rows.
        row: height of a row.
        above: whether labels and values are above the rows.
        ticks: number of labels on the axis, about.
        title: most letters in a line of the title.
        small: most letters in a line of small type.
        label: most letters of a label.
    """

    width: int
    left: int
    right: int
    row: int
    above: bool
    ticks: int
    title: int
    small: int
    label: int


# The page shrinks a picture to 3/4 of its width at most: its type of 16 px then has 12 px.
_WIDE: Final = _Form(720, 190, 596, 32, above=False, ticks=6, title=72, small=82, label=18)
_CYRILLIC: Final = "\u0400"
_WIDER: Final = 0.18
"""By how much fewer letters of Cyrillic than of Latin fit in a line."""
_ARABIC: Final = re.compile(r"(<text [^>]*>)([^<]*(?:[\u0600-\u06ff]| / )[^<]*)")
"""A text that is read from right to left in an Arabic chart, also two figures of an order."""
_NARROW: Final = _Form(380, 22, 358, 54, above=True, ticks=4, title=30, small=40, label=26)


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    step: float
    form: _Form

    def x(self, value: float) -> float:
        """Return the x coordinate of a value, clamped to the axis."""
        share = (value - self.low) / (self.high - self.low)
        return self.form.left + min(max(share, 0.0), 1.0) * (self.form.right - self.form.left)

    def ticks(self) -> Iterator[float]:
        """Yield the round numbers to label on the axis."""
        # The tolerances keep ticks at the ends in spite of rounding errors.
        number = math.ceil(self.low / self.step - 1e-9)
        while number * self.step <= self.high * (1 + 1e-9):
            yield number * self.step
            number += 1


def chart(drawn: Chart, *, narrow: bool = False) -> str:
    """Return a chart as an SVG document; a narrow one is for phones, with the same size of type."""
    form = _NARROW if narrow else _WIDE
    scale = _scale(drawn, form)
    title, about = _lines(drawn.title, form.title), _lines(drawn.about, form.small)
    axis = _lines(drawn.axis, form.small)
    below = 28 + TITLE_LINE * len(title)
    top = HEADING + TITLE_LINE * max(len(title) - 1, 0) + SMALL_LINE * max(len(about) - 1, 0)
    bottom = top + form.row * max(len(drawn.marks), 1)
    height = bottom + FOOT + SMALL_LINE * max(len(axis) - 1, 0)
    # No name is in the axis' label.
    arabic = any(bidirectional(letter) == "AL" for letter in drawn.axis)
    edge, anchor = (form.width - 16, "end") if arabic else (16, None)
    picture = element(
        "svg",
        element("title", escaped(drawn.title)),
        element("style", STYLE),
        element("rect", width=form.width, height=height, rx=6, class_="paper"),
        *(_text(edge, 28 + TITLE_LINE * n, line, "title", anchor) for n, line in enumerate(title)),
        *(
            _text(edge, below + SMALL_LINE * n, line, "about", anchor)
            for n, line in enumerate(about)
        ),
        *_axis(drawn, scale, axis, top, bottom),
        *(
            part
            for place, mark in enumerate(drawn.marks)
            for part in _row(drawn, scale, top + form.row * place, mark)
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {form.width} {height}",
        class_="chart",
        role="img",
    )
    return _ARABIC.sub("\\1\u2067\\2\u2069", picture) if arabic else picture


def _scale(drawn: Chart, form: _Form) -> _Scale:
    values = [
        value
        for mark in drawn.marks
        for value in (mark.value, mark.low, mark.high, mark.expected)
        if value is not None
    ]
    # Bars begin at 0: cut off, their lengths would mislead.
    low = min([*values, 0.0] if drawn.bars or not values else values)
    high = max(values, default=1.0)
    low, high = drawn.low if drawn.low is not None else low, drawn.high or high
    # All values are equal: any axis with a length will do.
    if high <= low:
        high = low + 1.0
    step = _round_step((high - low) / form.ticks)
    if drawn.low is None:
        low = math.floor(low / step) * step
    if drawn.high is None:
        high = math.ceil(high / step) * step
    return _Scale(low, high, step, form)


def _round_step(least: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is at least that large.

    >>> [_round_step(least) for least in (0.13, 0.9, 2.2, 7)]
    [0.2, 1.0, 5.0, 10.0]
    """
    power = 10.0 ** math.floor(math.log10(least))
    return next(f * power for f in (1.0, 2.0, 5.0, 10.0) if f * power >= least * (1 - 1e-9))


def _axis(
    drawn: Chart, scale: _Scale, label: Sequence[str], top: float, bottom: float
) -> Iterator[str]:
    for tick in scale.ticks():
        x = scale.x(tick)
        yield element("line", x1=x, x2=x, y1=top - 4, y2=bottom, class_="grid")
        yield _text(x, bottom + 20, f"{tick:g}".replace(".", drawn.point), "axis", "middle")
    middle = (scale.form.left + scale.form.right) / 2
    for number, line in enumerate(label):
        yield _text(middle, bottom + 44 + SMALL_LINE * number, line, "axis", "middle")


def _row(drawn: Chart, scale: _Scale, top: float, mark: Mark) -> Iterator[str]:
    form, x = scale.form, scale.x(mark.value)
    y = top + form.row - 15
    label = _cut(mark.label, form.label)
    if form.above:
        yield _text(16, y - 17, label, None)
    else:
        yield _text(form.left - 12, y + 5, label, None, "end")
    if drawn.bars:
        begin = scale.x(max(0.0, scale.low))
        yield element("rect", x=begin, y=y - 9, width=x - begin, height=18, rx=2, class_="bar")
    if mark.expected is not None:
        at = scale.x(mark.expected)
        yield element("line", x1=at, x2=at, y1=y - 13, y2=y + 13, class_="expected")
    if mark.low is not None and mark.high is not None:
        yield from _whisker(scale.x(mark.low), scale.x(mark.high), y)
    # The end of a bar shows its value; a dot marks it only within an interval.
    if not drawn.bars or mark.low is not None:
        yield element("circle", cx=x, cy=y, r=5, class_="dot")
    yield _text(form.width - 14, y - 17 if form.above else y + 5, mark.text, "value", "end")


def _whisker(low: float, high: float, y: float) -> Iterator[str]:
    path = f"M{low:g} {y - 5:g}v10m0 -5H{high:g}m0 -5v10"
    yield element("path", d=path, class_="whisker", fill="none")


def _lines(text: str, longest: int) -> list[str]:
    wide = sum(letter >= _CYRILLIC for letter in text) / max(len(text), 1)
    return wrap(text, round(longest * (1 - _WIDER * wide)), break_on_hyphens=False)


def _cut(label: str, longest: int) -> str:
    return label if len(label) <= longest else f"{label[: longest - 1]}…"


def _text(x: float, y: float, text: str, class_: str | None, anchor: str | None = None) -> str:
    return element("text", escaped(text), x=x, y=y, class_=class_, text_anchor=anchor)
