"""Reading configurations: values, their origins, and the errors of invalid ones."""

from pathlib import Path

import pytest

from urpi.config import Config, load, read
from urpi.core.errors import UrpiError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "urpi.toml"


def test_without_a_file_the_defaults_apply(tmp_path: Path) -> None:
    settings = load(None, {"HOME": str(tmp_path)})
    assert settings.config == Config()
    assert settings.origin(("timing", "still_ms")) == "default"


def test_a_key_has_its_value_and_its_line(file: Path) -> None:
    file.write_text(
        "# mine\n[timing]\nstill_ms = 200\n[hub.faces]\nd4 = ['blank','gold','blank','silver']\n"
        "own.3 = ['gold', 'gold', 'blank', 'blank']\n"
    )
    settings = read(file)
    assert settings.config.timing.still_ms == 200
    assert settings.config.hub.faces.d4 == ("blank", "gold", "blank", "silver")
    assert settings.config.hub.faces.own == {3: ("gold", "gold", "blank", "blank")}
    assert settings.origin(("timing", "still_ms")) == f"{file}:3"
    assert settings.origin(("timing", "warning_ms")) == "default"


def test_every_kind_of_key_can_be_set(file: Path) -> None:
    file.write_text(
        "[table]\nrules = 'finkel'\noptions = { pieces = '5' }\nlight = 'Ann'\n"
        "[gpio]\nfactory = 'mock'\nchip = 0\n[gpio.pins]\nB4 = 17\nlight = 5\n"
        "[oled]\ni2c_address = 0x3D\nrotate = 2\n[journal]\npath = '~/games.db'\n"
    )
    config = read(file).config
    assert config.table.options == {"pieces": "5"}
    assert (config.gpio.chip, config.gpio.pins) == (0, {"B4": 17, "light": 5})
    assert (config.oled.i2c_address, config.oled.rotate) == (0x3D, 2)
    assert config.journal.file == Path.home() / "games.db"


CLOCK = (
    "table.clock must be minutes for each side, and seconds added after each of its moves, such as "
    "10+5, or 10 alone: 1 to 180 minutes, 0 to 180 seconds; or an empty text for no clock; found "
)
NAME = "table.light must be a name of 40 letters at most, in one line; found "
STILL = "timing.still_ms must be a whole number from 10 to 5000 ms; found "
ADDRESS = "oled.i2c_address must be a whole number from 0x08 to 0x77; found "
FACTORY = 'gpio.factory must be "lgpio" or "rpigpio" or "mock"; found '
PINS = "gpio.pins must be a TOML table of GPIO numbers from 0 to 27 by square (A1 .. C8)"
OWN = "hub.faces.own must be a TOML table of die numbers from 1, each with a list of 4 of "
TIPS = 'hub.faces.d4 must be a list of 4 of "gold", "silver" and "blank"; found '


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[table]\nclock = 10", 2, f"{CLOCK}10."),
        ("[table]\nclock = '0'", 2, f'{CLOCK}"0".'),
        ("[table]\nclock = '10+5s'", 2, f'{CLOCK}"10+5s".'),
        ("[table]\nclock = '1000'", 2, f'{CLOCK}"1000".'),
        ("still = 1", 1, "the file has no key 'still'; there are table, gpio, "),
        ("[timing]\n\nstil_ms = 1", 3, "[timing] has no key 'stil_ms'; did you mean still_ms."),
        ("[timng]", 1, "the file has no key 'timng'; did you mean timing."),
        ("[hub.faces]\nd5 = 1", 2, "[hub.faces] has no key 'd5'; there are d4, own."),
        ("[timing]\nstill_ms = 9", 2, STILL + "9."),
        ("[timing]\nstill_ms = '200'", 2, STILL + '"200".'),
        ("[timing]\nstill_ms = 200.0", 2, STILL + "200.0."),
        ("[timing]\nstill_ms = true", 2, STILL + "true."),
        ("timing = 5", 1, "timing must be a TOML table; found 5."),
        ("[[timing]]", 1, "timing must be a TOML table; found [{}]."),
        ("[oled]\nrotate = 1", 2, "oled.rotate must be 0 or 2; found 1."),
        ("[oled]\nrotate = false", 2, "oled.rotate must be 0 or 2; found false."),
        ("[oled]\nrotate = []", 2, "oled.rotate must be 0 or 2; found []."),
        ("[oled]\ni2c_address = 0x80", 2, ADDRESS + "128."),
        ("[gpio]\nfactory = 'pigpio'", 2, FACTORY + '"pigpio".'),
        ("[gpio]\npins = { Z9 = 4 }", 2, PINS),
        ("[gpio]\npins = { A1 = 28 }", 2, PINS),
        ("[gpio]\npins = { A1 = [] }", 2, PINS),
        ("[gpio.pins]\nA1 = 4\nA2 = 4", 1, PINS),
        ("[hub.faces]\nd4 = ['gold']", 2, TIPS + '["gold"].'),
        ("[hub.faces]\nd4 = ['gold', 'gold', 'gold', 5]", 2, TIPS),
        ("[hub.faces]\nown = { 0 = ['gold'] }", 2, OWN),
        ("[hub.faces]\nown = { 1 = ['gold'] }", 2, OWN),
        ("[hub]\nport = ''", 2, 'hub.port must be a device\'s path; found "".'),
        ("[table]\nlight = 5", 2, NAME + "5."),
        ('[table]\nlight = "Ann\\u001b[2J"', 2, NAME + '"Ann\\U0000001B[2J".'),
        (f"[table]\nlight = '{'W' * 41}'", 2, NAME + '"' + "W" * 41 + '".'),
        (f"[table]\nlight = '{'W' * 900}'", 2, NAME + '"' + "W" * 70),
        ("[table]\noptions = 5", 2, "table.options must be a TOML table of texts"),
        ("[table]\nrules = 'chess'", 2, "There is no rule set 'chess'; the rule sets are finkel"),
        (
            "[table]\noptions = { pieces = '6' }",
            2,
            "The option pieces of finkel must be 7 or 5 or 3",
        ),
        (
            "[table]\nrules = 'finkel[pieces=3]'\noptions = { pieces = '5' }",
            3,
            "The option pieces is given in finkel[pieces=3] and as pieces=5; give it once.",
        ),
        ("[table]\noptions = { colour = 'red' }", 2, "finkel has no option 'colour'; "),
        (
            "[table]\nlanguage = 'ar'",
            2,
            "The display cannot show the language 'ar'; choose one of en",
        ),
        ("[table]\nlanguage = 'xx'", 2, "There is no translation for the language 'xx'"),
    ],
)
def test_an_invalid_value_is_rejected_with_file_line_and_key(
    file: Path, text: str, line: int, message: str
) -> None:
    file.write_text(text)
    with pytest.raises(UrpiError) as caught:
        read(file)
    text = str(caught.value)
    assert text.startswith(f"{file}:{line}: {message}")
    assert text.endswith(".")
    assert "\n" not in text


