"""A second, plain and slow implementation of the rule sets, to check the first one with.

It is written from the rules and the text formats alone and shares no code with the package.
Everything goes in and out as text. Run `python -m tests.second` for its commands.
"""

from .dice import throws
from .game import decline, legal, perft, perft_from, play, start, winner

__all__ = ["decline", "legal", "perft", "perft_from", "play", "start", "throws", "winner"]
