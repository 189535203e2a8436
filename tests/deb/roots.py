"""Fresh root directories of Debian, created from the package mirror and stored as archives.

`python -m tests.deb.roots` creates those that are missing. An archive has the system, systemd and
the packages that urpi's package depends on, downloaded but not installed, so that apt installs them
without a network. They are created again when the list of packages changes, or after 30 days.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.booted import BootedRoot
from tests.output import print_line

ROOT: Final = Path(__file__).parents[2]
SUITES: Final = {"bookworm": "Debian 12", "trixie": "Debian 13"}
SYSTEM: Final = ("systemd-sysv", "udev", "dbus", "sudo", "iproute2", "ca-certificates", "man-db")
"""The packages of the system besides the essential ones; Raspberry Pi OS has them, too."""
FIRST_BOOT: Final = ("cloud-init", "netplan.io", "openssh-server")
"""Packages of Raspberry Pi OS based on Debian 13 that configure it at its first boot."""
RECOMMENDED: Final = ("minisign",)
"""What the package recommends and Debian has; `urpi update` verifies signatures with it."""
MAX_AGE_S: Final = 30 * 24 * 3600
CREATION_S: Final = 1200
EMULATED_CREATION_S: Final = 7200
"""The same when QEMU executes the programs of another architecture."""
_CONTROL: Final = ROOT / "tools/deb/debian/control"
# A machine of its own: without the host's network, devices and files.
ENTER: Final = """
mount --bind {root} {root}
cd {root}
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs dev dev
mkdir dev/pts dev/shm
for device in null zero full random urandom tty; do
    touch dev/$device
    mount --bind /dev/$device dev/$device
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs shm dev/shm
mount -t tmpfs run run
mkdir -p was
pivot_root . was
ip link set lo up
umount -l /was
"""
_BOOT: Final = f"""{ENTER}\
exec env -i container=urpi-test /lib/systemd/systemd --unit=multi-user.target --log-target=null \
    --show-status=0
"""


def dependencies() -> list[str]:
    """Return the names of the Debian packages that the package depends on, without systemd's."""
    control = _CONTROL.read_text("utf-8")
    found = re.search(r"^Depends: (.*?)^\S", control, re.MULTILINE | re.DOTALL)
    assert found is not None
    return [name for name in re.findall(r"(?:^|,)\s*([a-z][\w.+-]*)", found[1]) if name]


def archive(
    suite: str,
    others: Sequence[str] = (),
    *,
    system: Sequence[str] = SYSTEM,
    architecture: str = "",
    downloaded: Sequence[str] = (),
) -> Path:
    """Return the stored archive of a suite, which is created if it is missing or too old.

    Args:
        suite: A key of SUITES.
        others: Packages that are installed besides those of the system.
        system: The packages of the system.
        architecture: Debian's name of another architecture, empty for this machine's. The machine
            must be able to execute its programs.
        downloaded: Packages that are downloaded besides those of urpi, so that apt installs them.
    """
    folder = _cache()
    installed = (*system, *others)
    wanted = (*dependencies(), *RECOMMENDED, *downloaded)
    what = " ".join((*installed, *wanted, _BOOT))
    digest = hashlib.sha256(what.encode()).hexdigest()[:12]
    name = "-".join((suite, *filter(None, (architecture,)), *others[:1], *downloaded[:1]))
    path = folder / f"{name}.{digest}.tar.zst"
    with _alone(name):
        if not _is_recent(path):
            print_line(f"Creating {path}")
            for old in folder.glob(f"{name}.*.tar.zst"):
                old.unlink()
            new = folder / f"{name}.new.tar.zst"
            _create(suite, installed, wanted, new, architecture)
            new.rename(path)
    return path


def _create(
    suite: str, installed: Sequence[str], wanted: Sequence[str], path: Path, architecture: str
) -> None:
    mirror = _mirror()
    # The variables are mmdebstrap's: the configuration of the host's apt for the new root.
    download = (
        "APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get --yes --download-only"
        ' --option Dir::Cache::archives="$1/var/cache/apt/archives" install '
    )
    _mmdebstrap(
        *("--quiet", "--variant=minbase", f"--include={','.join(installed)}", "--skip=cleanup/apt"),
        *([f"--architectures={architecture}"] if architecture else []),
        f"--customize-hook={download}{' '.join(wanted)}",
        # Without the system's own packages, which are installed.
        *("--dpkgopt=path-exclude=/usr/share/locale/*", suite, str(path)),
        f"deb {mirror} {suite} main",
        within_s=EMULATED_CREATION_S if architecture else CREATION_S,
    )


