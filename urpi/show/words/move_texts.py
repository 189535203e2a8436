"""Moves in words: the moves to choose from, and the moves that were played."""

from collections.abc import Callable
from typing import Final

from urpi.rules import HAND, OFF, SQUARE_NAMES, Move, Part, parse_move
from urpi.show.words.sentences import N_
from urpi.show.words.words import Words

# Translators: A move in words. A new piece is brought onto the board.
ENTERS: Final = {
    False: N_("A new piece to {target}"),
    True: N_("A new piece to {target}, capturing"),
}
NOT_MOVED: Final = N_("Not moved yet")
"""The answer to a question for a single move that it was not made."""
GOES: Final = {False: N_("{origin} to {target}"), True: N_("{origin} to {target}, capturing")}
# Translators: In Ravensburger's game: the pieces of the opponent under one's own move along.
GOES_WITH_PRISONERS: Final = {
    False: N_("{origin} to {target} with prisoners"),
    True: N_("{origin} to {target} with prisoners, capturing"),
}
# Translators: A move of several steps: first {move}, and from there to {target}.
GOES_ON: Final = {False: N_("{move}, then {target}"), True: N_("{move}, then {target}, capturing")}
# Translators: A piece is brought home from this square.
LEAVES: Final = N_("{origin} goes home")
PASSES: Final = N_("No move")

# Translators: A move in high letters on the display: about 8 letters. A new piece comes in on this
# square.
SHORT_ENTERS: Final = N_("new to {target}")
# Translators: A move in high letters on the display: about 8 letters. The piece on this square
# goes home.
SHORT_LEAVES: Final = N_("{origin} home")
ARROW: Final = "\N{RIGHTWARDS ARROW}"

# Translators: Spoken: the move that was made.
HAS_ENTERED: Final = {
    False: N_("{name} enters a piece at {target}."),
    True: N_("{name} enters a piece at {target} and captures."),
}
# Translators: Spoken: the move that was made.
HAS_GONE: Final = {
    False: N_("{name} moves from {origin} to {target}."),
    True: N_("{name} moves from {origin} to {target} and captures."),
}
HAS_LEFT: Final = N_("{name} brings the piece on {origin} home.")
HAS_PLAYED: Final = N_("{name}: {move}.")


def move_text(move: Move, words: Words) -> str:
    """Describe a move in words, for players who cannot see the board.

    The legal moves of a throw all have different texts.
    """
    if not move.parts:
        return words.text(PASSES)
    return "; ".join(_part_text(part, words) for part in move.parts)


def shown_move(move: str, words: Words, fits: Callable[[str], bool] = lambda _text: True) -> str:
    """Return a move in a few words for the display: what goes from where to where.

    Captures and prisoners are left out, which the board shows.

    Args:
        move: the move.
        words: the language.
        fits: whether a text fits; if the words do not, arrows stand for them.

    >>> from urpi.show.words import words_for
    >>> shown_move("B4xB6", words_for("en")), shown_move("A3-A2,B5xB6", words_for("en"))
    ('B4 to B6', 'A3→A2 B5→B6')
    """
    parts = parse_move(move).parts
    if not parts:
        return words.text(PASSES)
    arrows = move_arrows(move)
    if len(parts) > 1 or len(parts[0].stops) > 1:
        return arrows
    [part] = parts
    origin = "" if part.origin == HAND else SQUARE_NAMES[part.origin]
    target = "" if part.target == OFF else SQUARE_NAMES[part.target]
    message = SHORT_ENTERS if not origin else GOES[False] if target else SHORT_LEAVES
    text = words.text(message).format(origin=origin, target=target)
    return text if fits(text) else arrows


def move_arrows(move: str) -> str:
    """Return a move in the fewest letters: its squares with arrows between them."""
    return " ".join(map(_arrows, parse_move(move).parts))


def _arrows(part: Part) -> str:
    squares = (part.origin, *(stop.square for stop in part.stops))
    names = ("" if each in {HAND, OFF} else SQUARE_NAMES[each] for each in squares)
    return ARROW.join(names)


def played_sentence(move: Move, name: str, words: Words) -> str:
    """Return the sentence for a move that was played.

    Args:
        move: the move.
        name: what its side is called.
        words: the language.
    """
    if len(move.parts) != 1 or len(move.parts[0].stops) != 1 or move.parts[0].prisoners:
        return words.text(HAS_PLAYED).format(name=name, move=move_text(move, words))
    part = move.parts[0]
    [stop] = part.stops
    if stop.square == OFF:
        return words.text(HAS_LEFT).format(name=name, origin=SQUARE_NAMES[part.origin])
    target = SQUARE_NAMES[stop.square]
    if part.origin == HAND:
        return words.text(HAS_ENTERED[stop.captures]).format(name=name, target=target)
    origin = SQUARE_NAMES[part.origin]
    return words.text(HAS_GONE[stop.captures]).format(name=name, origin=origin, target=target)


def _part_text(part: Part, words: Words) -> str:
    first, *further = part.stops
    names = {
        "origin": "" if part.origin == HAND else SQUARE_NAMES[part.origin],
        "target": "" if first.square == OFF else SQUARE_NAMES[first.square],
    }
    message = LEAVES if first.square == OFF else _template(part)[first.captures]
    text = words.text(message).format(**names)
    for stop in further:
        message = words.text(GOES_ON[stop.captures])
        text = message.format(move=text, target=SQUARE_NAMES[stop.square])
    return text


def _template(part: Part) -> dict[bool, str]:
    if part.origin == HAND:
        return ENTERS
    return GOES_WITH_PRISONERS if part.prisoners else GOES
