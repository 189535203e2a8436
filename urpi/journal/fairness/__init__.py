"""Fairness of dice: tallies of throws, and statistical tests of them. Pure: no I/O."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.journal.fairness.binomial import Interval
    from urpi.journal.fairness.fairness import FacesTest, Judgement, MarksTest, holm, judge
    from urpi.journal.fairness.tally import Tally, empty_tally, parse_tally, tally_of, tally_values

export(__name__)