def _mmdebstrap(*words: str, within_s: float = CREATION_S) -> None:
    command = ("mmdebstrap", "--aptopt=APT::Install-Recommends false", *words)
    done = subprocess.run(command, capture_output=True, text=True, timeout=within_s, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def extracted(package: str, suite: str, architecture: str = "") -> Path:
    """Return a stored root directory in which a package is unpacked and not installed.

    Its programs can be started by chroot(8). It is created if it is missing or too old.
    """
    root = _cache() / "-".join((suite, *filter(None, (architecture,)), package))
    with _alone(root.name):
        if not _is_recent(root):
            print_line(f"Creating {root}")
            shutil.rmtree(root, ignore_errors=True)
            new = root.with_name(f"{root.name}.new")
            shutil.rmtree(new, ignore_errors=True)
            _mmdebstrap(
                *("--quiet", "--variant=extract", f"--include=base-files,{package}"),
                *([f"--architectures={architecture}"] if architecture else []),
                *(suite, str(new), f"deb {_mirror()} {suite} main"),
            )
            # Its own time is that of a folder of the package.
            os.utime(new)
            new.rename(root)
    return root


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Let another process that wants the same one wait, instead of creating it, too."""
    _cache().mkdir(parents=True, exist_ok=True)
    with (_cache() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "urpi"


def _is_recent(path: Path) -> bool:
    return path.exists() and time.time() - path.stat().st_mtime < MAX_AGE_S


def _mirror() -> str:
    """Return the address of the mirror from which this system installs its own packages."""
    command = ("apt-get", "indextargets", "--format", "$(REPO_URI) $(COMPONENT)")
    only = ("Created-By: Packages", "Origin: Debian")
    done = subprocess.run((*command, *only), capture_output=True, text=True, check=True)
    lines = [line.removesuffix(" main") for line in done.stdout.splitlines()]
    found = [line for line in lines if " " not in line and "security" not in line]
    assert found, "No Debian mirror found in apt's sources; run apt-get update and try again."
    return found[0]


def unpacked(
    suite: str, folder: Path, others: Sequence[str] = (), *, downloaded: Sequence[str] = ()
) -> BootedRoot:
    """Unpack a fresh root directory into an empty folder, and return it, not yet booted."""
    unpack(archive(suite, others, downloaded=downloaded), folder)
    # Without waiting for the disk after each file: the machine's power is cut, not this one's.
    (folder / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
    return _bootable(folder)


def _bootable(folder: Path) -> BootedRoot:
    return BootedRoot(folder, _BOOT.format(root=folder), ("--net", "--uts", "--ipc", "--cgroup"))


def store(machine: BootedRoot, path: Path) -> None:
    """Store a machine that is switched off."""
    command = ("tar", "--create", "--use-compress-program=zstd -1", "--file", path)
    subprocess.run((*command, "--directory", machine.root, "."), check=True)


def restored(source: Path, folder: Path) -> BootedRoot:
    """Unpack a stored machine into an empty folder, and return it, switched off."""
    _extract(source, folder)
    return _bootable(folder)


def _extract(source: Path, folder: Path) -> None:
    subprocess.run(("tar", "--extract", "--file", source, "--directory", folder), check=True)


def unpack(source: Path, folder: Path) -> None:
    """Unpack an archive into an empty folder, as a machine that was never booted."""
    _extract(source, folder)
    for name in ("machine-id", "hostname"):
        (folder / "etc" / name).write_text("" if name == "machine-id" else "board\n")


def remove(folder: Path) -> None:
    """Remove a root directory after it was powered off."""
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    for each in SUITES:
        print_line(f"{SUITES[each]}: {archive(each)}")
    print_line(f"{SUITES['trixie']}, cloud-init: {archive('trixie', FIRST_BOOT)}")
