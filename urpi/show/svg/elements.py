"""SVG and HTML elements as text, with attributes escaped."""

import html
import re
from typing import Final

_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that no document may contain, not even escaped (XML 1.0, section 2.2)."""


def escaped(text: str) -> str:
    """Return a text escaped for a document or an attribute; forbidden characters are replaced.

    >>> escaped('<b> & "Eve"')
    '&lt;b&gt; &amp; &quot;Eve&quot;'
    """
    return html.escape(_NOT_IN_XML.sub("\ufffd", text))


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """Return an element.

    Args:
        name: name of the element.
        content: child elements and escaped texts.
        attributes: attributes that are not None. Underscores in names become hyphens; one at the
            end, which avoids a Python keyword, is dropped.

    >>> element("circle", cx=1.5, stroke_width=2, class_="light")
    '<circle cx="1.5" stroke-width="2" class="light"/>'
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            # Six digits suffice for coordinates, and are equal on every platform.
            text = f"{value:g}" if isinstance(value, float | int) else escaped(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    inside = "".join(content)
    head = " ".join(words)
    return f"<{head}>{inside}</{name}>" if inside else f"<{head}/>"
