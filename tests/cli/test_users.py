"""Commands of ordinary users on a machine whose configuration names the service's journal."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.users import Machine, User, machine
from tests.slow import slow_except
from urpi.journal import Journal, list_games

DEMO = ("demo", "--terminal", "--seed", "3")
"""Begins and stores a game, and ends with its empty input."""
OWN = ".local/share/urpi/journal.db"
KEEPER = """
import sys
from pathlib import Path
from urpi.journal import Journal
journal = Journal.open(Path(sys.argv[1]))
journal.connection.use_log()
fact = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Ben"}'
journal.new_game(fact, "2026-11-20T10:00:00+00:00", "0.1.0", {})
print("playing", flush=True)
sys.stdin.read()
journal.close()
"""
READING = ("list", "show 1", "stats", "export")
CHANGING = ("anonymise Ann --yes", "figures")


@pytest.fixture(scope="module")
def others() -> Iterator[Machine]:
    with machine() as found:
        yield found


@pytest.fixture(scope="module")
def service(others: Machine) -> User:
    """Return the service's user, whose home contains the configured journal."""
    user = others.user(1)
    others.config.write_text(f'[journal]\npath = "{user.home}/journal.db"\n')
    return user


@pytest.fixture(scope="module")
def member(others: Machine, service: User) -> User:
    return others.user(2, service.uid)


@pytest.fixture(scope="module")
def stranger(others: Machine, service: User) -> User:
    return others.user(3)


@pytest.fixture(scope="module", params=slow_except(["during a game", "at rest"], "during a game"))
def journal(request: pytest.FixtureRequest, service: User) -> Iterator[Path]:
    """Yield the service's journal with one game more, whose keeper runs or has ended."""
    path = service.home / "journal.db"
    with service.started(KEEPER, path) as keeper:
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == "playing\n"
        if request.param == "at rest":
            keeper.communicate("")
        yield path


def check_one_line(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert all(part in done.stderr for part in parts), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_except(["member", "stranger", "service"], "member"))
def test_a_demo_keeps_its_games_in_the_home_of_its_user(
    name: str, service: User, request: pytest.FixtureRequest
) -> None:
    user: User = request.getfixturevalue(name)
    real = service.home / "journal.db"
    before = real.read_bytes() if real.exists() else None
    done = user.urpi(*DEMO)
    assert (done.returncode, done.stderr) == (0, "")
    with Journal.read_only(user.home / OWN) as games:
        assert len(list_games(games)) == 1
    assert (real.read_bytes() if real.exists() else None) == before


@pytest.mark.slow
def test_an_explicit_configuration_selects_the_journal_of_a_demo(stranger: User) -> None:
    config = stranger.home / "own.toml"
    config.write_text(f'[journal]\npath = "{stranger.home}/own.db"\n')
    config.chmod(0o644)
    assert stranger.urpi("--config", config, *DEMO).returncode == 0
    assert (stranger.home / "own.db").is_file()


@pytest.mark.slow
def test_a_demo_with_the_journal_of_another_user_names_the_owner(
    stranger: User, service: User
) -> None:
    done = stranger.urpi(*DEMO, "--journal", service.home / "journal.db")
    check_one_line(done, str(service.home / "journal.db"), f"belongs to '#{service.uid}'")


@pytest.mark.slow
def test_a_demo_as_root_does_not_store_games_in_the_journal_of_another_user(
    others: Machine, journal: Path
) -> None:
    before = journal.read_bytes()
    home = others.folder / "root"
    home.mkdir(exist_ok=True)
    root = User(0, home, others.config)
    for words in ((*DEMO, "--journal", journal), ("--config", others.config, *DEMO)):
        check_one_line(root.urpi(*words), str(journal), "belongs to", "--journal")
    assert journal.read_bytes() == before
    assert root.urpi(*DEMO).returncode == 0
    assert (home / OWN).is_file()


@pytest.mark.parametrize("words", slow_except(READING, "list"))
def test_members_of_the_group_read_the_games(
    words: str, journal: Path, member: User, service: User
) -> None:
    as_member, as_service = (user.urpi("games", *words.split()) for user in (member, service))
    assert (as_member.returncode, as_member.stderr) == (0, "")
    assert as_member.stdout == as_service.stdout


def test_members_of_the_group_change_nothing(journal: Path, member: User, service: User) -> None:
    done = member.urpi("games", *CHANGING[0].split())
    check_one_line(done, str(journal), f"sudo -u '#{service.uid}' urpi")
    assert "usermod" not in done.stderr


@pytest.mark.parametrize("words", slow_except(READING + CHANGING, READING[0], CHANGING[0]))
def test_everybody_else_is_told_the_owner_and_the_remedy(
    words: str, journal: Path, stranger: User, service: User
) -> None:
    done = stranger.urpi("games", *words.split())
    check_one_line(
        done, str(journal), f"sudo -u '#{service.uid}' urpi", f"usermod -aG {service.uid} $USER"
    )


@pytest.mark.slow
def test_where_the_service_never_ran_a_demo_works(others: Machine) -> None:
    user = others.user(4)
    config = others.folder / "laptop.toml"
    config.write_text('[journal]\npath = "/var/lib/urpi-never/journal.db"\n')
    laptop = User(user.uid, user.home, config)
    assert laptop.urpi(*DEMO).returncode == 0
    check_one_line(laptop.urpi("games", "list"), "there is no such file")
