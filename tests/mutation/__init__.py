"""Mutation testing: `make mutation`."""
