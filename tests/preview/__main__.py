"""Serve a page with every text of a language: `python -m tests.preview LANGUAGE [--port 8012]`.

The page has all pictures of the display, the sentences that are spoken, and all messages beside the
English ones. What does not fit the display and what is not translated is red. It reloads when the
.po file is saved. With `--output FILE` it is written instead.
"""

import argparse
import html
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from babel.messages.pofile import PoFileError

from tests.preview.page import RELOAD, preview
from tests.preview.words_of_po import po_file
from tools.catalogues.__main__ import LOCALE
from urpi.show.words.words import ENGLISH

HOST: Final = "127.0.0.1"


def main() -> None:
    """Serve the page until Ctrl-C, or write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.preview", description=__doc__)
    known = sorted(path.name for path in LOCALE.iterdir() if path.is_dir())
    parser.add_argument("language", choices=[ENGLISH, *known])
    parser.add_argument("--port", type=int, default=8012, help="the port on this machine")
    parser.add_argument("--output", type=Path, help="write the page into this file")
    args = parser.parse_args()
    if args.output:
        args.output.write_text(preview(args.language), encoding="utf-8")
        return
    with server(args.language, args.port) as running:
        sys.stdout.write(
            f"http://{HOST}:{running.server_port}/ shows {args.language}; Ctrl-C ends.\n"
        )
        sys.stdout.flush()
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            return


def server(language: str, port: int, locale: Path = LOCALE) -> ThreadingHTTPServer:
    """Return a server of the page, and of the time at which the catalogue was saved."""

    class Preview(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            changed = self.path == "/changed"
            text = _saved(language, locale) if changed else _page(language, locale)
            self.send_response(200)
            self.send_header(
                "Content-Type", f"text/{'plain' if changed else 'html'}; charset=utf-8"
            )
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_arguments: object) -> None:
            """Print no line for each request."""

    return ThreadingHTTPServer((HOST, port), Preview)


def _saved(language: str, locale: Path) -> str:
    path = po_file(language, locale)
    return str(path.stat().st_mtime_ns) if path.exists() else ""


def _page(language: str, locale: Path) -> str:
    """Return the page, or what is wrong with a file that is being written."""
    try:
        return preview(language, locale)
    except (PoFileError, OSError, ValueError) as error:
        return f"<!doctype html><p>{html.escape(str(error))}</p><script>{RELOAD}</script>"


if __name__ == "__main__":
    main()
