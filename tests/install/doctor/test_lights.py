"""`urpi doctor --lights`: the faults built into a chain of LEDs are found by who looks at it."""

import json
from collections.abc import Callable, Collection
from itertools import chain, combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tests.slow import mostly_slow
from urpi.cli import doctor_lights
from urpi.cli.main import cli
from urpi.config import Config, LightsSection
from urpi.core.errors import UrpiError
from urpi.hardware import default_pins
from urpi.hardware.finding import Level
from urpi.hardware.led_bus import LedBus
from urpi.hardware.led_chain import CHAIN, SPEED_HZ
from urpi.install.doctor.findings.lights import lights
from urpi.rules import SQUARE_NAMES

NAMES = doctor_lights.NAMES
FLASH = "squares flash, light out of turn or have another colour"
CONFIG = Config(lights=LightsSection(on=True))


class Looking(LedBus):
    """A chain, and what a person sees of it: which squares shine, and whether in one colour."""

    def __init__(
        self,
        speed_hz: float = SPEED_HZ,
        reached: int = 20,
        dark: Collection[int] = (),
        order: tuple[int, ...] = (),
    ) -> None:
        super().__init__(speed_hz, reached, dark)
        self.turns: list[tuple[str, ...]] = []
        self._chain = [*(CHAIN[n] for n in order), *CHAIN[len(order) :]]

    def write(self, data: bytes) -> None:
        super().write(data)
        lit = {square for square, rgb in zip(self._chain, self.colours, strict=True) if any(rgb)}
        self.turns.append(tuple(SQUARE_NAMES[square] for square in CHAIN if square in lit))

    @property
    def answers(self) -> str:
        dark = [name for name in NAMES if name not in self.turns[-1]]
        flash = len({rgb for rgb in self.colours if any(rgb)}) > 1 or any(
            set(turn) != set(NAMES[: number + 1]) - set(dark)
            for number, turn in enumerate(self.turns)
        )
        return f"{' '.join(dark)}\n{'y' if flash else 'n'}\n"


def doctor(folder: Path, monkeypatch: pytest.MonkeyPatch, leds: Looking, *words: str) -> Result:
    """Run the command with a person who looks at these LEDs and answers."""
    path = folder / "urpi.toml"
    path.write_text(
        '[gpio]\nfactory = "mock"\nwiring = "expander"\n[dice]\nsource = "hand"\n'
        f'[lights]\non = true\n[oled]\ndriver = "none"\n[journal]\npath = "{folder}/games.db"\n',
        "utf-8",
    )
    doctor_lights.light_in_turn(leds, CONFIG, lambda _s: None)
    answers = leds.answers
    monkeypatch.setattr(doctor_lights, "open_wire", lambda _config, _pins: leds)
    monkeypatch.setattr(doctor_lights, "STEP_S", 0)
    arguments = ["--config", str(path), "doctor", "--lights", *words]
    return CliRunner().invoke(cli, arguments, obj=path, input=answers)


@pytest.mark.parametrize(
    ("leds", "found"),
    mostly_slow(
        [
            (Looking, "20 of 20 squares light"),
            (lambda: Looking(reached=0), "no square lights"),
            (lambda: Looking(reached=8), "the chain is broken between B7 and B6"),
            (lambda: Looking(reached=19), "the chain is broken between C7 and C8"),
            (lambda: Looking(dark={9}), "B5 stays dark, and squares behind it light"),
            (lambda: Looking(reached=12, dark={3}), "the chain is broken between B3 and B2"),
            # The core's clock is 400 MHz, the divisor was chosen for 250 MHz: every pulse is a 0.
            (lambda: Looking(SPEED_HZ * 400 / 250), "no square lights"),
            # The other way round: every pulse is a 1, and all LEDs are white.
            (lambda: Looking(SPEED_HZ * 250 / 500), FLASH),
            # The LEDs of A1 and A2 are exchanged.
            (lambda: Looking(order=(1, 0)), FLASH),
        ],
        4,
    ),
)
def test_a_fault_of_the_chain_is_found(
    leds: Callable[[], Looking], found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = doctor(tmp_path, monkeypatch, leds(), "--json")
    assert done.exit_code in {0, 1, 2}, done.output
    mine = [one["found"] for one in json.loads(done.stdout)["findings"] if one["area"] == "lights"]
    assert found in mine


def test_each_square_lights_in_turn_and_stays_lit() -> None:
    leds = Looking()
    waits: list[float] = []
    doctor_lights.light_in_turn(leds, CONFIG, waits.append)
    assert leds.turns == [NAMES[: number + 1] for number in range(20)]
    assert len(waits) == 20


def test_the_lights_are_off_after_the_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leds = Looking()
    done = doctor(tmp_path, monkeypatch, leds)
    assert not any(map(any, leds.colours))
    assert "20 of 20 squares light" in done.output


def test_a_bus_that_cannot_be_opened_is_one_of_the_findings() -> None:
    config = Config(lights=LightsSection(on=True))
    (one,) = doctor_lights.lights_findings(config, default_pins(), err=False)
    assert (one.area, one.level, one.found) == ("lights", Level.BROKEN, "cannot be tested")
    assert "already that of B2" in one.cure


def test_a_board_without_lights_has_none_to_test(tmp_path: Path) -> None:
    path = tmp_path / "urpi.toml"
    path.write_text("", "utf-8")
    done = CliRunner().invoke(cli, ["--config", str(path), "doctor", "--lights"], obj=path)
    assert isinstance(done.exception, UrpiError)
    assert "[lights] on is false" in str(done.exception)


@given(st.sets(st.sampled_from(NAMES)), st.booleans())
def test_every_dark_square_is_explained(dark: set[str], flash: bool) -> None:
    found = list(lights(NAMES, dark, flash=flash))
    assert (len(found) > 1) == bool(dark or flash)
    assert found[-1].found == f"{20 - len(dark)} of 20 squares light"
    assert not any("{" in one.cure for one in found)
    named = " ".join(one.found for one in found)
    reached = max((n + 1 for n, name in enumerate(NAMES) if name not in dark), default=0)
    for name in dark:
        assert name in named or NAMES.index(name) > reached or not reached


@pytest.mark.parametrize("answer", ["b4 B3", "B4,B3", " b3 , b4 "])
def test_squares_are_named_as_people_write_them(answer: str) -> None:
    assert set(doctor_lights.squares_in(answer)) == {"B3", "B4"}
    assert set(doctor_lights.squares_in("all")) == set(NAMES)
    assert not doctor_lights.squares_in("")


def test_faults_that_differ_have_different_findings() -> None:
    cases = [set(NAMES[n:]) for n in range(21)]
    found = [tuple(lights(NAMES, dark, flash=False)) for dark in cases]
    assert all(one != other for one, other in combinations(found, 2))
    assert all(chain(found))
