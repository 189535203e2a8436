"""Training of the networks of `urpi/networks` (docs/contribute): kernels, samples, optimisation."""
