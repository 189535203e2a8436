"""The figures of runs as Markdown tables, as in docs/how-it-works/referee-figures.md."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias

from tools.bench.cases import CASES, QUIET
from tools.bench.figures import rate, spread
from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.rules import RULE_SETS
from urpi.simulation import BEHAVIOURS

Row: TypeAlias = Mapping[str, Any]
LARGEST_BYTES: Final = 2**24
"""Maximum size of a file of figures; a row has about a kilobyte."""

_SUMS: Final = (
    "games",
    "finished",
    "capped",
    "failed",
    "record_exact",
    "moves",
    "recognised",
    "false_commits",
    "false_in_record",
    "missed",
    "wrong_warnings",
    "wrong_acts",
    "not_warned",
    "wrong_code",
)
_NEEDED: Final = {
    *("rules", "behaviour", *_SUMS, "wrong_codes", "questions_by_seed", "seeds_to_look_at"),
    *("wait_ms_counts", "step_us_counts"),
}
_AGAINST_PLAN: Final = (
    *("against_plan", "against_plan_warned", "against_plan_named", "against_plan_corrected"),
)
_WAITS: Final = ("plain", "capture", "seems", "seems to commit")
_COUNT_HEADS: Final = (
    *("games (fin/cap/fail)", "exact", "moves", "recog. %", "false", "in record"),
    *("missed", "bad warn."),
    *("wrong acts", "unwarned", "bad code", "quest./game"),
)
_TIME_HEADS: Final = (*(f"{kind} ms" for kind in _WAITS), "step us", "facts/s")


def read_rows(paths: Iterable[Path]) -> list[Row]:
    """Read the rows of files that `python -m tools.bench referee --json` wrote; lines with ``#``
    are skipped.

    Raises:
        UrpiError: If a file cannot be read, or a line is invalid.
    """
    return [row for path in paths for row in _rows_of(path)]


def _rows_of(path: Path) -> Iterator[Row]:
    advice = "name what `python -m tools.bench referee --json` wrote"
    lines = read_text(path, "file of figures", LARGEST_BYTES, advice).split("\n")
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("#"):
            yield _row_of(line, f"{path}, line {number}")


def _row_of(line: str, where: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict) or not row.keys() >= _NEEDED:
        message = (
            f"{where} is not a row of figures; `python -m tools.bench referee --json` writes one "
            "per line."
        )
        raise UrpiError(message)
    return row


def markdown_tables(rows: Sequence[Row]) -> list[str]:
    """Return all tables for which the rows have figures, each with a heading."""
    with_engine = [row for row in rows if row.get("engine")]
    rows = [row for row in rows if not row.get("engine")]
    presets = [row for row in rows if row["behaviour"] in BEHAVIOURS]
    others = [row for row in rows if row["behaviour"] not in BEHAVIOURS]
    parts = (
        ("Presets, by rule set", _by_rules(presets)),
        ("One change of behaviour at a time, all rule sets together", _by_behaviour(others)),
        ("Questions, with piles touched and not", _piles(rows)),
        ("Exact codes", _exact_codes(rows)),
        ("Questions that a broken switch causes", _broken_switches(rows)),
        ("Codes that do not explain the act", _wrong_codes(rows)),
        ("What went wrong", _what_went_wrong(rows)),
        ("The engine in a seat, by rule set", _with_engine(with_engine)),
        ("What went wrong with the engine in a seat", _what_went_wrong(with_engine)),
    )
    return [line for head, lines in parts if lines for line in (f"## {head}", "", *lines, "")]


def _by_rules(rows: Sequence[Row]) -> list[str]:
    lines = [
        [f"`{group[0]['rules']}` {group[0]['behaviour']}", *_counts(group), *_times(group)]
        for group in _alike(rows, lambda row: (_rules_place(row), _case_place(row)))
    ]
    return _table(("", *_COUNT_HEADS, *_TIME_HEADS), lines)


def _by_behaviour(rows: Sequence[Row]) -> list[str]:
    groups = _alike(rows, _case_place)
    lines = [[group[0]["behaviour"], *_counts(group)] for group in groups]
    return _table(("behaviour", *_COUNT_HEADS), lines)


def _with_engine(rows: Sequence[Row]) -> list[str]:
    """Return the table of games with the engine in a seat, all behaviours together."""
    lines = []
    for group in _alike(rows, _rules_place):
        against = (str(sum(row[key] for row in group)) for key in _AGAINST_PLAN)
        lines.append([f"`{group[0]['rules']}`", *_counts(group), "/".join(against)])
    return _table(("", *_COUNT_HEADS, "against the plan (warned/named/corrected)"), lines)


def _alike(rows: Sequence[Row], place: Callable[[Row], tuple[object, ...]]) -> list[list[Row]]:
    """Return the rows grouped by their place, in the order of the places."""
    ordered = sorted(rows, key=place)
    return [list(group) for _, group in groupby(ordered, key=place)]


def _broken_switches(rows: Sequence[Row]) -> list[str]:
    """Return the table of questions that are not asked in the same seed's game without faults."""
    whole = {
        (row["rules"], seed): asked
        for row in rows
        if row["behaviour"] == "calm"
        for seed, asked in row["questions_by_seed"].items()
    }
    broken = [row for row in rows if row["behaviour"] in CASES and CASES[row["behaviour"]].faults]
    lines: list[list[object]] = []
    for group in _alike(broken, lambda row: (_case_place(row), _rules_place(row))):
        name = f"`{group[0]['rules']}` {group[0]['behaviour']}"
        more = [
            asked - whole[row["rules"], seed]
            for row in group
            for seed, asked in row["questions_by_seed"].items()
            if (row["rules"], seed) in whole
        ]
        if more:
            lines.append([name, len(more), f"{sum(more) / len(more):.2f}", max(more)])
    return _table(("", "games", "questions more a game", "most"), lines)


