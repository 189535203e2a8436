"""`urpi config`."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from urpi.cli.main import cli
from urpi.config import Config, rendering
from urpi.config.keys import each_section
from urpi.hardware import default_pins
from urpi.rules import SQUARE_NAMES


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


def check(file: Path, text: str) -> Result:
    file.write_text(text)
    return CliRunner().invoke(cli, ["config", "check", str(file)])


def test_every_error_of_a_file_is_reported_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "urpi.toml"
    text = """\
[table]
rules = "chess"
language = "xx"
[oled]
rotate = 7
colour = "red"
[journl]
"""
    done = check(file, text)
    assert (done.exit_code, done.stdout) == (2, "")
    found = {line.split(": ")[0] for line in done.stderr.splitlines()}
    assert found == {f"{file}:{number}" for number in (2, 3, 5, 6, 7)}
    assert len(done.stderr.splitlines()) == 5


def test_an_error_at_any_key_hides_none_at_another(tmp_path: Path) -> None:
    file = tmp_path / "urpi.toml"
    keys = [entry.path for _, _, found in each_section(Config()) for entry in found]
    keys = [path for path in keys if len(path) == 2]
    sections = dict.fromkeys(path[0] for path in keys)
    lines = []
    for section in sections:
        lines += [f"[{section}]", *(f"{name} = 1979-05-27" for one, name in keys if one == section)]
    done = check(file, "\n".join(lines))
    assert done.exit_code == 2
    wrong = [number for number, line in enumerate(lines, 1) if not line.startswith("[")]
    assert len(wrong) == len(keys) > 50
    reported = [
        int(line.removeprefix(f"{file}:").split(":")[0]) for line in done.stderr.splitlines()
    ]
    assert reported == wrong


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_two_squares_on_one_pin_are_refused(tmp_path: Path, name: str) -> None:
    other = SQUARE_NAMES[SQUARE_NAMES.index(name) - 1]
    pin = default_pins().contacts()[other]
    done = check(tmp_path / "urpi.toml", f"[gpio]\npins = {{ {name} = {pin} }}\n")
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{tmp_path / 'urpi.toml'}:2: gpio.pins: ")
    assert name in line
    assert other in line
