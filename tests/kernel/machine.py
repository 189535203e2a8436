"""A Debian booted with systemd inside the kernel: the host's files below a writable overlay.

The tests are in the scene (`tests/kernel/scenes/service.py`).
"""

import compileall
import os
import shlex
import shutil
import site
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.booted import COMMAND_S, BootedRoot
from tests.kernel.guest import mount

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = "/usr/local/bin/urpi"
"""The folder in which the machine has urpi installed."""

_SYSTEMD: Final = "/lib/systemd/systemd"
_NOT_STARTED: Final = ("etc/systemd/system", "lib/systemd/system", "usr/lib/systemd/system")
"""The host's folders of unit links, below which its own services are enabled."""
# systemd is the first process of its own PID namespace, with a root of its own, as on a card.
_BOOT: Final = f"""
mount -t proc proc {{root}}/proc
mount --rbind /sys {{root}}/sys
mount --rbind /dev {{root}}/dev
mount -t tmpfs run {{root}}/run
mount -t tmpfs tmp {{root}}/tmp
mkdir -p {{root}}/was
cd {{root}}
pivot_root . was
umount -l /was
exec env -i container=kernel-test {_SYSTEMD} --unit=multi-user.target --log-target=null \
    --show-status=0
"""


class Machine(BootedRoot):
    """A machine with its own files above the host's, which can be booted repeatedly."""

    def __init__(self, place: Path) -> None:
        """Create the files below a folder, which must be on a tmpfs."""
        root, upper, work = place / "root", place / "upper", place / "work"
        for folder in (place, root, upper, work):
            folder.mkdir()
        mount("overlay", root, "overlay", f"lowerdir=/,upperdir={upper},workdir={work}")
        super().__init__(root, _BOOT.format(root=shlex.quote(str(root))))
        self._take_services_away()
        self._install()

    def _take_services_away(self) -> None:
        for folder in _NOT_STARTED:
            links = (self.root / folder).glob("*.target.wants/*")
            for link in links:
                if link.parent.name.startswith(("multi-user", "graphical", "timers", "sockets")):
                    link.unlink()

    def _install(self) -> None:
        """Install the program with this environment's packages where every user can read it.

        As pip and the Debian package do, it is compiled: otherwise each start compiles it.
        """
        program_folder = self.root / "opt/urpi/program"
        no_bytecode = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "urpi", program_folder / "urpi", ignore=no_bytecode)
        compileall.compile_dir(program_folder, quiet=1, stripdir=self.root, prependdir="/")
        libraries = os.environ.get("PYTHONPATH", "").split(":")
        found: list[str] = ["/opt/urpi/program"]
        for number, path in enumerate([*libraries, *site.getsitepackages()]):
            inside = Path("/opt/urpi") / str(number)
            if Path(path).is_dir():
                (self.root / inside.relative_to("/")).mkdir(parents=True)
                _bind(Path(path), self.root / inside.relative_to("/"))
                found.append(str(inside))
        python = Path(os.path.realpath(sys.executable))
        for folder in python.parents[:-1]:
            inside = self.root / folder.relative_to("/")
            inside.chmod(inside.stat().st_mode | 0o055)
        program = self.root / PROGRAM.removeprefix("/")
        program.write_text(
            f"#!{python} -B\nimport sys\nsys.path[:0] = {found}\n"
            "from urpi.cli.main import main\nmain()\n"
        )
        program.chmod(0o755)


def _bind(what: Path, where: Path) -> None:
    subprocess.run(["mount", "--bind", str(what), str(where)], check=True, timeout=COMMAND_S)
