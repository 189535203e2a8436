"""Build the kernel or use the stored one, and run the scenes in it.

`python -m tests.kernel [SCENE...]` prints the duration of each stage, the checks and the figures,
and exits with 0 if all checks hold. Most scenes of Bluetooth dice run only if they are named.
Times are checked only with `--judge-times`, on a machine without other work.
`tests/kernel/kernel.py` describes where kernels are stored.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.kernel.kernel import (
    Kernel,
    KernelError,
    build,
    cache,
    configure,
    end,
    folder_of,
    keep,
    kept,
    source,
    unpack,
)
from tests.kernel.other_work import Moment, own_cpu_s
from tests.output import print_line

ROOT: Final = Path(__file__).parents[2]
SCENES: Final = tuple(
    path.stem for path in sorted((Path(__file__).parent / "scenes").glob("[a-z]*.py"))
)
BLUETOOTH: Final = frozenset(name for name in SCENES if name.startswith("bluetooth_"))
ON_REQUEST: Final = BLUETOOTH - {"bluetooth_dice", "bluetooth_game"}
"""Scenes that run only if they are named: they take minutes, or were run too few times so far."""
SIMULATED_TIME: Final = BLUETOOTH
"""Scenes in simulated time, unless times are checked. The controller of a real adapter replies
within milliseconds, and BlueZ ends what takes seconds; a busy machine can pause a simulated one."""
DEBIAN_PACKAGES: Final = (
    *("linux-source", "gcc", "libc6-dev", "make"),
    *("flex", "bison", "bc", "xz-utils"),
    *("systemd", "udev"),
    *("bluez", "dbus"),
)
"""The packages with which a kernel is built and started."""
PACKAGES: Final = "lgpio>=0.2.2", "rpi-lgpio>=0.6", "bleak>=3.1,<4", "bumble==0.0.236"
"""bumble simulates Bluetooth controllers; it is pinned, because its interface still changes."""
MEMORY_MIB: Final = 384
SCENE_S: Final = 1800
BOOT_S: Final = 120


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Print the wall-clock time and the processor time of a stage."""
    began, before = time.monotonic(), own_cpu_s()
    yield
    print_line(f"{name:<32}{time.monotonic() - began:7.1f} s {own_cpu_s() - before:7.1f} s cpu")


def kernel() -> Kernel:
    """Return the stored kernel, or build a new one.

    Raises:
        KernelError: If there is none and none can be built.
    """
    command = [str(ROOT / "tools" / "need-debian-packages"), *DEBIAN_PACKAGES]
    if subprocess.run(command, check=False, timeout=600).returncode:
        message = f"A kernel needs Debian's packages {', '.join(DEBIAN_PACKAGES)}."
        raise KernelError(message)
    archive = source()
    folder = folder_of(archive)
    found = kept(folder)
    if found is not None:
        print_line(f"The kernel is kept in {folder}")
        return found
    tree = cache() / f"building-{os.getpid()}"
    with stage(f"unpack {archive.name.removesuffix('.tar.xz')}"):
        unpack(archive, tree)
    with stage("configure"):
        configure(tree)
    with stage("compile"):
        build(tree)
    return keep(tree, folder)


def packages() -> Path:
    """Install the GPIO libraries of a Pi beside the environment, whose other tests need none.

    Raises:
        KernelError: If they cannot be installed.
    """
    # By interpreter, since lgpio has a compiled part.
    folder = cache() / f"packages-{sys.implementation.cache_tag}"
    stamp = folder / "made"
    if stamp.exists() and stamp.read_text() == str(PACKAGES):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    with stage("install lgpio and rpi-lgpio"):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, "--target", str(folder), *PACKAGES], check=False, timeout=300)
    if done.returncode:
        message = f"{' and '.join(PACKAGES)} could not be installed for {sys.version.split()[0]}."
        raise KernelError(message)
    stamp.write_text(str(PACKAGES))
    return folder


