"""The operation that invites other devices: the page's addresses with QR codes, and the PIN."""

from typing import Any, Final

from starlette.types import ASGIApp

from urpi.core.qr_code import path_data, qr_modules
from urpi.http.access import linked_pin
from urpi.http.addresses import Link
from urpi.http.guard import MAY_ACT
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import compressed, json_response
from urpi.page.site import Site

MAX_LINKS: Final = 8
"""Maximum number of addresses; a machine with virtual networks may have dozens."""


def invitation_operations(site: Site) -> tuple[Operation, ...]:
    """Return the operation that invites other devices."""

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
