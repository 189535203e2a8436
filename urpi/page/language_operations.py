"""Operations that read the page's texts and the rule sets' names in a language."""

from collections.abc import Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.types import ASGIApp

from urpi.core.json_schema import one_of
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import compressed, json_response
from urpi.page.documents.positions import rule_sets_document
from urpi.show.words import Words, best_language, languages, page_messages, words_for

LANGUAGE: Final = one_of(*languages())
"""The schema of a language in an address."""


def language_operations(
    words_of: Callable[[Request], Words], table: Callable[[], str] | None = None
) -> tuple[Operation, ...]:
    """The operations that read texts, rule sets and languages.

    Args:
        words_of: Returns the language of the response to a request.
        table: Returns the table's language; by default there is no table.
    """

    async def texts(request: ValidRequest) -> ASGIApp:
        requested = request.query.get("language")
        words = words_of(request.source) if requested is None else words_for(requested)
        return compressed(json_response(_texts(words)), request.source)

    async def rule_sets(request: ValidRequest) -> ASGIApp:
        document = rule_sets_document(words_of(request.source))
        return compressed(json_response(document), request.source)

    async def all_languages(request: ValidRequest) -> ASGIApp:
        """`wanted` is the browser's preferred language, null if it is not available; so `table`."""
        header = request.source.headers.get("accept-language", "")
        now, preferred = words_of(request.source).language, best_language(header, languages())
        return json_response(
            {
                "languages": list(languages()),
                "now": now,
                "wanted": preferred,
                "table": None if table is None else table(),
            }
        )

    return (
        Operation(
            "GET",
            "/api/words",
            "The page's texts in a language: the translation of each English text, of a plural all "
            "its wordings.",
            texts,
            {"language": LANGUAGE},
            error_statuses=(400,),
        ),
        Operation("GET", "/api/rulesets", "The rule sets and their options.", rule_sets),
        Operation(
            "GET",
            "/api/languages",
            "The available languages, the chosen one, and the browser's preferred one.",
            all_languages,
        ),
    )


def _texts(words: Words) -> dict[str, Any]:
    """The translations of the page's messages, by the message with its context."""
    texts: dict[str, Any] = {}
    for message in page_messages():
        if isinstance(message, str):
            texts[message] = words.text(message)
        else:
            texts[message[0]] = words.plural(*message)._asdict()
    return texts