def run(
    kernel: Kernel, libraries: Path, measured: Path, scenes: list[str], *, simulated: bool
) -> None:
    """Start the kernel, and wait until all scenes have ended.

    Args:
        kernel: The kernel.
        libraries: The folder of the packages for its programs.
        measured: The folder for the results.
        scenes: The scenes.
        simulated: Whether time is simulated. Then it advances only while all programs wait, and
            skips what they wait for.

    Raises:
        KernelError: If it does not reach its end.
    """
    places = [ROOT, measured, libraries, Path(sys.executable)]
    if any(" " in str(place) for place in places):
        message = f"Paths with spaces cannot be passed to a kernel: {', '.join(map(str, places))}."
        raise KernelError(message)
    arguments = [
        f"mem={MEMORY_MIB}M",
        f"dtb={kernel.device_tree}",
        # The host's root, read-only: no image has to be built.
        *("root=host", "rootfstype=hostfs", "rootflags=/", "ro"),
        *("con=null", "con0=null,fd:1", "quiet"),
        *(["time-travel=inf-cpu"] if simulated else []),
        *("PYTHONDONTWRITEBYTECODE=1", f"PYTHONPATH={ROOT}:{libraries}"),
        *(f"init={sys.executable}", "--", "-u", "-m", "tests.kernel.guest"),
        *(str(measured), str(SCENE_S), ",".join(scenes)),
    ]
    process = subprocess.Popen(
        [str(kernel.image), *arguments],
        stdin=subprocess.DEVNULL,
        env={**os.environ, **_memory_place(measured)},
        # All processes of the kernel are in one session, so that `end` reaches them.
        start_new_session=True,
    )
    try:
        process.wait(BOOT_S + SCENE_S * len(scenes))
    except subprocess.TimeoutExpired as error:
        message = f"The kernel did not end within {error.timeout:.0f} s."
        raise KernelError(message) from error
    finally:
        # The processes of the kernel are processes of the host too.
        end(process)


def _memory_place(folder: Path) -> dict[str, str]:
    """Return the folder for the kernel's memory; a container's /dev/shm can be too small for it."""
    shared = Path("/dev/shm")
    large = shared.is_dir() and shutil.disk_usage(shared).free > MEMORY_MIB << 20
    return {} if large else {"TMPDIR": str(folder)}


def report(measured: Path, scenes: list[str], *, judge_times: bool) -> bool:
    """Print the checks and figures, and return whether all checks hold."""
    ended = measured / "scenes.json"
    took = {one["scene"]: one for one in json.loads(ended.read_text())} if ended.exists() else {}
    # Every scene is reported, even after one that failed.
    reports = [(measured / f"{name}.json", took.get(name)) for name in scenes]
    held = [_report(path, ended, judge_times=judge_times) for path, ended in reports]
    return all(held)


def _report(path: Path, ended: dict[str, Any] | None, *, judge_times: bool) -> bool:
    found = json.loads(path.read_text()) if path.exists() else {"checks": {}, "figures": {}}
    checks, timed = found["checks"], found.get("timed", {})
    if judge_times:
        checks, timed = checks | timed, {}
    holds = ended is not None and bool(checks) and all(checks.values()) and ended["status"] == 0
    how_long = f"{ended['took_s']:.0f} s" if ended else "never played"
    print_line(f"\n{path.stem}: {how_long}, {'holds' if holds else 'DOES NOT HOLD'}")
    for sentence, true in checks.items():
        print_line(f"  {'ok  ' if true else 'FAIL'} {sentence}")
    for sentence, true in timed.items():
        print_line(f"  {'in time' if true else 'NOT IN TIME'}: {sentence}")
    for name, value in found["figures"].items():
        print_line(f"       {name}: {value}")
    return holds


@contextmanager
def _measured(kept: Path | None) -> Iterator[Path]:
    """The folder in which the scenes write their figures."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
    else:
        with TemporaryDirectory(prefix="urpi-kernel-") as folder:
            yield Path(folder)


def main(words: list[str] | None = None) -> None:
    """Build the kernel, run the scenes, and report the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernel", description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"of {', '.join(SCENES)}")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep what was measured, and the journal, there"
    )
    parser.add_argument(
        "--judge-times", action="store_true", help="fail too when something took too long"
    )
    options = parser.parse_args(words)
    scenes = options.scenes or [name for name in SCENES if name not in ON_REQUEST]
    if unknown := set(scenes) - set(SCENES):
        parser.error(f"there is no scene {', '.join(unknown)}; choose one of {', '.join(SCENES)}")
    system, machine = platform.system(), platform.machine()
    if (system, machine) != ("Linux", "x86_64"):
        print_line(f"test-kernel: SKIPPED, {system} on {machine} has no User-Mode Linux")
        return
    simulated_scenes = frozenset() if options.judge_times else SIMULATED_TIME
    began = time.monotonic()
    try:
        with _measured(options.keep) as folder:
            image, libraries = kernel(), packages()
            before = Moment.now()
            for simulated in (False, True):
                chosen = [one for one in scenes if (one in simulated_scenes) is simulated]
                if chosen:
                    time_is = "simulated time" if simulated else "real time"
                    with stage(f"the scenes in {time_is}"):
                        run(image, libraries, folder, chosen, simulated=simulated)
            others = Moment.now().others_since(before)
            print_line(f"{'taken by other programs':<32}{others:7.0%}")
            holds = report(folder, scenes, judge_times=options.judge_times)
    except KernelError as error:
        sys.exit(f"test-kernel: {error}")
    all_of_it = f"{len(scenes)} scenes, {time.monotonic() - began:.0f} s in all"
    print_line(f"\ntest-kernel: {'everything holds' if holds else 'SOMETHING FAILED'}; {all_of_it}")
    sys.exit(not holds)


if __name__ == "__main__":
    main()
