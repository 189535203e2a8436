"""Both images as built by the Makefile, their sizes, and the host tests."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"

needs_avr_gcc = pytest.mark.skipif(
    shutil.which("avr-gcc") is None,
    reason="builds the images: needs Debian's gcc-avr, avr-libc and binutils-avr",
)
needs_arm_gcc = pytest.mark.skipif(
    shutil.which("arm-none-eabi-gcc") is None,
    reason="builds an image: needs Debian's gcc-arm-none-eabi and libnewlib-arm-none-eabi",
)
needs_gcc = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="builds for this machine: needs Debian's gcc and libc6-dev"
)


def make(build: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-C", str(FIRMWARE), "--silent", "-j2", f"BUILD={build}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    build = tmp_path_factory.mktemp("images")
    return build, make(build)


@pytest.mark.slow
@needs_avr_gcc
def test_both_images_are_built_and_their_sizes_printed(images):
    build, made = images
    assert made.returncode == 0, made.stderr
    assert (build / "die.hex").exists()
    assert (build / "hub.hex").exists()
    die, hub = made.stdout.splitlines()[-2:]
    assert die.startswith("die: ")
    assert hub.startswith("hub: ")
    assert "bytes of flash (limit 16384)" in die


@pytest.mark.slow
@needs_avr_gcc
@pytest.mark.parametrize("limits", ["DIE_LIMITS=10000 1024", "HUB_LIMITS=12288 900"])
def test_too_large_image_is_an_error(images, limits):
    build, _ = images
    made = make(build, "sizes", limits)
    assert made.returncode != 0
    assert "is too large." in made.stderr


def test_flashing_a_die_requires_a_number(tmp_path):
    made = make(tmp_path, "flash-die", "AVRDUDE=true")
    assert made.returncode != 0
    assert "Set ID=1 to ID=8" in made.stderr


@pytest.mark.parametrize("target", [("flash-die", "ID=2"), ("flash-hub",)])
def test_flashing_requires_the_boards_number_and_suggests_a_random_one(tmp_path, target):
    suggested = set()
    for _ in range(3):
        made = make(tmp_path, *target, "AVRDUDE=true", "HUB_BOOT_LOADER=none")
        assert made.returncode != 0
        found = re.search(r"such as the random SET=([0-9]+)\.", made.stderr)
        assert found, made.stderr
        suggested.add(int(found[1]))
    assert len(suggested) > 1
    assert max(suggested) <= 65535


@pytest.mark.slow
@needs_avr_gcc
def test_flashing_writes_the_image_and_the_identity(images):
    build, _ = images
    made = make(build, "flash-die", "AVRDUDE=echo", "ID=2", "SET=7", "PORT=/dev/ttyACM0")
    assert made.returncode == 0, made.stderr
    assert f"flash:w:{build}/die.hex:i -U eeprom:w:{build}/die-2.eep:i" in made.stdout
    assert "-P /dev/ttyACM0" in made.stdout
    hub = make(build, "flash-hub", "AVRDUDE=echo", "SET=7")
    assert hub.returncode == 0, hub.stderr
    rows = (build / "hub-7.hex").read_text().splitlines()
    assert sum(row.startswith(":0E7000") for row in rows) == 1
    assert [row for row in rows if row == ":00000001FF"] == rows[-1:]


@pytest.mark.slow
@needs_avr_gcc
@needs_arm_gcc
def test_an_archive_with_prebuilt_images_is_flashed_without_a_compiler(images, tmp_path):
    build, _ = images
    made = make(build, "release")
    assert made.returncode == 0, made.stderr
    (archive,) = build.glob("urpi-firmware-*.tar.gz")
    first = archive.read_bytes()
    assert make(build, "release").returncode == 0
    assert archive.read_bytes() == first
    shutil.unpack_archive(archive, tmp_path)
    (folder,) = tmp_path.iterdir()
    for target in (("flash-die", "ID=2"), ("flash-hub",)):
        command = [
            "make",
            "-C",
            str(folder),
            "--silent",
            *target,
            "SET=7",
            "CROSS=no-",
            "AVRDUDE=echo",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stderr
        assert "-U flash:w:" in done.stdout
    assert (folder / "prebuilt" / "die.hex").read_bytes() == (build / "die.hex").read_bytes()
    sums = (folder / "prebuilt" / "SHA256SUMS").read_text()
    board, sleep = ((folder / "prebuilt" / f"{name}.uf2").read_bytes() for name in ("die", "sleep"))
    for name, content in (("die", board), ("sleep", sleep)):
        assert f"{hashlib.sha256(content).hexdigest()}  {name}.uf2" in sums
    # The first block of a UF2 file for the address behind the boot loader.
    assert board[:4] == b"UF2\n"
    assert int.from_bytes(board[12:16], "little") == 0x27000
    assert (folder / "build" / "hub-7.hex").read_text().count(":0E7000") == 1
    assert (folder / "build" / "die-2.eep").exists()


@pytest.mark.slow
@needs_gcc
def test_host_tests_pass(tmp_path):
    """They run with AddressSanitizer and UBSan, and include fuzzing of both parsers."""
    made = make(tmp_path, "test")
    assert made.returncode == 0, made.stdout + made.stderr
    assert made.stdout.splitlines()[-1].endswith(" 0 failures")
