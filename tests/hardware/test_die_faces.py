import pytest

from urpi.core.errors import UrpiError
from urpi.hardware.die_faces import DieFaces


@pytest.mark.parametrize(
    ("kind", "shown"), [(4, ["g", "s", "-", "-"]), (6, ["1", "2", "3", "4", "5", "6"])]
)
def test_faces_of_both_kinds(kind, shown):
    assert [DieFaces().shown(1, kind, face + 1) for face in range(kind)] == shown


def test_single_die_can_have_other_tips():
    faces = DieFaces("-sg-", {3: "ss--"})
    assert [faces.shown(die, 4, 2) for die in (1, 3)] == ["s", "s"]
    assert [faces.shown(die, 4, 1) for die in (1, 3)] == ["-", "s"]


@pytest.mark.parametrize("tips", ["gs-", "gs---", "gsx-", ""])
def test_invalid_tips_are_rejected(tips):
    with pytest.raises(UrpiError, match="four of g, s and -"):
        DieFaces(tips)
    with pytest.raises(UrpiError, match="four of g, s and -"):
        DieFaces(own={1: tips})
