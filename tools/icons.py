"""The icons of the installed page, drawn from urpi/page/static/icon.svg: `python -m tools.icons`.

The picture consists of a rounded square, circles and polygons, which is all that is supported.
"""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

STATIC: Final = Path(__file__).parents[1] / "urpi" / "page" / "static"
SOURCE: Final = STATIC / "icon.svg"
FOLDER: Final = STATIC / "icons"
SIZES: Final = {"icon-192.png": 192, "icon-512.png": 512, "touch-180.png": 180}
MASKABLE: Final = "maskable-512.png"
SAFE: Final = 0.8
"""Part of a maskable icon that no mask cuts off (W3C, Web Application Manifest)."""
FINER: Final = 4
COLOURS: Final = 64
_UNITS: Final = 100


def _shapes() -> ET.Element:
    return ET.parse(SOURCE).getroot()  # noqa: S314 - our own file


def icon(size: int) -> Image.Image:
    """Return the picture with transparent corners, `size` pixels wide and high."""
    large = Image.new("RGBA", (FINER * size, FINER * size))
    draw, scale = ImageDraw.Draw(large), FINER * size / _UNITS
    for shape in _shapes():
        _draw(draw, shape, scale)
    return large.reduce(FINER)


def maskable(size: int) -> Image.Image:
    """Return the picture reduced to the safe zone, on a ground without corners."""
    inner = icon(round(SAFE * size))
    at = (size - inner.width) // 2
    picture = Image.new("RGBA", (size, size), _ground())
    picture.paste(inner, (at, at), inner)
    return picture


def _ground() -> str:
    return _shapes()[0].attrib["fill"]


def _draw(draw: ImageDraw.ImageDraw, shape: ET.Element, scale: float) -> None:
    kind, fill = shape.tag.rpartition("}")[2], shape.attrib["fill"]
    if kind == "rect":
        width, height, rx = (
            scale * float(shape.attrib[name]) for name in ("width", "height", "rx")
        )
        draw.rounded_rectangle((0, 0, width - 1, height - 1), rx, fill)
    elif kind == "circle":
        x, y, r = (scale * float(shape.attrib[name]) for name in ("cx", "cy", "r"))
        draw.ellipse((x - r, y - r, x + r, y + r), fill)
    else:
        path = shape.attrib["d"]
        assert re.fullmatch(r"M[-\d. L]+z", path), f"{SOURCE} has a path that is no polygon: {path}"
        numbers = [scale * float(number) for number in re.findall(r"-?[\d.]+", path)]
        draw.polygon(list(zip(numbers[::2], numbers[1::2], strict=True)), fill)


def icons() -> dict[str, Image.Image]:
    """Return every icon by the name of its file."""
    return {name: icon(size) for name, size in SIZES.items()} | {MASKABLE: maskable(512)}


def main() -> None:
    """Write the icons."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in icons().items():
        picture.quantize(COLOURS).save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    main()
