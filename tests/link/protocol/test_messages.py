"""Messages round-trip, and anything else is rejected with a message of one line."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from urpi.core.errors import UrpiError
from urpi.core.names import check_table, normalised_name
from urpi.link.protocol.chain import game_key, next_chain
from urpi.link.protocol.line_checks import check_lines, kind_of, without_names
from urpi.link.protocol.message_parsers import (
    parse_from_club,
    parse_from_table,
    parse_hello,
    parse_next,
    parse_online,
)
from urpi.link.protocol.messages import (
    MAX_BYTES,
    Ack,
    Block,
    Compared,
    Digest,
    FinishedGame,
    FromClub,
    FromTable,
    GameHead,
    Hello,
    Lines,
    NextGame,
    Offer,
    OfferedGame,
    Online,
    Rejected,
    block_checksum,
)
from urpi.link.protocol.topics import Topic, parse_topic

HEAD = GameHead(12, "2026-11-20T19:02:11+01:00", "1.0.0", "finkel", {"still_ms": "150"})
CHAIN = "0123456789abcdef" * 2
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":""}'
FROM_TABLE: list[FromTable] = [
    Lines(12, HEAD.key, 1, HEAD.key, (GAME, ""), HEAD, {"light": "Zoë"}),
    Lines(12, HEAD.key, 3, CHAIN, ('{"t":9,"type":"time"}',), finished="2026-11-20T20:00:00+01:00"),
    Lines(12, HEAD.key, 3, CHAIN, ()),
    Offer("a-1", (OfferedGame(12, HEAD.key, 3, CHAIN, True, False, {"light": "Zoë"}),), ("Zoë",)),
    Offer("a-2", ()),
    Digest("a-3", (Block(1, 199, CHAIN), Block(200, 399, HEAD.key))),
    Digest("a-4", ()),
]
FROM_CLUB: list[FromClub] = [
    Ack(HEAD.key, 3, CHAIN, finished=False, stored=True),
    Compared("a-1", (HEAD.key,)),
    Rejected("malformed", "It is not one."),
    Rejected("forged", "Line 3.", HEAD.key),
]


@pytest.mark.parametrize("message", FROM_TABLE)
def test_a_message_of_a_table_round_trips(message: FromTable) -> None:
    assert parse_from_table(message.encode()) == message


@pytest.mark.parametrize("message", FROM_CLUB)
def test_a_message_of_the_club_round_trips(message: FromClub) -> None:
    assert parse_from_club(message.encode()) == message


def test_short_messages_round_trip() -> None:
    assert parse_hello(Hello("r1").encode()) == Hello("r1")
    assert parse_online(Online(True, "1.0.0").encode()) is True
    assert parse_online(Online(False, "1.0.0").encode()) is False


def changed(message: FromTable | NextGame, **values: Any) -> bytes:
    """The message with other values in its first line; None removes one."""
    first, *others = message.encode().decode().split("\n")
    found = {**json.loads(first), **values}
    found = {key: value for key, value in found.items() if value is not None}
    return "\n".join([json.dumps(found), *others]).encode()


def block(first: int, last: int) -> dict[str, Any]:
    return {"first": first, "last": last, "checksum": CHAIN}


@each(
    ("data", "found"),
    [
        (b"", "one JSON object"),
        (b"\xff", "UTF-8"),
        (b"[]", "one JSON object"),
        (b"[" * 100_000, "one JSON object"),
        (b"{}", "the type must be one of lines, offer, digest; found none"),
        (b" " * (MAX_BYTES + 1), "at most 524288 bytes"),
        (
            changed(FROM_TABLE[0], type="ack"),
            "the type must be one of lines, offer, digest; found 'ack'",
        ),
        (changed(FROM_TABLE[0], format=2), "format of a message of type lines must be 1; found 2"),
        (changed(FROM_TABLE[0], count=1), "1 lines must follow; found 2"),
        (changed(FROM_TABLE[0], count=2001), "from 0 to 2000"),
        (
            changed(FROM_TABLE[0], key="xyz"),
            "key of a message of type lines must be 32 hex",
        ),
        (
            changed(FROM_TABLE[0], game=True),
            "game of a message of type lines must be a whole",
        ),
        (changed(FROM_TABLE[0], game=2**53), "from 1 to 9007199254740991"),
        (changed(FROM_TABLE[0], more=1), "found 'more'"),
        (changed(FROM_TABLE[0], head=None), "must have a head"),
        (changed(FROM_TABLE[1], head={**HEAD.about}), "must have a head"),
        (changed(FROM_TABLE[1], names={}), "names only if it begins with line 1"),
        (
            changed(FROM_TABLE[1], finished="today"),
            "finished of a message of type lines must be",
        ),
        (changed(FROM_TABLE[3], count=0), "0 lines must follow"),
        (FROM_TABLE[3].encode() + b'\n{"game":1}', "1 lines must follow"),
        (changed(FROM_TABLE[3], count=2) + b'\n{"game":1}', "an offered game needs the key key"),
        (changed(FROM_TABLE[5]) + b"\n", "0 lines must follow; found 1"),
        (changed(FROM_TABLE[5], blocks=[{"first": 1}]), "must be a list of at most 200 blocks"),
        (changed(FROM_TABLE[5], blocks=[block(1, 2)] * 201), "a list of at most 200 blocks"),
        (changed(FROM_TABLE[5], blocks=[block(5, 9), block(9, 12)]), "must follow each other"),
        (changed(FROM_TABLE[5], blocks=[block(5, 9), block(1, 4)]), "must follow each other"),
        (changed(FROM_TABLE[5], blocks=[block(9, 2)]), "must follow each other"),
        (b'{"type":"lines","type":"offer"}', "one JSON object"),
        (b'{"type":"lines","format":NaN}', "one JSON object"),
        (b'{"type":"\\ud800"}', "one JSON object"),
    ],
)
def test_an_invalid_message_is_rejected_with_what_was_found(data: bytes, found: str) -> None:
    with pytest.raises(UrpiError) as raised:
        parse_from_table(data)
    assert found in str(raised.value)
    assert "\n" not in str(raised.value)


NEXT = NextGame(3, "Cup", 2, 1, "Ann", "Zoë", "finkel[pieces=5]")


@given(st.data())
def test_a_next_game_round_trips_and_has_only_names_that_can_be_seen(data: st.DataObject) -> None:
    numbers = st.integers(-1, 2**53)
    words = st.one_of(st.text(max_size=42), st.none(), numbers)
    found = {
        **{key: data.draw(st.one_of(numbers, words)) for key in ("tournament", "round", "board")},
        **{key: data.draw(words) for key in ("name", "light", "dark", "rules")},
    }
    try:
        parsed = parse_next(json.dumps({"type": "next", "format": 1, **found}).encode())
    except UrpiError:
        return
    assert parse_next(parsed.encode()) == parsed
    for shown in (parsed.name, parsed.light, parsed.dark):
        assert normalised_name(shown) == shown
        assert 0 < len(shown) <= 40


def test_a_later_club_may_add_keys_to_a_next_game() -> None:
    assert parse_next(NEXT.encode()) == NEXT
    assert parse_next(changed(NEXT, game=2, rules=None)) == replace(NEXT, rules=None)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "one JSON object"),
        (changed(NEXT, format=2), "format of a message of type next must be 1; found 2"),
        (changed(NEXT, light="A" * 41), "light of a message of type next must be a name of at"),
        (changed(NEXT, dark="A\u202eB"), "dark of a message of type next must be a name of at"),
        (changed(NEXT, name="\x1b[2J"), "name of a message of type next must be a name of at"),
        (changed(NEXT, light=None), "needs the key light"),
        (changed(NEXT, board=0), "board of a message of type next must be a whole number"),
        (NEXT.encode() + b"\n", "0 lines must follow; found 1"),
    ],
)
def test_an_invalid_next_game_is_rejected(data: bytes, found: str) -> None:
    with pytest.raises(UrpiError) as raised:
        parse_next(data)
    assert found in str(raised.value)


@pytest.mark.parametrize(
    ("first", "lines", "found"),
    [
        (1, ['{"t":0,"type":"time"}'], "Line 1: a game must begin with a line of type game"),
        (1, [""], "Line 1"),
        (1, [GAME, GAME], "Line 2: a game must begin with a line of type game, its only one"),
        (1, [GAME.replace('""', '"Ann"', 1)], "Line 1: a published line must not contain names"),
        (7, ['{"t":0,"type":"password"}'], "Line 7: the type must be one of"),
        (7, ['{"t":0,"type":[]}'], "Line 7: the type must be one of"),
        (7, ["[]"], "Line 7: a line must be one JSON object"),
        (7, ["[" * 100_000], "Line 7: a line must be at most"),
        (7, ["", '{"t":-1,"type":"time"}'], "Line 8: t of a line of type time must be"),
        (
            7,
            ['{"t":0,"type":"refused","what":"answer","code":"x","text":"Ann"}'],
            "Line 7: a published line must not contain names",
        ),
    ],
)
def test_a_line_that_is_not_one_of_a_game_is_rejected(
    first: int, lines: list[str], found: str
) -> None:
    with pytest.raises(UrpiError) as raised:
        check_lines(first, lines)
    assert str(raised.value).startswith(found)


def test_lines_are_published_without_names_and_sentences() -> None:
    assert without_names(GAME.replace('"light":""', '"light":"Ann \\u00e9"')) == GAME
    assert (
        without_names('{"t":0,"type":"refused","what":"draw","code":"no","text":"Ann is wrong."}')
        == '{"t":0,"type":"refused","what":"draw","code":"no","text":""}'
    )
    edge = '{"t":9,"type":"square","square":"C4","on":true}'
    assert without_names(edge) is edge


def test_the_kind_of_a_line_follows_from_its_type() -> None:
    assert kind_of(GAME) == "fact"
    assert kind_of('{"t":0,"type":"cleared"}') == "decision"


def test_checksums_depend_on_every_line_and_its_place() -> None:
    assert next_chain(CHAIN, ["a", "b"]) != next_chain(CHAIN, ["b", "a"])
    assert next_chain(CHAIN, ["ab"]) != next_chain(CHAIN, ["a", "b"])
    assert next_chain(CHAIN, []) == CHAIN
    # Written down, because a club must recognise what older programs sent.
    assert next_chain("00" * 16, ["a"]) == "9c6bd5cc05acbe7cb4ab71165168ff3d"
    assert game_key({"b": 1, "a": "é"}) == "aa58fba8483623bed37c1b02edfccbdd"


@pytest.mark.parametrize("table", ["a", "lisbon-2", "0", "x" * 32])
def test_topics_round_trip(table: str) -> None:
    for kind in ("state", "online", "free", "lines", "ack", "next"):
        topic = Topic(check_table(table), kind)
        assert parse_topic(str(topic)) == topic


@pytest.mark.parametrize(
    "table", ["", "A", "-a", "a-", "a/b", "+", "#", "x" * 33, "club", "é", "a\n"]
)
def test_an_id_that_a_topic_or_a_user_cannot_have_is_rejected(table: str) -> None:
    with pytest.raises(UrpiError, match="A table's id must be"):
        check_table(table)


@pytest.mark.parametrize("text", ["", "urpi/club/hello", "urpi/tables/a/password", "urpi/tables/a"])
def test_another_topic_is_rejected(text: str) -> None:
    with pytest.raises(UrpiError, match="A topic must be"):
        parse_topic(text)


FINISHED = st.builds(
    FinishedGame,
    st.just(1),
    st.sampled_from([HEAD.key, CHAIN]),
    st.integers(0, 2),
    st.sampled_from([HEAD.key, CHAIN]),
    st.dictionaries(st.sampled_from(["light", "dark"]), st.sampled_from(["", "Zoë", 'Z","o'])),
)


@given(st.lists(FINISHED, max_size=3), st.lists(FINISHED, max_size=3))
def test_blocks_have_the_same_checksum_exactly_if_they_have_the_same_games(
    one: list[FinishedGame], other: list[FinishedGame]
) -> None:
    def ordered(games: list[FinishedGame]) -> list[str]:
        return sorted(repr((*game[:4], sorted(game.names.items()))) for game in games)

    same = block_checksum(one) == block_checksum(other)
    assert same == (ordered(one) == ordered(other))
    assert block_checksum(reversed(one)) == block_checksum(one)
