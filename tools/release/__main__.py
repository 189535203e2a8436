"""Build every file of a release from its tag: `python -m tools.release [--output FOLDER]`.

The checkout must be at the tag and unchanged. A second run writes the same bytes.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.deb.__main__ import build as build_package
from tools.release.archives import pack
from tools.release.sbom import write_sbom
from urpi import __version__
from urpi.hardware.template import DrawingPart, Measures, draw, dxf_text, pdf_bytes, svg_text

ROOT: Final = Path(__file__).parents[2]
SUMS: Final = "SHA256SUMS"


def main() -> None:
    """Build the files, and print their paths."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("--public-key", type=Path, metavar="FILE", help="verifies later releases")
    default = ROOT / "build" / "release"
    parser.add_argument("--output", type=Path, default=default, metavar="FOLDER")
    options = parser.parse_args()
    if problem := checkout_problem(__version__):
        sys.exit(problem)
    for path in release(options.output.resolve(), options.public_key):
        print(path)  # noqa: T201 - the command's output


def checkout_problem(version: str) -> str:
    """Return why the checkout is not that of a release, empty if it is.

    Args:
        version: The program's version.
    """
    tag = f"v{version}"
    if changed := _output("git", "status", "--porcelain"):
        first, *others = changed.splitlines()
        more = f" and {len(others)} others" if others else ""
        return f"The checkout has changes ({first.strip()}{more}); commit or remove them."
    if tag not in _output("git", "tag", "--points-at", "HEAD").split():
        return f"The commit has no tag {tag}, the version in urpi/__init__.py; git tag {tag}"
    return ""


def release(output: Path, public_key: Path | None) -> list[Path]:
    """Build every file in an empty folder, and return their paths.

    Args:
        output: The folder; what it contains is deleted.
        public_key: The key with which the Debian package verifies later releases.
    """
    epoch = int(_output("git", "log", "-1", "--format=%ct"))
    os.environ.update(SOURCE_DATE_EPOCH=str(epoch), LC_ALL="C.UTF-8", TZ="UTC")
    # Without it the order of sets, and so of some files' parts, differs between two runs.
    os.environ["PYTHONHASHSEED"] = "0"
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    with TemporaryDirectory(prefix="urpi-release-") as temporary:
        folder = Path(temporary)
        command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(output))
        _run(*command, str(ROOT))
        package, _ = build_package(output, public_key)
        write_sbom(package, output / f"urpi-{__version__}.cdx.json")
        _build_firmware(folder, output)
        _build_boards(folder / f"urpi-boards-{__version__}", output, epoch)
        _draw_templates(folder / f"urpi-templates-{__version__}", output, epoch)
        _build_docs(folder / f"urpi-docs-{__version__}", output, epoch)
    _write_sums(output)
    return sorted(output.iterdir())


def _build_firmware(folder: Path, output: Path) -> None:
    """Build the images of dice and hub, in the archive with which they are flashed."""
    build = folder / "firmware"
    _run("make", "--silent", "-C", str(ROOT / "firmware"), f"BUILD={build}", "release")
    (archive,) = build.glob("*.tar.gz")
    shutil.copy(archive, output)


def _build_boards(folder: Path, output: Path, epoch: int) -> None:
    """Build what a manufacturer of the circuit boards needs."""
    # Below the project, where KiCad's root directory finds it.
    made = ROOT / "build" / "boards"
    _run(sys.executable, "-m", "wiring.boards.order", "--no-pictures")
    folder.mkdir()
    for pattern in ("*-gerber.zip", "*.csv", "*-assembly-*.pdf"):
        for path in made.glob(pattern):
            shutil.copy(path, folder)
    pack(folder, output / f"{folder.name}.tar.gz", epoch)


def _draw_templates(folder: Path, output: Path, epoch: int) -> None:
    """Draw the board of the default measures in every format."""
    folder.mkdir()
    for part in DrawingPart:
        drawing = draw(Measures(), part)
        file = folder / f"board-{part.value}"
        file.with_suffix(".svg").write_text(svg_text(drawing), "utf-8")
        file.with_suffix(".dxf").write_text(dxf_text(drawing), "utf-8")
        file.with_suffix(".pdf").write_bytes(pdf_bytes(drawing, "a4"))
    pack(folder, output / f"{folder.name}.tar.gz", epoch)


def _build_docs(folder: Path, output: Path, epoch: int) -> None:
    """Build the documentation as pages for a browser."""
    strict = ("--fail-on-warning", "--keep-going", "--quiet")
    doctrees = ("--doctree-dir", str(folder.with_name("doctrees")))
    _run(sys.executable, "-m", "sphinx", *strict, *doctrees, str(ROOT / "docs"), str(folder))
    pack(folder, output / f"{folder.name}.tar.gz", epoch)


def _write_sums(output: Path) -> None:
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(output.iterdir())
    ]
    (output / SUMS).write_text("".join(lines), "utf-8")


def _run(*command: str) -> None:
    done = subprocess.run(  # noqa: S603 - the project's own tools
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}`{' '.join(command)}` failed")


def _output(*command: str) -> str:
    done = subprocess.run(  # noqa: S603 - git
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    main()
