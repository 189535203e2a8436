"""The page's server: uvicorn in a thread of its own, beside the referee."""

import asyncio
import logging
import socket
from threading import Event, Thread
from types import TracebackType
from typing import Final, NamedTuple, Self

import uvicorn
from starlette.types import ASGIApp

from urpi.errors import UrpiError
from urpi.web.connections import Connections
from urpi.web.feed import Feed
from urpi.web.limits import Limits, usual_limits

BACKLOG: Final = 100
"""Connections that wait for us; asyncio takes as many at once, and each is a file of ours."""
STOP_S: Final = 1
"""Answers that are being sent get so long when the program stops."""

_log: Final = logging.getLogger(__name__)


class Address(NamedTuple):
    """Where to listen; port 0 takes any that is free."""

    host: str
    port: int

    def __str__(self) -> str:
        """As in an address of a page."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class PageServer:
    """Serves an application until it is left. Use it in a ``with``."""

    def __init__(
        self, app: ASGIApp, feed: Feed, listen: Address, limits: Limits | None = None
    ) -> None:
        """Serve an application at an address, with the usual limits when none are given."""
        self._connections = Connections(limits or usual_limits())
        self._app, self._feed, self._listen = self._connections.observed(app), feed, listen
        self._thread = Thread(target=self._run, name="urpi-page", daemon=True)
        self._ready = Event()
        self.address = listen

    def __enter__(self) -> Self:
        """Listen, and serve, as `open`."""
        self.open()
        return self

    def open(self) -> None:
        """Listen, and serve from now on.

        Raises:
            UrpiError: when the address cannot be listened on.
        """
        self._socket = _listening(self._listen)
        self.address = Address(self._listen.host, self._socket.getsockname()[1])
        config = uvicorn.Config(
            self._app,
            http=self._connections.protocol(),
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=STOP_S,
        )
        # Whoever sends what is no HTTP is not to fill the log.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        self._server = uvicorn.Server(config)
        self._thread.start()
        self._ready.wait()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, as `close`."""
        self.close()

    def close(self) -> None:
        """Let every page go, and stop."""
        self._feed.close()
        self._server.should_exit = True
        self._thread.join(timeout=STOP_S + 0.5)

    @property
    def url(self) -> str:
        """The URL of the page for a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.address.host, self.address.host)  # noqa: S104
        return f"http://{Address(host, self.address.port)}/"

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception:
            # The game goes on without a page.
            _log.exception("The page has stopped.")
        finally:
            self._ready.set()
            self._socket.close()

    async def _serve(self) -> None:
        feeding = asyncio.create_task(self._feed.run())
        feeding.add_done_callback(_told_of)
        self._ready.set()
        await self._server.serve(sockets=[self._socket])
        await feeding


def _told_of(feeding: asyncio.Task[None]) -> None:
    if not feeding.cancelled() and (error := feeding.exception()):
        _log.error("The page is not told of anything any more.", exc_info=error)


def _listening(listen: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    # asyncio sends at once (TCP_NODELAY) only where the protocol is named: else the second half of
    # every answer comes 40 ms late.
    one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(listen)
        one.listen(BACKLOG)
    except OSError as error:
        one.close()
        message = (
            f"The page cannot be served at {listen}: {error.strerror or error}; "
            "choose another address for listen in [page]."
        )
        raise UrpiError(message) from error
    return one
