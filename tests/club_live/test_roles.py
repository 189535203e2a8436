"""Users of the page log in, and may do what their role allows; all others only watch."""

from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner

from tests.club_live.running import Database
from tests.club_live.test_players import NOW, database
from tests.page.client import Client, Response
from urpi.cli.main import cli
from urpi.club.server import security_log, users
from urpi.club.server.database import connect
from urpi.club.server.users import MAX_DEVICES, hash_password, is_hash_of
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.core.errors import UrpiError

__all__ = ["database"]

PASSWORD = "correct horse é"
CUP = {"name": "Cup", "format": "round-robin", "players": ["Ann", "Bob", ""]}


class Page:
    """A club's page; `clock` is the time in seconds by which failed logins are counted."""

    def __init__(self, database: Database, public_url: str = "") -> None:
        site = make_site(
            ClubServerSection(database=database.url, public_url=public_url), Wall(lambda: NOW)
        )
        self.clock = 0.0
        site.clock = lambda: self.clock
        self.app = make_club_app(site)

    def client(self, name: str = "", password: str = PASSWORD, **about: Any) -> Client:
        """Return a browser in which a user has logged in, if a name is given."""
        client = Client(self.app, **about)
        if name:
            assert log_in(client, name, password).status == 200
        return client


def log_in(client: Client, name: str, password: str = PASSWORD) -> Response:
    return client.post("/api/session", {"name": name, "password": password})


@pytest.fixture
def page(database: Database) -> Page:
    return Page(database)


