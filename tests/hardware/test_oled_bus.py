import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image, ImageChops

from urpi.core.errors import UrpiError
from urpi.hardware.oled import open_oled
from urpi.hardware.oled_bus import OledBus

SIZE = (128, 64)
LUMA = {"ssd1306": ssd1306, "ssd1309": ssd1309, "sh1106": sh1106}
KINDS = sorted(LUMA)
# Luma 3.16 draws with Image.getdata, which is deprecated and will be removed in Pillow 14.
luma_draws = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

pictures = st.binary(min_size=1024, max_size=1024).map(
    lambda data: Image.frombytes("1", SIZE, data)
)


def same(one, other):
    return one.tobytes() == other.tobytes()


def upside_down(image):
    return image.transpose(Image.Transpose.ROTATE_180)


def shifted_up(image, lines):
    return ImageChops.offset(image, 0, -lines)


@pytest.fixture
def panel():
    """Return an SSD1306 initialized by luma, with a picture."""
    bus = OledBus("ssd1306")
    device = open_oled("ssd1306", bus)
    picture = Image.effect_noise(SIZE, 100).convert("1")
    device.display(picture)
    return bus, picture


@luma_draws
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, deadline=None)
@given(picture=pictures)
def test_the_picture_sent_by_lumas_driver_is_visible(kind, picture):
    bus = OledBus(kind)
    LUMA[kind](bus).display(picture)
    assert same(bus.picture(), picture)


@luma_draws
@pytest.mark.parametrize("kind", KINDS)
def test_an_upside_down_panel_shows_the_picture_rotated(kind):
    bus = OledBus(kind)
    picture = Image.effect_noise(SIZE, 100).convert("1")
    LUMA[kind](bus, rotate=2).display(picture)
    assert same(upside_down(bus.picture()), picture)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None)
@given(st.lists(pictures, min_size=1, max_size=4))
def test_partial_updates_show_the_same_picture(kind, shown):
    bus = OledBus(kind)
    device = open_oled(kind, bus)
    for picture in shown:
        device.display(picture)
        assert same(bus.picture(), picture)


def test_the_glass_is_dark_until_it_is_switched_on():
    bus = OledBus("ssd1306")
    bus.command(0x8D, 0x14)
    assert not bus.lit
    assert bus.picture().getbbox() is None
    bus.command(0xAF)
    assert bus.picture().getbbox()


def test_an_ssd1306_without_its_charge_pump_stays_dark():
    bus = OledBus("ssd1306")
    bus.command(0xAF)
    assert not bus.lit


def test_ram_that_was_never_written_is_visible():
    bus = OledBus("sh1106")
    bus.command(0xAF, 0xC8, 0xA1, 0xB0, 0x02, 0x10)
    bus.data([0] * 128)
    assert bus.picture().getbbox() == (0, 9, 128, 64)


CHANGES = {
    "switched off": ([0xAE], lambda _: Image.new("1", SIZE)),
    "off and on again": ([0xAE, 0xAF], lambda picture: picture),
    "inverse": ([0xA7], ImageChops.invert),
    "inverse and normal": ([0xA7, 0xA6], lambda picture: picture),
    "all on": ([0xA5], lambda _: Image.new("1", SIZE, 1)),
    "commons not remapped": (
        [0xC0],
        lambda picture: picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
    ),
    "start line": ([0x40 + 10], lambda picture: shifted_up(picture, 10)),
    "offset": ([0xD3, 60], lambda picture: shifted_up(picture, 60)),
    "segments remapped back after writing": ([0xA0], lambda picture: picture),
    "a command that is none of ours": ([0xE3], lambda picture: picture),
    "contrast": ([0x81, 0xA7], lambda picture: picture),
    "scrolling set up, and never begun": ([0x26, 0, 0, 0, 7, 0, 0xFF], lambda picture: picture),
}


@pytest.mark.parametrize("case", CHANGES)
def test_registers_change_the_visible_picture(panel, case):
    bus, picture = panel
    commands, seen = CHANGES[case]
    bus.command(*commands)
    assert same(bus.picture(), seen(picture))


