"""Builds the Debian package: `python -m tools.deb`. DESIGN.md explains what it bundles and why."""
