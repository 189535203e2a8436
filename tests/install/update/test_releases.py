"""Release files and their signatures, which minisign itself makes and verifies."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.test_cli import urpi
from tests.fuzz import reads, spoilt
from tests.install.card.cards import make_package
from urpi.core.errors import UrpiError
from urpi.install.update.releases import (
    Signature,
    check_key,
    check_signature,
    read_release,
    release_files,
)

KEY = (
    "untrusted comment: minisign public key 4A33B203CE4106C7\n"
    "RWTHBkHOA7IzSqTUGVFIz0EJF592xV8ptzKCwe4IqKNvTHoPJfVZXFi9\n"
)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a pair of keys."""
    folder = tmp_path_factory.mktemp("keys")
    minisign("-G", "-W", "-p", folder / "release.pub", "-s", folder / "release.key")
    return folder


def minisign(*words: str | Path) -> None:
    subprocess.run(("minisign", *words), capture_output=True, check=True)


def test_a_signed_release_may_be_installed_and_no_other(keys: Path, tmp_path: Path) -> None:
    file, key = make_package(tmp_path), keys / "release.pub"
    with pytest.raises(UrpiError, match=r"has no signature; put urpi_0.1.0_all.deb.minisig of the"):
        check_signature(read_release(file, key), key)
    minisign("-S", "-s", keys / "release.key", "-m", file)
    release = read_release(file, key)
    assert (release.signature, release.package.version) == (Signature.VALID, "0.1.0")
    check_signature(release, key)

    make_package(tmp_path, version="0.2.0").replace(file)
    with pytest.raises(UrpiError, match="does not match the release key"):
        check_signature(read_release(file, key), key)
    absent = tmp_path / "absent.pub"
    assert read_release(file, absent).signature is Signature.UNCHECKED
    with pytest.raises(UrpiError, match=r"There is no release key .*absent.pub"):
        check_signature(read_release(file, absent), absent)
    with pytest.raises(UrpiError, match=r"release.key is no public key of minisign"):
        read_release(file, keys / "release.key")


def test_a_release_is_a_package_of_urpi(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match="is python3-segno, not urpi"):
        read_release(make_package(tmp_path, "python3-segno"), tmp_path / "key")


def test_a_folder_contains_releases(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match="contains no release file"):
        release_files(tmp_path)
    new, old = make_package(tmp_path, version="0.2.0"), make_package(tmp_path, version="0.1.0")
    make_package(tmp_path, "python3-segno")
    assert release_files(tmp_path) == [old, new]
    assert release_files(new) == [new]


@given(
    text=st.one_of(
        st.text(), spoilt(KEY).map(lambda found: found.decode("utf-8", "replace")), st.just(KEY)
    )
)
def test_only_public_keys_are_keys(text: str) -> None:
    assert check_key(KEY, "a") == KEY
    reads(lambda found: check_key(found, "minisign.pub"), text)


def test_without_the_package_there_is_nothing_to_update() -> None:
    done = urpi("update", "list")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
