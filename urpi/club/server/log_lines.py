"""The lines of the club's log: text for people, or JSON for programs that collect logs."""

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final

LogFields = Mapping[str, str | int]
"""What a line is about: `table` and `game`, the number of a game at its table."""

_fields: Final[ContextVar[LogFields]] = ContextVar("log_fields")
_log: Final = logging.getLogger(__name__)


@contextmanager
def log_about(**fields: str | int) -> Iterator[None]:
    """Add fields to all lines that this thread logs inside, whichever module logs them."""
    token = _fields.set({**log_fields(), **fields})
    try:
        yield
    finally:
        _fields.reset(token)


def log_fields() -> LogFields:
    """Return the fields of this thread's lines now."""
    return _fields.get({})


class JsonLines(logging.Formatter):
    """Formats each record as one line of JSON, whatever it contains.

    Args:
        part: The part of the program, empty for the name of the thread that logs.
    """

    def __init__(self, part: str = "") -> None:
        super().__init__()
        self._part = part

    def format(self, record: logging.LogRecord) -> str:
        thread = record.threadName or ""
        values = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "part": self._part or thread.removeprefix("urpi-"),
            "process": record.process,
            "message": record.getMessage(),
            **log_fields(),
        }
        if record.exc_info:
            values["exception"] = self.formatException(record.exc_info)
        # All of ASCII, so that it depends neither on the output's encoding nor on what a collector
        # takes for the end of a line.
        return json.dumps({name: _without_surrogates(value) for name, value in values.items()})


def _without_surrogates(value: Any) -> Any:
    """Replace surrogates without their other half, at which many readers of JSON fail."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def begin_json_log(part: str = "") -> None:
    """Log as JSON from now on, also what nothing else catches.

    Args:
        part: As of `JsonLines`.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines(part))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda about: _log.critical(
        "A thread has ended", exc_info=about.exc_value
    )


def _log_uncaught(
    kind: type[BaseException], error: BaseException, _trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    _log.critical("The program ends", exc_info=error)


def call_about(fields: LogFields, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in another process, whose lines then have the fields of this one."""
    with log_about(**fields):
        return function(*arguments)
