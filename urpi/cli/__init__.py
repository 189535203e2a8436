"""The command line, one module per family of commands; `urpi.cli.main` joins them."""
