"""The page's static files, read once at the start and looked up by name.

No path from a request reaches the file system: a name that is not in the table does not exist.
"""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from starlette.requests import Request
from starlette.responses import Response

from urpi.http.responses import accepts_gzip

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
COMPRESSIBLE: Final = frozenset({".html", ".css", ".js", ".json", ".svg", ".txt", ".webmanifest"})
"""Suffixes of the files that compression makes smaller."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file with its entity tag.

    Attributes:
        type: The content type.
        plain: The contents.
        compressed: The contents compressed with gzip, empty if that does not make them smaller.
        etag: The entity tag, in quotation marks.
    """

    type: str
    plain: bytes
    compressed: bytes
    etag: str

    @classmethod
    def of(cls, plain: bytes, media_type: str, compressible: bool = True, level: int = 9) -> Self:
        """A file with the given contents.

        Args:
            plain: The contents.
            media_type: The content type.
            compressible: Whether compression may make it smaller.
            level: The level of compression, from 1 to 9. Defaults to the best one: a file is
                compressed once, when the server starts.
        """
        # Without the time of compression, so that equal files have equal bytes.
        packed = gzip.compress(plain, level, mtime=0) if compressible else b""
        etag = f'"{sha256(plain).hexdigest()[:32]}"'
        return cls(media_type, plain, packed if len(packed) < len(plain) else b"", etag)

    def response(self, request: Request) -> Response:
        """The file, or status 304 if the browser's copy is still current."""
        # no-cache: stored, but compared with the server's version before each use.
        headers = {"etag": self.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
        # The header is a list of tags, perhaps weak ones (W/"..."); this tag's digits are in no
        # other.
        if self.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = self.plain
        if self.compressed and accepts_gzip(request):
            body, headers["content-encoding"] = self.compressed, "gzip"
        return Response(body, headers=headers, media_type=self.type)


def read_files(folder: Path) -> Mapping[str, StaticFile]:
    """Read every file of a known type below a folder.

    The keys are paths relative to the folder.
    """
    return dict(_files(folder))


def version_of(files: Mapping[str, StaticFile]) -> str:
    """A text that differs whenever a file differs."""
    tags = "".join(f"{name}{file.etag}" for name, file in sorted(files.items()))
    return sha256(tags.encode()).hexdigest()[:16]


def _files(folder: Path) -> Iterator[tuple[str, StaticFile]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in TYPES and path.is_file():
            yield path.relative_to(folder).as_posix(), _file(path)


def _file(path: Path) -> StaticFile:
    return StaticFile.of(path.read_bytes(), TYPES[path.suffix], path.suffix in COMPRESSIBLE)
