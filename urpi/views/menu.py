"""The menu, the offers, the recap, and what the board saw, in place of the game's picture."""

from typing import Final

from PIL import Image

from urpi import __version__
from urpi.menu.around import DieSeen
from urpi.menu.screens import Item, Listing, Note, Offer, Pin, Reading, Recap, Screen
from urpi.referee.decisions import Moved, Passed, TakenBack
from urpi.referee.snapshot import Phase, Snapshot
from urpi.views.bitmap_font import font
from urpi.views.dice import SMALL_DIE, draw_dice, row_width, signs_of_faces
from urpi.views.draw import draw
from urpi.views.names import player, told_of
from urpi.views.notice import NEWS_LINES, draw_notice
from urpi.views.panel import HEIGHT, WIDTH, blank
from urpi.views.pin import draw_pin
from urpi.views.text import (
    MEDIUM,
    SMALL,
    draw_centred,
    draw_inverted,
    draw_line,
    draw_lines,
    draw_named_title,
    draw_title,
    ink_width,
    largest,
    shorten,
    with_name,
    wrap,
)
from urpi.words import Words, menu_words

_TOP: Final = 16
_ROWS: Final = 3
_READ_LINES: Final = 4
_OFFER_LINES: Final = 3


def draw_menu(screen: Screen, snapshot: Snapshot, words: Words) -> Image.Image:
    """The OLED's picture while a screen of the menu is over the game's."""
    match screen:
        case Listing():
            return _draw_listing(screen, snapshot, words)
        case Reading():
            return _draw_reading(screen, words)
        case Recap():
            return _draw_recap(snapshot, words)
        case Offer():
            return _draw_offer(screen, snapshot, words)
        case Note():
            return _draw_note(screen, snapshot, words)
        case Pin(pin=pin, address=address):
            return draw_pin(pin, address, words)


def _draw_listing(listing: Listing, snapshot: Snapshot, words: Words) -> Image.Image:
    image = blank()
    if listing.name in menu_words.TITLES:
        draw_title(image, words.text(menu_words.TITLES[listing.name]))
    elif listing.side is not None:
        draw_named_title(image, "{name}", player(snapshot, listing.side, words))
    labels = [label(item, words) for item in listing.items]
    # One line before the chosen one and one behind it, where there are such.
    first = max(0, min(listing.chosen - 1, len(labels) - _ROWS))
    for row, text in enumerate(labels[first : first + _ROWS]):
        top = _TOP + row * SMALL
        if first + row == listing.chosen:
            _draw_chosen(image, top, text, listing)
        else:
            draw_line(image, (1, top), text, font(SMALL), WIDTH - 2)
    draw_centred(image, HEIGHT - SMALL, words.text("Press: next  Hold: OK"), font(SMALL))
    return image


def _draw_chosen(image: Image.Image, top: int, text: str, listing: Listing) -> None:
    """The chosen line, with its place among all where they are more than there is room.

    The place gives way to a line that is as long as an address.
    """
    place = f"{listing.chosen + 1}/{len(listing.items)}"
    room = WIDTH - (font(SMALL).width(place) + 1)
    if len(listing.items) <= _ROWS or ink_width(font(SMALL), text) > room - 2:
        place, room = "", WIDTH
    draw_inverted(image, (0, top), text, font(SMALL), (room, SMALL))
    if place:
        draw_inverted(image, (room, top), place, font(SMALL), (WIDTH - room, SMALL))


def label(item: Item, words: Words) -> str:
    """What a line says."""
    match item:
        case Item(name=name) if name == "rules" or name.startswith("choose-"):
            return _value(item, words)
        case Item(name="version"):
            return f"urpi {__version__}"
        case Item(name="address"):
            return item.value
        case Item(name="die", die=die) if die is not None:
            return _die(die, words)
        case _:
            text = words.text(menu_words.ITEMS[item.name])
            return text.replace("{value}", _value(item, words))


def _value(item: Item, words: Words) -> str:
    match item.name:
        case "rules" | "choose-rules":
            return words.rules(item.value)
        case "sound" | "choose-sound":
            return words.text(menu_words.SOUNDS[item.value])
        case "language" | "choose-language":
            return menu_words.LANGUAGES.get(item.value, item.value)
        case "light" | "dark" | "choose-light" | "choose-dark":
            return item.value or words.text(menu_words.NOBODY)
        case _:
            return item.value


