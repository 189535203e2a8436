"""The page's server: uvicorn in a thread of its own, beside the referee."""

import asyncio
import logging
import socket
from contextlib import suppress
from threading import Event
from types import TracebackType
from typing import Final, Self

import uvicorn
from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.supervision import Part, SupervisedThread, beat, supervise
from urpi.http.addresses import ANY, Address, local_url
from urpi.http.connections import Connections
from urpi.http.feeding import Feeding
from urpi.http.limits import Limits, default_limits

BACKLOG: Final = 100
"""Maximum number of connections that wait to be accepted. asyncio accepts as many at once, each of
which uses a file descriptor."""
STOP_S: Final = 1
"""Timeout for responses that are still being sent when the program stops."""
READY_S: Final = 5.0
"""Longest time that requests wait for the first state, such as for a disk that does not respond."""
CLOSE_S: Final = 3.0
"""Timeout for the end of the page's thread. The program then ends without it."""

_uvicorn_log: Final = logging.getLogger("uvicorn.error")


class PageServer:
    """Serves an application. Use it in a ``with`` statement, or call `open` and `close`."""

    def __init__(
        self,
        app: ASGIApp,
        feed: Feeding,
        listen: Address,
        limits: Limits | None = None,
        section: str = "page",
    ) -> None:
        """Create the server.

        Args:
            app: The application.
            feed: The feed to run beside it.
            listen: The address to listen on.
            limits: The limits; by default those for this process.
            section: The section of the configuration with the address.
        """
        self._section = section
        self.connections = Connections(limits or default_limits())
        """The limits of connections, and what is remembered of the open ones."""
        self._app, self._feed, self._listen = self.connections.track(app), feed, listen
        self._thread = SupervisedThread(self._run, "page", is_vital=True)
        self._feeding = Part("page's feed")
        self._ready, self._is_closed = Event(), False
        self.address = listen

    def __enter__(self) -> Self:
        """Start serving, as `open`."""
        self.open()
        return self

    def open(self) -> None:
        """Listen on the address and start serving.

        Raises:
            UrpiError: If the address is not available.
        """
        self._socket = _listen(self._listen, self._section)
        self.address = Address(self._listen.host, self._socket.getsockname()[1])
        self._server = self._make_server()
        # uvicorn warns of every malformed request, so any client could fill the log.
        _uvicorn_log.setLevel(logging.ERROR)
        self._thread.start()
        # An error in the thread sets it too, so that this never waits for ever.
        self._ready.wait()

    def _make_server(self) -> uvicorn.Server:
        config = uvicorn.Config(
            self._app,
            # Counts connections and drops stuck ones, which uvicorn itself does not.
            http=self.connections.protocol(),
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            # `urpi.http.proxies` evaluates forwarding headers, for the configured proxy only.
            proxy_headers=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=STOP_S,
        )
        return uvicorn.Server(config)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving, as `close`."""
        self.close()

    def close(self) -> None:
        """End all streams and stop serving."""
        # First, since the responses of open pages do not end by themselves.
        self._feed.close()
        self._is_closed = True
        # uvicorn cancels requests that do not end within `STOP_S`, and logs a traceback for each.
        _uvicorn_log.setLevel(logging.CRITICAL)
        self._server.should_exit = True
        self._thread.end(CLOSE_S)

    @property
    def open_connections(self) -> int:
        """Number of connections that are not closed yet."""
        return len(self._server.server_state.connections)

    @property
    def url(self) -> str:
        """The URL of the page for a browser on this machine."""
        return local_url(self.address)

    def _run(self) -> None:
        if self._socket.fileno() < 0:
            # Called again after a failure: browsers know the same address.
            self._socket = _listen(self.address, self._section)
            self._server = self._make_server()
        try:
            if not self._is_closed:
                asyncio.run(self._serve())
        finally:
            self._ready.set()
            self._socket.close()

    async def _serve(self) -> None:
        # First: what blocks the loop may do so at once.
        beating = asyncio.create_task(beat(self._thread.part))
        feeding = asyncio.create_task(supervise(self._feeding, self._feed.run))
        self._ready.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._feed.ready.wait(), READY_S)
        await self._server.serve(sockets=[self._socket])
        # Its end could take as long as a read of the journal.
        feeding.cancel()
        self._feeding.end()
        beating.cancel()


def _listen(listen: Address, section: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the socket names its protocol. Without it the second part of
    # every response is delayed by 40 ms.
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # After a restart, connections of the previous process may still be closing.
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if listen.host == ANY:
            # The default differs between systems; here it accepts IPv4 too.
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        opened.bind(listen)
        opened.listen(BACKLOG)
    except OSError as error:
        opened.close()
        message = (
            f"The page cannot be served at {listen}: {error.strerror or error}; "
            f"choose another address for listen in [{section}]."
        )
        raise UrpiError(message) from error
    return opened
