"""The page's own files: read once, by name, each with what a browser needs to keep it.

A name that is not among them is no file: no path of a request ever reaches the disk.
"""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
PACKED: Final = frozenset({".html", ".css", ".js", ".json", ".svg", ".txt", ".webmanifest"})
"""What gets smaller by packing."""
FOLDER: Final = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file's bytes, plain and packed (empty where packing does not help), and its tag."""

    type: str
    plain: bytes
    packed: bytes
    etag: str

    def answer(self, request: Request) -> Response:
        """The file, or that the browser has it already."""
        headers = {"etag": self.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if self.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = self.plain
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["content-encoding"] = self.packed, "gzip"
        return Response(body, headers=headers, media_type=self.type)


def read_files(folder: Path = FOLDER) -> Mapping[str, StaticFile]:
    """Every file of a known type below the folder, by its path in it."""
    return dict(_files(folder))


def _files(folder: Path) -> Iterator[tuple[str, StaticFile]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in TYPES and path.is_file():
            yield path.relative_to(folder).as_posix(), _file(path)


def _file(path: Path) -> StaticFile:
    plain = path.read_bytes()
    packed = gzip.compress(plain, 9, mtime=0) if path.suffix in PACKED else b""
    etag = f'"{sha256(plain).hexdigest()[:32]}"'
    return StaticFile(TYPES[path.suffix], plain, packed if len(packed) < len(plain) else b"", etag)
