"""`urpi dice watch`: each die in a line of its own, redrawn; in a pipe, a line per change."""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from urpi.commands.dice.live import DieNews, HubNews, LiveDice, News, milliseconds
from urpi.commands.dice.roster import DieView
from urpi.devices import HubHealth
from urpi.devices.protocol_constants import VERSION
from urpi.words import Words
from urpi.words import dice_sentences as say

REDRAW_S: Final = 0.5
"""A still picture is drawn anew so often: "heard" counts seconds."""
_COLUMNS: Final = "{:>3}  {:<14} {:<16} {:>5}  {:>7}  {:>6}  {:>9}  {:>7}  {:>6}"


def watch_dice(live: LiveDice, words: Words, *, as_json: bool) -> None:
    """Show the dice until Ctrl-C."""
    try:
        if as_json:
            _log(live, lambda news: json.dumps(news_values(live, news)))
        elif sys.stdout.isatty():
            _redraw(live, words)
        else:
            _log(live, lambda news: f"{_now()} {news_words(live, news, words)}")
    except KeyboardInterrupt:
        return


def _now() -> str:
    return datetime.now().astimezone().isoformat(sep=" ", timespec="milliseconds")


def _log(live: LiveDice, told: Callable[[News], str]) -> None:
    while True:
        for news in live.news(REDRAW_S):
            if is_change(news):
                sys.stdout.write(f"{told(news)}\n")
                sys.stdout.flush()


def is_change(news: News) -> bool:
    """Whether it is worth a line: not that a report was repeated."""
    if isinstance(news, HubNews):
        return True
    return not news.repeated or news.now.lost != news.before.lost


def news_values(live: LiveDice, news: News) -> dict[str, Any]:
    """What a change is as JSON. `at` is local time; a die's keys are DieLine's and DieView's."""
    if isinstance(news, HubNews):
        greeting = asdict(live.greeting) if live.greeting else None
        return {"at": _now(), "hub": asdict(news.health), "greeting": greeting}
    now, line = news.now, news.now.line
    values = {"at": _now(), "die": now.die, "state": now.state}
    if line is not None and not now.lost:
        values |= {
            "kind": line.kind,
            "face": line.face,
            "shows": live.shows(line),
            "angle_deg": line.angle_deg,
            "tumbles": line.tumbles,
            "fall_ms": line.fall_ms,
            "thrown": news.thrown if line.state == "settled" else None,
            "error": line.error,
        }
    values |= {
        "battery_mv": now.battery_mv,
        "throws": now.throws,
        "repeats": now.repeats,
        "missed": now.missed,
    }
    return {key: value for key, value in values.items() if value is not None}


def news_words(live: LiveDice, news: News, words: Words) -> str:
    """What a change is in words."""
    if isinstance(news, HubNews):
        return _hub(live, news.health, words)
    return f"die {news.now.die}: " + ", ".join(_parts(live, news, words))


def _parts(live: LiveDice, news: DieNews, words: Words) -> list[str]:
    now, line = news.now, news.now.line
    parts = [words.text(say.STATES[now.state])]
    if line is None or now.lost:
        return [*parts, *_error(now, words)]
    shows = live.shows(line)
    if shows is not None and line.face is not None:
        parts.append(say.face_words(words, line.face, shows))
    if line.angle_deg is not None:
        parts.append(words.text(say.DEGREES).format(angle=line.angle_deg))
    if line.state == "settled":
        parts.append(words.text(say.THROWN if news.thrown else say.TURNED))
    if line.battery_mv is not None:
        parts.append(volts(line.battery_mv, words))
    return [*parts, *_error(now, words)]


def _error(view: DieView, words: Words) -> list[str]:
    error = view.line.error if view.line else None
    return [words.text(say.ERRORS.get(error, error))] if error else []


def volts(millivolts: int | None, words: Words) -> str:
    """A battery's voltage, ``-`` when it is not known."""
    if millivolts is None:
        return "-"
    return words.text(say.VOLTS).format(volts=f"{millivolts / 1000:.2f}")


def hub_words(health: HubHealth, words: Words) -> str:
    """How the hub is, in one line."""
    if not health.connected:
        away = words.text(say.HUB_AWAY)
        return away.format(port=health.port or "-", error=health.error or "-")
    if not health.alive:
        return words.text(say.HUB_SILENT).format(port=health.port)
    heard = words.text(say.HUB_CONNECTED).format(
        id=health.hub_id or "-", port=health.port, firmware=health.firmware or "-"
    )
    if not health.protocol_supported:
        return words.text(say.HUB_OTHER).format(proto=health.proto, ours=VERSION)
    return heard


def _redraw(live: LiveDice, words: Words) -> None:
    height = 0
    while True:
        picture = picture_of(live, words)
        up = f"\x1b[{height}F" if height else ""
        width = shutil.get_terminal_size().columns
        sys.stdout.write(up + "\x1b[J" + "".join(f"{line[: width - 1]}\n" for line in picture))
        sys.stdout.flush()
        height = len(picture)
        for _ in live.news(REDRAW_S):
            pass


def picture_of(live: LiveDice, words: Words) -> list[str]:
    """All that is known, a line each: the hub, its counts, the dice."""
    health = live.health
    views = live.roster.views
    rows = [_row(live, view, words) for view in views] or [words.text(say.NOBODY)]
    heads = [words.text(column) for column in say.COLUMNS]
    return [
        _hub(live, health, words),
        _counts(live, health, words),
        "",
        *([_COLUMNS.format(*heads)] if views else []),
        *rows,
        "",
        words.text(say.END_HINT),
    ]


def _hub(live: LiveDice, health: HubHealth, words: Words) -> str:
    error = live.greeting.error if live.greeting and health.alive else None
    told = [words.text(say.ERRORS.get(error, error))] if error else []
    return "; ".join([*told, hub_words(health, words)])


def _counts(live: LiveDice, health: HubHealth, words: Words) -> str:
    counts = health.counts
    return words.text(say.HUB_COUNTS).format(
        lines=counts.lines,
        repeats=health.repeats,
        dropped=counts.dropped,
        noise=counts.noise_bytes,
        unknown=counts.unknown,
        hub=live.greeting.dropped or 0 if live.greeting else 0,
    )


def _row(live: LiveDice, view: DieView, words: Words) -> str:
    line = None if view.lost else view.line
    shows = live.shows(line) if line else None
    face, angle = (line.face, line.angle_deg) if line else (None, None)
    seconds = f"{(milliseconds() - view.heard_ms) / 1000:.1f}"
    row = _COLUMNS.format(
        view.die,
        words.text(say.STATES[view.state]),
        "-" if shows is None or face is None else say.face_words(words, face, shows),
        "-" if angle is None else f"{angle}°",
        volts(view.battery_mv, words),
        "-" if view.throws is None else view.throws,
        words.text(say.SECONDS_AGO).format(seconds=seconds),
        view.repeats,
        view.missed,
    )
    return "  ".join([row, *_error(view, words)])
