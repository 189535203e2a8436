"""Commands that the page runs as processes, and the end of the event loop meanwhile."""

import asyncio
from threading import Thread

import pytest

from urpi.http.command_process import CommandFailedError, output_of

DEADLINE_S = 240.0


def test_the_event_loop_can_be_closed_while_a_command_starts() -> None:
    async def begin() -> None:
        # Kept in a variable, or the task could be garbage collected.
        task = asyncio.create_task(output_of(("--version",), DEADLINE_S))
        await asyncio.sleep(0)
        assert not task.done()

    thread = Thread(target=lambda: asyncio.run(begin()), daemon=True)
    thread.start()
    thread.join(DEADLINE_S)
    assert not thread.is_alive()


def test_the_output_and_the_lines_of_errors_are_returned() -> None:
    lines: list[str] = []
    output = asyncio.run(output_of(("--version",), DEADLINE_S, lines.append))
    assert b"urpi" in output
    assert lines == []
    with pytest.raises(CommandFailedError, match="No such command") as caught:
        asyncio.run(output_of(("chess",), DEADLINE_S, lines.append))
    assert caught.value.status == 2
    assert "No such command" in "\n".join(lines)


def test_a_command_that_takes_too_long_is_killed() -> None:
    with pytest.raises(TimeoutError):
        asyncio.run(output_of(("perft", "--rules", "finkel", "--depth", "12"), 0.1))
