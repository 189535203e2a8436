"""The kernel: built from Debian's `linux-source` and stored between runs.

It is stored in a cache outside the tree, in a folder named after everything it was built from.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
CONFIG: Final = HERE / "kernel.config"
DEVICE_TREE: Final = HERE / "raspberry-pi-4.dts"
SOURCES: Final = "/usr/src", "linux-source-*.tar.xz"
LONGEST_BUILD_S: Final = 3600

UNPACKED_NOT: Final = (
    "*/Documentation/*/*",
    "*/arch/[a-tv-wyz]*/*.[chS]",
    "*/arch/*/boot/dts",
    "*/drivers/gpu/*.[ch]",
    "*/drivers/infiniband/*.[ch]",
    "*/drivers/media/*.[ch]",
    "*/drivers/net/*/*.[ch]",
    "*/drivers/scsi/*.[ch]",
    "*/drivers/staging/*.[ch]",
    "*/sound/*.[ch]",
    "*/tools/testing/*",
)
"""The parts of the source that User-Mode Linux does not need beyond their Kconfig files."""

RAISED: Final = (
    # gpio-sim uses an interrupt for each line, but User-Mode Linux has only 64.
    (
        "arch/um/include/asm/irq.h",
        r"^(#define NR_IRQS\s+)UM_LAST_SIGNAL_IRQ$",
        r"\1(UM_LAST_SIGNAL_IRQ + 256)",
    ),
    # A tick of 10 ms would be longer than any contact bounce.
    ("arch/um/Kconfig", r"^(config HZ\n\s+int\n\s+default )100$", r"\g<1>1000"),
    # Bytes for the XSAVE state of a process. With AMX it has 11,008, and the host rejects a part.
    (
        "arch/x86/um/user-offsets.c",
        r"^(\s+DEFINE_LONGS\(HOST_FP_SIZE, )2696(\);)$",
        r"\g<1>16384\2",
    ),
)
"""File, text to replace, replacement."""


class KernelError(Exception):
    """The kernel is unavailable; the message contains the reason and the remedy."""


@dataclass(frozen=True)
class Kernel:
    """A kernel that can be started, and its device tree."""

    image: Path
    device_tree: Path


def source() -> Path:
    """Return Debian's newest kernel source on this machine.

    Raises:
        KernelError: If there is none.
    """
    folder, pattern = SOURCES
    found = sorted(Path(folder).glob(pattern), key=_version)
    if not found:
        message = f"There is no {pattern} in {folder}; install Debian's package linux-source."
        raise KernelError(message)
    return found[-1]


def cache() -> Path:
    """Return the folder for kernels and packages."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "urpi"


def folder_of(archive: Path) -> Path:
    """Return the folder for the kernel of an archive, named after everything it is built from."""
    compiler = subprocess.run(["gcc", "--version"], check=True, capture_output=True).stdout
    parts = (archive.name, archive.stat().st_size, archive.stat().st_mtime_ns, RAISED)
    made_of = [repr(parts).encode(), compiler, CONFIG.read_bytes(), DEVICE_TREE.read_bytes()]
    return cache() / f"kernel-{hashlib.sha256(b'|'.join(made_of)).hexdigest()[:16]}"


def kept(folder: Path) -> Kernel | None:
    """Return the kernel stored in a folder, None if there is none."""
    kernel = Kernel(folder / "linux", folder / "raspberry-pi-4.dtb")
    return kernel if kernel.image.exists() and kernel.device_tree.exists() else None


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack the necessary part of the source, and return its folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    without = [f"--exclude={pattern}" for pattern in UNPACKED_NOT]
    _run(["tar", "-xJf", str(archive), "-C", str(folder), "--strip-components=1", *without], folder)
    return folder


def configure(tree: Path) -> None:
    """Raise the limits of User-Mode Linux, and configure the kernel.

    Raises:
        KernelError: If the source is not as expected.
    """
    for name, old, new in RAISED:
        page = (tree / name).read_text()
        changed, count = re.subn(old, new, page, flags=re.MULTILINE)
        if count != 1:
            message = (
                f"{name} of this kernel has no {old!r}; correct RAISED in tests/kernel/kernel.py"
            )
            raise KernelError(message)
        (tree / name).write_text(changed)
    _make(tree, "allnoconfig", KCONFIG_ALLCONFIG=str(CONFIG))
    configured = set((tree / ".config").read_text().splitlines())
    required = [line for line in CONFIG.read_text().splitlines() if line.startswith("CONFIG_")]
    missing = [line for line in required if line not in configured]
    if missing:
        message = (
            f"This kernel cannot have {', '.join(missing)}; correct tests/kernel/kernel.config."
        )
        raise KernelError(message)


def build(tree: Path) -> None:
    """Compile the kernel and the device tree."""
    _make(tree, "linux")
    blob = ["-O", "dtb", "-o", "raspberry-pi-4.dtb", str(DEVICE_TREE)]
    _run([str(tree / "scripts/dtc/dtc"), *blob], tree)


def keep(tree: Path, folder: Path) -> Kernel:
    """Store the built files, without intermediate ones."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("raspberry-pi-4.dtb", "linux"):
        # Moved last, so that an incomplete kernel is never used.
        (tree / name).replace(folder / name)
    shutil.rmtree(tree)
    kernel = kept(folder)
    assert kernel is not None
    return kernel


def _version(archive: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", archive.name)]


def _make(tree: Path, target: str, **environment: str) -> None:
    jobs = f"-j{os.cpu_count() or 1}"
    _run(["make", jobs, "ARCH=um", "SUBARCH=x86_64", target], tree, **environment)


def _run(command: list[str], folder: Path, **environment: str) -> None:
    log = folder / "build.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            ["nice", *command],
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = process.wait(LONGEST_BUILD_S)
        except subprocess.TimeoutExpired as error:
            message = f"{command[0]} has not ended after {LONGEST_BUILD_S} s; see {log}."
            raise KernelError(message) from error
        finally:
            end(process)
    if status:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-20:])
        message = f"{command[0]} failed with {status}; {log} ends with:\n{tail}"
        raise KernelError(message)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started in a session of its own, with all its children."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
