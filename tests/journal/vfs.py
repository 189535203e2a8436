"""SQLite's VFS wrapped by ctypes, to watch changes of files and to make them fail.

To be used in a process of its own: the wrapped VFS becomes the default of all connections.
"""

import ctypes
import sqlite3
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

OK = 0
VFS_FIELDS = 22
"""Pointers of sqlite3_vfs after xDelete, in version 3 and later."""

# The name is passed as an address: SQLite keeps the pointer, so it must not be to Python's copy.
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class Vfs(Structure):
    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("path_length", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        ("others", c_void_p * VFS_FIELDS),
    )


class Methods(Structure):
    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("others", c_void_p * 13),
    )


@dataclass(frozen=True)
class Done:
    """A change of a file: bytes written at a place, a truncation, a deletion, or a sync."""

    name: str
    data: bytes | None = None
    place: int = 0
    size: int | None = None
    deleted: bool = False

    @property
    def is_sync(self) -> bool:
        return self.data is None and self.size is None and not self.deleted


class Watcher(Protocol):
    """Called around every change; a result other than `OK` is the SQLite error to report."""

    def before(self, done: Done) -> int:
        """Return `OK` to let the change happen."""

    def after(self, done: Done) -> int:
        """Return `OK` to report that it succeeded."""


class WatchedVfs:
    """SQLite's default VFS with a watcher around every change, used by all connections."""

    def __init__(self, library: ctypes.CDLL, watcher: Watcher) -> None:
        library.sqlite3_vfs_find.restype = POINTER(Vfs)
        library.sqlite3_vfs_find.argtypes = (c_char_p,)
        library.sqlite3_vfs_register.argtypes = (POINTER(Vfs), c_int)
        self._library, self.watcher = library, watcher
        self._names: dict[int, str] = {}
        self._own = library.sqlite3_vfs_find(None)
        self._open_own = OPEN(self._own.contents.open)
        self._delete_own = DELETE(self._own.contents.delete)
        self._vfs = Vfs.from_buffer_copy(self._own.contents)
        self._kept: list[Any] = [OPEN(self._open)]
        self._vfs.name, self._vfs.next = b"watched", None
        self._vfs.open = ctypes.cast(self._kept[0], c_void_p)
        self._vfs.delete = self._keep(DELETE(self._delete))
        self._methods: dict[int, Methods] = {}
        assert library.sqlite3_vfs_register(byref(self._vfs), 1) == OK

    def end(self) -> None:
        """Make the original VFS the default again."""
        self._library.sqlite3_vfs_register(self._own, 1)

    def _open(self, _vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        # SQLite takes the locking functions from the VFS that opens, so that must be the original.
        failed = self._open_own(ctypes.addressof(self._own.contents), name, file, flags, out)
        methods = ctypes.cast(file, POINTER(c_void_p))
        if not failed and name is not None and methods[0]:
            self._names[file] = Path(ctypes.string_at(name).decode()).name
            methods[0] = ctypes.addressof(self._watched(methods[0]))
        return int(failed)

    def _delete(self, _vfs: int, name: int, sync: int) -> int:
        done = Done(Path(ctypes.string_at(name).decode()).name, deleted=True)
        own = ctypes.addressof(self._own.contents)
        return self._around(done, lambda: self._delete_own(own, name, sync))

    def _around(self, done: Done, act: Callable[[], int]) -> int:
        return self.watcher.before(done) or int(act()) or self.watcher.after(done)

    def _watched(self, address: int) -> Methods:
        if address not in self._methods:
            own = Methods.from_address(address)
            watched = Methods.from_buffer_copy(own)
            watched.write = self._keep(WRITE(self._write(WRITE(own.write))))
            watched.truncate = self._keep(TRUNCATE(self._truncate(TRUNCATE(own.truncate))))
            watched.sync = self._keep(SYNC(self._sync))
            self._methods[address] = watched
        return self._methods[address]

    def _keep(self, function: Any) -> Any:
        self._kept.append(function)
        return ctypes.cast(function, c_void_p)

    def _write(self, own: Callable[..., int]) -> Callable[..., int]:
        def write(file: int, data: int, size: int, place: int) -> int:
            done = Done(self._names[file], ctypes.string_at(data, size), place)
            return self._around(done, lambda: own(file, data, size, place))

        return write

    def _truncate(self, own: Callable[..., int]) -> Callable[..., int]:
        def truncate(file: int, size: int) -> int:
            return self._around(Done(self._names[file], size=size), lambda: own(file, size))

        return truncate

    def _sync(self, file: int, _flags: int) -> int:
        # The file is not really synced: its disk keeps its power, and syncs take most of the time.
        return self._around(Done(self._names[file]), lambda: OK)


def sqlite_library() -> ctypes.CDLL | None:
    """Return the library that Python's sqlite3 uses, None if it is built in."""
    sqlite3.connect(":memory:").close()
    maps = Path("/proc/self/maps")
    paths = {
        line.split()[-1]
        for line in (maps.read_text().splitlines() if maps.exists() else ())
        if "libsqlite3" in line
    }
    return ctypes.CDLL(paths.pop()) if len(paths) == 1 else None
