"""`urpi picture`: the file of a position, and what is refused."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from urpi.cli.main import cli
from urpi.core.errors import UrpiError

POSITION = "finkel A3:L,B2:D,B4:L L5D6 L0D0 L"


def test_the_suffix_of_the_file_selects_the_format(tmp_path: Path) -> None:
    for name in ("one.svg", "one.png"):
        path = tmp_path / name
        result = CliRunner().invoke(cli, ("picture", POSITION, "--output", str(path)))
        assert (result.exit_code, result.output) == (0, "")
    assert "Next to throw: Light." in (tmp_path / "one.svg").read_text()
    with Image.open(tmp_path / "one.png") as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
    printed = CliRunner().invoke(cli, ("picture", POSITION)).stdout
    assert printed == (tmp_path / "one.svg").read_text()


def test_a_position_that_is_over_names_the_winner() -> None:
    printed = CliRunner().invoke(cli, ("picture", "finkel - L0D7 L7D0 =")).stdout
    assert "<title>Light wins!</title>" in printed


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("chess",), "There is no rule set"),
        ((POSITION, "--faces", "6"), "cannot show '6'"),
        ((POSITION, "--move", "B4-B6"), "needs a throw"),
        ((POSITION, "--faces", "g---", "--move", "B4-B6"), "not legal after the throw g---"),
        ((POSITION, "--output", "one.gif"), ".svg"),
        ((POSITION, "--output", "one.png", "--format", "svg"), "is that of png, but svg is chosen"),
    ],
)
def test_what_cannot_be_drawn_is_one_error(arguments: tuple[str, ...], named: str) -> None:
    error = CliRunner().invoke(cli, ("picture", *arguments)).exception
    assert isinstance(error, UrpiError)
    assert named in str(error)
