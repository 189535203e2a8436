"""Writes a board's schematic: every pin has a label with the name of its net."""

from collections.abc import Iterator
from typing import Final

from wiring.boards import library
from wiring.boards.design import Board, Part, Point
from wiring.boards.identity import unique
from wiring.boards.library import NICKNAME, Pin
from wiring.boards.sexpr import Node, Word, children, dump, word
from wiring.boards.supply import is_listed, order_of

STUB: Final = 2.54
"""Length of the wire between a pin and its label."""

_OUTWARDS: Final = {0: (-1, 0), 90: (0, 1), 180: (1, 0), 270: (0, -1)}
"""Direction from a pin's end away from its part, by the angle of the pin's line."""

_LABEL_ANGLE: Final = {(-1, 0): 180, (1, 0): 0, (0, -1): 90, (0, 1): 270}
FLAG: Final = "PWR_FLAG"


def schematic(board: Board) -> str:
    """Return the text of the board's .kicad_sch file."""
    root = unique(board.name, "sheet")
    names = sorted({part.symbol for part in board.parts} | {FLAG})
    node = word(
        "kicad_sch",
        word("version", Word("20250114")),
        word("generator", "urpi"),
        word("generator_version", "9.0"),
        word("uuid", root),
        word("paper", board.paper),
        word(
            "title_block",
            word("title", board.title),
            word("rev", str(board.revision)),
            word("company", "urpi"),
        ),
        word("lib_symbols", *(_definition(name) for name in names)),
    )
    for part in board.parts:
        node += _wires(board, part)
    for number, net in enumerate(board.supplied):
        node += _flag(board, root, number, net)
    for number, (text, at) in enumerate(board.notes):
        node.append(
            word(
                "text",
                text,
                word("exclude_from_sim", False),
                word("at", *at, 0),
                _effects("left"),
                word("uuid", unique(board.name, "note", str(number))),
            )
        )
    node += [_symbol(board, part, root) for part in board.parts]
    node.append(word("sheet_instances", word("path", "/", word("page", "1"))))
    node.append(word("embedded_fonts", False))
    return dump(node)


def _definition(name: str) -> Node:
    node = library.symbol(name)
    node[1] = f"{NICKNAME}:{name}"
    return node


def _effects(*justify: str) -> Node:
    effects = word("effects", word("font", word("size", 1.27, 1.27)))
    if justify:
        effects.append(word("justify", *(Word(one) for one in justify)))
    return effects


def _ends(part: Part) -> dict[Point, Pin]:
    """Return one pin for each place at which the part has pins."""
    x, y = part.sheet
    ends: dict[Point, Pin] = {}
    for pin in library.pins(part.symbol):
        ends.setdefault((round(x + pin.x, 4), round(y - pin.y, 4)), pin)
    return ends


def _wires(board: Board, part: Part) -> Iterator[Node]:
    for (x, y), pin in _ends(part).items():
        key = (board.name, part.reference, pin.number)
        if pin.number not in part.nets:
            if pin.kind != "no_connect":
                yield word("no_connect", word("at", x, y), word("uuid", unique(*key, "open")))
            continue
        dx, dy = _OUTWARDS[pin.angle]
        end = (x + dx * STUB, y + dy * STUB)
        yield _wire((x, y), end, unique(*key, "wire"))
        yield _label(part.nets[pin.number], end, _LABEL_ANGLE[dx, dy], unique(*key, "label"))


def _wire(start: Point, end: Point, uuid: str) -> Node:
    return word(
        "wire",
        word("pts", word("xy", *start), word("xy", *end)),
        word("stroke", word("width", 0), word("type", Word("default"))),
        word("uuid", uuid),
    )


def _label(net: str, at: Point, angle: int, uuid: str) -> Node:
    return word(
        "global_label",
        net,
        word("shape", Word("passive")),
        word("at", *at, angle),
        _effects("right" if angle in {180, 270} else "left"),
        word("uuid", uuid),
    )


def _property(name: str, value: str, at: Point, *, hidden: bool) -> Node:
    node = word("property", name, value, word("at", *at, 0))
    if hidden:
        node.append(word("hide", True))
    node.append(_effects("left"))
    return node


def _symbol(board: Board, part: Part, root: str) -> Node:
    definition = library.symbol(part.symbol)
    pins = library.pins(part.symbol)
    x, y = part.sheet
    right = max((pin.x for pin in pins if pin.angle in {90, 270}), default=0.0)
    top = max((pin.y for pin in pins), default=0.0)
    texts = {one[1]: one[2] for one in children(definition, "property")}
    place = (x + right + 2.54, y - max(top - 2.54, 1.27))
    node = word(
        "symbol",
        word("lib_id", f"{NICKNAME}:{part.symbol}"),
        word("at", x, y, 0),
        word("unit", 1),
        word("exclude_from_sim", False),
        word("in_bom", is_listed(part)),
        word("on_board", True),
        word("dnp", False),
        word("uuid", unique(board.name, part.reference)),
        _property("Reference", part.reference, place, hidden=False),
        _property("Value", part.value, (place[0], place[1] + 1.905), hidden=False),
        _property("Footprint", f"{NICKNAME}:{part.footprint}", (x, y), hidden=True),
        _property("Datasheet", texts.get("Datasheet", ""), (x, y), hidden=True),
        _property("Description", texts.get("Description", ""), (x, y), hidden=True),
    )
    order = order_of(part)
    if order is not None:
        bought = {"Manufacturer": order.maker, "MPN": order.number, "LCSC": order.lcsc}
        bought["JLCPCB_CORRECTION"] = f"0;0;{order.turn:g}" if order.turn else ""
        node += [
            _property(name, text, (x, y), hidden=True) for name, text in bought.items() if text
        ]
    for pin in pins:
        node.append(
            word("pin", pin.number, word("uuid", unique(board.name, part.reference, pin.number)))
        )
    reference = word("path", f"/{root}", word("reference", part.reference), word("unit", 1))
    node.append(word("instances", word("project", board.name, reference)))
    return node


def _flag(board: Board, root: str, number: int, net: str) -> Iterator[Node]:
    """Yield the flag that marks a net as supplied, and its label."""
    x, y = 25.4 + 12.7 * number, 185.42
    key = (board.name, FLAG, net)
    name = f"#FLG{number + 1:02}"
    yield _label(net, (x, y + STUB), 270, unique(*key, "label"))
    yield _wire((x, y), (x, y + STUB), unique(*key, "wire"))
    reference = word("path", f"/{root}", word("reference", name), word("unit", 1))
    yield word(
        "symbol",
        word("lib_id", f"{NICKNAME}:{FLAG}"),
        word("at", x, y, 0),
        word("unit", 1),
        word("exclude_from_sim", False),
        word("in_bom", True),
        word("on_board", True),
        word("dnp", False),
        word("uuid", unique(*key)),
        _property("Reference", name, (x, y), hidden=True),
        _property("Value", FLAG, (x - 2.54, y - 5.08), hidden=False),
        _property("Footprint", "", (x, y), hidden=True),
        _property("Datasheet", "", (x, y), hidden=True),
        _property("Description", "", (x, y), hidden=True),
        word("pin", "1", word("uuid", unique(*key, "1"))),
        word("instances", word("project", board.name, reference)),
    )
