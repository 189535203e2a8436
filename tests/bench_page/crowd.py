"""A crowd at the page's door: connections made and dropped, and ten thousand at once."""

import contextlib
import resource
import selectors
import socket
import time
from collections import Counter

REQUEST = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
TOGETHER = 100
"""Of those that are made and dropped, so many are open at once."""


def come_and_go(host: str, port: int, count: int) -> None:
    """So many pages are opened, get their first bytes, and are closed without a word."""
    for _ in range(count // TOGETHER):
        with contextlib.ExitStack() as opened:
            pages = [
                opened.enter_context(socket.create_connection((host, port), timeout=30))
                for _ in range(TOGETHER)
            ]
            for page in pages:
                page.sendall(REQUEST)
            for page in pages:
                page.recv(4096)


def may_open(count: int) -> int:
    """Let this process open so many files, or as many as it may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 100 if hard == resource.RLIM_INFINITY else min(count + 100, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted - 100


def all_at_once(host: str, port: int, count: int, lasting_s: float) -> Counter[str]:
    """So many pages are asked for and held open; what became of each."""
    outcome: Counter[str] = Counter()
    selector = selectors.DefaultSelector()
    answers: dict[socket.socket, str] = {}
    pages = []
    for _ in range(count):
        page = socket.socket()
        page.settimeout(5)
        try:
            page.connect((host, port))
            page.sendall(REQUEST)
        except OSError:
            outcome["not taken"] += 1
            page.close()
            continue
        page.setblocking(False)
        pages.append(page)
        selector.register(page, selectors.EVENT_READ)
    until = time.monotonic() + lasting_s
    while time.monotonic() < until:
        for key, _ in selector.select(timeout=0.2):
            page = key.fileobj
            assert isinstance(page, socket.socket)
            try:
                part = page.recv(65536)
            except OSError:
                part = b""
            if page not in answers:
                answers[page] = part.split(b" ", 2)[1].decode() if part else "dropped"
            if not part:
                selector.unregister(page)
    outcome.update(answers.get(page, "nothing yet") for page in pages)
    for page in pages:
        page.close()
    return outcome
