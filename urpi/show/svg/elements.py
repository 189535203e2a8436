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


def html_document(head: str, body: str, language: str, direction: str) -> str:
    """Return an HTML document of these two elements, in a language and the direction of it."""
    root = element("html", head, body, lang=language, dir=direction if direction == "rtl" else None)
    return f"<!DOCTYPE html>\n{root}\n"


def arrow_head(name: str, **look: str) -> str:
    """Return a marker for the ends of lines, with an id and the attributes of its shape."""
    return element(
        "marker",
        element("path", d="M0 0L8 4L0 8z", **look),
        id=name,
        viewBox="0 0 8 8",
        refX=6,
        refY=4,
        markerWidth=4,
        markerHeight=4,
        orient="auto",
    )


def die_picture(face: str | None) -> str:
    """Return the picture of a die.

    Args:
        face: ``g``, ``s`` or ``-`` for the tip of a tetrahedron, ``1`` to ``6`` for a cube, None
            for a tetrahedron that has not been thrown.
    """
    drawn = _cube(face) if face is not None and face.isdigit() else _tetrahedron(face)
    title = element("title", escaped(face or "?"))
    return element("svg", title, *drawn, viewBox="0 0 46 46", class_="face", role="img")


def _tetrahedron(face: str | None) -> tuple[str, ...]:
    body = element("path", d="M23 4L43 40H3z", class_="body", stroke_linejoin="round")
    edges = element("path", d="M23 4V30L3 40M23 30L43 40", fill="none", stroke="#14171b")
    if face is None:
        return body, edges, element("text", "?", x=17, y=36)
    tip = {"g": "g", "s": "s"}.get(face, "blank")
    return body, edges, element("path", d="M23 4L32.5 21L23 26L13.5 21z", class_=tip)


def _cube(face: str) -> tuple[str, ...]:
    body = element("rect", x=4, y=4, width=38, height=38, rx=7, class_="body")
    return body, element("text", escaped(face), x=23, y=31, text_anchor="middle")
