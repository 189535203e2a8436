"""The firmware at the table where it is not built, or wrong. As built: tests/firmware."""

import sys
from pathlib import Path

import pytest

from urpi.errors import UrpiError
from urpi.simulation.firmware_simulator import FirmwareImages, FirmwareSimulator, built_images


def images(folder: Path, script: str) -> FirmwareImages:
    """A program in the simulator's place that answers as told."""
    program = folder / "urpi-sim"
    program.write_text(f"#!{sys.executable}\n{script}")
    program.chmod(0o755)
    for name in ("hub.elf", "die.elf"):
        (folder / name).touch()
    return FirmwareImages(program, folder / "hub.elf", folder / "die.elf")


def simulator(found: FirmwareImages, dice: int = 4) -> FirmwareSimulator:
    return FirmwareSimulator(found, dice=dice, kind=4, seed=1)


def test_what_is_not_built_is_named_with_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(UrpiError) as caught:
        simulator(built_images(tmp_path))
    assert str(caught.value).startswith(
        f"The firmware is not built: {tmp_path}/build/sim/urpi-sim is missing; run `make -C"
    )


def test_more_dice_than_it_has_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match="has 6 dice at most; 8 were requested"):
        simulator(images(tmp_path, ""), dice=8)


def test_one_that_ends_at_once_is_an_error_with_what_it_said(tmp_path: Path) -> None:
    found = images(tmp_path, "import sys; sys.exit('hub.elf: no image of an ATmega328P')")
    with pytest.raises(UrpiError, match=r"has ended .hub.elf: no image of an ATmega328P.; rebuild"):
        simulator(found)


def test_a_command_that_is_refused_is_an_error(tmp_path: Path) -> None:
    found = images(
        tmp_path,
        "print('ok urpi-sim', flush=True)\n"
        'input(); print(\'ok {"tty": "/dev/null"}\', flush=True)\n'
        "input(); print('error there is no die 7, they are 1 to 4', flush=True)\n"
        "input()\n",
    )
    with (
        simulator(found) as running,
        pytest.raises(UrpiError, match="reports: there is no die 7, they are 1 to 4; see"),
    ):
        running.do("throw", 7)
