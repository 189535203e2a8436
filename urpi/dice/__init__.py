"""What dice do over many throws: tallies, and what they say of a die. Pure: no I/O."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.dice.binomial import Interval
    from urpi.dice.fairness import FacesTest, Judgement, MarksTest, holm, judge
    from urpi.dice.tally import Tally, empty, of_shown, parse_tally, tally_line, tally_values
else:
    export(
        __name__,
        {
            "binomial": ("Interval",),
            "fairness": ("FacesTest", "Judgement", "MarksTest", "holm", "judge"),
            "tally": ("Tally", "empty", "of_shown", "parse_tally", "tally_line", "tally_values"),
        },
    )

__all__ = [
    "FacesTest",
    "Interval",
    "Judgement",
    "MarksTest",
    "Tally",
    "empty",
    "holm",
    "judge",
    "of_shown",
    "parse_tally",
    "tally_line",
    "tally_values",
]
