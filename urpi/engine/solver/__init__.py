"""Compiled code: exact values (`urpi solve`), random games, all rule sets (extra ``solve``)."""

from pathlib import Path

from urpi.engine.solver.compiled_cache import discard_outdated

discard_outdated(Path(__file__).parent)
