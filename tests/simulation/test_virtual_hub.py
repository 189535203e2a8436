"""The virtual hub: its lines, its replies, and their times."""

import pytest

from urpi.hardware.protocol import (
    AckLine,
    AskLine,
    CalLine,
    DieLine,
    HubLine,
    LedLine,
    LineReader,
    line_bytes,
)
from urpi.simulation.virtual_dice import DieReport
from urpi.simulation.virtual_hub import VirtualHub

ROLLING = DieReport(2, "rolling", throws=41)
SETTLED = DieReport(2, "settled", 41, 4, 3, 2, 6, 180, 3870)


def lines(data):
    reader = LineReader()
    found = reader.feed(data)
    assert reader.counts.dropped == 0
    return found


def run(hub, until):
    """Return the lines that the hub sends by itself up to a time, as (ms, line)."""
    sent = []
    while hub.next_due <= until:
        now = hub.next_due
        sent += [(now, line) for line in lines(hub.run_due(now))]
    return sent


def reports(sent):
    return [(t, line) for t, line in sent if isinstance(line, DieLine)]


def test_the_greeting_is_sent_at_the_start_and_every_second():
    hub = VirtualHub(4)
    greeting = lines(hub.start(500))

    assert greeting == [HubLine(1, "1.0.0", "0BAD", 4, 500)]
    assert [t for t, _ in run(hub, 3500)] == [1500, 2500, 3500]


def test_a_report_is_a_line_of_the_protocol():
    hub = VirtualHub(4, first_seq=18)

    assert hub.report(SETTLED, 124210).startswith(
        b"$DIE,seq=18,die=2,st=settled,n=41,kind=4,face=3,ang=2,tum=6,ff=180,bat=3870,thr=1,t=124210*"
    )


def test_a_report_without_an_acknowledgement_is_repeated_twenty_times_every_150_milliseconds():
    hub = VirtualHub(4)
    hub.start(0)
    (first,) = lines(hub.report(SETTLED, 0))
    sent = reports(run(hub, 10_000))

    assert sent == [(150 * number, first) for number in range(1, 21)]
    assert hub.acknowledged


def test_an_acknowledged_report_is_not_repeated():
    hub = VirtualHub(4)
    hub.start(0)
    hub.report(ROLLING, 0)
    assert not hub.acknowledged
    hub.receive(line_bytes(AckLine(0)), 100)

    assert hub.acknowledged
    assert reports(run(hub, 1000)) == []


def test_an_acknowledgement_can_be_split_and_surrounded_by_noise():
    hub = VirtualHub(4)
    hub.report(ROLLING, 0)
    for piece in (b"\xff\x00$AC", b"K,se", b"q=0", line_bytes(AckLine(0))[10:], b"more"):
        hub.receive(piece, 10)

    assert hub.acknowledged


def test_an_acknowledgement_with_an_invalid_crc_is_ignored():
    hub = VirtualHub(4)
    hub.report(ROLLING, 0)
    hub.receive(b"$ACK,seq=0*0000\r\n", 10)

    assert not hub.acknowledged


def test_the_reply_to_ask_is_the_greeting_and_the_last_report_of_every_die():
    hub = VirtualHub(4)
    hub.report(ROLLING, 0)
    settled = lines(hub.report(SETTLED, 900))
    other = lines(hub.report(DieReport(3, "lost"), 950))
    for seq in range(3):
        hub.receive(line_bytes(AckLine(seq)), 1000)

    answer = lines(hub.receive(line_bytes(AskLine()), 5000))
    assert answer == [HubLine(1, "1.0.0", "0BAD", 4, 5000), *settled, *other]


def test_sequence_numbers_wrap_after_65535():
    hub = VirtualHub(4, first_seq=65535)

    assert [lines(hub.report(ROLLING, 0))[0].seq for _ in range(2)] == [65535, 0]


def test_the_hubs_clock_wraps():
    assert lines(VirtualHub(4).start((1 << 32) + 7))[0].t_ms == 7


@pytest.mark.parametrize("line", [CalLine(2, 1), LedLine(2, 1)])
def test_commands_for_a_die_reach_the_callback(line):
    heeded = []
    VirtualHub(4, heeded.append).receive(line_bytes(line), 0)

    assert heeded == [line]


def test_a_restarted_hub_has_no_reports():
    hub = VirtualHub(4)
    hub.report(ROLLING, 0)
    hub.start(10)

    assert hub.acknowledged
    assert lines(hub.receive(line_bytes(AskLine()), 20)) == [HubLine(1, "1.0.0", "0BAD", 4, 20)]
