"""Operations that return links with QR codes: those that invite other devices, and a game's."""

from typing import Any, Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp

from urpi.core.loopback import is_loopback
from urpi.core.qr_code import path_data, qr_modules
from urpi.http.access import linked_pin
from urpi.http.addresses import Link
from urpi.http.guard import MAY_ACT
from urpi.http.operations import NUMBER, Operation, ValidRequest
from urpi.http.responses import compressed, json_response
from urpi.page.games import stored_game
from urpi.page.site import Site

MAX_LINKS: Final = 8
"""Maximum number of addresses; a machine with virtual networks may have dozens."""


def invitation_operations(site: Site) -> tuple[Operation, ...]:
    """The operation that invites other devices."""

    async def invitation(request: ValidRequest) -> ASGIApp:
        pin = site.access.pin if request.source.scope["state"][MAY_ACT] else None
        document = {
            "pin": pin,
            "links": [link_document(link, pin) for link in site.links[:MAX_LINKS]],
        }
        return compressed(json_response(document), request.source)

    return (
        Operation(
            "GET",
            "/api/invitation",
            "Links and QR codes for other devices; the PIN only for a browser that may act.",
            invitation,
        ),
    )


def link_document(link: Link, pin: str | None) -> dict[str, Any]:
    """Return a link with the code to watch, and with a PIN also the code to play."""
    return {
        "url": link.url,
        "interface": link.interface,
        "watch": code_document(link.url),
        "play": None if pin is None else code_document(linked_pin(link.url, pin)),
    }


def code_document(link: str) -> dict[str, Any]:
    """Return a QR code: its width in modules with the margin, and the path of the dark ones."""
    modules = qr_modules(link)
    return {"link": link, "size": len(modules), "path": path_data(modules)}


def share_operations(site: Site) -> tuple[Operation, ...]:
    """The operation that returns the link to a game."""

    async def link(request: ValidRequest) -> ASGIApp:
        game = await site.journal.read(lambda journal: stored_game(journal, request))
        step = request.query.get("step")
        path = f"/games/{game.id}" + ("" if step is None else f"?step={step}")
        document = linked_document(site, request, path)
        return compressed(json_response(document), request.source)

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


def linked_document(site: Site, request: ValidRequest, path: str) -> dict[str, Any]:
    """Return the link to a page, its QR code, and whether it works on this machine only."""
    base, local = _base(site, request)
    return {"local": local, **code_document(f"{base}{path}")}


def _base(site: Site, request: ValidRequest) -> tuple[str, bool]:
    """The page's URL for other devices, or else this machine's own and True."""
    source = request.source
    base = site.base_url(source.url.scheme, source.headers["host"])
    host = urlsplit(base).hostname or ""
    # A browser that came by another name or address has proved that it works.
    if not is_loopback(host):
        return base, False
    links = site.links
    return (links[0].url.rstrip("/"), False) if links else (base, True)
