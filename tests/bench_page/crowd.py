"""Many connections: opened and closed one after another, and ten thousand at once."""

import contextlib
import resource
import selectors
import socket
import time
from collections import Counter

REQUEST = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
TOGETHER = 100
"""The number of connections that are open at the same time."""


def open_and_close(host: str, port: int, count: int) -> None:
    """Open `count` pages, read their first bytes, and close them."""
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


def raise_file_limit(count: int) -> int:
    """Raise this process's limit of open files, and return the number of connections it allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 100 if hard == resource.RLIM_INFINITY else min(count + 100, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted - 100


def open_all(host: str, port: int, count: int, lasting_s: float) -> Counter[str]:
    """Request `count` pages, hold them open, and return what happened to each."""
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
            outcome["refused"] += 1
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
