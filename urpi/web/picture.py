"""The OLED's picture as a PNG."""

from base64 import b64encode
from io import BytesIO

from PIL import Image


def png(picture: Image.Image) -> bytes:
    """A picture as the bytes of a PNG file."""
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def data_url(image: bytes) -> str:
    """A PNG file as an address that holds it."""
    return f"data:image/png;base64,{b64encode(image).decode()}"
