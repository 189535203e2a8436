"""Writes a board's layout: footprints at their places, tracks, ground on both layers, outline."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from wiring.boards import library
from wiring.boards.design import Board, Part, Point, Text
from wiring.boards.identity import unique
from wiring.boards.library import NICKNAME
from wiring.boards.router import GROUND, Track, route
from wiring.boards.sexpr import Node, Word, child, children, dump, parse, word
from wiring.boards.supply import is_placed

ROUTER: Final = Path(__file__).with_name("router.py")
_TRACKS: Final = "tracks "
COPPER: Final = ("F.Cu", "B.Cu")
_LAYERS: Final = {
    "F.Cu": 0, "B.Cu": 2, "F.Adhes": 9, "B.Adhes": 11, "F.Paste": 13, "B.Paste": 15, "F.SilkS": 5,
    "B.SilkS": 7, "F.Mask": 1, "B.Mask": 3, "Dwgs.User": 17, "Cmts.User": 19, "Eco1.User": 21,
    "Eco2.User": 23, "Edge.Cuts": 25, "Margin": 27, "B.CrtYd": 29, "F.CrtYd": 31, "B.Fab": 33,
    "F.Fab": 35,
}  # fmt: skip
"""Layers with the numbers of KiCad 9."""


def layout(board: Board, before: str = "") -> str:
    """Return the text of the board's .kicad_pcb file.

    The areas of ground are not filled: KiCad does it, and `make boards`.

    Args:
        board: what the file describes.
        before: text of the present file. Its tracks are used again if nothing changed on which they
            depend, because their search takes a minute.
    """
    digest = _digest(board)
    open_nets = {pad.net for pad in board.pads()} - set(board.nets) - {""}
    nets = {net: at for at, net in enumerate(["", *board.nets, *sorted(open_nets)])}
    node = word(
        "kicad_pcb",
        word("version", Word("20241229")),
        word("generator", "urpi"),
        word("generator_version", "9.0"),
        word("general", word("thickness", board.thickness), word("legacy_teardrops", False)),
        word("paper", "A4"),
        word(
            "title_block",
            word("title", board.title),
            word("rev", str(board.revision)),
            word("company", "urpi"),
            word("comment", 1, _TRACKS + digest),
        ),
        word("layers", *(_layer(name, number) for name, number in _LAYERS.items())),
        word("setup", word("pad_to_mask_clearance", 0)),
        *(word("net", at, board.named(net)) for net, at in nets.items()),
    )
    node += [_footprint(board, part, nets) for part in board.parts]
    node += _outline(board)
    node += [_text(board, number, text) for number, text in enumerate(board.texts)]
    node += _kept(before, digest) or _copper(board, nets)
    node += _zones(board, nets)
    node.append(word("embedded_fonts", False))
    return dump(node)


def _digest(board: Board) -> str:
    """Return a digest of everything on which the tracks depend, the router's code included."""
    pads = [(pad.net, pad.at, pad.turn, astuple(pad.pad)) for pad in board.pads()]
    areas = (board.outline, board.keepouts, board.laid, board.cuts)
    facts = (*areas, astuple(board.rules), pads, ROUTER.read_text("utf-8"))
    return sha256(repr(facts).encode()).hexdigest()[:16]


def _kept(before: str, digest: str) -> list[Node]:
    """Return the tracks and vias of a file if they have the digest."""
    if f'"{_TRACKS}{digest}"' not in before:
        return []
    file = parse(before)
    return [one for one in file if isinstance(one, list) and one[0] in {"segment", "via"}]


def _layer(name: str, number: int) -> Node:
    return [Word(str(number)), name, Word("signal" if name in COPPER else "user")]


def _footprint(board: Board, part: Part, nets: dict[str, int]) -> Node:
    source = library.footprint(part.footprint)
    x, y, angle = part.place
    texts = {one[1]: one[2] for one in children(library.symbol(part.symbol), "property")}
    values = {
        "Reference": part.reference,
        "Value": part.value,
        "Datasheet": texts.get("Datasheet", ""),
        "Description": texts.get("Description", ""),
    }
    node = word(
        "footprint",
        f"{NICKNAME}:{part.footprint}",
        word("layer", "B.Cu" if part.back else "F.Cu"),
        word("uuid", unique(board.name, part.reference, "footprint")),
        word("at", x, y, angle),
    )
    placed = False
    for number, one in enumerate(source[2:]):
        if not isinstance(one, list) or one[0] in {"version", "generator", "generator_version"}:
            continue
        if one[0] == "layer":
            continue
        if one[0] == "attr" and not is_placed(part):
            one = [*one, *({Word("exclude_from_pos_files")} - set(one))]  # noqa: PLW2901
        key = (board.name, part.reference, "item", str(number))
        if one[0] in {"fp_line", "fp_poly", "fp_circle", "fp_arc", "fp_rect", "pad"} and not placed:
            node.append(word("path", "/" + unique(board.name, part.reference)))
            node.append(word("sheetname", "/"))
            node.append(word("sheetfile", f"{board.name}.kicad_sch"))
            placed = True
        item = _renamed(one, unique(*key))
        if item[0] == "property":
            item[2] = values.get(item[1], item[2])
            _label(item, part)
        if part.back:
            item = _flipped(item)
        if item[0] in {"property", "fp_text", "pad"}:
            _turn(child(item, "at"), angle)
        if item[0] == "pad":
            _connect(board, item, part, nets)
        node.append(item)
    return node


