"""Elements of SVG and HTML as text, with everything that comes from outside escaped."""

import html
import re
from typing import Final

_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no document may hold, escaped or not (XML 1.0, 2.2)."""


def escaped(text: str) -> str:
    """A text to stand in a document, in an attribute too; what no document may hold is replaced.

    >>> escaped('<b> & "Eve"')
    '&lt;b&gt; &amp; &quot;Eve&quot;'
    """
    return html.escape(_NOT_IN_XML.sub("\ufffd", text))


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """An element; `content` are finished elements or escaped texts, None attributes are left out.

    An underscore in an attribute's name stands for a hyphen, one at its end for nothing.

    >>> element("circle", cx=1.5, stroke_width=2, class_="light")
    '<circle cx="1.5" stroke-width="2" class="light"/>'
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            text = f"{value:g}" if isinstance(value, float | int) else escaped(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    inside = "".join(content)
    head = " ".join(words)
    return f"<{head}>{inside}</{name}>" if inside else f"<{head}/>"