def _die(die: DieSeen, words: Words) -> str:
    """Its number, what it shows and its battery, or what is wrong with it."""
    wrong = die.fault or ("" if die.heard else "lost") or ("low" if die.low else "")
    if wrong:
        return f"{die.die}: {words.text(menu_words.DIE_STATES.get(wrong, wrong))}"
    shows = words.text(menu_words.FACES[die.face]) if die.face in menu_words.FACES else die.face
    battery = f"{die.battery_mv / 1000:.1f} V" if die.battery_mv else ""
    return "  ".join(part for part in (f"{die.die}: {shows or '?'}", battery) if part)


def _draw_reading(reading: Reading, words: Words) -> Image.Image:
    image = blank()
    pages = reading.pages
    if not pages:
        draw_title(image, words.text(menu_words.LAST_MINUTE))
        text = menu_words.LOOKING if pages is None else menu_words.NOTHING_SEEN
        draw_centred(image, 28, words.text(text), font(SMALL))
        return image
    page = pages[reading.place]
    place = f"{reading.place + 1}/{len(pages)}"
    room = WIDTH - font(SMALL).width(place) - 2
    draw_inverted(image, (0, 0), page.heading, font(SMALL), (room, SMALL))
    draw_inverted(image, (room, 0), place, font(SMALL), (WIDTH - room, SMALL))
    draw_lines(image, (0, _TOP), page.text, font(SMALL), (WIDTH,) * _READ_LINES)
    return image


def _draw_recap(snapshot: Snapshot, words: Words) -> Image.Image:
    image = blank()
    _draw_turn(image, snapshot, words)
    rolled = snapshot.rolled
    if rolled is None:
        draw_line(image, (0, _TOP + SMALL), words.text(menu_words.NOT_YET), font(SMALL))
        return image
    threw = words.text(menu_words.THREW).replace("{value}", str(rolled.value))
    name = player(snapshot, rolled.side, words)
    draw_line(image, (0, _TOP), with_name(threw, name, font(SMALL), WIDTH), font(SMALL))
    if snapshot.position is not None:
        body = snapshot.position.rules.dice.body
        signs = signs_of_faces(rolled.faces)
        left = (WIDTH - row_width(len(signs), SMALL_DIE)) // 2
        draw_dice(image, (left, _TOP + SMALL + 1), body, signs, SMALL_DIE)
    if snapshot.acted is not None:
        _draw_acted(image, snapshot, snapshot.acted, words)
    return image


def _draw_turn(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    """Whose turn it is; nothing where it is nobody's."""
    if snapshot.side is None or snapshot.outcome is not None:
        return
    moves = snapshot.phase is Phase.MOVE
    template = words.text("{name} to move") if moves else words.text("{name} to throw")
    draw_named_title(image, template, player(snapshot, snapshot.side, words))


def _draw_acted(
    image: Image.Image, snapshot: Snapshot, acted: Moved | Passed | TakenBack, words: Words
) -> None:
    name = player(snapshot, acted.side, words)
    template = told_of(acted, words)
    whole = template.replace("{name}", name)
    letters = largest(whole, (MEDIUM, SMALL), WIDTH)
    line = with_name(template, name, letters, WIDTH)
    draw_line(image, (0, HEIGHT - MEDIUM), shorten(line, letters, WIDTH), letters)


def offer_text(offer: Offer, snapshot: Snapshot, words: Words) -> str:
    """What is asked of the other side, as a sentence."""
    text = words.text(menu_words.OFFERS[offer.deal.name]).replace("{move}", offer.deal.move)
    return text.replace("{name}", player(snapshot, offer.deal.by, words))


def _draw_offer(offer: Offer, snapshot: Snapshot, words: Words) -> Image.Image:
    image = blank()
    deal = offer.deal
    draw_named_title(image, "{name}?", player(snapshot, deal.by.other, words))
    text = offer_text(offer, snapshot, words)
    for row, line in enumerate(wrap(text, font(SMALL), (WIDTH,) * _OFFER_LINES)):
        draw_line(image, (0, _TOP + row * SMALL), line, font(SMALL))
    answer = words.text(menu_words.ANSWER)
    draw_inverted(image, (0, HEIGHT - SMALL), answer, font(SMALL), (WIDTH, SMALL))
    return image


def _draw_note(note: Note, snapshot: Snapshot, words: Words) -> Image.Image:
    image = draw(snapshot, words)
    text = words.text(menu_words.NOTES[note.code]).replace("{value}", note.value)
    draw_notice(image, text, NEWS_LINES)
    return image
