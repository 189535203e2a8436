"""What an installed page needs while the table cannot be reached: a service worker and one page."""

from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from urpi.http.responses import compressed
from urpi.http.static_files import StaticFile
from urpi.page.site import Site
from urpi.show.svg import element, escaped
from urpi.show.words import languages, words_for
from urpi.show.words.sentences import N_

WORKER: Final = "js/service_worker.js"
STORED: Final = ("css/page.css", "js/unavailable.js", "icon.svg")
"""The files that the service worker stores, besides the page."""
_VERSION: Final = b"@version@"
HEADING: Final = N_("The table is unavailable. Trying again…")
TEXT: Final = N_("The game is safe at the table. This page opens again when the table responds.")


def offline_routes(site: Site) -> tuple[Route, ...]:
    """The routes of the service worker and of the page that it stores."""
    if WORKER not in site.files:
        return ()
    page = _page()
    # A browser replaces a service worker only if the script's bytes differ, so they contain a
    # digest of what it stores.
    digest = sha256(page + b"".join(site.files[name].plain for name in STORED))
    script = site.files[WORKER].plain
    digest.update(script)
    worker = StaticFile.of(
        script.replace(_VERSION, digest.hexdigest()[:16].encode()), "text/javascript; charset=utf-8"
    )

    async def service_worker(request: Request) -> Response:
        return worker.response(request)

    async def unavailable(request: Request) -> Response:
        response = Response(page, headers={"cache-control": "no-cache"}, media_type="text/html")
        return compressed(response, request)

    return (Route("/service-worker.js", service_worker), Route("/unavailable", unavailable))


def _page() -> bytes:
    """The page with its texts in every language, one of which its script shows."""
    head = element(
        "head",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        element("title", "urpi"),
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">',
        '<link rel="stylesheet" href="/static/css/page.css">',
        '<script type="module" src="/static/js/unavailable.js"></script>',
    )
    parts = "".join(_texts(language) for language in languages())
    icon = '<img src="/static/icon.svg" alt="" width="96" height="96">'
    body = element("body", element("main", icon, parts), class_="unavailable")
    return f'<!DOCTYPE html>\n<html lang="en">{head}{body}</html>\n'.encode()


def _texts(language: str) -> str:
    text = words_for(language).text
    return element(
        "section",
        element("h1", escaped(text(HEADING)), role="status"),
        element("p", escaped(text(TEXT))),
        lang=language,
        dir=words_for(language).direction,
        hidden="" if language != "en" else None,
    )
