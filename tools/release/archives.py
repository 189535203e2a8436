"""Archives whose bytes depend on their content only, not on when and where it was written."""

import gzip
import io
import tarfile
from pathlib import Path


def pack(folder: Path, archive: Path, epoch: int) -> Path:
    """Pack a folder into a ``.tar.gz``, in which it is the only entry at the top.

    Args:
        folder: The folder.
        archive: The file to write.
        epoch: The time of every file in it, in seconds since 1970.

    Returns:
        The archive.
    """

    def normalised(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = epoch, 0, 0, "", ""
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as file:
        for path in (folder, *sorted(folder.rglob("*"))):
            file.add(path, path.relative_to(folder.parent), recursive=False, filter=normalised)
    archive.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return archive
