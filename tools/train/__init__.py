"""Training of the networks of `urpi/engine/networks` (docs/contribute): kernels, samples,
optimisation.
"""

from pathlib import Path

from urpi.engine.solver.compiled_cache import discard_outdated

discard_outdated(Path(__file__).parent)
