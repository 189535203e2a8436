"""Debian packages as files: complete ones are read, all others are rejected."""

import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from tests.each import each
from tests.install.card.cards import make_package, package_bytes
from urpi.install.card.packages import Package, PackageError, read_package, read_packages

WHOLE = package_bytes()


def test_a_package_is_named_by_what_it_contains(tmp_path: Path) -> None:
    file = make_package(tmp_path, version="0.2.0")
    other = Path(shutil.move(file, tmp_path / "download.deb"))
    assert read_package(other) == Package(
        other, "urpi", "0.2.0", other.stat().st_size, sha256(other.read_bytes()).hexdigest()
    )


@each("size", range(0, len(WHOLE), 7))
def test_a_truncated_package_is_rejected(size: int, tmp_path: Path) -> None:
    file = tmp_path / "urpi_0.1.0_all.deb"
    file.write_bytes(WHOLE[:size])
    with pytest.raises(PackageError, match="is damaged or no Debian package"):
        read_package(file)


def test_exactly_one_package_must_be_urpi(tmp_path: Path) -> None:
    own, other = make_package(tmp_path), make_package(tmp_path, "python3-segno")
    assert [each.name for each in read_packages([own, other])] == ["urpi", "python3-segno"]
    for files, sentence in (
        ([], "found no package"),
        ([other], "found python3-segno"),
        ([own, own], "Two packages have one file name"),
        ([own, make_package(tmp_path, version="0.2.0")], "found urpi, urpi"),
        ([tmp_path / "urpi.deb"], "cannot be read: No such file"),
        ([tmp_path / "a b.zip"], "needs a name such as urpi_0.1.0_all.deb"),
    ):
        with pytest.raises(PackageError, match=sentence):
            read_packages(files)
