"""The win-probability curve of a review as a picture."""

from typing import Final

from urpi.engine.review import Review
from urpi.rules import Side
from urpi.show.review_report.tables import light_value
from urpi.show.review_report.wording import ReviewWording
from urpi.show.svg import element, escaped
from urpi.show.words.sentences import N_

WIDTH: Final = 960
HEIGHT: Final = 240
_LEFT: Final = 52
_TOP: Final = 10
_BOTTOM: Final = 26

STYLE: Final = """
.curve { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; }
.curve text { fill: currentColor; }
.curve .grid { stroke: currentColor; opacity: .25; }
.curve .even { opacity: .6; stroke-dasharray: 4 4; }
.curve .values { fill: none; stroke: #2f6fb5; stroke-width: 2.5; stroke-linejoin: round; }
.curve .mistake { fill: #d9480f; stroke: Canvas; stroke-width: 1.5; }
"""


def curve_picture(review: Review, wording: ReviewWording) -> str:
    """Return light's probability to win after each throw as SVG; mistakes are dots.

    The page needs `STYLE`.
    """
    values = [review.start, *map(light_value, review.throws)]
    if review.ending:
        values.append(review.stop + review.ending)
    step = (WIDTH - _LEFT - 8) / max(len(values) - 1, 1)

    def x(at: int) -> float:
        return _LEFT + step * at

    def y(value: float) -> float:
        return _TOP + (1 - value) * (HEIGHT - _TOP - _BOTTOM)

    words = wording.words
    title = words.text(N_("Chance of {name} to win, throw by throw")).format(
        name=wording.name(Side.LIGHT)
    )
    points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(values))
    mistakes = (
        element("circle", cx=f"{x(at):.1f}", cy=f"{y(values[at]):.1f}", r=5, class_="mistake")
        for at, each in enumerate(review.throws, 1)
        if each.mistake_mark is not None
    )
    return element(
        "svg",
        element("title", escaped(title)),
        *(
            element("line", x1=_LEFT, x2=WIDTH - 8, y1=y(share), y2=y(share), class_=kind)
            for share, kind in ((0, "grid"), (0.5, "grid even"), (1, "grid"))
        ),
        *(
            element("text", f"{share} %", x=_LEFT - 8, y=y(share / 100) + 5, text_anchor="end")
            for share in (0, 50, 100)
        ),
        element("text", "1", x=x(1), y=HEIGHT - 6, text_anchor="middle"),
        element("text", str(len(review.throws)), x=WIDTH - 8, y=HEIGHT - 6, text_anchor="end"),
        element("polyline", points=points, class_="values"),
        *mistakes,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="curve",
        role="img",
    )