def _renamed(node: Node, uuid: str) -> Node:
    """Return a copy of an item of a footprint with an identifier of its own."""
    return [
        word("uuid", uuid) if isinstance(one, list) and one and one[0] == "uuid" else one
        for one in node
    ]


def _flipped(node: Node) -> Node:
    """Return an item of a footprint that is moved to the other side, mirrored top to bottom."""
    if node[0] == "model":
        return node
    node = [_flipped(one) if isinstance(one, list) else one for one in node]
    if node[0] in {"at", "start", "mid", "end", "center", "xy"}:
        node[2:] = [-float(one) for one in node[2:]]
    elif node[0] in {"layer", "layers"}:
        node[1:] = [_other_side(one) for one in node[1:]]
    elif node[0] == "effects":
        node.append(word("justify", Word("mirror")))
    return node


def _other_side(layer: str) -> str:
    sides = {"F.": "B.", "B.": "F."}
    return sides[layer[:2]] + layer[2:] if layer[:2] in sides else layer


def _label(item: Node, part: Part) -> None:
    if item[1] == "Reference" and part.label is not None:
        child(item, "at")[1:] = list(part.label)
    if item[1] == "Reference" and part.hidden and not children(item, "hide"):
        item.insert(5, word("hide", True))


def _turn(at: Node, angle: float) -> None:
    """Add the part's angle to that of a text or pad, which KiCad stores as seen on the board."""
    total = (float(at[3] if len(at) > 3 else 0) + angle) % 360
    at[3:] = [total] if total else []


def _connect(board: Board, pad: Node, part: Part, nets: dict[str, int]) -> None:
    for pin in library.pins(part.symbol):
        if pin.number == pad[1]:
            net = part.net_of(pin)
            name = [word("pinfunction", pin.name)] if pin.name not in {"", "~"} else []
            pad += [
                word("net", nets[net], board.named(net)),
                *name,
                word("pintype", _type_of(part, pin)),
            ]
            return


def _type_of(part: Part, pin: Any) -> str:
    return pin.kind if pin.number in part.nets else f"{pin.kind}+no_connect"


def _outline(board: Board) -> Iterator[Node]:
    corners = board.outline
    for number, (start, end) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
        yield word(
            "gr_line",
            word("start", *start),
            word("end", *end),
            word("stroke", word("width", 0.1), word("type", Word("default"))),
            word("layer", "Edge.Cuts"),
            word("uuid", unique(board.name, "edge", str(number))),
        )


def _text(board: Board, number: int, text: Text) -> Node:
    font = word("font", word("size", text.height, text.height), word("thickness", 0.15))
    effects = word("effects", font, *([word("justify", Word("mirror"))] if text.back else []))
    return word(
        "gr_text",
        text.text,
        word("at", *text.at, text.angle),
        word("layer", "B.SilkS" if text.back else "F.SilkS"),
        word("uuid", unique(board.name, "text", str(number))),
        effects,
    )


def _copper(board: Board, nets: dict[str, int]) -> Iterator[Node]:
    rules = board.rules
    for number, item in enumerate(route(board)):
        uuid = word("uuid", unique(board.name, "copper", str(number)))
        net = word("net", nets[item.net])
        if isinstance(item, Track):
            yield word(
                "segment",
                word("start", *item.start),
                word("end", *item.end),
                word("width", item.width or rules.track),
                word("layer", COPPER[item.layer]),
                net,
                uuid,
            )
        else:
            size, drill = word("size", rules.via), word("drill", rules.drill)
            yield word("via", word("at", *item.at), size, drill, word("layers", *COPPER), net, uuid)


def _zones(board: Board, nets: dict[str, int]) -> Iterator[Node]:
    gap = word("connect_pads", word("clearance", board.rules.clearance))
    fill = word("fill", True, word("thermal_gap", 0.3), word("thermal_bridge_width", 0.4))
    ground = (nets[GROUND], GROUND)
    yield _zone(board, "ground", ground, board.outline, [gap, word("min_thickness", 0.25), fill])
    ban, may = Word("not_allowed"), Word("allowed")
    for area in board.keepouts:
        rules = word(
            "keepout",
            word("tracks", ban if area.tracks else may),
            word("vias", ban),
            word("pads", may),
            word("copperpour", ban),
            word("footprints", may),
        )
        thin = word("min_thickness", 0.25)
        bare = [word("connect_pads", word("clearance", 0)), thin, rules]
        layers = [COPPER[layer] for layer in area.layers]
        yield _zone(board, area.name, (0, ""), area.corners, bare, layers)


def _zone(  # noqa: PLR0913, PLR0917 - what a zone has, in KiCad's order
    board: Board,
    name: str,
    net: tuple[int, str],
    area: Sequence[Point],
    rest: list[Node],
    layers: Sequence[str] = COPPER,
) -> Node:  # fmt: skip
    return word(
        "zone",
        word("net", net[0]),
        word("net_name", net[1]),
        word("layers", *layers),
        word("uuid", unique(board.name, "zone", name)),
        word("name", name),
        word("hatch", Word("edge"), 0.5),
        *rest,
        word("polygon", word("pts", *(word("xy", *at) for at in area))),
    )
