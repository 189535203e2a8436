"""`urpi template` on the command line."""

import sys
from pathlib import Path

import ezdxf
import pytest
from click.testing import CliRunner

from urpi.cli.main import cli
from urpi.core.errors import UrpiError


def run(*arguments: str) -> bytes:
    result = CliRunner().invoke(cli, ["template", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout_bytes


def error_of(*arguments: str) -> str:
    with pytest.raises(UrpiError) as error:
        CliRunner().invoke(cli, ["template", *arguments], catch_exceptions=False)
    return str(error.value)


@pytest.mark.parametrize(
    ("form", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF-1.5"), ("dxf", b"  0\nSECTION")]
)
def test_each_format_goes_to_standard_output(form: str, start: bytes) -> None:
    assert run("--format", form, "--output", "-").startswith(start)


def test_the_default_file_name_is_that_of_the_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("--part", "drill", "--format", "dxf") == b"Wrote board-drill.dxf\n"
    assert ezdxf.readfile(tmp_path / "board-drill.dxf").audit().has_errors is False


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        (("--output", "board.pdf"), b"%PDF-1.5"),
        (("--output", "board.PDF", "--paper", "a3"), b"%PDF-1.5"),
        (("--output", "board.dxf"), b"  0\nSECTION"),
        (("--output", "board.svg"), b"<?xml"),
        (("--output", "board"), b"<?xml"),
    ],
)
def test_the_format_defaults_to_the_suffix_of_the_file_name(
    arguments: tuple[str, ...], start: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run(*arguments)
    (file,) = tmp_path.iterdir()
    assert file.read_bytes().startswith(start)


def test_the_same_measures_give_the_same_file() -> None:
    for form in ("svg", "pdf"):
        arguments = ("--format", form, "--output", "-", "--square", "61.5", "--no-buttons")
        assert run(*arguments) == run(*arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--square", "12"), "--square is 12 mm; allowed are 30 to 120 mm."),
        (("--paper", "a3"), "--paper applies to PDF only; SVG has one sheet: leave --paper out."),
        (("--output", "/nowhere/x.svg"), "/nowhere/x.svg cannot be written: No such file"),
    ],
)
def test_invalid_options_are_rejected_with_an_error_message(
    arguments: tuple[str, ...], expected: str
) -> None:
    assert expected in error_of(*arguments)


def test_the_error_for_missing_ezdxf_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    assert "pip install 'urpi[template]'" in error_of("--format", "dxf", "--output", "-")
    assert run("--format", "pdf", "--output", "-")


def test_a_board_without_a_display_has_no_window_for_one() -> None:
    arguments = ("--part", "drill", "--format", "dxf", "--output", "-")
    without = run(*arguments, "--oled", "none")
    assert without.startswith(b"  0\nSECTION")
    assert without.count(b"\nLINE\n") + without.count(b"POLYLINE") < (
        run(*arguments).count(b"\nLINE\n") + run(*arguments).count(b"POLYLINE")
    )
