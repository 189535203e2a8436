"""A dispute as a self-contained HTML page without scripts."""

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlencode

from urpi.journal import CheckVerdict
from urpi.referee.decisions import RollRefused, Warned
from urpi.rules import Position, Side, Throw
from urpi.show.evidence.as_text import (
    ABOUT,
    ORIGINS,
    shown_from,
    throw_title,
    title,
    turn_title,
    verdict,
)
from urpi.show.evidence.dispute import Dispute
from urpi.show.evidence.pictures import Picture, pictures_of, positions_of
from urpi.show.evidence.reasons import Choices, RefusedTargets, choices_of, pass_refusal
from urpi.show.evidence.story import Decided, DieUpdate, Event, ThrowStory, TurnStory
from urpi.show.evidence.wording import Wording
from urpi.show.svg import Labels, board_defs, board_picture, element, escaped, html_document
from urpi.show.svg.board import STYLE as BOARD_STYLE
from urpi.show.svg.elements import die_picture
from urpi.show.words import Words
from urpi.show.words.sentences import N_, NC_

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""Content security policy: fetch nothing and run no script, even if an escape were missing."""
MAX_PICTURES: Final = 60
"""Maximum number of pictures per throw, because a contact may flicker for minutes."""
STYLE: Final = """
:root { color-scheme: light dark; --paper: #f7f4ee; --card: #ffffff; --ink: #1f2328;
  --dim: #626b76; --line: #ddd5c6; --rule: #1d4a73; --good: #2b7a3d; --bad: #b3261e;
  --warn: #8a5300; --soft: #eef3f8; --soft-good: #e7f4ea; --soft-warn: #fdf1dc; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --card: #1d2127; --ink: #e6e8eb;
  --dim: #9aa4b0; --line: #353c45; --rule: #8cc2f5; --good: #7fd190; --bad: #ff9c94;
  --warn: #f2c078; --soft: #22303d; --soft-good: #1d3324; --soft-warn: #3a2e1a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 8px; }
h2 { font-size: 1.3rem; margin: 40px 0 12px; padding-bottom: 6px;
  border-bottom: 3px solid var(--rule); }
svg { direction: ltr; }
h3 { font-size: 1.08rem; margin: 0 0 12px; }
h4 { font-size: .82rem; letter-spacing: .04em; text-transform: uppercase; color: var(--dim);
  margin: 22px 0 8px; }
p { margin: 4px 0; }
.dim { color: var(--dim); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 18px 20px; margin: 14px 0; }
.verdict { border-inline-start: 6px solid var(--good); background: var(--soft-good); }
.verdict.differs { border-inline-start-color: var(--bad); background: var(--soft-warn); }
.print { font: .8rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.dice { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 12px; }
.die { display: grid; grid-template-columns: 48px 1fr; gap: 4px 12px; align-items: start;
  border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
.die ol { list-style: none; margin: 0; padding: 0; font-size: .88rem; }
.die time, .events time { font-variant-numeric: tabular-nums; color: var(--dim);
  font-size: .86rem; }
.die .face { width: 46px; height: 46px; }
.face .body { fill: #3a3f47; stroke: #14171b; stroke-width: 1.5; }
.face .g { fill: #e2a72e; } .face .s { fill: #c9d1da; }
.face .blank { fill: #3a3f47; stroke: #aab2bd; stroke-dasharray: 3 2; }
.face text { font: 700 22px system-ui, sans-serif; fill: #f4f6f8; }
table { border-collapse: collapse; width: 100%; font-size: .94rem; }
th, td { text-align: start; vertical-align: top; padding-block: 7px; padding-inline: 0 10px;
  border-bottom: 1px solid var(--line); }
th:nth-child(1) { width: 11%; } th:nth-child(2) { width: 25%; } th:nth-child(3) { width: 34%; }
thead th { color: var(--dim); font-weight: 600; font-size: .84rem; }
.move { display: inline-block; background: var(--soft-good); color: var(--good); font-weight: 650;
  border-radius: 5px; padding: 0 7px; margin-block: 0 3px; margin-inline: 0 5px;
  white-space: nowrap; }
.rule { color: var(--rule); font-size: .84rem; white-space: nowrap; }
.move, .rule { direction: ltr; unicode-bidi: isolate; }
details { font-size: .9rem; } summary { cursor: pointer; color: var(--dim); }
.events { list-style: none; margin: 0; padding: 0; }
.events li { display: grid; grid-template-columns: 84px 1fr; gap: 12px; padding-block: 5px;
  padding-inline: 10px 0; border-inline-start: 4px solid transparent; }
.events .decided { border-inline-start-color: var(--rule); background: var(--soft);
  font-weight: 600; }
.events .warned { border-inline-start-color: var(--warn); background: var(--soft-warn); }
.events .die-news { color: var(--dim); font-size: .92rem; }
.badge { display: inline-block; min-width: 1.6em; padding: 0 .4em; border-radius: 1em;
  background: var(--rule); color: var(--card); font-size: .76rem; font-weight: 700;
  text-align: center; margin-inline-start: 6px; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr));
  gap: 16px; margin: 0; padding: 0; }
figure { margin: 0; break-inside: avoid; }
figcaption { font-size: .86rem; padding: 6px 2px 0; }
.key { display: flex; flex-wrap: wrap; gap: 4px 22px; font-size: .88rem; color: var(--dim);
  align-items: center; margin-top: 10px; }
.key svg { width: 30px; height: 30px; vertical-align: middle; margin-inline-end: 6px; }
.key span { display: inline-flex; align-items: center; }
@media print { body { background: #fff; font-size: 11pt; } .card { break-inside: avoid-page; }
  .play { display: none; } details > * { display: block; } }
"""


def dispute_page(dispute: Dispute, words: Words, *, table: str = "") -> str:
    """Return a dispute as HTML.

    Args:
        dispute: the dispute.
        words: language of the page.
        table: the address of the table's page, on which a game can begin from the position of each
            throw; empty if there is none.
    """
    page = _Page(dispute, words, table)
    body = element("body", element("main", *page.content()))
    head = element(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        element("title", escaped(page.title)),
        element("style", STYLE, BOARD_STYLE),
    )
    return html_document(head, body, words.language, words.direction)


class _Page:
    def __init__(self, dispute: Dispute, words: Words, table: str) -> None:
        self._dispute, self._words, self._table = dispute, words, table
        self._wording = Wording(words, dispute.story.game)
        self.title = title(dispute, self._wording)

    def _text(self, message: str, **details: str | int) -> str:
        return escaped(self._wording.text(message, **details))

    def content(self) -> Iterator[str]:
        """Yield the parts of the page in order."""
        yield board_defs()
        yield element("h1", escaped(self.title))
        yield from self._about()
        for turn in self._dispute.story.turns:
            yield from self._turn(turn)

    def _about(self) -> Iterator[str]:
        dispute, checked = self._dispute, self._dispute.checked
        begun = self._words.moment(dispute.began, seconds=True)
        yield element(
            "p",
            self._text(
                ABOUT,
                program=dispute.summary.program,
                date=begun,
            ),
            class_="dim",
        )
        if dispute.origin is not None:
            yield element("p", element("strong", self._text(ORIGINS[dispute.origin])))
        if dispute.since_t is not None:
            since = self._wording.clock(dispute.since_t)
            yield element("p", self._text(N_("Shown from {time} on."), time=since))
        kind = "" if checked.verdict is CheckVerdict.SAME else " differs"
        print_ = self._text(N_("SHA-256 of the saved lines: {digest}"), digest=dispute.digest)
        yield element(
            "section",
            element("p", escaped(verdict(dispute, self._wording))),
            element("p", print_, class_="print dim"),
            class_=f"card verdict{kind}",
        )

    def _turn(self, turn: TurnStory) -> Iterator[str]:
        yield element("h2", escaped(turn_title(turn, self._wording)))
        for throw in turn.throws:
            yield element("section", *self._throw(throw), class_="card")

    def _throw(self, throw: ThrowStory) -> Iterator[str]:
        yield element("h3", escaped(throw_title(throw, self._wording)))
        if self._table and throw.position.turn is not None:
            address = f"{self._table}/setup?{urlencode({'position': str(throw.position)})}"
            link = element("a", self._text(N_("Play from here")), href=address)
            yield element("p", link, class_="play")
        if throw.dice and not throw.again:
            yield self._heading(N_("The dice"))
            dice = map(self._die, throw.dice.values())
            yield element("div", *dice, class_="dice")
        if throw.faces is not None and throw.position.turn is not None:
            yield self._heading(N_("Legal moves, and why the others are illegal"))
            yield self._choices(throw.position, throw.position.rules.dice.throw(throw.faces))
        pictures = list(pictures_of(throw))
        yield self._heading(N_("What happened"))
        numbers = {id(each.event): n for n, each in enumerate(pictures, 1) if each.event}
        events = (
            self._event(event, position, numbers.get(id(event)))
            for event, position, _ in positions_of(throw)
            if not _is_listed_with_dice(throw, event)
        )
        yield element("ol", *events, class_="events")
        yield self._heading(N_("The board, picture by picture"))
        yield self._key()
        yield from self._pictures(pictures)

    def _heading(self, message: str) -> str:
        return element("h4", self._text(message))

    def _die(self, reports: Iterable[DieUpdate]) -> str:
        updates = list(reports)
        faces = [each.face for each in updates if each.state == "settled"]
        lines = (
            element("li", self._time(each.t), " ", escaped(self._wording.die_update(each)))
            for each in updates
        )
        return element(
            "div",
            die_picture(faces[-1] if faces else None),
            element("ol", *lines),
            class_="die",
        )

    def _time(self, t: int) -> str:
        return element("time", self._wording.clock(t))

    def _choices(self, position: Position, throw: Throw) -> str:
        headings = (
            # Translators: The heading of a column: where the piece stands.
            N_("Piece"),
            N_("May move to"),
            N_("Reached by the throw, but not allowed"),
            N_("All other squares"),
        )
        head = element("tr", *(element("th", self._text(heading)) for heading in headings))
        rows = (self._choice(each, position) for each in choices_of(position, throw))
        no_pass = pass_refusal(position, throw)
        table = element("table", element("thead", head), element("tbody", *rows))
        if no_pass is None:
            return table + element("p", self._text(N_("Nothing could move: the turn ended.")))
        refusal = self._wording.refusal(no_pass, position.turn or Side.LIGHT)
        return table + element(
            "p",
            self._with_rule(self._wording.text(N_("Passing is not allowed: {why}"), why=refusal)),
        )

    def _choice(self, choices: Choices, position: Position) -> str:
        moves = "".join(
            element("span", escaped(move), class_="move") for move in choices.legal
        ) or self._text(N_("no move"))
        reached = [refused for refused in choices.refused if refused.reached]
        unreached = [refused for refused in choices.refused if not refused.reached]
        return element(
            "tr",
            element("th", escaped(self._wording.place(choices.origin)), scope="row"),
            element("td", moves),
            element("td", *self._refusals(reached, position)),
            element("td", self._unreached(unreached, position)),
        )

    def _refusals(self, refused: Iterable[RefusedTargets], position: Position) -> Iterator[str]:
        for each in refused:
            yield element(
                "p", self._with_rule(self._wording.refused(each, position.turn or Side.LIGHT))
            )

    def _unreached(self, refused: list[RefusedTargets], position: Position) -> str:
        if not refused:
            return ""
        summary = element("summary", self._text(N_("reasons")))
        return element("details", summary, *self._refusals(refused, position))

    @staticmethod
    def _with_rule(text: str) -> str:
        """Return a sentence with the rule at its end, in brackets, in an element of its own."""
        sentence, bracket, rule = text.rpartition(" [")
        if not bracket:
            return escaped(text)
        # In a sentence within another, the mark of Arabic that ends the inner one follows.
        rule, _, end = rule.rpartition("]")
        return f"{escaped(sentence)}{end} {element('span', escaped(rule), class_='rule')}"

    def _event(self, event: Event, position: Position, picture: int | None) -> str:
        text = self._with_rule(self._wording.event(event, position))
        badge = element("span", str(picture), class_="badge") if picture else ""
        content = element("div", text, escaped(shown_from(event, self._wording)), badge)
        return element("li", self._time(event.t), content, class_=_kind(event))

    def _pictures(self, pictures: list[Picture]) -> Iterator[str]:
        figures = (self._figure(n, each) for n, each in enumerate(pictures[:MAX_PICTURES], 1))
        yield element("div", *figures, class_="pictures")
        omitted = len(pictures) - MAX_PICTURES
        if omitted > 0:
            yield element("p", self._text(N_("Pictures left out: {count}."), count=omitted))

    def _key(self) -> str:
        signs = (
            ("lifted", 12, "", N_("a piece that is not on its square")),
            ("filled", 11, "?", N_("a piece where there should be none")),
            ("moved", 12, "", N_("the move that was decided")),
        )
        return element("p", *(self._sign(*sign) for sign in signs), class_="key")

    def _sign(self, kind: str, r: int, letter: str, text: str) -> str:
        drawn = element("circle", cx=15, cy=15, r=r, class_=f"ur-{kind}")
        inside = element("text", letter, x=15, y=20, text_anchor="middle", class_="ur-filled-sign")
        svg = element("svg", drawn, inside if letter else "", viewBox="0 0 30 30")
        return element("span", svg, self._text(text))

    def _figure(self, number: int, picture: Picture) -> str:
        caption = self._wording.words.text(N_("At the beginning"))
        when = ""
        if picture.event is not None:
            caption = self._wording.brief(picture.event)
            when = self._time(picture.event.t) + " "
        labels = Labels(
            caption,
            self._wording.words.text(NC_("label", "hand")),
            self._wording.words.text(NC_("label", "out")),
        )
        badge = element("span", str(number), class_="badge")
        figcaption = element("figcaption", badge, " ", when, escaped(caption))
        return element("figure", board_picture(picture.scene, labels), figcaption)


def _is_listed_with_dice(throw: ThrowStory, event: Event) -> bool:
    if throw.again or not isinstance(event, DieUpdate):
        return False
    return throw.thrown_t is None or event.t <= throw.thrown_t


def _kind(event: Event) -> str | None:
    match event:
        case Decided(decision=Warned() | RollRefused()):
            return "decided warned"
        case Decided():
            return "decided"
        case DieUpdate():
            return "die-news"
    return None
