"""Builds the Debian packages: `python -m tools.deb`. DESIGN.md explains what it bundles and why."""
