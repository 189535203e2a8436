"""Copies symbols and footprints from KiCad's libraries to library/, as contents.toml lists them.

python -m wiring.boards.copy_library /usr/share/kicad
"""

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from wiring.boards.library import LIBRARY, NICKNAME
from wiring.boards.sexpr import Node, Word, child, children, dump, parse, word


def main(kicad: Path) -> None:
    """Write the library anew from the libraries in a folder, which has symbols/ and footprints/."""
    contents = tomllib.loads((LIBRARY / "contents.toml").read_text("utf-8"))
    types = contents["pin_types"]
    found = [_symbol(kicad, *name.split(":"), types.get(name, {})) for name in contents["symbols"]]
    head = [word("version", Word("20241209")), word("generator", "kicad_symbol_editor")]
    library = word("kicad_symbol_lib", *head, word("generator_version", "9.0"), *found)
    (LIBRARY / f"{NICKNAME}.kicad_sym").write_text(dump(library), "utf-8")
    folder = LIBRARY / f"{NICKNAME}.pretty"
    folder.mkdir(exist_ok=True)
    for name in contents["footprints"]:
        group, _, title = name.partition(":")
        source = kicad / "footprints" / f"{group}.pretty" / f"{title}.kicad_mod"
        (folder / source.name).write_text(dump(parse(source.read_text("utf-8"))), "utf-8")


def _symbol(kicad: Path, group: str, name: str, types: Mapping[str, str]) -> Node:
    """Return a symbol; one that extends another is made complete.

    Args:
        kicad: the folder.
        group: the library.
        name: the symbol.
        types: electrical types that differ from the library's, by the pins' numbers.
    """
    file = parse((kicad / "symbols" / f"{group}.kicad_sym").read_text("utf-8"))
    known = {one[1]: one for one in children(file, "symbol")}
    node = known[name]
    for extends in children(node, "extends"):
        base = known[extends[1]]
        own = {one[1]: one for one in children(node, "property")}
        merged = [
            own.get(one[1], one) if isinstance(one, list) and one[0] == "property" else one
            for one in base
        ]
        merged[1] = name
        node = merged
        for unit in children(node, "symbol"):
            unit[1] = unit[1].replace(base[1], name, 1)
    for unit in children(node, "symbol"):
        for pin in children(unit, "pin"):
            pin[1] = Word(types.get(child(pin, "number")[1], pin[1]))
    return node


if __name__ == "__main__":
    main(Path(sys.argv[1]))
