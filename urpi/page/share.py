"""The operation that returns the link to a game, or to a step of it, with its QR code."""

from urllib.parse import urlsplit

from starlette.types import ASGIApp

from urpi.core.loopback import is_loopback
from urpi.http.operations import NUMBER, Operation, ValidRequest
from urpi.http.responses import compressed, json_response
from urpi.page.games import stored_game
from urpi.page.invitation import code_document
from urpi.page.site import Site


def share_operations(site: Site) -> tuple[Operation, ...]:
    """Return the operation that returns the link to a game."""

    async def link(request: ValidRequest) -> ASGIApp:
        game = await site.journal.read(lambda journal: stored_game(journal, request))
        base, local = _base(site, request)
        step = request.query.get("step")
        url = f"{base}/games/{game.id}" + ("" if step is None else f"?step={step}")
        return compressed(json_response({"local": local, **code_document(url)}), request.source)

    return (
        Operation(
            "GET",
            "/api/games/{game}/link",
            "The link to the game or to a step of it, its QR code, and whether it works on this "
            "machine only.",
            link,
            {"step": NUMBER},
            error_statuses=(404, 503),
        ),
    )


def _base(site: Site, request: ValidRequest) -> tuple[str, bool]:
    """Return the page's URL for other devices, or else this machine's own and True."""
    source = request.source
    base = site.base_url(source.url.scheme, source.headers["host"])
    host = urlsplit(base).hostname or ""
    if not is_loopback(host):
        return base, False
    links = site.links
    return (links[0].url.rstrip("/"), False) if links else (base, True)
