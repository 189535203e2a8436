"""A card of a Raspberry Pi 3: Debian 13 for arm64 with its own kernel, and urpi installed by apt.

The programs of the other architecture are executed by QEMU's user emulation, as in
`tests.deb.arm`.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.deb.arm.emulated import EmulatedRoot, enable
from tests.deb.boot.gpio_library import install_lgpio
from tests.deb.conftest import put
from tests.deb.roots import archive, dependencies, remove, unpack
from tests.deb.test_life import check_apt

SUITE: Final = "trixie"
ARCHITECTURE: Final = "arm64"
SYSTEM: Final = ("systemd-sysv", "udev", "dbus", "iproute2")
"""The packages of the system besides the essential ones; a root is entered with iproute2."""
KERNEL: Final = ("linux-image-arm64", "initramfs-tools", "i2c-tools")
"""The kernel, its first root directory, and the udev rule for the buses' group."""
PI_3B: Final = "a02082"
"""The revision code of a Raspberry Pi 3B."""
SIZE: Final = "2G"
"""The size of the card's image. QEMU requires a power of two."""
LIKE_RASPBERRY_PI_OS: Final = {
    "etc/modules-load.d/i2c.conf": "i2c-dev\n",
    "etc/udev/rules.d/99-gpio.rules": (
        'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"\n'
    ),
    "etc/fstab": "/dev/mmcblk0 / ext4 defaults,noatime 0 1\n",
}
"""What Raspberry Pi OS has and Debian lacks, by path: device files, and who may open them."""
IMAGE: Final = "card.img"
LOADED: Final = {
    "kernel": "boot/vmlinuz-*",
    "initrd": "boot/initrd.img-*",
    "dtb": "usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb",
}
"""What the firmware of a Pi loads from the card, by QEMU's names of the options."""


def make_card(package: Path, folder: Path) -> None:
    """Install the package in a fresh system, and write `IMAGE` and the files of `LOADED`."""
    root = folder / "root"
    root.mkdir()
    enable(ARCHITECTURE)
    unpack(archive(SUITE, KERNEL, system=SYSTEM, architecture=ARCHITECTURE), root)
    for name, text in LIKE_RASPBERRY_PI_OS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    machine = EmulatedRoot(root)
    check_apt(machine, "install", *dependencies(), put(machine, package))
    check_apt(machine, "clean")
    install_lgpio(root, SUITE)
    subprocess.run(("mkfs.ext4", "-q", "-d", root, folder / IMAGE, SIZE), check=True)
    for name, pattern in LOADED.items():
        (found,) = root.glob(pattern)
        shutil.copy(found, folder / name)
    _add_revision(folder / "dtb")
    remove(root)


def _add_revision(device_tree: Path) -> None:
    """Add what the firmware of a Pi adds to its device tree: the revision, which gpiozero reads."""
    command = ("fdtput", "-p", "-t", "x", device_tree, "/system", "linux,revision", PI_3B)
    subprocess.run(command, check=True)
