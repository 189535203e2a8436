"""Operations that explain a rule set: its page as JSON and to print, its path, small drawings."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, one_of
from urpi.http.operations import NotFoundError, Operation, ValidRequest
from urpi.http.responses import compressed, json_response
from urpi.page.site import Site
from urpi.rules import RuleSet, Side, parse_rules
from urpi.show.svg import element, escaped, html_document
from urpi.show.svg.page_pictures import page_picture
from urpi.show.svg.path import path_picture
from urpi.show.svg.rule_pictures import NAMES, rule_picture
from urpi.show.words import Words
from urpi.show.words.picture_words import picture_words
from urpi.show.words.rules_text import (
    Picture,
    Section,
    highlights,
    path_title,
    pictures_of,
    sections,
    square_notes,
    summary,
)
from urpi.show.words.sentences import N_

RULES: Final[Mapping[str, Schema]] = {"rules": {"type": "string", "maxLength": 200}}
PICTURE_CSP: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""Content security policy of a picture or page that runs no script and loads nothing."""
PICTURE_AGE: Final = "max-age=3600"
"""Caching of pictures, which depend on nothing but their URL and the program's version."""
SVG: Final = "image/svg+xml"
STYLE: Final = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 46rem; padding: 24px 20px 48px; line-height: 1.45;
  font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { margin: 0 0 4px; } h2 { font-size: 1.1rem; margin: 20px 0 4px; break-after: avoid; }
ul { margin: 0; padding-inline-start: 1.2em; } p { margin: 0; } li { break-inside: avoid; }

figure { margin-block: 8px; margin-inline: 0 12px; break-inside: avoid; }
figure svg { display: block; direction: ltr; max-width: 100%; height: auto; }
.squares { width: 10rem; } li:has(.squares) { display: flex; gap: 8px; align-items: flex-start; }
.rule { flex: 1; }
.dice { max-width: 30rem; } .turn { display: inline-block; width: 17rem; vertical-align: middle; }
.turn-throw { width: 7rem; } .faces { width: 9rem; }
@page { size: A4; margin: 11mm 11mm 12mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; line-height: 1.25; }
  main { columns: 2; column-gap: 7mm; } h1 { font-size: 13pt; } p, ul { orphans: 2; widows: 2; }
  h2 { font-size: 10pt; margin: 5px 0 1px; } h1 + p { font-size: 7pt; }
  figure { margin-block: 2px; margin-inline: 0 6px; }
  .start, .path { width: 62mm; } .dice { width: 74mm; }
  .squares { width: 27mm; margin-block: 1px 2px; margin-inline: 5px 0; } .turn { width: 38mm; }
  .turn-throw { width: 12mm; } .faces { width: 24mm; }
}
"""


def rules_operations(site: Site) -> tuple[Operation, ...]:
    """The operations that explain rule sets, by default the one of the current game."""

    def requested(request: ValidRequest) -> RuleSet:
        return requested_rules(site, request)

    async def rules(request: ValidRequest) -> ASGIApp:
        document = rules_page_document(requested(request), site.words_of(request.source))
        return compressed(json_response(document), request.source)

    async def page(request: ValidRequest) -> ASGIApp:
        text = rules_sheet(requested(request), site.words_of(request.source))
        headers = {"content-security-policy": PICTURE_CSP}
        response = Response(text, headers=headers, media_type="text/html; charset=utf-8")
        return compressed(response, request.source)

    async def path(request: ValidRequest) -> ASGIApp:
        chosen, words = requested(request), site.words_of(request.source)
        side = Side(request.query.get("side", Side.LIGHT.value))
        places = picture_words(chosen, words).places
        return _picture(path_picture(chosen, side, path_title(side, words), places), request)

    async def picture(request: ValidRequest) -> ASGIApp:
        name = request.query.get("name", NAMES[0])
        if name in NAMES:
            return _picture(rule_picture(name), request)
        return _picture(
            _page_picture(requested(request), name, site.words_of(request.source)), request
        )

    return (
        Operation(
            "GET",
            "/api/rules",
            "The page of a rule set, by default of the current game's.",
            rules,
            RULES,
            error_statuses=(400, 404),
        ),
        Operation(
            "GET",
            "/api/rules.html",
            "The page of a rule set, to print.",
            page,
            RULES,
            media_type="text/html; charset=utf-8",
            error_statuses=(400, 404),
        ),
        Operation(
            "GET",
            "/api/path.svg",
            "The board with the path of a side, by default light's.",
            path,
            {**RULES, "side": one_of(*(side.value for side in Side))},
            media_type=SVG,
            error_statuses=(400, 404),
        ),
        Operation(
            "GET",
            "/api/rule.svg",
            "A drawing of a rule, or a picture of a rule set's page.",
            picture,
            {**RULES, "name": {"type": "string", "maxLength": 200}},
            media_type=SVG,
            error_statuses=(400, 404),
        ),
    )


def requested_rules(site: Site, request: ValidRequest) -> RuleSet:
    """The rule set that a request names, by default that of the current game.

    Raises:
        NotFoundError: If there is no such rule set.
    """
    text = request.query.get("rules")
    if text is None:
        position = site.desk.now().snapshot.position
        text = site.desk.preferences.current.rules if position is None else position.rules.text
    try:
        return parse_rules(text)
    except UrpiError as error:
        raise NotFoundError(str(error)) from error


def _page_picture(rules: RuleSet, name: str, words: Words) -> str:
    """Draw a picture of a rule set's page."""
    for one in pictures_of(rules, words):
        if one.name == name:
            return page_picture(rules, name, one.text, picture_words(rules, words))
    message = f"The page of {rules.text} has no picture {name!r}."
    raise NotFoundError(message)


