"""The command line, a module a family of commands; `urpi.cli` joins them."""
