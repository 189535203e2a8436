"""The texts generated from the configuration agree with it."""

from pathlib import Path

from urpi.config import Config, load, read, rendering

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "configuration.md"


def test_the_example_is_valid_and_has_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "example.toml"
    file.write_text(rendering.example_text())
    assert read(file).config == Config()


def test_the_settings_printed_can_be_read_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text('[table]\nlight = "A \\"n\\" \\\\ n\\u200e"\noptions = { pieces = "3" }\n')
    second.write_text("\n".join(rendering.settings_lines(read(first))))
    assert read(second).config == read(first).config


def test_every_value_is_printed_with_its_origin(tmp_path: Path) -> None:
    file = tmp_path / "urpi.toml"
    file.write_text("[timing]\n\nstill_ms = 200\n")
    lines = list(rendering.settings_lines(load(file, {"URPI_BUTTONS_LONG_PRESS_MS": "700"})))
    assert f"still_ms = 200  # from {file}:3" in lines
    assert "i2c_address = 0x3C  # from default" in lines
    assert "long_press_ms = 700  # from $URPI_BUTTONS_LONG_PRESS_MS" in lines
    assert "# chip is not set  # from default" in lines


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == rendering.page_text(), "stale: run `make generated`"
