"""The demo with missing or faulty firmware. With built images: tests/firmware."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.firmware_demo.firmware_simulator import (
    FirmwareImages,
    FirmwareSimulator,
    built_images,
)
from urpi.core.errors import UrpiError


def images(folder: Path, script: str) -> FirmwareImages:
    """Return images with a script in place of the simulator."""
    program = folder / "urpi-sim"
    program.write_text(f"#!{sys.executable}\n{script}")
    program.chmod(0o755)
    for name in ("hub.elf", "die.elf"):
        (folder / name).touch()
    return FirmwareImages(program, folder / "hub.elf", folder / "die.elf")


def simulator(found: FirmwareImages, dice: int = 4) -> FirmwareSimulator:
    return FirmwareSimulator(found, dice=dice, kind=4, seed=1)


def test_the_error_names_the_missing_file_and_the_command_that_builds_it(tmp_path: Path) -> None:
    with pytest.raises(UrpiError) as caught:
        simulator(built_images(tmp_path))
    assert str(caught.value).startswith(
        f"The firmware is not built: {tmp_path}/build/sim/urpi-sim is missing; run `make -C"
    )


def test_too_many_dice_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match="has 6 dice at most; 8 were requested"):
        simulator(images(tmp_path, ""), dice=8)


def test_a_process_that_ends_at_once_is_an_error_with_its_message(tmp_path: Path) -> None:
    found = images(tmp_path, "import sys; sys.exit('hub.elf: no image of an ATmega328P')")
    with pytest.raises(UrpiError, match=r"has ended .hub.elf: no image of an ATmega328P.; rebuild"):
        simulator(found)


def test_a_rejected_command_is_an_error(tmp_path: Path) -> None:
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


def test_other_dice_cannot_be_chosen() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.firmware_demo", "--dice", "unknown"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "see `python -m tools.firmware_demo --help`" in done.stderr
    assert re.search("No such option:? '?--dice", done.stderr)
