"""The diagram of the data flow: boxes in three columns, and the arrows between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from urpi.show.svg.elements import element, escaped

WIDTH: Final = 900
HEIGHT: Final = 372
_STYLE: Final = """
text { font: 15px system-ui, sans-serif; fill: #2b2118; }
.head { font-weight: 700; }
.small { font-size: 12.5px; fill: #5b4a3a; }
.ground { fill: #fbf4e4; stroke: #d8c8a4; }
.box { fill: #fff; stroke: #1f4e8c; stroke-width: 1.5; }
.pure { fill: #e7eef8; stroke-width: 2.5; }
.disk { fill: #f6e3c4; stroke: #a86a1c; }
.way { fill: none; stroke: #1f4e8c; stroke-width: 2; }
.tip { fill: #1f4e8c; }
"""


@dataclass(frozen=True)
class Box:
    """A box with a heading and up to two lines; x and y are its upper left corner in pixels."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    head: str
    lines: tuple[str, ...] = ()


_SENSED: Final = tuple(
    Box(20, 24 + 62 * number, 190, 50, "box", head, (line,))
    for number, (head, line) in enumerate(
        (
            ("Reed switches", "something stands here"),
            ("Dice hub", "rolling, settled, face"),
            ("Two buttons", "short, long, both"),
            ("Page", "what players enter"),
            ("Clock", "time passes"),
        )
    )
)
_SHOWN: Final = tuple(
    Box(690, 24 + 62 * number, 190, 50, "box", head, (line,))
    for number, (head, line) in enumerate(
        (
            ("OLED", "whose turn, what is wrong"),
            ("Page", "for all spectators"),
            ("Sound", "tones, and speech"),
            ("Game record", "moves and throws as text"),
            ("Dispute", "what the board saw"),
        )
    )
)
_STEP: Final = Box(
    338, 46, 224, 104, "box pure", "referee.step", ("(state, fact)", "→ (state, decisions)")
)
_JOURNAL: Final = Box(
    338, 218, 224, 92, "box disk", "Journal", ("stored before shown;", "SQLite, append only")
)


def picture() -> str:
    """Return the contents of docs/pictures/flow.svg."""
    return (
        element(
            "svg",
            element("title", "Facts go in, decisions come out, and the core between them is pure"),
            element("style", _STYLE),
            element("defs", _tip()),
            element("rect", x=1, y=1, width=WIDTH - 2, height=HEIGHT - 2, rx=12, class_="ground"),
            *(part for box in (*_SENSED, *_SHOWN, _STEP, _JOURNAL) for part in _drawn(box)),
            *_ways(),
            xmlns="http://www.w3.org/2000/svg",
            width=WIDTH,
            height=HEIGHT,
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            role="img",
        )
        + "\n"
    )


def _drawn(box: Box) -> Iterator[str]:
    yield element(
        "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=7, class_=box.kind
    )
    middle = box.x + box.width / 2
    top = box.y + (box.height - 18 * len(box.lines)) / 2 + 4
    yield _text(middle, top, box.head, "head")
    for number, line in enumerate(box.lines, 1):
        yield _text(middle, top + 18 * number, line, "small")


def _ways() -> Iterator[str]:
    """Yield the arrows: facts from the left, both into the journal, decisions to the right."""
    yield element("path", d="M220 30V316", class_="way")
    yield element("path", d="M680 30V316", class_="way")
    yield _way("M220 98H330")
    yield _text(275, 88, "facts", "head")
    yield _way("M400 158V210")
    yield _way("M500 158V210")
    yield _text(390, 189, "facts", "small", "end")
    yield _text(510, 189, "decisions", "small", "start")
    yield _way("M570 264H672")
    yield _text(622, 252, "decisions", "head")
    yield _text(622, 285, "once stored", "small")
    yield _text(450, 32, "pure: no clock, files, randomness, hardware", "small")
    yield _text(
        WIDTH / 2,
        HEIGHT - 18,
        "The same facts always give the same decisions: replay, recovery, tests and disputes use "
        "the same step.",
        "small",
    )


def _way(line: str) -> str:
    return element("path", d=line, class_="way", marker_end="url(#tip)")


def _tip() -> str:
    return element(
        "marker",
        element("path", d="M0 0L8 4L0 8z", class_="tip"),
        id="tip",
        viewBox="0 0 8 8",
        refX=7,
        refY=4,
        markerWidth=5,
        markerHeight=5,
        orient="auto",
    )


def _text(x: float, y: float, text: str, kind: str, anchor: str = "middle") -> str:
    return element("text", escaped(text), x=x, y=y, text_anchor=anchor, class_=kind)
