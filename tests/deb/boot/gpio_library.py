"""lgpio, which Raspberry Pi OS has and Debian lacks, compiled for Debian 13 on arm64.

The package index has no wheel of it for this Python; its sources contain the C library, too.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.deb.roots import extracted

VERSION: Final = "0.2.2.0"
PYTHON: Final = "python3.13"
"""The Python of Debian 13."""
_PLACE: Final = "usr/lib/python3/dist-packages"
_COMPILER: Final = "aarch64-linux-gnu-gcc"
_MODULE: Final = "_lgpio.cpython-313-aarch64-linux-gnu.so"


def install_lgpio(root: Path, suite: str) -> None:
    """Compile lgpio and copy it to a root directory, to the folder of Debian's Python packages."""
    include = extracted(f"lib{PYTHON}-dev", suite, "arm64") / "usr/include"
    with TemporaryDirectory(prefix="urpi-lgpio-") as folder:
        source = _unpacked(Path(folder))
        _run(source, "swig", "-python", "-Isrc", "lgpio.i")
        sources = sorted(source.glob("src/lg*.c"))
        options = ("-shared", "-fPIC", "-O2", "-pthread", "-w", "-Isrc", f"-I{include / PYTHON}")
        # After the compiler's own headers, which belong to its C library.
        headers = ("-idirafter", str(include))
        _run(
            source,
            *(_COMPILER, *options, *headers, "-o", _MODULE, "lgpio_wrap.c"),
            *(*map(str, sources), "src/rgpiod.c", "-lrt", "-ldl"),
        )
        for name in (_MODULE, "lgpio.py"):
            shutil.copy(source / name, root / _PLACE)


def _unpacked(folder: Path) -> Path:
    """Return the folder of the sources, downloaded from the package index."""
    options = ("--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder))
    _run(folder, sys.executable, "-m", "pip", "download", *options, f"lgpio=={VERSION}")
    _run(folder, "tar", "--extract", "--file", f"lgpio-{VERSION}.tar.gz")
    return folder / f"lgpio-{VERSION}"


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