@pytest.fixture(autouse=True)
def command(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return `urpi club user`, in a club with an admin and an arbiter."""
    # Some tests check dozens of passwords, which would take a third of a second each.
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(users, "_hasher", lambda: cheap)
    config = tmp_path / "club.toml"
    config.write_text(f'[club_server]\ndatabase = "{database.url}"\n')

    def run(*words: str, typed: str = "") -> str:
        runner = CliRunner(env={"URPI_CONFIG": str(config)})
        found = runner.invoke(cli, ["club", "user", *words], catch_exceptions=False, input=typed)
        assert found.exit_code == 0, found.output
        return found.output

    with closing(connect(database.url)) as connection:
        connection.execute("TRUNCATE users, tournaments, security_log CASCADE")
        for name, role in (("Root", "admin"), ("Béla", "arbiter")):
            connection.execute(
                "INSERT INTO users (name, identity, role, password) VALUES (%s, %s, %s, %s)",
                (name, name.casefold(), role, hashed()),
            )
    return run


@cache
def hashed() -> str:
    """Return the password's hash, which is the same for all users to save time."""
    return hash_password(PASSWORD)


def test_a_hash_is_expensive_to_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    found = hash_password(PASSWORD)
    assert found.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert is_hash_of(found, PASSWORD)


def test_an_arbiter_runs_a_tournament_on_the_page_and_reasons_are_logged(page: Page) -> None:
    # The name in capitals, and é as two characters.
    arbiter = page.client("BE\u0301LA", PASSWORD.replace("é", "e\u0301"))
    assert arbiter.get("/api/session").json["user"]["role"] == "arbiter"
    number = arbiter.post("/api/tournaments", CUP).json["id"]
    one = f"/api/tournaments/{number}"
    assert arbiter.post(f"{one}/players", {"players": ["Cyd"]}).json == {"players": 3}
    assert arbiter.post(f"{one}/players", {"players": ["CYD"]}).status == 409
    # The second request, as of a double click, begins no further round.
    for _ in range(2):
        assert arbiter.post(f"{one}/rounds", {"begun": 0}).json == {"begun": 1}
    assert arbiter.post(f"{one}/players", {"players": ["Dan"]}).status == 409
    entry = {"round": 1, "board": 1, "result": "light", "known": None}
    assert arbiter.post(f"{one}/results", entry).status == 200
    correction = {**entry, "result": "draw", "known": "light"}
    assert arbiter.post(f"{one}/results", entry).json["code"] == "outdated"
    assert arbiter.post(f"{one}/results", correction).json["code"] == "no-reason"
    assert arbiter.post(f"{one}/results", {**correction, "reason": " mixed  up "}).status == 200
    found = page.client().get(one).json
    assert (found["begun"], found["planned"]) == (1, 3)
    assert found["rounds"][0]["pairings"][0]["result"] == "draw"
    entries = arbiter.get(f"{one}/log").json["entries"]
    assert [(each["before"], each["result"], each["reason"]) for each in entries] == [
        ("light", "draw", "mixed up"),
        (None, "light", ""),
    ]
    assert {each["user"] for each in entries} == {"Béla"}
    assert arbiter.post(f"{one}/withdrawals", {"player": "Cyd"}).status == 200
    gone = [line["name"] for line in page.client().get(one).json["standings"] if line["withdrawn"]]
    assert gone == ["Cyd"]


def test_an_arbiter_corrects_mistakes_and_a_second_click_does_no_harm(page: Page) -> None:
    arbiter = page.client("Béla")
    own = {"content_type": "application/json", "origin": f"http://{arbiter.host}"}
    cup = {"name": "Cup", "format": "swiss", "players": ["Ann", "Bbo", "Cyd", "Dan"]}
    one = f"/api/tournaments/{arbiter.post('/api/tournaments', cup).json['id']}"
    renamed = {"player": "Bbo", "name": "Bob"}
    assert arbiter.post(f"{one}/players/renamed", renamed).json == {"name": "Bob"}
    assert arbiter.post(f"{one}/players/renamed", renamed).status == 404
    assert arbiter.post(f"{one}/players/renamed", {"player": "Bob", "name": "ANN"}).status == 409
    assert arbiter.post(f"{one}/players/removed", {"player": "Dan"}).json == {"players": 3}
    assert arbiter.post(f"{one}/players/removed", {"player": "Dan"}).status == 404
    for begun in (0, 1):
        arbiter.post(f"{one}/rounds", {"begun": begun})
        entry = {"round": begun + 1, "board": 1, "result": "light", "known": None}
        assert arbiter.post(f"{one}/results", entry).status == 200
    assert arbiter.request("DELETE", f"{one}/rounds/1", headers=own).status == 409
    # The second request removes no further round.
    for _ in range(2):
        assert arbiter.request("DELETE", f"{one}/rounds/2", headers=own).json == {"begun": 1}
    assert arbiter.request("DELETE", f"{one}/rounds/0", headers=own).status == 409
    newest = arbiter.get(f"{one}/log").json["entries"][0]
    assert (newest["removed"], newest["round"], newest["board"]) == (True, 2, None)
    assert newest["user"] == "Béla"
    withdrawal = {"player": "Cyd"}
    for undo, expected in ((False, ["Cyd"]), (True, [])):
        assert arbiter.post(f"{one}/withdrawals", {**withdrawal, "undo": undo}).status == 200
        table = arbiter.get(one).json["standings"]
        assert [line["name"] for line in table if line["withdrawn"]] == expected
    forged = {**own, "origin": "https://evil.example"}
    assert page.client().request("DELETE", one, headers=own).status == 401
    assert arbiter.request("DELETE", one, headers=forged).json["code"] == "cross-site"
    assert arbiter.request("DELETE", one, headers=own).status == 200
    assert arbiter.get(one).status == 404


def test_the_tie_breaks_of_a_new_tournament_are_chosen(page: Page) -> None:
    arbiter = page.client("Béla")
    chosen = ["wins", "buchholz"]
    number = arbiter.post("/api/tournaments", {**CUP, "tie_breaks": chosen}).json["id"]
    assert arbiter.get(f"/api/tournaments/{number}").json["tie_breaks"] == chosen
    for wrong in (["wins", "wins"], ["coin"]):
        assert arbiter.post("/api/tournaments", {**CUP, "tie_breaks": wrong}).status == 400


def test_a_knockout_has_a_game_for_the_third_place(page: Page) -> None:
    arbiter = page.client("Béla")
    cup = {**CUP, "third_place": True}
    assert arbiter.post("/api/tournaments", cup).status == 409
    cup |= {"format": "knockout", "players": ["Ann", "Bob", "Cyd", "Dan"]}
    one = f"/api/tournaments/{arbiter.post('/api/tournaments', cup).json['id']}"
    for begun in (0, 1):
        arbiter.post(f"{one}/rounds", {"begun": begun})
        for board in (1, 2):
            entry = {"round": begun + 1, "board": board, "result": "light", "known": None}
            assert arbiter.post(f"{one}/results", entry).status == 200
    document = arbiter.get(one).json
    last = document["rounds"][1]["pairings"]
    assert [each["third_place"] for each in last] == [False, True]
    assert [line["place"] for line in document["standings"]] == [1, 2, 3, 4]
    assert document["standings"][2]["name"] == last[1]["light"]


def test_a_win_without_a_game_is_entered_corrected_and_logged(page: Page) -> None:
    arbiter = page.client("Béla")
    one = f"/api/tournaments/{arbiter.post('/api/tournaments', CUP).json['id']}"
    arbiter.post(f"{one}/rounds", {"begun": 0})
    entry = {"round": 1, "board": 1, "result": "light", "known": None, "played": False}
    assert arbiter.post(f"{one}/results", {**entry, "result": "draw"}).status == 409
    assert arbiter.post(f"{one}/results", entry).status == 200
    other = {**entry, "result": "dark", "known": "light", "reason": "It was Bob"}
    assert arbiter.post(f"{one}/results", other).status == 200
    found = arbiter.get(one).json["rounds"][0]["pairings"][0]
    assert (found["result"], found["played"]) == ("dark", False)
    played = {"round": 1, "board": 1, "result": "dark", "known": "dark", "reason": "They played"}
    assert arbiter.post(f"{one}/results", played).status == 200
    assert arbiter.get(one).json["rounds"][0]["pairings"][0]["played"]
    entries = arbiter.get(f"{one}/log").json["entries"]
    assert [(each["before_played"], each["played"]) for each in entries] == [
        (False, True),
        (False, False),
        (True, False),
    ]


def test_a_changed_pairing_is_logged_with_its_reason_and_asks_before_a_second_meeting(
    page: Page,
) -> None:
    arbiter = page.client("Béla")
    cup = {**CUP, "format": "swiss", "players": ["Ann", "Bob", "Cyd", "Dan"]}
    one = f"/api/tournaments/{arbiter.post('/api/tournaments', cup).json['id']}"
    assert arbiter.post(f"{one}/byes", {"player": "Ann", "round": 2}).status == 200
    assert arbiter.get(one).json["standings"][0]["byes"] == [2]
    undone = {"player": "Ann", "round": 2, "undo": True}
    assert arbiter.post(f"{one}/byes", undone).status == 200
    assert arbiter.post(f"{one}/byes", {"player": "Eve", "round": 2}).status == 404
    arbiter.post(f"{one}/rounds", {"begun": 0})
    change = {"begun": 1, "light": "Ann", "dark": "Bob", "reason": " no  more "}
    assert arbiter.post(f"{one}/pairings", {**change, "reason": " "}).json["code"] == "no-reason"
    assert arbiter.post(f"{one}/pairings", {**change, "begun": 2}).status == 409
    assert arbiter.post(f"{one}/pairings", {**change, "light": "Eve"}).status == 404
    assert arbiter.post(f"{one}/pairings", change).status == 200
    for board in (1, 2):
        entry = {"round": 1, "board": board, "result": "light", "known": None}
        arbiter.post(f"{one}/results", entry)
    arbiter.post(f"{one}/rounds", {"begun": 1})
    late = {"players": ["Zoë"], "half_points": True}
    assert arbiter.post(f"{one}/players", late).status == 409
    again = {**change, "begun": 2}
    assert arbiter.post(f"{one}/pairings", again).json["code"] == "repeated"
    assert arbiter.post(f"{one}/pairings", {**again, "again": True}).status == 200
    arbiter.post(f"{one}/players/renamed", {"player": "Dan", "name": "Player 4"})
    entry = arbiter.get(f"{one}/log").json["entries"][-1]
    assert (entry["user"], entry["reason"], entry["board"]) == ("Béla", "no more", None)
    before, after = entry["pairings"]
    # A name is deleted from the log as well.
    assert sorted(map(sorted, before)) == [["Ann", "Cyd"], ["Bob", "Player 4"]]
    assert sorted(map(sorted, after)) == [["Ann", "Bob"], ["Cyd", "Player 4"]]


@pytest.mark.parametrize(
    ("user", "status"), [("", 401), ("Béla", 403), ("Root", 200), ("forged", 401)]
)
def test_only_an_admin_manages_users(page: Page, user: str, status: int) -> None:
    client = page.client("" if user == "forged" else user)
    if user == "forged":
        client.cookies["urpi-session-8011"] = "x" * 43
    listed = client.get("/api/users")
    assert listed.status == status
    assert "argon2" not in listed.text
    new = {"name": "Eve", "role": "arbiter", "password": PASSWORD}
    assert client.post("/api/users", new).status == status
    assert log_in(page.client(), "Eve").status == (200 if status == 200 else 403)
    own = {"content_type": "application/json", "origin": f"http://{client.host}"}
    with_ids = page.client("Root").get("/api/users").json["users"]
    ids = {one["name"]: one["id"] for one in with_ids}
    removed = client.request("DELETE", f"/api/users/{ids['Béla']}", headers=own)
    assert removed.status == status
    if user == "Root":
        assert client.request("DELETE", f"/api/users/{ids['Root']}", headers=own).status == 409


def test_a_spectator_and_another_site_change_no_tournament(page: Page) -> None:
    spectator, arbiter = page.client(), page.client("Béla")
    for path, body in {
        "": CUP,
        "/1/players": {"players": ["Dan"]},
        "/1/rounds": {"begun": 0},
        "/1/results": {"round": 1, "board": 1, "result": "light", "known": None},
        "/1/pairings": {"begun": 1, "light": "Ann", "dark": "Bob", "reason": "x"},
        "/1/byes": {"player": "Ann", "round": 1},
        "/1/withdrawals": {"player": "Ann"},
        "/1/players/renamed": {"player": "Ann", "name": "Bob"},
        "/1/players/removed": {"player": "Ann"},
    }.items():
        assert spectator.post(f"/api/tournaments{path}", body).status == 401
        forged = arbiter.post(f"/api/tournaments{path}", body, origin="https://evil.example")
        assert forged.json["code"] == "cross-site"
    assert spectator.get("/api/tournaments").json == []
    assert spectator.get("/api/tournaments/1/log").status == 401


def test_added_users_log_in_with_their_own_passwords(page: Page, command: Any) -> None:
    assert "Eve is arbiter now" in command("add", "Eve", typed="first password\n")
    assert "Zoë is admin now" in command("add", "Zoë", "--role=admin", typed="other password\n")
    assert page.client("Eve", "first password").get("/api/users").status == 403
    assert page.client("Zoë", "other password").get("/api/users").status == 200
    assert log_in(page.client(), "Eve", "other password").status == 403


def test_a_session_ends_by_logout_time_password_and_removal(
    page: Page, database: Database, command: Any
) -> None:
    def is_logged_in(client: Client) -> bool:
        return client.get("/api/session").json["user"] is not None

    first, second = page.client("Béla"), page.client("Béla")
    stolen = dict(first.cookies)
    own = {"origin": f"http://{first.host}"}
    assert first.request("DELETE", "/api/session", headers=own).status == 200
    first.cookies = stolen
    assert not is_logged_in(first)
    assert is_logged_in(second)
    with closing(connect(database.url)) as connection:
        connection.execute("UPDATE sessions SET created = now() - interval '12 hours'")
    assert not is_logged_in(second)
    third = page.client("Béla")
    command("password", "béla", typed="another password\n")
    assert not is_logged_in(third)
    assert log_in(third, "Béla").status == 403
    third = page.client("Béla", "another password")
    # Neither passwords nor tokens can be read in the database, and so in no backup.
    stored = str(database.rows("SELECT * FROM users JOIN sessions ON users.id = user_id"))
    assert "$argon2id$" in stored
    for secret in ("another password", *third.cookies.values()):
        assert secret not in stored
    command("remove", "Béla")
    assert not is_logged_in(third)
    assert "Béla" not in command("list")


def test_the_cookie_is_for_this_site_and_secure_behind_tls(database: Database) -> None:
    page = Page(database, "https://club.example.org")
    client = page.client(host="club.example.org")
    answer = client.post(
        "/api/session",
        {"name": "Root", "password": PASSWORD},
        origin="https://club.example.org",
    )
    lives = {"session": 12 * 3600, "device": 365 * 24 * 3600}
    for (kind, seconds), cookie in zip(lives.items(), answer.set_cookies, strict=True):
        assert cookie.startswith(f"__Host-urpi-{kind}-443=")
        attributes = {"HttpOnly", "SameSite=Strict", "Secure", "Path=/", f"Max-Age={seconds}"}
        assert set(cookie.split("; ")[1:]) == attributes
    for plain in log_in(Page(database).client(), "Root").set_cookies:
        assert "Secure" not in plain
        assert "HttpOnly; SameSite=Strict" in plain


def test_failed_logins_are_limited_by_address_and_by_account(page: Page) -> None:
    guesser = page.client(address="192.0.2.1")
    for guess in range(10):
        assert log_in(guesser, f"user {guess}").status == 403
    blocked = log_in(guesser, "Root")
    assert blocked.status == 429
    assert int(blocked.headers["retry-after"]) == 61
    # Others are not affected, until the account itself is attacked from many addresses.
    assert log_in(page.client(address="192.0.2.2"), "Root").status == 200
    for guess in range(10):
        client = page.client(address=f"198.51.100.{guess}")
        assert log_in(client, "root", "wrong password").status == 403
    assert log_in(page.client(address="192.0.2.3"), "ROOT").status == 429
    page.clock = 61
    assert log_in(guesser, "Béla").status == 200
    page.clock = 301
    assert log_in(page.client(address="192.0.2.3"), "Root").status == 200


def attack(page: Page, name: str) -> None:
    """Block logins with a name by wrong passwords from many addresses."""
    for guess in range(10):
        client = page.client(address=f"198.51.100.{guess}")
        assert log_in(client, name, "wrong password").status == 403
    assert log_in(page.client(address="192.0.2.3"), name).status == 429


def test_a_device_that_has_logged_in_before_is_not_kept_out_by_others(page: Page) -> None:
    own, other = page.client("Root"), page.client("Béla")
    attack(page, "Root")
    for _ in range(3):
        assert log_in(own, "ROOT").status == 200
    # It is worth nothing for another account.
    assert log_in(other, "Root").status == 429
    # Its own wrong passwords are counted, too, and not together with those of others.
    for _ in range(10):
        assert log_in(own, "Root", "wrong password").status == 403
    assert log_in(own, "Root").status == 429
    assert log_in(other, "Béla").status == 200
    page.clock = 301
    assert log_in(own, "Root").status == 200


def test_a_copy_of_a_device_s_cookie_is_worth_nothing_after_the_next_login(page: Page) -> None:
    own = page.client("Root")
    thief = page.client()
    thief.cookies = {name: value for name, value in own.cookies.items() if "device" in name}
    assert thief.get("/api/session").json == {"user": None}
    assert log_in(own, "Root").status == 200
    attack(page, "Root")
    assert log_in(thief, "Root").status == 429
    thief.cookies = {"urpi-device-8011": "x" * 43}
    assert log_in(thief, "Root").status == 429


def test_only_the_newest_devices_of_a_user_are_kept_and_none_in_plain_text(
    page: Page, database: Database
) -> None:
    clients = [page.client("Root") for _ in range(MAX_DEVICES + 3)]
    stored = database.rows("SELECT token FROM devices JOIN users ON users.id = user_id")
    assert len(stored) == MAX_DEVICES
    for client in clients:
        assert client.cookies["urpi-device-8011"] not in str(stored)
    attack(page, "Root")
    statuses = [log_in(client, "Root").status for client in clients]
    assert statuses == [429] * 3 + [200] * MAX_DEVICES


def entries(page: Page) -> list[tuple[str, str, str, str, int]]:
    """Return the security log as an arbiter reads it, the oldest entry first.

    The entries of two hours are joined, as a test may begin at the end of one.
    """
    found = page.client("Béla", address="192.0.2.99").get("/api/security").json["entries"]
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for one in reversed(found):
        if one["address"] != "192.0.2.99":
            about = one["address"] or one["about"]
            counts[one["event"], one["who"], about, one["by"]] += one["count"]
    return [(*key, count) for key, count in counts.items()]


def test_the_security_log_has_logins_and_changed_users(page: Page, command: Any) -> None:
    guesser = page.client(address="192.0.2.1")
    for _ in range(10):
        log_in(guesser, "ROOT", "wrong password")
    for _ in range(3):
        assert log_in(guesser, "Root").status == 429
    log_in(page.client(address="192.0.2.2"), "my secret password", "Root")
    page.client("Béla", address="192.0.2.3")
    command("add", "Eve", typed=f"{PASSWORD}\n")
    command("password", "Eve", typed="another password\n")
    command("remove", "Eve")
    assert entries(page) == [
        ("login-failed", "Root", "192.0.2.1", "", 10),
        ("login-refused", "Root", "192.0.2.1", "", 3),
        ("login-failed", "", "192.0.2.2", "", 1),
        ("login", "Béla", "192.0.2.3", "", 1),
        ("user-added", "Eve", "arbiter", "", 1),
        ("password-changed", "Eve", "", "", 1),
        ("user-removed", "Eve", "arbiter", "", 1),
    ]
    page.clock = 400
    root = page.client("Root", address="192.0.2.5")
    new = {"name": "Dan", "role": "admin", "password": PASSWORD}
    assert root.post("/api/users", new).status == 200
    assert entries(page)[-1] == ("user-added", "Dan", "admin", "Root", 1)
    assert page.client().get("/api/security").status == 401


def test_the_security_log_does_not_grow_without_a_limit(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security_log, "MAX_ENTRIES", 50)
    with closing(connect(database.url)) as connection:
        for number in range(120):
            security_log.record(
                connection, "message-rejected", f"table-{number}", about="\0x" * 999
            )
        newest = security_log.newest_entries(connection)
    assert [one.who for one in newest] == [f"table-{number}" for number in range(119, 69, -1)]
    assert {one.about for one in newest} == {"x" * security_log.MAX_ABOUT}


@pytest.mark.parametrize(
    ("words", "typed", "named"),
    [
        (("add", "béla"), f"{PASSWORD}\n", "There is a user 'béla' already"),
        (("add", "Eve"), "short\n", "10 to 200 characters; found 5"),
        (("add", "Eve"), "", "no password on standard input"),
        (("add", " "), f"{PASSWORD}\n", "1 to 40 characters"),
        (("remove", "Eve"), "", "There is no user 'Eve'"),
        (("password", "Eve"), f"{PASSWORD}\n", "There is no user 'Eve'"),
    ],
)
def test_wrong_commands_are_reported(
    command: Any, words: tuple[str, ...], typed: str, named: str
) -> None:
    with pytest.raises(UrpiError, match=named):
        command(*words, typed=typed)
    assert "Eve" not in command("list")
