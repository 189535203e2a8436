"""What is written about the configuration agrees with it."""

from pathlib import Path

from urpi.config import Config, load, paper, read

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "configuration.md"


def test_the_example_is_right_and_is_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "example.toml"
    file.write_text(paper.example())
    assert read(file).config == Config()


def test_what_is_shown_can_be_read_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text('[table]\nlight = "A \\"n\\" \\\\ n\\u200e"\noptions = { pieces = "3" }\n')
    second.write_text("\n".join(paper.shown(read(first))))
    assert read(second).config == read(first).config


def test_every_value_is_shown_with_where_it_came_from(tmp_path: Path) -> None:
    file = tmp_path / "urpi.toml"
    file.write_text("[timing]\n\nstill_ms = 200\n")
    lines = list(paper.shown(load(file, {"URPI_BUTTONS_LONG_PRESS_MS": "700"})))
    assert f"still_ms = 200  # from {file}:3" in lines
    assert "i2c_address = 0x3C  # from default" in lines
    assert "long_press_ms = 700  # from $URPI_BUTTONS_LONG_PRESS_MS" in lines
    assert "# chip is not set  # from default" in lines


def test_the_page_is_as_the_sections_say() -> None:
    assert PAGE.read_text() == paper.page(), "stale: run `make generated`"
