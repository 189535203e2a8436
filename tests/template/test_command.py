"""`urpi template`, as it is typed."""

import sys
from pathlib import Path

import ezdxf
import pytest
from click.testing import CliRunner

from urpi.cli import cli
from urpi.errors import UrpiError


def typed(*words: str) -> bytes:
    result = CliRunner().invoke(cli, ["template", *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout_bytes


def refused(*words: str) -> str:
    with pytest.raises(UrpiError) as error:
        CliRunner().invoke(cli, ["template", *words], catch_exceptions=False)
    return str(error.value)


@pytest.mark.parametrize(
    ("form", "begins"), [("svg", b"<?xml"), ("pdf", b"%PDF-1.5"), ("dxf", b"  0\nSECTION")]
)
def test_each_format_goes_to_standard_output(form: str, begins: bytes) -> None:
    assert typed("--format", form, "--output", "-").startswith(begins)


def test_without_a_name_the_file_is_called_for_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert typed("--part", "drill", "--format", "dxf") == b"Wrote board-drill.dxf\n"
    assert ezdxf.readfile(tmp_path / "board-drill.dxf").audit().has_errors is False


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (("--output", "board.pdf"), b"%PDF-1.5"),
        (("--output", "board.PDF", "--paper", "a3"), b"%PDF-1.5"),
        (("--output", "board.dxf"), b"  0\nSECTION"),
        (("--output", "board.svg"), b"<?xml"),
        (("--output", "board"), b"<?xml"),
        (("--output", "board.pdf", "--format", "svg"), b"<?xml"),
    ],
)
def test_the_format_is_what_the_name_says_unless_told(
    words: tuple[str, ...], begins: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed(*words)
    (file,) = tmp_path.iterdir()
    assert file.read_bytes().startswith(begins)


def test_the_same_measures_give_the_same_file() -> None:
    for form in ("svg", "pdf"):
        words = ("--format", form, "--output", "-", "--square", "61.5", "--no-buttons")
        assert typed(*words) == typed(*words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--square", "12"), "--square is 12 mm; it may be 30 to 120 mm."),
        (("--paper", "a3"), "--paper is for a PDF; a SVG is one sheet: leave --paper out."),
        (("--output", "/nowhere/x.svg"), "/nowhere/x.svg cannot be written: No such file"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(words: tuple[str, ...], told: str) -> None:
    assert told in refused(*words)


def test_without_ezdxf_a_dxf_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    assert "pip install 'urpi[template]'" in refused("--format", "dxf", "--output", "-")
    assert typed("--format", "pdf", "--output", "-")
