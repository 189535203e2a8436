"""Charts of values with intervals, one per row.

A chart is a complete SVG document for a file or a page. It follows the light or dark scheme of the
reader.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from urpi.svg.elements import element, escaped

WIDTH: Final = 720
ROW: Final = 30
HEADING: Final = 62
FOOT: Final = 52
LABEL_WIDTH: Final = 190
TAIL: Final = 124
"""Width of the column at the right that holds the values as text."""
TICKS: Final = 6
LONGEST_LABEL: Final = 21

STYLE: Final = """
.chart { --ink: #1c2430; --dim: #5b6573; --line: #d5dae1; --paper: #ffffff; --bar: #8fb4d9;
  --dot: #1d4a73; --mark: #b4541a; }
@media (prefers-color-scheme: dark) { .chart { --ink: #e6ebf2; --dim: #9aa6b5; --line: #39424f;
  --paper: #161b22; --bar: #2f5f8f; --dot: #8cc2f5; --mark: #f0a868; } }
.chart text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.chart .title { font-size: 16px; font-weight: 650; }
.chart .about, .chart .axis { fill: var(--dim); font-size: 12px; }
.chart .value { font-variant-numeric: tabular-nums; }
.chart .grid { stroke: var(--line); }
.chart .bar { fill: var(--bar); }
.chart .whisker { stroke: var(--dot); stroke-width: 2; }
.chart .dot { fill: var(--dot); stroke: var(--paper); stroke-width: 1.5; }
.chart .expected { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 5 4; }
.chart .expected-label { fill: var(--mark); font-size: 12px; }
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
class _Scale:
    low: float
    high: float
    step: float

    def x(self, value: float) -> float:
        """Return the x coordinate of a value, clamped to the axis."""
        share = (value - self.low) / (self.high - self.low)
        return LABEL_WIDTH + min(max(share, 0.0), 1.0) * (WIDTH - LABEL_WIDTH - TAIL)

    def ticks(self) -> Iterator[float]:
        """Yield the round numbers to label on the axis."""
        # The tolerances keep ticks at the ends in spite of rounding errors.
        number = math.ceil(self.low / self.step - 1e-9)
        while number * self.step <= self.high * (1 + 1e-9):
            yield number * self.step
            number += 1


def chart(drawn: Chart) -> str:
    """Return a chart as an SVG document."""
    scale = _scale(drawn)
    height = HEADING + ROW * max(len(drawn.marks), 1) + FOOT
    return element(
        "svg",
        element("title", escaped(drawn.title)),
        element("style", STYLE),
        element("rect", width=WIDTH, height=height, rx=6, class_="paper"),
        _text(16, 26, drawn.title, "title"),
        _text(16, 46, drawn.about, "about"),
        *_axis(drawn, scale, height - FOOT),
        *(row for place, mark in enumerate(drawn.marks) for row in _row(drawn, scale, place, mark)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        class_="chart",
        role="img",
    )


def _scale(drawn: Chart) -> _Scale:
    values = [
        value
        for mark in drawn.marks
        for value in (mark.value, mark.low, mark.high, mark.expected)
        if value is not None
    ]
    low = min([*values, 0.0] if drawn.bars or not values else values)
    high = max(values, default=1.0)
    low, high = drawn.low if drawn.low is not None else low, drawn.high or high
    if high <= low:
        high = low + 1.0
    step = _round_step((high - low) / TICKS)
    if drawn.low is None:
        low = math.floor(low / step) * step
    if drawn.high is None:
        high = math.ceil(high / step) * step
    return _Scale(low, high, step)


def _round_step(least: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is at least that large.

    >>> [_round_step(least) for least in (0.13, 0.9, 2.2, 7)]
    [0.2, 1.0, 5.0, 10.0]
    """
    power = 10.0 ** math.floor(math.log10(least))
    return next(f * power for f in (1.0, 2.0, 5.0, 10.0) if f * power >= least * (1 - 1e-9))


def _axis(drawn: Chart, scale: _Scale, bottom: float) -> Iterator[str]:
    for tick in scale.ticks():
        x = scale.x(tick)
        yield element("line", x1=x, x2=x, y1=HEADING - 4, y2=bottom, class_="grid")
        yield _text(x, bottom + 17, f"{tick:g}".replace(".", drawn.point), "axis", "middle")
    middle = LABEL_WIDTH + (WIDTH - LABEL_WIDTH - TAIL) / 2
    yield _text(middle, bottom + 38, drawn.axis, "axis", "middle")


def _row(drawn: Chart, scale: _Scale, place: int, mark: Mark) -> Iterator[str]:
    y = HEADING + ROW * place + ROW / 2
    x = scale.x(mark.value)
    yield _text(LABEL_WIDTH - 12, y + 4, _cut(mark.label), None, "end")
    if drawn.bars:
        begin = scale.x(max(0.0, scale.low))
        yield element("rect", x=begin, y=y - 9, width=x - begin, height=18, rx=2, class_="bar")
    if mark.expected is not None:
        at = scale.x(mark.expected)
        yield element("line", x1=at, x2=at, y1=y - 13, y2=y + 13, class_="expected")
    if mark.low is not None and mark.high is not None:
        yield from _whisker(scale.x(mark.low), scale.x(mark.high), y)
    if not drawn.bars or mark.low is not None:
        yield element("circle", cx=x, cy=y, r=5, class_="dot")
    yield _text(WIDTH - 14, y + 4, mark.text, "value", "end")


def _whisker(low: float, high: float, y: float) -> Iterator[str]:
    path = f"M{low:g} {y - 5:g}v10m0 -5H{high:g}m0 -5v10"
    yield element("path", d=path, class_="whisker", fill="none")


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _text(x: float, y: float, text: str, class_: str | None, anchor: str | None = None) -> str:
    return element("text", escaped(text), x=x, y=y, class_=class_, text_anchor=anchor)
