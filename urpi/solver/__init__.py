"""Compiled code: exact values (`urpi solve`), random games, all rule sets (extra ``solve``)."""
