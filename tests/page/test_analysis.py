"""The analysis of a position over HTTP, which a process of its own computes."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.engine.review.games import random_game
from tests.fuzz import LONGEST_MESSAGE, spoilt
from tests.page.client import Client, Response
from tests.page.table import PageDesk, Table
from tests.slow import slow_except
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.engine.network_file import estimator
from urpi.engine.review import review_record
from urpi.http.operations import QueueFullError
from urpi.page.analysis import MAX_WAITING, POSITION, Analyses, Question
from urpi.page.app import make_app
from urpi.page.site import make_site
from urpi.referee.facts import Game, Resign
from urpi.rules import RULE_SETS, Side, parse_move, parse_position, parse_rules, rule_set
from urpi.service.engine_process import OnResponse, Request

START = "finkel - L7D7 L0D0 L"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A browser at a table without a game."""
    table = Table.at(tmp_path_factory.mktemp("analysis") / "games.sqlite")
    site = make_site(PageDesk(table))
    yield Client(make_app(site))
    site.engine.close()
    table.service.close()


def ask(client: Client, **query: str) -> Response:
    return client.get(f"/api/analysis?{urlencode(query)}")


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "skiryuk"))
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_the_values_are_those_of_the_command_and_of_a_review(
    visitor: Client, rules: str, seed: int
) -> None:
    random = Random(seed)
    game = random_game(rule_set(rules), random, 40 if rules != "freecompany" else 12)
    each = random.choice(review_record(game, estimator(rule_set(rules))).throws)
    position, faces, played = each.position, each.throw.faces, each.played
    assert played is not None
    assert len(str(position)) < POSITION["maxLength"]
    found = ask(visitor, position=str(position), faces=faces, move=played.text).json

    words = ("evaluate", str(position), "--faces", faces, "--json")
    printed = json.loads(CliRunner().invoke(cli, words).stdout)
    assert (found["value"], found["by"]) == (printed["value"], "estimated")
    throws = [{**one, "best": one["best"]["move"]} for one in found["throws"]]
    assert throws == printed["throws"]
    without = ask(visitor, position=str(position), faces=faces).json["moves"]
    shown = [{"move": one["move"], "value": one["value"]} for one in without]
    assert shown == printed["moves"]

    assert found["value"] == round(each.before, 6)
    assert found["moves"][0]["move"] == each.best.text
    assert found["moves"][0]["value"] == round(each.best_value, 6)
    assert found["luck"] == pytest.approx(each.luck, abs=2e-6)
    for one in found["moves"]:
        after = position.rules.play(position, each.throw, parse_move(one["move"]))
        assert one["position"] == str(after)


def test_the_page_can_go_on_from_the_position_after_each_move(visitor: Client) -> None:
    for rules in ("skiryuk[decline=yes]", "finkel"):
        random, position = Random(7), parse_rules(rules).start(Side.DARK)
        declined = 0
        for _ in range(25):
            if position.turn is None:
                break
            throw = position.rules.dice.roll(random.random())
            found = ask(visitor, position=str(position), faces=throw.faces).json
            assert found["side"] == position.turn.value
            assert found["throw"] == {"faces": throw.faces, "value": throw.value}
            legal = {one.text for one in position.rules.legal_moves(position, throw)} or {"pass"}
            assert {one["move"] for one in found["moves"]} == legal
            one = random.choice(found["moves"])
            if one["declined"]:
                declined += 1
                again = parse_position(one["position"])
                assert str(position.rules.decline(again)) == one["declined"]
            position = parse_position(one["position"])
        assert bool(declined) == (rules != "finkel")


def test_a_game_that_is_over_has_a_winner_and_no_values(visitor: Client) -> None:
    found = ask(visitor, position="finkel - L0D7 L7D0 =", faces="g---").json
    assert (found["winner"], found["side"], found["value"]) == ("light", None, None)
    assert (found["throws"], found["moves"], found["throw"]) == ([], [], None)


def test_a_throw_without_a_legal_move_is_passed(visitor: Client) -> None:
    (only,) = ask(visitor, position=START, faces="----").json["moves"]
    assert (only["move"], only["text"], only["loss"]) == ("pass", "No move", 0)
    assert only["position"] == "finkel - L7D7 L0D0 D"


def test_texts_are_in_the_language_of_the_request(visitor: Client) -> None:
    found = ask(visitor, position=START, faces="g---", language="fr").json
    assert found["source"] == "Toutes les valeurs sont estimées par un réseau."
    english = ask(visitor, position=START, faces="g---").json
    assert [one["move"] for one in found["moves"]] == [one["move"] for one in english["moves"]]
    assert found["moves"][0]["text"] != english["moves"][0]["text"]


