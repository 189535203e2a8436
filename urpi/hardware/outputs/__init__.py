"""The outputs: the devices that show the game to the players at a board, one module each.

docs/contribute/device.md describes how to add one.
"""
