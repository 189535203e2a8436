"""The program that shows on display and page how a card installs urpi at its first boot.

`urpi card` copies this file to the card. As urpi is not installed there, it imports nothing but
the standard library. The screens are drawn in advance: each is a list of transfers on the I2C bus.
"""

import argparse
import base64
import fcntl
import html
import json
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

CHECK_S: Final = 0.5
"""Seconds between two readings of the state."""
REQUEST_S: Final = 10.0
"""Seconds after which a browser that sends nothing is disconnected."""
I2C_SLAVE: Final = 0x0703
"""The request that sets the address of the next transfers (linux/i2c-dev.h)."""
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>urpi</title>
<h1>{title}</h1>
<p>{text}</p>
<script>
// Not a refresh: while urpi takes over the port, the browser would stay at an error.
setInterval(() => fetch("/").then(() => location.reload(), () => {{}}), 2000);
</script>
</html>
"""


@dataclass(frozen=True, slots=True)
class Screen:
    """A step or a fault.

    Attributes:
        title: First line.
        text: The sentences below it.
        transfers: The bytes of each transfer that shows it on the display; none without one.
    """

    title: str
    text: str
    transfers: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Screens:
    """All screens in one language.

    Attributes:
        language: Code of the language.
        by_name: The screens by the names that the installer reports.
        first: Name of the screen before the installer has reported anything.
        last: Name of the screen that remains when this program is stopped.
    """

    language: str
    by_name: Mapping[str, Screen]
    first: str
    last: str

    @classmethod
    def from_json(cls, text: str) -> "Screens":
        """The screens of a text that `to_json` returned."""
        found = json.loads(text)
        screens = {
            name: Screen(title, sentence, tuple(map(base64.b64decode, transfers)))
            for name, (title, sentence, transfers) in found["screens"].items()
        }
        return cls(found["language"], screens, found["first"], found["last"])

    def to_json(self) -> str:
        """The screens as text for a file."""
        screens = {
            name: (
                each.title,
                each.text,
                [base64.b64encode(one).decode() for one in each.transfers],
            )
            for name, each in self.by_name.items()
        }
        found = {
            "language": self.language,
            "first": self.first,
            "last": self.last,
            "screens": screens,
        }
        return json.dumps(found, ensure_ascii=False) + "\n"


class Progress:
    """Shows the screen whose name is in a file.

    Args:
        screens: The screens.
        state: The file, to which the installer writes a screen's name.
        send: Sends transfers to the display, and raises `OSError` if it does not respond.
    """

    def __init__(
        self, screens: Screens, state: Path, send: Callable[[Sequence[bytes]], None]
    ) -> None:
        self._screens, self._state, self._send = screens, state, send
        self._name = screens.first
        self._sent: str | None = None

    def update(self) -> None:
        """Read the state, and show its screen unless it is shown already."""
        name = ""
        with suppress(OSError, UnicodeDecodeError):
            name = self._state.read_text("utf-8").strip()
        # While the installer replaces the file, it is empty.
        self._show(name if name in self._screens.by_name else self._name)

    def finish(self) -> None:
        """Show the last screen, which remains until urpi draws its own."""
        self._show(self._screens.last)

    def _show(self, name: str) -> None:
        self._name = name
        if self._sent == name:
            return
        # Without a display, or while it does not respond, it is tried again.
        with suppress(OSError):
            self._send(self._screens.by_name[name].transfers)
            self._sent = name

    def page(self) -> str:
        """The page of the screen that is shown. Thread-safe."""
        screen = self._screens.by_name[self._name]
        return _PAGE.format(
            language=html.escape(self._screens.language),
            title=html.escape(screen.title),
            text=html.escape(screen.text),
        )


class _Handler(BaseHTTPRequestHandler):
    timeout = REQUEST_S

    def __init__(self, page: Callable[[], str], *arguments: Any) -> None:
        self._page = page
        super().__init__(*arguments)

    def do_GET(self) -> None:
        content = self._page().encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: Any) -> None:
        """Log nothing: the page asks every two seconds."""


def send_to_bus(device: Path, address: int, transfers: Sequence[bytes]) -> None:
    """Send transfers to a 7-bit address of an I2C bus such as ``/dev/i2c-1``.

    Raises:
        OSError: If there is no such bus, or nothing responds at the address.
    """
    if not transfers:
        return
    # Not "wb", which would create a file where there is no bus.
    with device.open("r+b", buffering=0) as bus:
        fcntl.ioctl(bus, I2C_SLAVE, address)
        for transfer in transfers:
            bus.write(transfer)


def serve(progress: Progress, port: int) -> None:
    """Serve the page in a thread, until the program ends.

    It can be reached from the network: it accepts no input, and shows nothing but the progress.
    """
    try:
        server = ThreadingHTTPServer(("", port), partial(_Handler, progress.page))
    except OSError as error:
        sys.stderr.write(f"The page cannot use port {port}: {error}.\n")
        return
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()


def source() -> str:
    """The source of this program, which is copied to the card."""
    return Path(__file__).read_text("utf-8")


def is_sigterm(found: signal.struct_siginfo | None) -> bool:
    """Whether a wait for SIGTERM has ended with it."""
    return found is not None and found.si_signo == signal.SIGTERM


def main() -> None:
    """Show the progress until SIGTERM."""
    parser = argparse.ArgumentParser(description="Show how the card installs urpi.")
    parser.add_argument("screens", type=Path, help="the file of the screens")
    parser.add_argument("state", type=Path, help="the file with the name of the current screen")
    parser.add_argument("--bus", type=Path, required=True, help="the display's I2C bus")
    parser.add_argument("--address", type=int, required=True, help="the display's address")
    parser.add_argument("--port", type=int, required=True, help="the page's port")
    given = parser.parse_args()
    # Blocked before there are threads, so that it only ends the loop below.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    screens = Screens.from_json(given.screens.read_text("utf-8"))
    progress = Progress(screens, given.state, partial(send_to_bus, given.bus, given.address))
    progress.update()
    serve(progress, given.port)
    # Python returns another signal if the process was stopped for longer than the timeout.
    while not is_sigterm(signal.sigtimedwait({signal.SIGTERM}, CHECK_S)):
        progress.update()
    progress.finish()


if __name__ == "__main__":
    main()
