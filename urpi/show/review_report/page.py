"""A review as one HTML file to keep or to send, without scripts and external resources."""

from collections.abc import Iterator, Sequence
from typing import Final

from urpi.engine.review import Review, ReviewedThrow
from urpi.rules import Side
from urpi.show.review_report.tables import (
    BETTER,
    MISTAKES_NOTE,
    RIGHT_ALIGNED,
    THROW_HEADINGS,
    light_value,
    mistake_rows,
    throw_rows,
    total_rows,
)
from urpi.show.review_report.wording import ReviewWording
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
from urpi.show.words.move_texts import shown_move
from urpi.show.words.sentences import N_, NC_

WIDTH: Final = 960
HEIGHT: Final = 240
_LEFT: Final = 52
_TOP: Final = 10
_BOTTOM: Final = 26

_CURVE_STYLE: Final = """
.curve { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; }
.curve text { fill: currentColor; }
.curve .grid { stroke: currentColor; opacity: .25; }
.curve .even { opacity: .6; stroke-dasharray: 4 4; }
.curve .values { fill: none; stroke: #2f6fb5; stroke-width: 2.5; stroke-linejoin: round; }
.curve .mistake { fill: #d9480f; stroke: Canvas; stroke-width: 1.5; }
"""


def curve_picture(review: Review, wording: ReviewWording) -> str:
    """Return light's probability to win after each throw as SVG; mistakes are dots.

    The page needs `_CURVE_STYLE`.
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
    title = words.text(N_("{name}'s chance of winning, throw by throw")).format(
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
            element(
                "text",
                wording.words.percent(share),
                x=_LEFT - 8,
                y=y(share / 100) + 5,
                text_anchor="end",
            )
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


POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
MAX_PICTURES: Final = 12
"""Maximum number of mistakes that are drawn, the greatest ones."""
_STYLE: Final = """
:root { color-scheme: light dark; } * { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1000px; padding: 20px; background: Canvas; color: CanvasText;
  font: 16px/1.45 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin-top: 36px; }
.sentence { font-size: 1.15rem; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding-block: 4px; padding-inline: 0 14px; text-align: start;
  border-bottom: 1px solid GrayText; white-space: nowrap; } .number { text-align: end; }
.marked td { font-weight: 600; }
.boards { display: grid; gap: 24px; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); }
svg { direction: ltr; } figure { margin: 0; break-inside: avoid; }
"""


def review_page(review: Review, title: str, wording: ReviewWording) -> str:
    """Return the page of a review, with a picture of each of the greatest mistakes."""
    head = element(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        element("title", escaped(title)),
        element("style", _STYLE, BOARD_STYLE, _CURVE_STYLE),
    )
    body = element("body", *_content(review, title, wording))
    words = wording.words
    return html_document(head, body, words.language, words.direction)


def _content(review: Review, title: str, wording: ReviewWording) -> Iterator[str]:
    text = wording.words.text
    yield board_defs()
    yield element("h1", escaped(title))
    yield element("p", escaped(wording.verdict(review)), class_="sentence")
    yield element("p", escaped(wording.source(review)))
    yield element("h2", escaped(_curve_title(wording)))
    yield curve_picture(review, wording)
    names = [wording.name(side) for side in Side]
    yield element("h2", escaped(text(N_("Totals"))))
    yield _table(["", *names], list(total_rows(review, wording)), {1, 2})
    yield element("p", escaped(text(MISTAKES_NOTE)))
    kinds = mistake_rows(review, wording)
    if kinds:
        yield element("h2", escaped(text(N_("Kinds of mistakes"))))
        yield _table(["", *names], kinds, {1, 2})
        yield element("h2", escaped(text(N_("The greatest mistakes"))))
        yield element("div", *_boards(review, wording), class_="boards")
    yield element("h2", escaped(text(N_("All throws"))))
    right = {n for n, heading in enumerate(THROW_HEADINGS) if heading in RIGHT_ALIGNED}
    marked = [each.mistake_mark is not None for each in review.throws]
    headings = [text(each) for each in THROW_HEADINGS]
    yield _table(headings, list(throw_rows(review, wording)), right, marked)


def _curve_title(wording: ReviewWording) -> str:
    title = wording.words.text(N_("{name}'s chance of winning, throw by throw"))
    return title.format(name=wording.name(Side.LIGHT))


def _table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: set[int],
    marked: Sequence[bool] = (),
) -> str:
    def cells(tag: str, row: Sequence[str]) -> Iterator[str]:
        for number, cell in enumerate(row):
            yield element(tag, escaped(cell), class_="number" if number in right else None)

    lines = [element("tr", *cells("th", headings))]
    for number, row in enumerate(rows):
        mark = "marked" if number < len(marked) and marked[number] else None
        lines.append(element("tr", *cells("td", row), class_=mark))
    return element("div", element("table", *lines), class_="wide")


def _boards(review: Review, wording: ReviewWording) -> Iterator[str]:
    """Yield a picture of each of the greatest mistakes, with the better move, in their order."""
    greatest = sorted(
        (each for each in review.throws if each.mistake is not None), key=lambda each: -each.loss
    )[:MAX_PICTURES]
    for each in sorted(greatest, key=review.throws.index):
        yield _board(each, wording)


def _board(thrown: ReviewedThrow, wording: ReviewWording) -> str:
    words = wording.words
    assert thrown.played is not None
    assert thrown.mistake is not None
    about = words.text(
        N_("Turn {turn}, {name} threw {value} and played {move}: −{loss}, {mistake}.")  # noqa: RUF001 - a minus sign
    ).format(
        turn=thrown.turn,
        name=wording.name(thrown.side),
        value=thrown.throw.value,
        move=shown_move(thrown.played.text, words),
        loss=wording.percent(thrown.loss),
        mistake=wording.mistake(thrown.mistake),
    )
    better = words.text(BETTER).format(move=shown_move(thrown.best.text, words))
    scene = BoardScene(thrown.position, thrown.position.occupancy, thrown.best)
    labels = Labels(better, words.text(NC_("label", "hand")), "")
    return element(
        "figure",
        board_picture(scene, labels),
        element("figcaption", escaped(about), " ", escaped(better)),
    )
