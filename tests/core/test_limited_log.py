"""A flood of what others send does not fill the log."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.core.limited_log import INTERVAL_S, MAX_SENDERS, LimitedLog


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def recorded() -> tuple[logging.Logger, list[str]]:
    logger, lines = logging.Logger("test"), Lines()
    logger.addHandler(lines)
    return logger, lines.lines


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 30)), max_size=200))
def test_each_sender_has_one_line_a_minute_and_none_is_lost_in_the_count(
    sent: list[tuple[str, int]],
) -> None:
    logger, lines = recorded()
    now = 0.0
    limited = LimitedLog(logger, lambda: now)
    for sender, pause in sent:
        now += pause
        limited.warning(sender, f"{sender} is wrong")
    for sender in "ab":
        # Ends the flood.
        now += INTERVAL_S
        limited.warning(sender, f"{sender} is wrong")
        own = [line for line in lines if line.startswith(sender)]
        assert len(own) <= 2 + now / INTERVAL_S
        left_out = sum(int(line.partition("(")[2].split()[0]) for line in own if "(" in line)
        assert len(own) + left_out == 1 + sum(one == sender for one, _ in sent)


def test_invented_senders_take_no_memory() -> None:
    limited = LimitedLog(recorded()[0], lambda: 0.0)
    for number in range(2 * MAX_SENDERS):
        limited.warning(str(number), "wrong")
    assert len(limited._senders) == MAX_SENDERS


def test_the_traceback_of_an_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    LimitedLog(logging.getLogger("urpi")).warning("a", "It is wrong", ValueError("seven"))
    assert caplog.records[0].exc_info
