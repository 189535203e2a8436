"""A card's boot partition: recognised, written completely or not at all."""

import errno
from pathlib import Path

import pytest

from tests.install.card.cards import make_package, make_partition
from urpi.install.card.partition import BootPartition, PartitionError

TEXTS = {"user-data": "new", "network-config": "new", "cmdline.txt": "new", "meta-data": "new"}


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("config.txt", "is no boot partition of Raspberry Pi OS: it lacks config.txt"),
        ("kernel8.img", "is no boot partition of Raspberry Pi OS: it lacks a kernel"),
        ("user-data", "has no cloud-init: it lacks user-data; flash one that is based on Debian"),
    ],
)
def test_another_folder_is_rejected(missing: str, sentence: str, tmp_path: Path) -> None:
    folder = make_partition(tmp_path / "bootfs")
    (folder / missing).unlink()
    with pytest.raises(PartitionError, match=sentence):
        BootPartition(folder)


def test_the_release_and_whether_it_is_configured(tmp_path: Path) -> None:
    stock = BootPartition(make_partition(tmp_path / "stock"))
    assert (stock.release, stock.is_configured) == ("Raspberry Pi reference 2026-10-01", False)
    imager = {"meta-data": "instance-id: rpi-imager-1760000000000\n"}
    assert BootPartition(make_partition(tmp_path / "imager", **imager)).is_configured


def test_what_is_replaced_is_kept(tmp_path: Path) -> None:
    folder = make_partition(tmp_path / "bootfs")
    before = contents(folder)
    first, second = make_package(tmp_path), make_package(tmp_path, "other")
    partition = BootPartition(folder)
    assert partition.write(TEXTS, "packages", [first, second]) == list(TEXTS)
    after = contents(folder)
    assert {name: after[name] for name in TEXTS} == dict.fromkeys(TEXTS, b"new")
    for name in ("user-data", "cmdline.txt", "meta-data"):
        assert after[f"{name}.before-urpi"] == before[name]
    assert {"packages/" + first.name, "packages/" + second.name} <= set(after)
    assert [name for name in after if "urpi-new" in name] == []

    assert partition.write({**TEXTS, "user-data": "newer"}, "packages", [first]) == ["user-data"]
    assert [name for name in contents(folder) if name.startswith("packages")] == [
        f"packages/{first.name}"
    ]


@pytest.mark.parametrize(
    "obstacle", ["meta-data.urpi-new", "cmdline.txt.before-urpi", "network-config"]
)
@pytest.mark.parametrize("again", [False, True])
def test_a_failed_write_changes_nothing(obstacle: str, again: bool, tmp_path: Path) -> None:
    folder = make_partition(tmp_path / "bootfs", **{"network-config": "a"})
    partition = BootPartition(folder)
    if again:
        partition.write({"user-data": "first"}, "packages", [make_package(tmp_path, version="1")])
    if obstacle == "network-config":
        (folder / obstacle).unlink()
    # A folder with that name, which can be neither written nor replaced.
    (folder / obstacle / "x").mkdir(parents=True)
    (folder / obstacle / "x" / "y").write_text("")
    before = contents(folder)
    names = {path.name for path in folder.iterdir()}
    with pytest.raises(PartitionError) as raised:
        partition.write(TEXTS, "packages", [make_package(tmp_path, version="2")])
    assert len(str(raised.value).splitlines()) == 1
    after = contents(folder)
    assert after == before
    assert {path.name for path in folder.iterdir()} == names


def test_a_full_card_is_rejected_before_anything_is_written(tmp_path: Path) -> None:
    folder = make_partition(tmp_path / "bootfs")
    before = contents(folder)
    huge = tmp_path / "huge.deb"
    with huge.open("wb") as file:
        file.truncate(2**42)
    with pytest.raises(PartitionError, match="KiB free, and 42949"):
        BootPartition(folder).write(TEXTS, "packages", [huge])
    assert contents(folder) == before


@pytest.mark.parametrize("failing", ["meta-data", "user-data.before-urpi"])
@pytest.mark.parametrize("again", [False, True])
def test_a_rename_that_fails_restores_what_was_renamed(
    failing: str, again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card's error cannot be caused here: the rename itself is replaced."""
    folder = make_partition(tmp_path / "bootfs")
    partition = BootPartition(folder)
    if again:
        partition.write({"user-data": "first"}, "packages", [make_package(tmp_path, version="1")])
    before = contents(folder)
    rename = Path.replace

    def fail(path: Path, target: Path) -> Path:
        if target.name == failing:
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PartitionError, match="Input/output error; it is as it was before"):
        partition.write(TEXTS, "packages", [make_package(tmp_path, version="2")])
    assert contents(folder) == before
