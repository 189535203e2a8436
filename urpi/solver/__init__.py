"""Exact values of all positions of a race, by value iteration (`urpi solve`; extra ``solve``)."""