def test_a_command_can_be_sent_byte_by_byte(panel):
    bus, picture = panel
    for byte in (0x81, 0xA7, 0xA7):
        bus.command(byte)
    assert bus.contrast == 0xA7
    assert same(bus.picture(), ImageChops.invert(picture))


def test_fewer_lines_leave_the_top_of_the_glass_dark(panel):
    bus, picture = panel
    bus.command(0xA8, 31)
    assert same(bus.picture().crop((0, 32, 128, 64)), picture.crop((0, 0, 128, 32)))
    assert bus.picture().crop((0, 0, 128, 32)).getbbox() is None


def upright(kind):
    bus = OledBus(kind)
    open_oled(kind, bus)
    return bus


def lit(bus):
    picture = bus.picture()
    return {(x, y) for x in range(128) for y in range(64) if picture.getpixel((x, y))}


@pytest.mark.parametrize(
    ("mode", "pixels"),
    [
        (0, {(10, 16), (11, 16), (10, 24), (11, 24)}),
        (1, {(10, 16), (10, 24), (11, 16), (11, 24)}),
        (2, {(10, 16), (11, 16), (12, 16), (13, 16)}),
    ],
)
def test_writing_continues_in_the_window_of_the_addressing_mode(mode, pixels):
    bus = upright("ssd1306")
    bus.command(0x20, mode, 0x21, 10, 11, 0x22, 2, 3)
    bus.data([1, 1, 1, 1])
    assert lit(bus) == pixels


def test_horizontal_and_vertical_addressing_wrap_around_in_their_window():
    for mode in (0, 1):
        bus = upright("ssd1306")
        bus.command(0x20, mode, 0x21, 10, 11, 0x22, 2, 3)
        bus.data([0xFF] * 4 + [0] * 4)
        assert lit(bus) == set()


def test_vertical_addressing_goes_down_first():
    bus = upright("ssd1306")
    bus.command(0x20, 1, 0x21, 10, 11, 0x22, 2, 3)
    bus.data([1, 1])
    assert lit(bus) == {(10, 16), (10, 24)}


def test_page_addressing_of_an_ssd1306_wraps_around_in_the_page():
    bus = upright("ssd1306")
    bus.command(0x20, 2, 0xB1, 0x0F, 0x17)
    bus.data([1, 1])
    assert lit(bus) == {(127, 8), (0, 8)}


def test_the_glass_of_an_sh1106_starts_at_the_third_column():
    bus = upright("sh1106")
    bus.command(0xB7, 0x00, 0x10)
    bus.data([0xFF, 0xFF, 0x80])
    assert lit(bus) == {(0, 63)}


@settings(max_examples=20, deadline=None)
@given(picture=pictures, offset=st.integers(0, 4), upside_down=st.booleans())
def test_an_sh1106_whose_glass_begins_at_another_column_shows_the_whole_picture(
    picture, offset, upside_down
):
    bus = OledBus("sh1106", offset)
    open_oled("sh1106", bus, upside_down=upside_down, column_offset=offset).display(picture)
    assert same(bus.picture(), upside_down_if(picture, upside_down))


def upside_down_if(picture, turned):
    return upside_down(picture) if turned else picture


@pytest.mark.parametrize(("offset", "stray"), [(0, {0, 1}), (4, {126, 127})])
def test_the_usual_column_shows_two_columns_of_old_ram_on_other_glass(offset, stray):
    bus = OledBus("sh1106", offset)
    open_oled("sh1106", bus).display(Image.new("1", SIZE, 1))
    full = {
        x for x in range(128) if bus.picture().crop((x, 0, x + 1, 64)).getextrema() == (255, 255)
    }
    assert set(range(128)) - full == stray


def test_an_ssd1309_needs_no_charge_pump():
    bus = OledBus("ssd1309")
    bus.command(0xAF)
    assert bus.lit


def test_an_unknown_controller_is_an_error():
    with pytest.raises(UrpiError, match=r"no OLED controller 'st7735'.*ssd1306, ssd1309, sh1106"):
        OledBus("st7735")
