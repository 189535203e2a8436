"""Long lists of cases, of which `make test` runs a few and `make test-all` every one."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_except(cases: Iterable[Any], *everyday: Any) -> list[Any]:
    """Return cases for `parametrize` and `params`, and mark all but some of them as slow.

    Args:
        cases: Every case; a tuple contains the values of several parameters.
        everyday: Those that `make test` runs.
    """
    found = list(cases)
    missing = [case for case in everyday if case not in found]
    assert not missing, f"not among the cases: {missing}"
    return [case if case in everyday else _slow(case) for case in found]


def mostly_slow(cases: Iterable[Any], everyday: int) -> list[Any]:
    """Mark all cases but a number of them as slow: the first, the last, and some between them."""
    found = list(cases)
    last, gaps = len(found) - 1, max(everyday - 1, 1)
    kept = {round(last * one / gaps) for one in range(everyday)}
    return [case if at in kept else _slow(case) for at, case in enumerate(found)]


def _slow(case: Any) -> Any:
    if hasattr(case, "marks"):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.slow], id=case.id)
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)
