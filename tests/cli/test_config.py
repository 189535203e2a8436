"""`urpi config`."""

from pathlib import Path

from click.testing import CliRunner

from urpi.cli.main import cli
from urpi.config import rendering


def output_of(*words: str, home: Path, **environment: str) -> str:
    runner = CliRunner(env={"HOME": str(home), "URPI_CONFIG": None, **environment})
    return runner.invoke(cli, words, catch_exceptions=False).output


def test_show_prints_where_a_value_comes_from(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[oled]\nrotate = 2\n")
    shown = output_of("--config", str(file), "config", "show", home=tmp_path)
    assert f"rotate = 2  # from {file}:2\n" in shown
    assert "contrast = 128  # from default\n" in shown


def test_the_environment_selects_a_file_and_overrides_a_key(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[oled]\nrotate = 2\n")
    named = {"URPI_CONFIG": str(file), "URPI_OLED_CONTRAST": "10"}
    shown = output_of("config", "show", home=tmp_path, **named)
    assert f"rotate = 2  # from {file}:2\n" in shown
    assert "contrast = 10  # from $URPI_OLED_CONTRAST\n" in shown


def test_the_example_passes_the_check(tmp_path: Path) -> None:
    file = tmp_path / "example.toml"
    file.write_text(output_of("config", "example", home=tmp_path))
    assert file.read_text() == rendering.example_text()
    assert output_of("config", "check", str(file), home=tmp_path) == f"{file} is valid.\n"
