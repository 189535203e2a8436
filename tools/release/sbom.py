"""The list of everything in the Debian package (SBOM), in CycloneDX's format."""

import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.deb.__main__ import LIBRARIES


def write_sbom(package: Path, file: Path) -> None:
    """Write the libraries in a package with their versions, licences and dependencies.

    They are read from the package itself, so that the list cannot differ from it. The libraries
    that Debian installs beside it are in the package's field Depends.

    Args:
        package: The Debian package.
        file: The file to write.
    """
    with TemporaryDirectory(prefix="urpi-sbom-") as temporary:
        folder = Path(temporary)
        inside, empty = folder / "inside", folder / "empty"
        subprocess.run(("dpkg-deb", "--extract", str(package), str(inside)), check=True)  # noqa: S603, S607
        venv.create(empty)
        (site,) = empty.glob("lib/python*/site-packages")
        (site / "package.pth").write_text(f"{inside / LIBRARIES}\n", "utf-8")
        options = ("--output-reproducible", "--of", "JSON", "--output-file", str(file))
        command = (sys.executable, "-m", "cyclonedx_py", "environment", *options)
        subprocess.run((*command, str(empty / "bin/python")), check=True)  # noqa: S603
