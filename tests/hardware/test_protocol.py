from binascii import crc_hqx

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from urpi.core.errors import UrpiError
from urpi.hardware.protocol import (
    AckLine,
    AskLine,
    BatLine,
    CalLine,
    DieLine,
    HubLine,
    LedLine,
    LineError,
    LineReader,
    NewLine,
    encode,
    line_bytes,
    parse_line,
)
from urpi.hardware.protocol_constants import CRC_START, MAX_LINE_BYTES, RANGES, STATES, TYPES


def numbers(key):
    return st.integers(*RANGES[key])


def maybe(strategy):
    return st.none() | strategy


errors = st.from_regex(r"[a-z]{1,8}", fullmatch=True)


def die_lines(kind):
    return st.builds(
        DieLine,
        seq=numbers("seq"),
        die=numbers("die"),
        state=st.sampled_from(STATES),
        throws=maybe(numbers("n")),
        kind=st.just(kind),
        face=st.integers(1, kind),
        angle_deg=maybe(numbers("ang")),
        tumbles=maybe(numbers("tum")),
        fall_ms=maybe(numbers("ff")),
        battery_mv=maybe(numbers("bat")),
        error=maybe(errors),
        t_ms=numbers("t"),
    )


hub_lines = st.builds(
    HubLine,
    proto=numbers("proto"),
    firmware=st.from_regex(r"[0-9]{1,2}\.[0-9]\.[0-9]", fullmatch=True),
    hub_id=st.from_regex(r"[0-9A-F]{4}", fullmatch=True),
    dice=numbers("dice"),
    t_ms=numbers("t"),
    dropped=maybe(numbers("drop")),
    renewed=maybe(numbers("new")),
    error=maybe(errors),
)
lines = st.one_of(
    hub_lines,
    die_lines(4),
    die_lines(6),
    st.builds(AckLine, seq=numbers("seq")),
    st.just(AskLine()),
    st.builds(CalLine, die=numbers("die"), face=numbers("face")),
    st.builds(LedLine, die=numbers("die"), on=numbers("on")),
    st.builds(BatLine, die=numbers("die"), battery_mv=numbers("bat")),
    st.builds(NewLine, die=numbers("die")),
)
noise = st.binary(max_size=20).filter(lambda data: b"$" not in data)

SETTLED = DieLine(18, 2, "settled", 41, 4, 3, 2, 6, 180, 3870, t_ms=124210)
EXAMPLES = {
    "HUB,proto=1,fw=1.0.0,id=5F3A,dice=4,t=123456": HubLine(1, "1.0.0", "5F3A", 4, 123456),
    "HUB,proto=1,fw=1.0.0,id=5F3A,dice=4,t=123456,drop=0": HubLine(
        1, "1.0.0", "5F3A", 4, 123456, dropped=0
    ),
    "HUB,proto=1,fw=1.0.0,id=5F3A,dice=0,t=1,drop=2,err=radio": HubLine(
        1, "1.0.0", "5F3A", 0, 1, dropped=2, error="radio"
    ),
    "DIE,seq=19,die=2,st=lost,err=accel,t=7": DieLine(19, 2, "lost", error="accel", t_ms=7),
    "DIE,seq=17,die=2,st=rolling,n=41,t=123456": DieLine(17, 2, "rolling", 41, t_ms=123456),
    "DIE,seq=18,die=2,st=settled,n=41,kind=4,face=3,ang=2,tum=6,ff=180,bat=3870,t=124210": SETTLED,
    "ACK,seq=18": AckLine(18),
    "ASK": AskLine(),
    "CAL,die=2,face=1": CalLine(2, 1),
    "LED,die=2,on=1": LedLine(2, 1),
    "BAT,die=2,bat=3912": BatLine(2, 3912),
    "NEW,die=2": NewLine(2),
    "HUB,proto=1,fw=1.0.0,id=5F3A,dice=2,t=9,drop=2,auth=1,new=3,err=forged": HubLine(
        1, "1.0.0", "5F3A", 2, 9, dropped=2, authenticates=1, renewed=3, error="forged"
    ),
}


def framed(body):
    return f"${body}*{crc_hqx(body.encode(), CRC_START):04X}\r\n".encode()


def read(data):
    reader = LineReader()
    return reader.feed(data), reader.counts


def test_crc_is_ccitt_false():
    assert crc_hqx(b"123456789", CRC_START) == 0x29B1


@pytest.mark.parametrize(("body", "line"), EXAMPLES.items())
def test_examples_of_formats_md_are_parsed_and_encoded(body, line):
    assert line_bytes(line) == framed(body)
    assert read(framed(body))[0] == [line]


def test_every_type_has_an_example():
    assert {line.TYPE for line in EXAMPLES.values()} == set(TYPES)


@given(lines)
def test_line_round_trips(line):
    data = line_bytes(line)
    assert len(data) <= MAX_LINE_BYTES
    assert parse_line(data.rstrip()) == line


