"""A dispute as a self-contained HTML page without scripts."""

from collections.abc import Iterable, Iterator
from typing import Final

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
from urpi.show.evidence.page_style import STYLE
from urpi.show.evidence.pictures import Picture, pictures_of, positions_of
from urpi.show.evidence.reasons import Choices, RefusedTargets, choices_of, pass_refusal
from urpi.show.evidence.story import Decided, DieUpdate, Event, ThrowStory, TurnStory
from urpi.show.evidence.wording import Wording
from urpi.show.svg import Labels, board_defs, board_picture, element, escaped
from urpi.show.svg.board import STYLE as BOARD_STYLE
from urpi.show.svg.die import die_picture
from urpi.show.words import Words
from urpi.show.words.sentences import N_

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""Content security policy: fetch nothing and run no script, even if an escape were missing."""
MAX_PICTURES: Final = 60
"""Maximum number of pictures per throw, because a contact may flicker for minutes."""


def dispute_page(dispute: Dispute, words: Words) -> str:
    """Return a dispute as HTML.

    Args:
        dispute: the dispute.
        words: language of the page.
    """
    page = _Page(dispute, words)
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
    return f'<!DOCTYPE html>\n<html lang="{escaped(words.language)}">{head}{body}</html>\n'


class _Page:
    def __init__(self, dispute: Dispute, words: Words) -> None:
        self._dispute, self._words = dispute, words
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
            yield element("p", self._text(N_("From {time} on."), time=since))
        kind = "" if checked.verdict is CheckVerdict.SAME else " differs"
        print_ = self._text(N_("SHA-256 of the stored lines: {digest}"), digest=dispute.digest)
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
        if throw.dice and not throw.again:
            yield self._heading(N_("The dice"))
            dice = map(self._die, throw.dice.values())
            yield element("div", *dice, class_="dice")
        if throw.faces is not None and throw.position.turn is not None:
            yield self._heading(N_("Legal moves, and why others are not"))
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
            N_("Piece"),
            N_("May move to"),
            N_("May not move to, though the throw reaches it"),
            N_("Elsewhere"),
        )
        head = element("tr", *(element("th", self._text(heading)) for heading in headings))
        rows = (self._choice(each, position) for each in choices_of(position, throw))
        no_pass = pass_refusal(position, throw)
        table = element("table", element("thead", head), element("tbody", *rows))
        if no_pass is None:
            return table + element("p", self._text(N_("Nothing could move: the turn passes.")))
        refusal = self._wording.refusal(no_pass, position.turn or Side.LIGHT)
        return table + element(
            "p", self._with_rule(self._wording.text(N_("No pass: {why}"), why=refusal))
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
        summary = element("summary", self._text(N_("why not")))
        return element("details", summary, *self._refusals(refused, position))

    @staticmethod
    def _with_rule(text: str) -> str:
        """Return a sentence with the rule at its end, in brackets, in an element of its own."""
        sentence, bracket, rule = text.rpartition(" [")
        if not bracket:
            return escaped(text)
        return f"{escaped(sentence)} {element('span', escaped(rule[:-1]), class_='rule')}"

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
            yield element("p", self._text(N_("{count} more pictures are left out."), count=omitted))

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
            self._wording.words.text(N_("hand")),
            self._wording.words.text(N_("out")),
        )
        badge = element("span", str(number), class_="badge")
        figcaption = element("figcaption", badge, " ", when, escaped(caption))
        return element("figure", board_picture(picture.scene, labels), figcaption)


def _is_listed_with_dice(throw: ThrowStory, event: Event) -> bool:
    """Return whether an event is listed in the section of the dice."""
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
