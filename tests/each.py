"""Cases that are one test together, where each takes no time and needs no name of its own."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Any], Any]:
    """Call a test with each case, like `parametrize`, as one test; a failure names the case.

    Pytest takes milliseconds for each test, in every process. The cases share the test's fixtures.

    Args:
        names: The parameter, or several, whose values each case then contains.
        cases: The values.
    """
    taken, every = names if isinstance(names, tuple) else (names,), list(cases)
    assert every

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_each(**fixtures: Any) -> None:
            for case in every:
                own = case if isinstance(names, tuple) else (case,)
                values = dict(zip(taken, own, strict=True))
                try:
                    test(**values, **fixtures)
                except BaseException as error:
                    error.add_note(f"with {values}")
                    raise

        whole = signature(test)
        left = [one for name, one in whole.parameters.items() if name not in taken]
        test_each.__signature__ = whole.replace(parameters=left)  # type: ignore[attr-defined]
        return test_each

    return decorate
