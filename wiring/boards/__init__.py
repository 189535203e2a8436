"""Printed circuit boards: KiCad projects generated from the pin maps, without KiCad."""
