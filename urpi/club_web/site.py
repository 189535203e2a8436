"""The site of a club: everything that its request handlers need."""

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from urpi.club_web.wall import Wall
from urpi.config import ClubServerSection
from urpi.web.access import Access, new_pin
from urpi.web.guarded_site import GuardedSite
from urpi.web.hosts import AllowedHosts, own_names
from urpi.web.limits import default_limits
from urpi.web.proxies import ProxySettings, PublicUrl
from urpi.web.static_files import read_files
from urpi.words import Words, best_language, languages, words_for

DEFAULT_LANGUAGE: Final = "en"


@dataclass(slots=True, kw_only=True)
class ClubSite(GuardedSite):
    """The page of a club, on which everyone only watches.

    Attributes:
        wall: The live tables.
    """

    wall: Wall
    section: str = "club_server"


def make_site(settings: ClubServerSection, wall: Wall) -> ClubSite:
    """Create the site of a club as configured."""
    public_url = PublicUrl.parse(settings.public_url) if settings.public_url else None
    return ClubSite(
        wall=wall,
        files=read_files(),
        # Nothing on this page requires a session, and nobody is shown the PIN.
        access=Access(new_pin()),
        hosts=AllowedHosts.of(own_names(), settings.names),
        limits=default_limits(),
        proxy=ProxySettings(public_url),
    )


def words_of(request: Request) -> Words:
    """Return the language that a browser prefers; a club has none of its own."""
    header = request.headers.get("accept-language", "")
    return words_for(best_language(header, languages()) or DEFAULT_LANGUAGE)