def test_longest_report_fits():
    high = {key: top for key, (_, top) in RANGES.items()}
    line = DieLine(
        high["seq"],
        high["die"],
        state="settled",
        throws=high["n"],
        kind=6,
        face=high["face"],
        angle_deg=high["ang"],
        tumbles=high["tum"],
        fall_ms=high["ff"],
        battery_mv=high["bat"],
        error="z" * 8,
        t_ms=high["t"],
    )
    assert len(line_bytes(line)) <= MAX_LINE_BYTES


@given(st.lists(st.tuples(noise, lines)), st.data())
def test_reader_skips_noise_in_reads_of_any_size(pieces, data):
    stream = b"".join(junk + line_bytes(line) for junk, line in pieces)
    reader = LineReader()
    found = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += reader.feed(stream[:size])
        stream = stream[size:]
    assert found == [line for _, line in pieces]
    assert reader.counts.lines == len(pieces)
    assert reader.counts.dropped == 0


@given(st.binary(max_size=400), st.integers(0, 400))
def test_counts_do_not_depend_on_the_sizes_of_reads(stream, cut):
    halves = LineReader()
    found = halves.feed(stream[:cut]) + halves.feed(stream[cut:])
    assert (found, halves.counts) == read(stream)


@given(lines, st.data())
def test_line_with_a_wrong_byte_is_dropped(line, data):
    good = line_bytes(line)
    place = data.draw(st.integers(0, len(good) - 3))
    wrong = data.draw(st.integers(0, 255).filter(lambda byte: byte != good[place]))
    found, _ = read(good[:place] + bytes([wrong]) + good[place + 1 :])
    assert found == []


@each(
    ("body", "count"),
    [
        ("ACK,seq=65536", "value"),
        ("ACK,seq=-1", "value"),
        ("ACK,seq=+1", "value"),
        ("ACK,seq= 1", "value"),
        ("ACK,seq=", "value"),
        ("ACK,seq", "value"),
        ("ACK,", "value"),
        ("ACK", "value"),
        ("ACK,seq=1,seq=1", "value"),
        ("ACK,seq=٣", "value"),
        ("LED,die=2,on=2", "value"),
        ("CAL,die=0,face=1", "value"),
        ("HUB,proto=1,fw=1.0.0,id=5f3a,dice=4,t=1", "value"),
        ("HUB,proto=1,fw=,id=5F3A,dice=4,t=1", "value"),
        ("HUB,proto=1,fw=1.0.0,id=5F3A,dice=4,t=4294967296", "value"),
        ("DIE,seq=1,die=2,st=flying,t=1", "value"),
        ("DIE,seq=1,die=2,st=settled,t=1", "value"),
        ("DIE,seq=1,die=2,st=settled,kind=4,face=5,t=1", "value"),
        ("DIE,seq=1,die=2,st=settled,kind=8,face=5,t=1", "value"),
        ("DIE,seq=1,die=2,st=rolling", "value"),
        ("GYRO,x=1", "unknown"),
        ("", "unknown"),
        ("ACK,seq=1,pad=" + "x" * MAX_LINE_BYTES, "too_long"),
    ],
)
def test_unusable_line_is_counted_and_dropped(body, count):
    found, counts = read(framed(body) + framed("ASK"))
    assert found == [AskLine()]
    assert getattr(counts, count) == 1
    assert counts.dropped == (count != "unknown")


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"$ACK,seq=18*0000\r\n", "crc"),
        (b"$ACK,seq=18*112\r\n", "crc"),
        (b"$ACK,seq=18\r\n", "crc"),
        (b"$\r\n", "crc"),
        (b"$ASK*4442 \r\n", "crc"),
        (b"$ACK,seq=1", "half"),
    ],
)
def test_line_after_a_broken_one_is_read(data, count):
    found, counts = read(data + framed("ASK"))
    assert found == [AskLine()]
    assert getattr(counts, count) == counts.dropped == 1


def test_unknown_keys_are_ignored():
    assert read(framed("ACK,colour=red,seq=18"))[0] == [AckLine(18)]


def test_line_end_can_be_one_character():
    assert read(b"$ASK*4442\n$ASK*4442\r")[0] == [AskLine(), AskLine()]


def test_bytes_between_lines_are_counted_as_noise():
    assert read(b"hello\r\n\r\n" + framed("ASK") + b"?")[1].noise_bytes == 6


def test_reset_counts_an_incomplete_line():
    reader = LineReader()
    reader.feed(b"$ACK,se")
    reader.reset()
    assert reader.feed(b"q=18*1124\r\n") == []
    assert reader.counts.half == 1


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("LED,", {}, "commas"),
        ("HUB", {"fw": "1 0"}, "spaces"),
        ("HUB", {"fw": "x" * MAX_LINE_BYTES}, "too long"),
    ],
)
def test_encode_rejects_delimiters_and_long_lines(kind, values, message):
    with pytest.raises(UrpiError, match=message):
        encode(kind, values)


def test_error_for_a_value_out_of_range_names_key_and_range():
    with pytest.raises(LineError, match=r"die=9 .*die is 1 to 8"):
        LedLine(9, 1)
