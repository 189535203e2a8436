"""A picture of a die: a tetrahedron with its upper tip, or the face of a cube."""

from urpi.show.svg.elements import element, escaped


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
