#!/usr/bin/env python3
"""Generate the C headers and the Python module from the protocols' TOML files, or check them.

protocol.toml is for the serial line between the hub and the Pi, air.toml for the radio between
the two images. Only the standard library is used, so that the firmware can be built on a bare
Debian.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path("firmware/protocol.toml")
HEADER = Path("firmware/common/protocol.h")
MODULE = Path("urpi/hardware/protocol_constants.py")
AIR_PAGE = Path("firmware/air.toml")
AIR_HEADER = Path("firmware/common/air_protocol.h")
ORIGIN = "Made by firmware/generate_protocol.py from firmware/protocol.toml; edit that instead."


def number(entry: dict[str, Any]) -> str:
    """Return a constant's value as written in both languages, hexadecimal if it has `digits`."""
    return f"0x{entry['value']:0{entry['digits']}X}" if "digits" in entry else str(entry["value"])


def c_number(text: str) -> str:
    """Return a number with the suffix required where `int` has 16 bits.

    >>> [c_number(text) for text in ("1000", "0xFFFF", "115200")]
    ['1000', '0xFFFFU', '115200UL']
    """
    value = int(text, 0)
    return text + ("UL" if value > 0xFFFF else "U" if value > 0x7FFF else "")


def sentence(text: str) -> str:
    """Return a description as a docstring.

    >>> sentence("bits a second; 8N1")
    'Bits a second; 8N1.'
    """
    return f"{text[0].upper()}{text[1:]}."


def define(name: str, value: str, doc: str) -> str:
    """Return one line of the header."""
    return f"#define PROTOCOL_{name} {value} /* {doc} */"


def air_enum(kind: str, entries: dict[str, str]) -> Iterator[str]:
    """Yield an enumeration of the radio protocol, each member with its description."""
    yield ""
    yield f"enum air_{kind} {{"
    for name, doc in entries.items():
        yield f"    AIR_{kind.upper()}_{name.upper()}, /* {doc} */"
    yield f"    AIR_{kind.upper()}_COUNT"
    yield "};"


def air_header(page: dict[str, Any]) -> str:
    """Return the radio protocol's C header."""
    origin = ORIGIN.replace(PAGE.name, AIR_PAGE.name)
    lines = [f"/* {origin} */", "#ifndef URPI_AIR_PROTOCOL_H", "#define URPI_AIR_PROTOCOL_H", ""]
    for name, entry in page["constants"].items():
        lines.append(f"#define AIR_{name} {c_number(number(entry))} /* {entry['doc']} */")
    lines.append("")
    lines.extend(f"#define AIR_NODE_{name} 0x{byte:02X}" for name, byte in page["nodes"].items())
    lines.extend(air_enum("command", page["commands"]))
    lines.extend(air_enum("fault", page["faults"]))
    return "\n".join([*lines, "", "#endif", ""])


def c_texts(kind: str, entries: dict[str, str]) -> Iterator[str]:
    """Yield an enumeration and the text of each of its members."""
    names = [name.upper() for name in entries]
    yield ""
    for name, (text, doc) in zip(names, entries.items(), strict=True):
        yield define(f"{kind}_{name}_TEXT", f'"{text}"', doc)
    yield f"enum protocol_{kind.lower()} {{"
    yield from (f"    PROTOCOL_{kind}_{name}," for name in names)
    yield f"    PROTOCOL_{kind}_COUNT"
    yield "};"


def header(page: dict[str, Any]) -> str:
    """Return the serial protocol's C header."""
    lines = [f"/* {ORIGIN} */", "#ifndef URPI_PROTOCOL_H", "#define URPI_PROTOCOL_H", ""]
    for name, entry in page["constants"].items():
        lines.append(define(name, c_number(number(entry)), entry["doc"]))
    lines.append("")
    for key, entry in page["ranges"].items():
        for end, value in (("MIN", entry["low"]), ("MAX", entry["high"])):
            lines.append(define(f"{key.upper()}_{end}", c_number(str(value)), entry["doc"]))
    lines.extend(c_texts("TYPE", page["types"]))
    lines.extend(c_texts("STATE", page["states"]))
    lines.extend(c_texts("ERROR", page["errors"]))
    return "\n".join([*lines, "", "#endif", ""])


def python_texts(name: str, doc: str, entries: dict[str, str]) -> Iterator[str]:
    """Yield a tuple of texts, one per line."""
    yield f"{name}: Final = ("
    yield from (f'    "{text}",  # {meaning}' for text, meaning in entries.items())
    yield from (")", f'"""{doc}"""', "")


def python_vocabulary(name: str, alias: str, doc: str, entries: dict[str, str]) -> Iterator[str]:
    """Yield a type of texts, one per line, and the tuple of them."""
    yield f"{alias}: TypeAlias = Literal["
    yield from (f'    "{text}",  # {meaning}' for text, meaning in entries.items())
    yield from ("]", f"{name}: Final[tuple[{alias}, ...]] = get_args({alias})", f'"""{doc}"""', "")


def module(page: dict[str, Any]) -> str:
    """Return the Python module."""
    lines = ['"""The serial protocol\'s constants.', "", ORIGIN, '"""', ""]
    lines.append("from types import MappingProxyType")
    lines += ["from typing import Final, Literal, TypeAlias, get_args", ""]
    for name, entry in page["constants"].items():
        lines += [f"{name}: Final = {number(entry)}", f'"""{sentence(entry["doc"])}"""']
    lines.append("")
    lines += python_texts("TYPES", "The lines' types.", page["types"])
    states = "The states that a die or the hub reports."
    lines += python_vocabulary("STATES", "ReportedState", states, page["states"])
    lines += python_texts("ERRORS", "The errors that dice and the hub report.", page["errors"])
    lines += ["RANGES: Final = MappingProxyType(", "    {"]
    for key, entry in page["ranges"].items():
        lines.append(f'        "{key}": ({entry["low"]}, {entry["high"]}),  # {entry["doc"]}')
    lines += ["    }", ")", '"""The whole numbers that a key may have, both ends allowed."""', ""]
    return "\n".join(lines)


def main() -> int:
    """Write the files, or with --check report whether they are up to date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a file is stale")
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent)
    options = parser.parse_args()
    serial, air = (
        tomllib.loads((options.root / page).read_text(encoding="utf-8"))
        for page in (PAGE, AIR_PAGE)
    )
    stale = False
    for path, text in (
        (HEADER, header(serial)),
        (MODULE, module(serial)),
        (AIR_HEADER, air_header(air)),
    ):
        target = options.root / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale = True
        if options.check:
            sys.stderr.write(f"{path} is stale; run python3 firmware/generate_protocol.py.\n")
        else:
            target.write_text(text, encoding="utf-8")
    return int(stale and options.check)


if __name__ == "__main__":
    sys.exit(main())
