"""Figures: the results of many games of one rule set in one case."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tools.bench.compare import RunComparison
from tools.bench.observer import Incident


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The result of one game: how it `ended` (finished, capped, failed), and what was observed."""

    seed: int
    ended: str
    compared: RunComparison
    counts: Counter[str]
    waits_ms: Mapping[str, Counter[int]]
    step_us: Counter[int]
    incidents: tuple[Incident, ...]

    @property
    def right(self) -> bool:
        """Whether the game did not fail, no move is false, and the record is the true game."""
        return self.ended != "failed" and self.compared.exact and not self.compared.false

    @property
    def clean(self) -> bool:
        """Whether nothing needs to be investigated."""
        return self.right and not self.incidents


@dataclass(slots=True)
class RefereeFigures:
    """The sums over the games of a rule set in a case.

    `engine` are the sides whose seat the engine has, as text: light, dark, both or empty.
    """

    rules: str
    case: str
    engine: str = ""
    outcomes: list[GameOutcome] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether all games are right."""
        return all(one.right for one in self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures by their names in the JSON output."""
        counts = sum((one.counts for one in self.outcomes), Counter[str]())
        kinds = Counter(each.kind for one in self.outcomes for each in one.incidents)
        ended = Counter(one.ended for one in self.outcomes)
        made = sum(one.compared.made for one in self.outcomes)
        recognised = sum(one.compared.recognised for one in self.outcomes)
        games = len(self.outcomes)
        step = sum((one.step_us for one in self.outcomes), Counter[int]())
        return {
            "rules": self.rules,
            "behaviour": self.case,
            "engine": self.engine,
            "games": games,
            "finished": ended["finished"],
            "capped": ended["capped"],
            "failed": ended["failed"],
            "record_exact": sum(one.compared.exact for one in self.outcomes),
            "moves": made,
            "recognised": recognised,
            "recognised_percent": round(100 * recognised / made, 3) if made else None,
            "false_commits": sum(len(one.compared.false) for one in self.outcomes),
            "false_in_record": sum(len(one.compared.stayed) for one in self.outcomes),
            "missed": sum(len(one.compared.missed) for one in self.outcomes),
            "invented_throws": kinds["invented throw"],
            "wrong_warnings": kinds["wrong warning"],
            "warnings_of_a_broken_switch": counts["warnings of a broken switch"],
            "wrong_acts": counts["wrong acts"],
            "undone_before_due": counts["undone before due"],
            "against_plan": counts["against the plan"],
            "against_plan_warned": counts["against the plan, warned"],
            "against_plan_named": counts["against the plan, squares named"],
            "against_plan_corrected": counts["against the plan, corrected"],
            "not_warned": kinds["not warned"],
            "wrong_code": kinds["wrong code"],
            "wrong_codes": dict(sorted(self._wrong_codes().items())),
            "questions_by_seed": {str(one.seed): one.counts["questions"] for one in self.outcomes},
            "questions_per_game": round(counts["questions"] / games, 2) if games else None,
            "questions_settled_by_acts": counts["questions for a move"] - counts["answered"],
            "questions_per_110_throws": _per_110_throws(counts),
            "commits": {each: counts[each] for each in ("sensed", "inferred", "answered")},
            "faults": {k[6:]: n for k, n in sorted(counts.items()) if k.startswith("fault ")},
            "wait_ms": {kind: spread(waits) for kind, waits in self._waits().items()},
            "step_us": spread(step),
            "facts_per_second": rate(step),
            "seeds_to_look_at": [one.seed for one in self.outcomes if not one.clean],
            "wait_ms_counts": self._waits(),
            "step_us_counts": step,
        }

    def _wrong_codes(self) -> Counter[str]:
        """Return the number of warnings by their codes and the expected ones."""
        incidents = (each for one in self.outcomes for each in one.incidents)
        return Counter(each.codes for each in incidents if each.kind == "wrong code")

    def _waits(self) -> dict[str, Counter[int]]:
        kinds = sorted({kind for one in self.outcomes for kind in one.waits_ms})
        return {
            kind: sum((one.waits_ms.get(kind, Counter()) for one in self.outcomes), Counter[int]())
            for kind in kinds
        }


def _per_110_throws(counts: Counter[str]) -> float | None:
    """Return the number of questions in a usual game, which has about 110 throws."""
    throws = counts["throws"]
    return round(110 * counts["questions"] / throws, 2) if throws else None


def spread(values: Counter[int]) -> dict[str, int | None]:
    """Return the median, the 95th and the 99th percentile."""
    return {f"p{percent}": percentile(values, percent) for percent in (50, 95, 99)}


def percentile(values: Counter[int], percent: int) -> int | None:
    """Return the least value that `percent` of all values do not exceed, None without values.

    >>> percentile(Counter({150: 98, 3000: 2}), 50), percentile(Counter({150: 98, 3000: 2}), 99)
    (150, 3000)
    """
    rank, seen = values.total() * percent, 0
    for value in sorted(values):
        seen += values[value] * 100
        if seen >= rank:
            return value
    return None


def rate(step_us: Counter[int]) -> int | None:
    """Return the facts per second, None without facts."""
    # Times are cut to whole microseconds, which loses half a microsecond on average.
    spent_us = sum((us + 0.5) * count for us, count in step_us.items())
    return round(step_us.total() / spent_us * 1_000_000) if spent_us else None


_COLUMNS: Final = (
    ("rules", "rules"),
    ("behaviour", "behaviour"),
    ("games", "games"),
    ("finished", "fin"),
    ("capped", "cap"),
    ("failed", "fail"),
    ("record_exact", "exact"),
    ("recognised_percent", "recog %"),
    ("moves", "moves"),
    ("false_commits", "false"),
    ("false_in_record", "stay"),
    ("missed", "missed"),
    ("invented_throws", "invented"),
    ("wrong_warnings", "bad warn"),
    ("wrong_acts", "acts"),
    ("not_warned", "unwarned"),
    ("wrong_code", "bad code"),
    ("questions_per_game", "quest/game"),
)
_SPREADS: Final = ("plain", "capture", "seems", "seems to commit")


def format_table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the figures as aligned lines, with times as p50/p99."""
    heads = [
        *(head for _, head in _COLUMNS),
        *(f"{kind} ms" for kind in _SPREADS),
        "step us",
        "facts/s",
    ]
    lines = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return ["  ".join(map(str.rjust, line, widths)).rstrip() for line in lines]


def _cells(row: Mapping[str, Any]) -> list[str]:
    waits = row["wait_ms"]
    return [
        *(str(row[key]) for key, _ in _COLUMNS),
        *(_pair(waits.get(kind)) for kind in _SPREADS),
        _pair(row["step_us"]),
        str(row["facts_per_second"]),
    ]


def _pair(spread: Mapping[str, int | None] | None) -> str:
    return f"{spread['p50']}/{spread['p99']}" if spread else "-"