def _picture(drawn: str, request: ValidRequest) -> Response:
    headers = {"content-security-policy": PICTURE_CSP, "cache-control": PICTURE_AGE}
    return compressed(Response(drawn, headers=headers, media_type=SVG), request.source)


def rules_page_document(rules: RuleSet, words: Words) -> dict[str, Any]:
    """The page of a rule set.

    `about` is one line; `highlights` are the rules that a drawing explains, with its name;
    `squares` are the sentences about each special square; the pictures of the `sections` are
    drawn by `/api/rule.svg`.
    """
    return {
        "rules": rules.text,
        "name": words.rules(rules.id),
        "about": summary(rules, words),
        "path": path_title(Side.LIGHT, words),
        "highlights": [one._asdict() for one in highlights(rules, words)],
        "squares": square_notes(rules, words),
        "sections": [_section_document(one) for one in sections(rules, words)],
    }


def _section_document(section: Section) -> dict[str, Any]:
    items = [
        {"text": item.text, "pictures": [one._asdict() for one in item.pictures]}
        for item in section.items
    ]
    return {"heading": section.heading, "items": items}


def rules_sheet(rules: RuleSet, words: Words) -> str:
    """The page of a rule set as HTML, to print on two sides."""
    title = f"{words.text(N_('The Royal Game of Ur'))}: {words.rules(rules.id)}"
    head = element(
        "head",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", escaped(title)),
        element("style", STYLE),
    )
    names = picture_words(rules, words)

    def figure(picture: Picture) -> str:
        kind = picture.name.partition("-")[0]
        moment = "turn-throw" if picture.name.endswith("-throw") else ""
        drawn = page_picture(rules, picture.name, picture.text, names)
        return element("figure", drawn, class_=f"{kind} {moment}".rstrip())

    def section_html(section: Section) -> str:
        items = [
            element("div", escaped(item.text), class_="rule") + "".join(map(figure, item.pictures))
            for item in section.items
        ]
        listed = element("ul", *(element("li", item) for item in items))
        content = element("div", *items) if len(items) == 1 else listed
        return element("section", element("h2", escaped(section.heading)), content)

    main = element(
        "main",
        element("h1", escaped(title)),
        element("p", element("code", escaped(rules.text))),
        *map(section_html, sections(rules, words)),
    )
    return html_document(head, element("body", main), words.language, words.direction)
