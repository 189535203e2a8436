"""The command line, one module per family of commands; `urpi.cli` joins them."""
