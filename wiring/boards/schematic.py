"""Writes a board's schematic: wires, and labels for the rails."""

from collections.abc import Container, Iterator, Mapping, Sequence
from math import ceil
from typing import Final

from wiring.boards import library
from wiring.boards.design import Board, Part, Point
from wiring.boards.identity import unique
from wiring.boards.library import NICKNAME
from wiring.boards.sexpr import Node, Word, children, dump, word
from wiring.boards.sheet import GRID, OUTWARDS, Net, ends, point_of, text_place, wires
from wiring.boards.sheet import Node as Place
from wiring.boards.supply import is_listed, order_of

STUB: Final = 2.54
"""Length of the wire between a pin and its label."""

SHEETS: Final = {"A4": (297.0, 210.0), "A3": (420.0, 297.0), "A2": (594.0, 420.0)}
"""Width and height of the papers in millimetres."""
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
        node += _labels(board, part)
    nets = wires(board, SHEETS[board.paper])
    for name in sorted(nets):
        node += _net(board, name, nets)
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


def _labels(board: Board, part: Part) -> Iterator[Node]:
    """Yield the labels of a part's rails, and the marks of its open pins."""
    for (x, y), pin in ends(part).items():
        key = (board.name, part.reference, pin.number)
        if pin.number not in part.nets:
            if pin.kind != "no_connect":
                yield word("no_connect", word("at", x, y), word("uuid", unique(*key, "open")))
        elif part.nets[pin.number] in board.rails:
            dx, dy = OUTWARDS[pin.angle]
            end = (x + dx * STUB, y + dy * STUB)
            yield _wire((x, y), end, unique(*key, "wire"))
            yield _label(part.nets[pin.number], end, _LABEL_ANGLE[dx, dy], unique(*key, "label"))


def _net(board: Board, name: str, nets: Mapping[str, Net]) -> Iterator[Node]:
    """Yield the wires of a net, with a label on one of them."""
    net = nets[name]
    others = {
        node for other, it in nets.items() if other != name for edge in it.edges for node in edge
    }
    straights = net.straights()
    for start, end in straights:
        key = (board.name, name, str(start), str(end))
        yield _wire(point_of(start), point_of(end), unique(*key, "wire"))
    for node in sorted({node for edge in net.edges for node in edge}):
        if net.degree(node) > 2:
            uuid = word("uuid", unique(board.name, name, str(node), "junction"))
            yield word("junction", word("at", *point_of(node)), word("diameter", 0), uuid)
    places = list(net.missed)
    if straights:
        places.append(_label_place(name, net, straights, others))
    for node in places:
        uuid = unique(board.name, name, str(node), "label")
        at = word("at", *point_of(node), 0)
        yield word("label", name, at, _effects("left", "bottom"), word("uuid", uuid))


def _label_place(
    name: str, net: Net, straights: Sequence[tuple[Place, Place]], others: Container[Place]
) -> Place:
    """Return where a wire has its label: beside a pin if it leads there along x.

    A label where another net crosses would connect both.
    """
    length = ceil(1.2 * len(name) / GRID)
    along = [one for one in straights if one[1][0] - one[0][0] > length] or straights
    for start, end in sorted(along, key=lambda one: not {*one} & {*net.pins}):
        places = [(x, start[1]) for x in range(start[0], end[0] + 1)]
        if end in net.pins:
            places = places[max(len(places) - length - 2, 0) :]
        for place in places:
            if place not in others and place not in net.pins:
                return place
    return net.pins[0]


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
    texts = {one[1]: one[2] for one in children(definition, "property")}
    place = text_place(part)
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
