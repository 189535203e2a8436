"""Event lines: every fact and decision round-trips, and invalid lines are rejected."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from urpi.core.errors import UrpiError
from urpi.referee import decisions as d
from urpi.referee import facts as f
from urpi.referee.lines import decision_line, fact_line, parse_decision, parse_fact
from urpi.referee.seats import SEATS, SharedGame
from urpi.rules import REFUSAL_CODES, Side

LIGHT, DARK = Side.LIGHT, Side.DARK
SHARED = SharedGame("5f", "lisbon", "2026.11.20")

OPTIONAL = {
    "first",
    "position",
    "dice",
    "chooser",
    "hints",
    "coach",
    "takebacks",
    "engine_throws",
    "program",
    "margin",
    "seats",
    "agreed",
    "angle",
    "tumbles",
    "fall_ms",
    "pole",
}
FACTS = [
    (f.Time(9), '{"t":9,"type":"time"}'),
    (
        f.Game(0, "finkel", "Ann", "Zoë"),
        '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}',
    ),
    (
        f.Game(
            0,
            "finkel",
            options=(("pieces", "3"),),
            first=DARK,
            position="finkel[pieces=3] - L3D3 L0D0 D",
            dice=((1, 2, 3, 4), (5, 6, 7, 8)),
        ),
        (
            '{"t":0,"type":"game","rules":"finkel","options":{"pieces":"3"},"light":"","dark":"",'
            '"first":"dark","position":"finkel[pieces=3] - L3D3 L0D0 D",'
            '"dice":{"light":[1,2,3,4],"dark":[5,6,7,8]}}'
        ),
    ),
    (f.Occupancy(7, 1 << 19 | 1), '{"t":7,"type":"occupancy","squares":["A1","C8"]}'),
    (f.Edge(7, 6, on=True), '{"t":7,"type":"square","square":"B1","on":true}'),
    (
        f.Field(7, 6, -1130, 15, DARK),
        '{"t":7,"type":"field","square":"B1","strength":-1130,"error":15,"pole":"dark"}',
    ),
    (f.Field(7, 6, 3, 5), '{"t":7,"type":"field","square":"B1","strength":3,"error":5}'),
    (f.Die(7, 2, "rolling"), '{"t":7,"type":"die","die":2,"state":"rolling"}'),
    (
        f.Die(7, 2, "settled", "g", tumbled=True),
        '{"t":7,"type":"die","die":2,"state":"settled","face":"g","tumbled":true}',
    ),
    (
        f.Die(7, 2, "settled", "g", tumbled=True, angle=3, tumbles=6, fall_ms=180),
        (
            '{"t":7,"type":"die","die":2,"state":"settled","face":"g","tumbled":true,'
            '"angle":3,"tumbles":6,"fall_ms":180}'
        ),
    ),
    (
        f.Die(7, 2, "cocked", angle=31),
        '{"t":7,"type":"die","die":2,"state":"cocked","angle":31}',
    ),
    (f.Button(7, DARK, "long"), '{"t":7,"type":"button","button":"dark","press":"long"}'),
    (f.Button(7, LIGHT, "both"), '{"t":7,"type":"button","button":"light","press":"both"}'),
    (
        f.Game(0, "freecompany", chooser=DARK),
        (
            '{"t":0,"type":"game","rules":"freecompany","options":{},"light":"","dark":"",'
            '"chooser":"dark"}'
        ),
    ),
    (
        f.Answer(7, takeback=True, agreed=True),
        '{"t":7,"type":"answer","takeback":true,"agreed":true}',
    ),
    (f.Draw(7, DARK, agreed=True), '{"t":7,"type":"draw","side":"dark","agreed":true}'),
    (f.Abandon(7, DARK, agreed=True), '{"t":7,"type":"abandon","side":"dark","agreed":true}'),
    (
        f.Game(0, "finkel", seats=("person", "engine:hard")),
        (
            '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"",'
            '"seats":{"light":"person","dark":"engine:hard"}}'
        ),
    ),
    (f.Plan(7, DARK, "+A4"), '{"t":7,"type":"plan","side":"dark","move":"+A4"}'),
    (f.Hint(7, DARK, "+A4", 3), '{"t":7,"type":"hint","side":"dark","move":"+A4","margin":3}'),
    (f.Hint(7, DARK, "+A4"), '{"t":7,"type":"hint","side":"dark","move":"+A4"}'),
    (
        f.Game(0, "finkel", hints=False),
        '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"","hints":false}',
    ),
    (
        f.Game(0, "finkel", coach=("off", "bad")),
        (
            '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"",'
            '"coach":{"light":"off","dark":"bad"}}'
        ),
    ),
    (
        f.Coach(7, DARK, "+A4", "A4-A3", 8),
        '{"t":7,"type":"coach","side":"dark","move":"+A4","better":"A4-A3","loss":8}',
    ),
    (
        f.Game(0, "finkel", engine_throws="program", takebacks=False),
        (
            '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"",'
            '"engine_throws":"program","takebacks":false}'
        ),
    ),
    (
        f.ProgramThrow(7, DARK, "gs--"),
        '{"t":7,"type":"program-throw","side":"dark","faces":"gs--"}',
    ),
    (
        f.Game(0, "finkel", seats=("remote", "person"), shared=SHARED),
        (
            '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"",'
            '"seats":{"light":"remote","dark":"person"},'
            '"shared":{"id":"5f","table":"lisbon","date":"2026.11.20"}}'
        ),
    ),
    (
        f.RemoteThrow(7, DARK, "gs--"),
        '{"t":7,"type":"remote-throw","side":"dark","faces":"gs--"}',
    ),
    (
        f.RemoteMove(7, DARK, "+A4", "inferred"),
        '{"t":7,"type":"remote-move","side":"dark","move":"+A4","confidence":"inferred"}',
    ),
    (
        f.RemoteTakeback(7, DARK, "+A4"),
        '{"t":7,"type":"remote-takeback","side":"dark","move":"+A4"}',
    ),
    (f.Plan(7, DARK), '{"t":7,"type":"plan","side":"dark"}'),
    (f.Chute(7, LIGHT), '{"t":7,"type":"chute","side":"light"}'),
    (f.Answer(7, move="+A4"), '{"t":7,"type":"answer","move":"+A4"}'),
    (f.Answer(7, first=LIGHT), '{"t":7,"type":"answer","first":"light"}'),
    (f.Answer(7, takeback=True), '{"t":7,"type":"answer","takeback":true}'),
    (f.Decline(7, DARK), '{"t":7,"type":"decline","side":"dark"}'),
    (f.Resign(7, DARK), '{"t":7,"type":"resign","side":"dark"}'),
    (f.Draw(7, DARK), '{"t":7,"type":"draw","side":"dark"}'),
    (f.Abandon(7, DARK), '{"t":7,"type":"abandon","side":"dark"}'),
]

DECISIONS = [
    (d.Ready(1), '{"t":1,"type":"ready"}'),
    (d.Ready(1, 3), '{"t":1,"type":"ready","squares":["A1","A2"]}'),
    (d.ThrowForStart(1, DARK), '{"t":1,"type":"throw-for-start","side":"dark"}'),
    (
        d.StartRoll(1, DARK, "gs-", 2),
        '{"t":1,"type":"start-roll","side":"dark","faces":"gs-","value":2}',
    ),
    (d.Starts(1, DARK, "throw"), '{"t":1,"type":"starts","side":"dark","why":"throw"}'),
    (
        d.Roll(1, LIGHT, "gs--", 2, ("+A3", "A4-A2")),
        '{"t":1,"type":"roll","side":"light","faces":"gs--","value":2,"legal":["+A3","A4-A2"]}',
    ),
    (
        d.RollRefused(1, LIGHT, "cocked", (2, 3)),
        '{"t":1,"type":"roll-refused","side":"light","code":"cocked","dice":[2,3]}',
    ),
    (
        d.Moved(1, LIGHT, "+A3", "finkel A3:L L6D7 L0D0 D", "sensed"),
        (
            '{"t":1,"type":"move","side":"light","move":"+A3",'
            '"position":"finkel A3:L L6D7 L0D0 D","confidence":"sensed"}'
        ),
    ),
    (d.Planned(1, DARK, "A7-off"), '{"t":1,"type":"planned","side":"dark","move":"A7-off"}'),
    (d.Hinted(1, DARK, "+A4"), '{"t":1,"type":"hinted","side":"dark","move":"+A4"}'),
    (
        d.Coached(1, DARK, "+A4", "A4-A3", 8),
        '{"t":1,"type":"coached","side":"dark","move":"+A4","better":"A4-A3","loss":8}',
    ),
    (
        d.Roll(1, DARK, "gs--", 2, ("+C3",), program=True),
        (
            '{"t":1,"type":"roll","side":"dark","faces":"gs--","value":2,"legal":["+C3"],'
            '"program":true}'
        ),
    ),
    (d.Planned(1, DARK), '{"t":1,"type":"planned","side":"dark"}'),
    (d.Seems(1, DARK, "A7-off"), '{"t":1,"type":"seems","side":"dark","move":"A7-off"}'),
    (d.Passed(1, DARK, "no-move"), '{"t":1,"type":"pass","side":"dark","code":"no-move"}'),
    (
        d.Warned(1, DARK, "backwards", 5, "Back to A1.", d.Fix(1, 4)),
        (
            '{"t":1,"type":"warning","side":"dark","code":"backwards","squares":["A1","A3"],'
            '"text":"Back to A1.","fix":{"fill":["A1"],"clear":["A3"]}}'
        ),
    ),
    (d.Cleared(1), '{"t":1,"type":"cleared"}'),
    (
        d.Question(1, DARK, "move", ("+C3", "C4-C2")),
        '{"t":1,"type":"question","side":"dark","ask":"move","moves":["+C3","C4-C2"]}',
    ),
    (d.Question(1, DARK, "faces"), '{"t":1,"type":"question","side":"dark","ask":"faces"}'),
    (d.TakenBack(1, DARK, "+C3"), '{"t":1,"type":"takeback","side":"dark","move":"+C3"}'),
    (d.Fault(1, "die 3", "lost"), '{"t":1,"type":"fault","device":"die 3","code":"lost"}'),
    (
        d.Refused(1, "draw", "no-draw", "No draw here."),
        '{"t":1,"type":"refused","what":"draw","code":"no-draw","text":"No draw here."}',
    ),
    (d.Won(1, DARK, "off"), '{"t":1,"type":"won","side":"dark","code":"off"}'),
    (d.Drawn(1, "claimed"), '{"t":1,"type":"drawn","code":"claimed"}'),
    (d.Abandoned(1, "asked"), '{"t":1,"type":"abandoned","code":"asked"}'),
]


@each(("fact", "line"), FACTS)
def test_a_fact_is_formatted_and_parsed(fact: f.Fact, line: str) -> None:
    assert fact_line(fact) == line
    assert parse_fact(line + "\n") == fact


@each(("decision", "line"), DECISIONS)
def test_a_decision_is_formatted_and_parsed(decision: d.Decision, line: str) -> None:
    assert decision_line(decision) == line
    assert parse_decision(line + "\n") == decision


@each("line", [line for _, line in FACTS])
def test_a_fact_without_a_required_key_is_rejected(line: str) -> None:
    whole = json.loads(line)
    # A plan without a move is one that failed.
    optional = OPTIONAL | {"move"} if whole["type"] == "plan" else OPTIONAL
    for key in whole.keys() - optional:
        rest = {name: value for name, value in whole.items() if name != key}
        with pytest.raises(UrpiError, match="Line 12"):
            parse_fact(json.dumps(rest), 12)


def test_unknown_keys_are_ignored() -> None:
    assert parse_fact('{"hub":"5F3A","t":7,"type":"time","deep":{"a":[1]}}') == f.Time(7)
    assert parse_fact('{"t":7,"type":"die","die":1,"state":"lost","face":"?"}') == f.Die(
        7, 1, "lost"
    )


@pytest.mark.parametrize(
    "extra", ["[" * 31 + "]" * 31, "[" + "[],{}," * 99 + "0]", '"\\"' + "{" * 99 + '"']
)
def test_many_brackets_are_allowed_but_not_deep_nesting(extra: str) -> None:
    assert parse_fact(f'{{"t":7,"type":"time","x":{extra}}}') == f.Time(7)


def test_squares_are_parsed_in_any_order_and_formatted_in_bit_order() -> None:
    fact = parse_fact('{"t":7,"type":"occupancy","squares":["C8","A1","C8"]}')
    assert fact_line(fact) == '{"t":7,"type":"occupancy","squares":["A1","C8"]}'


def test_the_face_of_a_d6_may_be_a_number() -> None:
    fact = parse_fact('{"t":7,"type":"die","die":1,"state":"settled","face":6,"tumbled":true}')
    assert fact == f.Die(7, 1, "settled", "6", tumbled=True)


@each(
    ("line", "reason"),
    [
        ("", "one JSON object"),
        ("{", "one JSON object"),
        ("[]", "one JSON object"),
        ("[" * 20_000, "nested too deeply"),
        ('{"t":1,"type":"time","x":' + '{"x":' * 9_000, "nested too deeply"),
        ('{"t":1,"type":"time","x":' + "[" * 32 + "]" * 32 + "}", "nested too deeply"),
        ('{"t":1,"type":"time"} {}', "one JSON object"),
        ('{"t":1,"type":"time","x":"' + "x" * 70_000 + '"}', "at most 65536 characters"),
        ('{"t":1,"t":2,"type":"time"}', "occurs twice"),
        ('{"t":NaN,"type":"time"}', "NaN is not valid JSON"),
        ('{"t":1,"type":"time","x":-Infinity}', "Infinity is not valid JSON"),
        ('{"t":1e999,"type":"time"}', "found inf"),
        ('{"t":' + "9" * 5_000 + ',"type":"time"}', "one JSON object"),
        ('{"t":' + "9" * 50 + ',"type":"time"}', "milliseconds"),
        ('{"t":-1,"type":"time"}', "milliseconds, not below 0; found -1"),
        ('{"t":true,"type":"time"}', "milliseconds, not below 0; found True"),
        ('{"t":1.0,"type":"time"}', "milliseconds, not below 0; found 1.0"),
        ('{"t":"1","type":"time"}', "milliseconds, not below 0; found '1'"),
        ('{"type":"time"}', "needs the key t"),
        ('{"t":1}', "type must be one of game, time, .*; found none"),
        ('{"t":1,"type":"dice"}', "type must be one of game, time, .*; found 'dice'"),
        ('{"t":1,"type":["time"]}', "found \\['time'\\]"),
        ('{"t":1,"type":"roll"}', "found 'roll'"),
        ('{"t":1,"type":"square","square":"A5","on":true}', "a square, A1 .. C8; found 'A5'"),
        ('{"t":1,"type":"square","square":[],"on":true}', "a square, A1 .. C8; found \\[\\]"),
        ('{"t":1,"type":"square","square":"A1","on":1}', "true or false; found 1"),
        ('{"t":1,"type":"occupancy","squares":"A1"}', "a list of squares"),
        ('{"t":1,"type":"occupancy","squares":["A1",["A2"]]}', "a list of squares"),
        ('{"t":1,"type":"die","die":0,"state":"lost"}', "a die's number, from 1"),
        ('{"t":1,"type":"die","die":1,"state":"spun"}', "rolling or settled or .*; found 'spun'"),
        ('{"t":1,"type":"die","die":1,"state":"settled","tumbled":true}', "needs the key face"),
        (
            '{"t":1,"type":"die","die":1,"state":"settled","face":7,"tumbled":true}',
            "1 to 6 for a d6; found 7",
        ),
        (
            '{"t":1,"type":"die","die":1,"state":"settled","face":true,"tumbled":true}',
            "found True",
        ),
        ('{"t":1,"type":"button","button":"red","press":"short"}', "light or dark; found 'red'"),
        ('{"t":1,"type":"answer"}', "exactly one of move, faces, first or takeback"),
        ('{"t":1,"type":"answer","move":"+A4","faces":"gs--"}', "exactly one of"),
        ('{"t":1,"type":"answer","takeback":false}', "true, or absent"),
        ('{"t":1,"type":"answer","move":null}', "a text; found None"),
        ('{"t":1,"type":"answer","move":"\\ud800"}', "a text"),
        ('{"t":1,"type":"time","x":"\udc80"}', "one JSON object"),
        (
            '{"t":1,"type":"game","rules":"chess","options":{},"light":"","dark":""}',
            "no rule set 'chess'",
        ),
        (
            '{"t":1,"type":"game","rules":"finkel","options":{"pieces":3},"light":"","dark":""}',
            "an object of names and values",
        ),
        (
            '{"t":1,"type":"game","rules":"finkel","options":{"pieces":"4"},"light":"","dark":""}',
            "pieces of finkel must be 7 or 5 or 3",
        ),
        (
            (
                '{"t":1,"type":"game","rules":"finkel","options":{},"light":"","dark":"",'
                '"position":"finkel[pieces=3] - L3D3 L0D0 D"}'
            ),
            "the game's rules are finkel",
        ),
        (
            (
                '{"t":1,"type":"game","rules":"finkel","options":{},"light":"","dark":"",'
                '"dice":{"light":[1]}}'
            ),
            "an object such as",
        ),
    ],
)
def test_an_invalid_fact_is_rejected_with_its_number_and_the_reason(line: str, reason: str) -> None:
    with pytest.raises(UrpiError, match=f"^Line 3: .*{reason}"):
        parse_fact(line, 3)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"t":1,"type":"square","square":"A1","on":true}', "found 'square'"),
        (
            '{"t":1,"type":"pass","side":"light","code":"tired"}',
            "zero or no-move or declined; found 'tired'",
        ),
        (
            (
                '{"t":1,"type":"warning","side":"light","code":"backwards","squares":[],"text":"",'
                '"fix":[]}'
            ),
            "fix of a line of type warning",
        ),
        ('{"t":1,"type":"question","side":"light","ask":"move"}', "needs the key moves"),
    ],
    ids=lambda text: text[:60],
)
def test_an_invalid_decision_is_rejected_with_the_reason(line: str, reason: str) -> None:
    with pytest.raises(UrpiError, match=reason):
        parse_decision(line)


TIMES = st.integers(0, 2**63 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SIDES = st.sampled_from(Side)
SQUARES = st.integers(0, 2**20 - 1)
DICE = st.lists(st.integers(1, 99), max_size=8).map(tuple)
FACES = st.sampled_from("gs-123456")
TEXT_LISTS = st.lists(TEXTS, max_size=5).map(tuple)

GAMES = st.builds(
    f.Game,
    TIMES,
    st.just("finkel"),
    TEXTS,
    TEXTS,
    st.sampled_from([(), (("pieces", "5"),), (("pieces", "7"),)]),
    st.none() | SIDES,
    st.none(),
    st.none() | st.tuples(DICE, DICE),
    seats=st.tuples(st.sampled_from(SEATS), st.sampled_from(SEATS)),
)

ANY_FACT = st.one_of(
    GAMES,
    st.builds(f.Time, TIMES),
    st.builds(f.Occupancy, TIMES, SQUARES),
    st.builds(f.Edge, TIMES, st.integers(0, 19), st.booleans()),
    st.builds(
        f.Die,
        TIMES,
        st.integers(1, 99),
        st.sampled_from(["rolling", "cocked", "handled", "lost", "found"]),
    ),
    st.builds(f.Die, TIMES, st.integers(1, 99), st.just("settled"), FACES, st.booleans()),
    st.builds(f.Button, TIMES, SIDES, st.sampled_from(["short", "long"])),
    *(st.builds(kind, TIMES, SIDES) for kind in (f.Chute, f.Resign, f.Decline, f.Draw, f.Abandon)),
    st.builds(f.Plan, TIMES, SIDES, st.none() | TEXTS),
    st.builds(f.ProgramThrow, TIMES, SIDES, TEXTS),
    st.builds(f.RemoteThrow, TIMES, SIDES, TEXTS),
    st.builds(f.RemoteMove, TIMES, SIDES, TEXTS, st.sampled_from(["sensed", "answered"])),
    st.builds(f.RemoteTakeback, TIMES, SIDES, TEXTS),
    st.builds(f.Hint, TIMES, SIDES, TEXTS, st.none() | st.integers(0, 100)),
    st.builds(f.Coach, TIMES, SIDES, TEXTS, TEXTS, st.integers(0, 100)),
    st.builds(f.Answer, TIMES, move=TEXTS),
    st.builds(f.Answer, TIMES, faces=TEXTS),
    st.builds(f.Answer, TIMES, first=SIDES),
    st.builds(f.Answer, TIMES, takeback=st.just(value=True)),
)

ANY_DECISION = st.one_of(
    st.builds(d.Ready, TIMES, SQUARES),
    st.builds(d.ThrowForStart, TIMES, SIDES),
    st.builds(d.StartRoll, TIMES, SIDES, st.sampled_from(("gs--", "6")), st.integers(0, 6)),
    st.builds(d.Starts, TIMES, SIDES, TEXTS),
    st.builds(d.Roll, TIMES, SIDES, TEXTS, st.integers(0, 9), TEXT_LISTS),
    st.builds(d.RollRefused, TIMES, SIDES, st.sampled_from(["cocked", "missing-die"]), DICE),
    st.builds(
        d.Moved, TIMES, SIDES, TEXTS, TEXTS, st.sampled_from(["sensed", "inferred", "answered"])
    ),
    st.builds(d.Planned, TIMES, SIDES, st.none() | TEXTS, st.booleans()),
    st.builds(d.Hinted, TIMES, SIDES, TEXTS, st.none() | st.integers(0, 100)),
    st.builds(d.Coached, TIMES, SIDES, TEXTS, TEXTS, st.integers(0, 100)),
    st.builds(d.Seems, TIMES, SIDES, TEXTS),
    st.builds(d.Passed, TIMES, SIDES, st.sampled_from(["zero", "no-move", "declined"])),
    st.builds(
        d.Warned,
        TIMES,
        SIDES,
        st.sampled_from(REFUSAL_CODES),
        SQUARES,
        TEXTS,
        st.builds(d.Fix, SQUARES, SQUARES),
    ),
    st.builds(d.Cleared, TIMES),
    st.builds(d.Question, TIMES, SIDES, st.just("move"), TEXT_LISTS),
    st.builds(d.Question, TIMES, SIDES, st.sampled_from(["first", "faces"])),
    st.builds(d.TakenBack, TIMES, SIDES, TEXTS),
    st.builds(d.Fault, TIMES, TEXTS, st.sampled_from(["stuck-on", "lost"])),
    st.builds(d.Refused, TIMES, TEXTS, TEXTS, TEXTS),
    st.builds(d.Won, TIMES, SIDES, st.sampled_from(["off", "captured", "forts", "resigned"])),
    st.builds(d.Drawn, TIMES, TEXTS),
    st.builds(d.Abandoned, TIMES, TEXTS),
)


@given(ANY_FACT)
def test_every_fact_round_trips(fact: f.Fact) -> None:
    line = fact_line(fact)
    assert "\n" not in line
    assert parse_fact(line) == fact


@given(ANY_DECISION)
def test_every_decision_round_trips(decision: d.Decision) -> None:
    assert parse_decision(decision_line(decision)) == decision


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
KEYS = sorted({key for _, line in FACTS + DECISIONS for key in json.loads(line)})


def _only_urpi_errors(line: str) -> None:
    """Parse a line; every error but `UrpiError` fails the test."""
    for parse in (parse_fact, parse_decision):
        with suppress(UrpiError):
            parse(line, 1)


@given(st.text())
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    _only_urpi_errors(text)


@given(st.sampled_from(FACTS + DECISIONS), st.sampled_from(KEYS), JSON)
def test_any_value_of_any_key_is_parsed_or_rejected(
    known: tuple[object, str], key: str, value: object
) -> None:
    _only_urpi_errors(json.dumps({**json.loads(known[1]), key: value}))