def test_by_default_it_is_the_tables_position_with_its_throw(tmp_path: Path) -> None:
    table = Table.at(tmp_path / "games.sqlite")
    site = make_site(PageDesk(table))
    client = Client(make_app(site))
    assert client.get("/api/analysis").json["position"]["text"] == START
    table.begin()
    random = Random(3)
    for _ in range(12):
        table.play_on(random)
        snapshot = table.service.snapshot
        found = client.get("/api/analysis").json
        assert found["position"]["text"] == str(snapshot.position)
        faces = None if snapshot.throw is None else snapshot.throw.faces
        assert (found["throw"] or {}).get("faces") == faces
    site.engine.close()
    table.service.close()


def test_a_game_without_hints_is_played_without_an_analysis(tmp_path: Path) -> None:
    table = Table.at(tmp_path / "games.sqlite")
    site = make_site(PageDesk(table))
    client = Client(make_app(site))
    table.service.new_game(Game(table.t, "finkel", hints=False))
    table.begin_thrown()
    for path in ("/api/analysis", f"/api/analysis?{urlencode({'position': START})}"):
        answer = client.get(path)
        assert (answer.status, answer.json["code"]) == (409, "hints-off")
    table.submit(Resign(table.t, Side.LIGHT))
    assert table.over
    assert client.get("/api/analysis").status == 200
    site.engine.close()
    table.service.close()


WORD = st.one_of(
    st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=30),
    st.sampled_from([b"", b"-", b"L7D7", b"L0D0", b"L", b"D*", b"A1:L", b"B4:LDld", b"A" * 600]),
)
POSITIONS = st.one_of(
    st.lists(WORD, max_size=6).map(b" ".join),
    spoilt(START),
    spoilt("freecompany[pieces=3] A1:LLd,B4:D'L L2D3 L0D0 D*"),
    spoilt("murray B4:lL L6D7 L0D0 L"),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(position=b"finkel " * 60, faces=b"g---", move=b"+A4")
@example(position=START.encode(), faces=b"g---", move=b"pass")
@given(
    position=POSITIONS,
    faces=WORD | st.sampled_from([b"g---", b"gs", b"---"]),
    move=WORD | st.just(b"+A4"),
)
def test_no_query_is_too_hostile(
    visitor: Client, position: bytes, faces: bytes, move: bytes
) -> None:
    query = urlencode({"position": position, "faces": faces, "move": move})
    answer = visitor.get(f"/api/analysis?{query}")
    assert answer.status in {200, 400, 404}
    if answer.status != 200:
        # A text may be too long or no UTF-8, or of no position.
        assert answer.json["code"] == {400: "bad-request", 404: "not-found"}[answer.status]
        assert "\n" not in answer.json["error"]
        assert len(answer.json["error"]) < LONGEST_MESSAGE


class Engine:
    """An engine that responds when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[Request, OnResponse]] = []

    def request(self, request: Request, on_response: OnResponse) -> None:
        self.asked.append((request, on_response))

    def close(self) -> None:
        pass


def question(pieces: int) -> Question:
    return Question(parse_position(f"finkel - L{7 - pieces}D7 L{pieces}D0 L"))


async def settle() -> None:
    """Let all tasks run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_few_positions_may_wait_and_each_is_analysed_once() -> None:
    async def run() -> None:
        engine = Engine()
        analyses = Analyses(engine)
        waiting = [asyncio.create_task(analyses.of(question(n % MAX_WAITING))) for n in range(9)]
        await settle()
        assert len(engine.asked) == MAX_WAITING
        with pytest.raises(QueueFullError):
            await analyses.of(question(6))
        # One who has closed the page does not keep the others from the analysis.
        waiting[0].cancel()
        for number, (_, respond) in enumerate(engine.asked):
            respond({"value": number})
        found = [each["value"] for each in await asyncio.gather(*waiting[1:])]
        assert found == [n % MAX_WAITING for n in range(1, 9)]
        assert await analyses.of(question(1)) == {"value": 1}
        assert len(engine.asked) == MAX_WAITING

    asyncio.run(run())


@pytest.mark.slow
def test_only_the_latest_analyses_are_kept() -> None:
    async def run() -> None:
        engine = Engine()
        analyses = Analyses(engine, max_kept=2)
        for number in (0, 1, 0, 2, 0, 1):
            task = asyncio.create_task(analyses.of(question(number)))
            await settle()
            for _, respond in engine.asked[-1:]:
                respond({"value": number})
            await task
        asked = [request["position"] for request, _ in engine.asked]
        assert asked == [str(question(number).position) for number in (0, 1, 2, 1)]

    asyncio.run(run())


def test_after_a_failure_the_next_request_asks_again() -> None:
    async def run() -> None:
        engine = Engine()
        analyses = Analyses(engine)
        answers: list[Any] = []
        for response in (None, {"value": 1}):
            task = asyncio.create_task(analyses.of(question(0)))
            await settle()
            engine.asked[-1][1](response)
            answers += await asyncio.gather(task, return_exceptions=True)
        assert isinstance(answers[0], UrpiError)
        assert "could not be analysed" in str(answers[0])
        assert answers[1] == {"value": 1}

    asyncio.run(run())
