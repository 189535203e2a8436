"""The comparison with golden pictures, and the files that it leaves."""

import pytest
from PIL import Image

from tests.show.views.golden import check_picture


def test_mismatch_writes_the_actual_picture_and_the_difference(tmp_path):
    right, wrong = Image.new("1", (8, 8)), Image.new("1", (8, 8))
    wrong.putpixel((3, 5), 1)
    check_picture("a", right, update=True, folder=tmp_path)
    with pytest.raises(AssertionError, match=r"a\.actual\.png and a\.diff\.png"):
        check_picture("a", wrong, update=False, folder=tmp_path)
    difference = Image.open(tmp_path / "a.diff.png")
    assert difference.getbbox() == (3, 5, 4, 6)
    assert Image.open(tmp_path / "a.actual.png").tobytes() == wrong.tobytes()


def test_match_removes_files_of_an_earlier_mismatch(tmp_path):
    check_picture("a", Image.new("1", (8, 8)), update=True, folder=tmp_path)
    Image.new("1", (8, 8)).save(tmp_path / "a.actual.png")
    check_picture("a", Image.new("1", (8, 8)), update=False, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_error_for_a_missing_golden_picture_names_the_option(tmp_path):
    with pytest.raises(AssertionError, match=r"pytest --update-golden"):
        check_picture("a", Image.new("1", (8, 8)), update=False, folder=tmp_path)