def _piles(rows: Sequence[Row]) -> list[str]:
    """Return the table of questions per game, if piles are touched and if not."""
    quiet = [row for row in rows if row["behaviour"].startswith(QUIET)]
    lines: list[list[object]] = []
    for group in _alike(quiet, lambda row: (_rules_place(row), _case_place(row))):
        rules, preset = group[0]["rules"], group[0]["behaviour"].removeprefix(QUIET)
        touched = [row for row in rows if (row["rules"], row["behaviour"]) == (rules, preset)]
        lines.append([f"`{rules}` {preset}", _asked_per_game(touched), _asked_per_game(group)])
    return _table(("questions a game", "piles touched", "not touched"), lines)


def _exact_codes(rows: Sequence[Row]) -> list[str]:
    """Return the table of illegal acts with a warning that explains them."""
    lines: list[list[object]] = []
    for group in _alike([row for row in rows if row["wrong_acts"]], _rules_place):
        acts, unwarned, wrong = (
            sum(row[key] for row in group) for key in ("wrong_acts", "not_warned", "wrong_code")
        )
        exact = _percent(acts - unwarned - wrong, acts)
        lines.append([f"`{group[0]['rules']}`", acts, unwarned, wrong, exact])
    return _table(("", "wrong acts", "unwarned", "bad code", "exact %"), lines)


def _wrong_codes(rows: Sequence[Row]) -> list[str]:
    found: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for codes, times in row["wrong_codes"].items():
            found[row["behaviour"], codes] += times
    lines = [[name, codes, times] for (name, codes), times in found.most_common()]
    return _table(("behaviour", "reported for expected", "times"), lines)


def _what_went_wrong(rows: Sequence[Row]) -> list[str]:
    wrong = [
        row
        for row in rows
        if row["failed"]
        or row["record_exact"] < row["games"]
        or row["false_commits"]
        or row["wrong_warnings"]
        or row["not_warned"]
    ]
    return [
        f"- `{row['rules']}` {row['behaviour']}: {row['failed']} failed,"
        f" {row['record_exact']} of {row['games']} exact, {row['false_commits']} false"
        f" ({row['false_in_record']} in the record),"
        f" {row['missed']} missed, {row['wrong_warnings']} wrong warnings,"
        f" {row['not_warned']} not warned;"
        f" seeds {', '.join(map(str, row['seeds_to_look_at']))}"
        for row in wrong
    ]


def _counts(rows: Sequence[Row]) -> list[object]:
    sums = {key: sum(row[key] for row in rows) for key in _SUMS}
    ended = f"{sums['finished']}/{sums['capped']}/{sums['failed']}"
    return [
        f"{sums['games']} ({ended})",
        sums["record_exact"],
        sums["moves"],
        # Truncated, not rounded, so that 100 means all.
        _percent(sums["recognised"], sums["moves"]),
        *(sums[key] for key in _SUMS[7:]),
        _asked_per_game(rows),
    ]


def _asked_per_game(rows: Sequence[Row]) -> str:
    games = sum(row["games"] for row in rows)
    asked = sum(sum(row["questions_by_seed"].values()) for row in rows)
    return f"{asked / games:.2f}" if games else "-"


def _percent(part: int, whole: int) -> str:
    return f"{100_000 * part // whole / 1000:.3f}" if whole else "-"


def _times(rows: Sequence[Row]) -> list[object]:
    waits = [_counted(row["wait_ms_counts"].get(kind, {}) for row in rows) for kind in _WAITS]
    steps = _counted(row["step_us_counts"] for row in rows)
    return [*(_pair(each) for each in (*waits, steps)), rate(steps)]


def _counted(counts: Iterable[Mapping[str, int]]) -> Counter[int]:
    """Return the sums of several counts; JSON's keys are text."""
    found: Counter[int] = Counter()
    for each in counts:
        found.update({int(value): times for value, times in each.items()})
    return found


def _pair(values: Counter[int]) -> str:
    each = spread(values)
    return f"{each['p50']}/{each['p99']}" if values else "-"


def _rules_place(row: Row) -> tuple[int, str]:
    plain = row["rules"].partition("[")[0]
    places = list(RULE_SETS)
    return places.index(plain) if plain in places else len(places), row["rules"]


def _case_place(row: Row) -> tuple[int, str]:
    places, name = list(CASES), row["behaviour"]
    return places.index(name) if name in places else len(places), name


def _table(heads: Sequence[str], lines: Sequence[Sequence[object]]) -> list[str]:
    if not lines:
        return []
    body = [heads, ["---"] * len(heads), *lines]
    return [f"| {' | '.join(map(str, line))} |" for line in body]
