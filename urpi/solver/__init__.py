"""Compiled code for races: exact values (`urpi solve`) and random games (extra ``solve``)."""
