"""Orders to an interactive table, as values that any thread may pass on.

They are physical acts, which no rule restricts, and what only the program at the table can do.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias

from urpi.simulation.interactive_table import InteractiveTable

P = ParamSpec("P")
HOWS: Final = ("thrown", "cocked", "turned")
PRESSES: Final = ("short", "long", "both")


@dataclass(frozen=True, slots=True)
class Act:
    """A method of `InteractiveTable` with its arguments; `act` makes one."""

    do: Callable[..., object]
    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def carry_out(self, table: InteractiveTable) -> None:
        """Do it at a table, now.

        Raises:
            ImpossibleError: If it is physically impossible at present.
            UrpiError: If it names something that does not exist.
        """
        self.do(table, *self.arguments, **self.named)


def act(
    do: Callable[Concatenate[InteractiveTable, P], object], *arguments: P.args, **named: P.kwargs
) -> Act:
    """Return the act of a method with these arguments."""
    return Act(do, arguments, named)


@dataclass(frozen=True, slots=True)
class SwitchPower:
    """Switch the power of the whole program on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class BeginLesson:
    """Begin the lesson about a first game in place of the current game."""


TableOrder: TypeAlias = Act | SwitchPower | BeginLesson
