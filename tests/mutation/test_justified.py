"""The reasons in justified.txt: each is of lines that still exist."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
ENTRIES = Path(__file__).with_name("justified.txt").read_text("utf-8").split("\n\n")[1:]


def marked(entry: str, sign: str) -> list[str]:
    return [line[2:].strip() for line in entry.splitlines() if line.startswith(f"{sign} ")]


def test_the_lines_of_every_entry_are_those_of_its_file() -> None:
    stale = []
    for entry in ENTRIES:
        path = ROOT / entry.partition("\n")[0]
        before = [line.strip() for line in path.read_text("utf-8").splitlines()]
        old = marked(entry, "-")
        places = range(len(before) - len(old) + 1)
        if not any(before[at : at + len(old)] == old for at in places):
            stale.append(entry)
    assert not stale, "correct or remove these:\n\n" + "\n\n".join(stale)


def test_every_entry_has_a_change_and_its_reason() -> None:
    for entry in ENTRIES:
        assert marked(entry, "-"), entry
        assert marked(entry, "+"), entry
        assert "\nbecause " in entry
