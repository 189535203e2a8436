"""`urpi card` on a folder with the files of a boot partition."""

import os
import pty
import select
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.running import call
from tests.cli.test_cli import URPI, urpi
from tests.install.card.cards import KEY, make_package, make_partition
from tests.slow import slow_except

PSK = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
LINE_S = 240.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "key.pub").write_text(f"{KEY}\n")
    (tmp_path / "passphrase").write_text("password\n")
    make_package(tmp_path)
    return make_partition(tmp_path / "bootfs")


def words(folder: Path, *others: str, **replaced: str) -> list[str]:
    """Return the words of a complete command; an empty replacement leaves an option out."""
    around = folder.parent
    options = {
        "package": f"{around}/urpi_0.1.0_all.deb",
        "ssid": "IEEE",
        "passphrase-file": f"{around}/passphrase",
        "country": "HU",
        "ssh-key": f"{around}/key.pub",
    } | {name.replace("_", "-"): value for name, value in replaced.items()}
    pairs = [word for name, value in options.items() if value for word in (f"--{name}", value)]
    return ["card", str(folder), *pairs, *others]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_card_is_prepared_and_not_by_mistake_again(folder: Path) -> None:
    before = (folder / "user-data").read_text()
    done = urpi(*words(folder, hostname="ur-2", oled="none", dice="hand"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{folder}: Raspberry Pi reference 2026-10-01\n")
    assert "urpi-packages: urpi 0.1.0 and 0 other packages\n" in done.stdout
    assert done.stdout.endswith("ssh pi@ur-2.local\n")
    assert 'source = \\"hand\\"' in (folder / "user-data").read_text()
    assert PSK in (folder / "network-config").read_text()
    assert (folder / "user-data.before-urpi").read_text() == before
    assert (folder / "cmdline.txt").read_text().endswith("cfg80211.ieee80211_regdom=HU\n")
    assert (folder / "urpi-packages/urpi_0.1.0_all.deb").is_file()

    written = snapshot(folder)
    refused = call(*words(folder))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is already configured" in refused.stderr
    assert "add --force" in refused.stderr
    assert snapshot(folder) == written

    assert call(*words(folder, "--force", hostname="ur-3")).returncode == 0
    assert '"hostname": "ur-3"' in (folder / "user-data").read_text()
    assert '"hostname": "ur-2"' in (folder / "user-data.before-urpi").read_text()


INVALID = [
    ((), {"ssid": ""}, "--ssid is missing"),
    ((), {"country": ""}, "--country is missing"),
    ((), {"passphrase_file": ""}, "passphrase is missing; add --passphrase-file FILE or"),
    ((), {"country": "XX"}, "The country must be one of ISO 3166's codes"),
    ((), {"ssid": "a" * 33}, "The Wi-Fi's name must have 1 to 32 bytes"),
    ((), {"hostname": "a_b"}, "The host name must be"),
    ((), {"user": "urpi"}, "is one of the system's own"),
    ((), {"time_zone": "Moon"}, "The time zone must be"),
    ((), {"language": "xx"}, "The language must be one of en"),
    ((), {"rules": "chess"}, "The rule set must be one of finkel"),
    ((), {"wiring": "air"}, "The wiring must be one of header, expander; found 'air'"),
    ((), {"dice": "none"}, "The dice must be one of hub, bluetooth, both, hand"),
    ((), {"oled": "lcd"}, "The display must be one of ssd1306, ssd1309, sh1106, none"),
    ((), {"ssh_key": "no.pub"}, "The SSH key no.pub cannot be read"),
    ((), {"package": "no.deb"}, "The package no.deb cannot be read"),
    ((), {"package": ""}, "One of the packages must be urpi's"),
    (("--open", "--no-wifi"), {}, "--no-wifi cannot be combined with --ssid"),
    (("--open",), {}, "--open cannot be combined with --passphrase-file"),
]


@pytest.mark.parametrize(("others", "replaced", "sentence"), slow_except(INVALID, *INVALID[::4]))
def test_an_invalid_value_changes_nothing(
    others: tuple[str, ...], replaced: dict[str, str], sentence: str, folder: Path
) -> None:
    before = snapshot(folder)
    done = call(*words(folder, *others, **replaced))
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert snapshot(folder) == before


def test_an_open_network_and_none(folder: Path) -> None:
    assert call(*words(folder, "--open", passphrase_file="")).returncode == 0
    assert '"access-points": {\n          "IEEE": {}' in (folder / "network-config").read_text()
    none = {"ssid": "", "passphrase_file": "", "country": ""}
    assert call(*words(folder, "--no-wifi", "--force", **none)).returncode == 0
    assert "wifis" not in (folder / "network-config").read_text()


@pytest.mark.slow
def test_at_a_terminal_the_rest_is_asked_for(folder: Path) -> None:
    """An invalid answer is asked for again, and the passphrase is not displayed."""
    answers = {
        "Name of the Wi-Fi: ": "IEEE",
        "Country code, such as GB: ": "UK",
        "found 'UK'.\r\nCountry code, such as GB: ": "gb",
        "Passphrase: ": "sesame",
        "found 6 characters.\r\nPassphrase: ": "password",
        "Host name [urpi]: ": "",
        "User [pi]: ": "maker",
        "[en]: ": "hu",
        "[finkel]: ": "",
        "[header]: ": "",
        "[ssd1306]: ": "none",
        "[hub]: ": "hand",
    }
    given = {"ssid": "", "country": "", "passphrase_file": "", "time_zone": "UTC"}
    # setsid makes the terminal that of the process, from which the passphrase is read.
    command = ["setsid", "--ctty", *URPI, *words(folder, **given)]
    near, far = pty.openpty()
    with subprocess.Popen(command, stdin=far, stdout=far, stderr=far) as process:
        os.close(far)
        shown = ""
        for question, answer in answers.items():
            shown = read_until(near, question)
            os.write(near, f"{answer}\n".encode())
        shown = read_until(near, "ssh maker@urpi.local")
        assert process.wait(LINE_S) == 0, shown
    assert 'source = \\"hand\\"' in (folder / "user-data").read_text()
    assert PSK in (folder / "network-config").read_text()
    assert 'language = \\"hu\\"' in (folder / "user-data").read_text()


def read_until(terminal: int, expected: str) -> str:
    """Return what a terminal shows until it ends with a text."""
    shown = ""
    until = time.monotonic() + LINE_S
    while expected not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0.0, until - time.monotonic()))
        assert ready, f"not shown: {expected!r}; only {shown!r}"
        shown += os.read(terminal, 4096).decode()
    assert "password" not in shown
    assert "sesame" not in shown
    return shown