def test_an_invalid_value_is_shown_with_at_most_80_characters(file: Path) -> None:
    file.write_text(f"[table]\nlight = '{'W' * 900}'")
    with pytest.raises(UrpiError) as caught:
        read(file)
    assert str(caught.value).endswith(f'found "{"W" * 78}….')


def test_a_byte_order_mark_is_ignored(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf[table]\nrules = 'murray'")
    assert read(file).config.table.rules == "murray"
    assert read(file).origin(("table", "rules")) == f"{file}:2"


def test_invalid_toml_is_rejected_with_line_and_column(file: Path) -> None:
    file.write_text("[table]\nlight light")
    with pytest.raises(UrpiError, match=r"urpi.toml is not TOML: .* \(at line 2, column 7\)\.$"):
        read(file)


def test_a_missing_file_is_an_error(file: Path) -> None:
    with pytest.raises(UrpiError, match="cannot be read: No such file"):
        load(file, {})


def test_a_binary_file_is_an_error(file: Path) -> None:
    file.write_bytes(b"light = \xff")
    with pytest.raises(UrpiError, match="is not UTF-8 text: byte 8 is invalid"):
        read(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[table]\nlight = " + "[" * 450 + "]" * 450, "nested too deeply"),
        ("x = " + "[" * 150 + "]" * 150, "the file has no key 'x'"),
        ("x = " + "[\n" * 5000, "nested too deeply"),
        ("[table]\noptions = " + "{a=" * 240 + "1" + "}" * 240, "options must be a TOML table"),
        ("[timing]\nstill_ms = " + "1" * 5000, "2: the line has 5011 characters; 1000 are"),
        ("[timing]\nstill_ms = 0x" + "f" * 900, "timing.still_ms must be a whole number"),
        ("[timing]\nstill_ms = inf", "timing.still_ms must be a whole number"),
        ("[timing]\nstill_ms = 0000-00-00", "is not TOML: "),
        ("a" + ".a" * 5000 + " = 1", "1: the line has 10005 characters"),
        ("[hub.faces]\nd4 = [[], {}, 'gold', 1]", "hub.faces.d4 must be a list of 4"),
        ('[journal]\npath = "a\\u0000b"', "journal.path must be"),
        ('[hub]\nport = "/dev/\\u0000"', "hub.port must be"),
        ("# " + "a comment\n" * 8000, "is larger than 65536 bytes"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_extreme_texts_are_rejected_with_a_one_line_message(
    file: Path, text: str, message: str
) -> None:
    file.write_text(text)
    with pytest.raises(UrpiError) as caught:
        read(file)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_an_unknown_home_is_reported_when_the_path_is_used(file: Path) -> None:
    file.write_text("[journal]\npath = '~no-such-user/games.db'")
    config = read(file).config
    with pytest.raises(UrpiError, match=r"journal.path is ~no-such-user/games.db, but this"):
        _ = config.journal.file


def test_as_many_keys_as_fit_are_read_in_one_pass(file: Path) -> None:
    names = [f"k{number}" for number in range(6000)]
    file.write_text("[table]\n" + "".join(f"{name}=1\n" for name in names))
    with pytest.raises(UrpiError, match=r"toml:2: \[table\] has no key 'k0'"):
        read(file)


def test_an_endless_device_is_rejected() -> None:
    with pytest.raises(UrpiError, match="configuration /dev/zero is larger than 65536 bytes"):
        read(Path("/dev/zero"))


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match=r"cannot be read: Is a directory; `urpi config example`"):
        read(tmp_path)


def test_the_first_file_found_is_read(tmp_path: Path) -> None:
    own, named, home = tmp_path / "own.toml", tmp_path / "named.toml", tmp_path / "home"
    usual = home / ".config/urpi/config.toml"
    usual.parent.mkdir(parents=True)
    for place in (own, named, usual):
        place.write_text("")
    environment = {"HOME": str(home), "URPI_CONFIG": str(named)}
    assert load(own, environment).file == own
    assert load(None, environment).file == named
    assert load(None, {"HOME": str(home)}).file == usual


def test_a_variable_overrides_the_file(file: Path) -> None:
    file.write_text("[timing]\nstill_ms = 200\n")
    settings = load(file, {"URPI_TIMING_STILL_MS": "300", "URPI_OLED_I2C_ADDRESS": "0x3D"})
    assert settings.config.timing.still_ms == 300
    assert settings.config.oled.i2c_address == 0x3D
    assert settings.origin(("timing", "still_ms")) == "$URPI_TIMING_STILL_MS"


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("URPI_TIMING_STILL_MS", "soon", "$URPI_TIMING_STILL_MS must be a whole number from 10"),
        ("URPI_TIMING_STILL_MS", "1", "$URPI_TIMING_STILL_MS: timing.still_ms must be a whole"),
        ("URPI_TIMING_STIL_MS", "1", "$URPI_TIMING_STIL_MS does not match a key; did you mean"),
        ("URPI_GPIO_PINS", "A1=4", "$URPI_GPIO_PINS must be a TOML table of GPIO numbers"),
        ("URPI_TABLE_RULES", "chess", "$URPI_TABLE_RULES: There is no rule set 'chess'"),
        ("URPI_OLED_ROTATE", "1", "$URPI_OLED_ROTATE: oled.rotate must be 0 or 2; found "),
    ],
)
def test_an_invalid_variable_is_reported(variable: str, value: str, message: str) -> None:
    with pytest.raises(UrpiError) as caught:
        load(None, {variable: value})
    assert str(caught.value).startswith(message)


def test_a_variable_of_an_unknown_section_is_ignored() -> None:
    assert load(None, {"URPI_SOMETHING": "1"}).config == Config()


def test_a_home_without_access_has_no_file(tmp_path: Path) -> None:
    home = tmp_path / ("x" * 300)
    assert load(None, {"HOME": str(home)}).config == Config()


@pytest.mark.parametrize(("text", "found"), [("true", True), ("false", False)])
def test_true_and_false_are_read_from_file_and_environment(tmp_path, text, found):
    file = tmp_path / "urpi.toml"
    file.write_text(f"[gpio]\nchutes = {text}\n")
    assert read(file).config.gpio.chutes is found
    assert load(file, {"URPI_SOUND_SPEECH": text}).config.sound.speech is found


@pytest.mark.parametrize("text", ["1", "'true'"])
def test_another_value_of_a_flag_is_rejected(tmp_path, text):
    file = tmp_path / "urpi.toml"
    file.write_text(f"[gpio]\nchutes = {text}\n")
    with pytest.raises(UrpiError, match=r"urpi.toml:2: gpio.chutes must be true or false; found"):
        read(file)
