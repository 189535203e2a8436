"""The files that a browser loads for the page's first view, and the time that takes."""

import gzip
import http.client
import re
import time
from dataclasses import dataclass
from posixpath import join, normpath

API = ("/api/words", "/api/languages")
"""Requests of its scripts for the first view; the board and the state are in the page."""
IN_HTML = re.compile(r"<(?:link|script|img)\b[^>]*?(?:href|src)=\"([^\"]+)\"")
IN_SCRIPT = re.compile(r"^(?:import|export)\b[^\"']*?[\"'](\.[^\"']+)[\"']", re.MULTILINE)
IN_STYLE = re.compile(r"url\([\"']?([^\"')]+)[\"']?\)|@import \"([^\"]+)\"")


@dataclass(frozen=True)
class Loaded:
    path: str
    plain: int
    sent: int


def first_view(host: str, port: int) -> tuple[list[Loaded], float]:
    """Load every file of the first view; return them and the seconds it took."""
    connection = http.client.HTTPConnection(host, port, timeout=20)
    waiting, loaded = ["/", *API], {}
    begun = time.monotonic()
    while waiting:
        path = waiting.pop(0)
        if path in loaded:
            continue
        text, loaded[path] = _load(connection, path)
        waiting += [one for one in _named(path, text) if one not in loaded]
    connection.close()
    return sorted(loaded.values(), key=lambda one: -one.sent), time.monotonic() - begun


def _load(connection: http.client.HTTPConnection, path: str) -> tuple[str, Loaded]:
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    sent = answer.read()
    assert answer.status == 200, f"{path}: {answer.status}"
    packed = answer.getheader("content-encoding") == "gzip"
    plain = gzip.decompress(sent) if packed else sent
    kind = answer.getheader("content-type") or ""
    text = plain.decode() if kind.startswith("text/") else ""
    return text, Loaded(path, len(plain), len(sent))


def _named(path: str, text: str) -> list[str]:
    folder = path.rpartition("/")[0] or "/"
    found = IN_HTML.findall(text) if text.lstrip().startswith("<") else []
    if path.endswith(".js"):
        found += IN_SCRIPT.findall(text)
    if path.endswith(".css"):
        found += [one or other for one, other in IN_STYLE.findall(text)]
    ours = (one for one in found if not one.startswith(("data:", "http:", "https:", "#")))
    return [normpath(join(folder, one)) for one in ours if _is_file(one)]


def _is_file(name: str) -> bool:
    return re.search(r"\.(js|css|svg|png|woff2|webmanifest)$", name) is not None
