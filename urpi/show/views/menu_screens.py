"""The menu's screens: its pages, the offers, the recap, the last minute and the page's PIN."""

from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from PIL import Image

from urpi import __version__
from urpi.referee.decisions import Moved, Passed, TakenBack
from urpi.referee.orders import Pairing
from urpi.referee.seats import SEATS, place_name
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import RuleSet, Side, parse_rules
from urpi.show.menu.pages import PIECES
from urpi.show.menu.screens import (
    Invitation,
    Item,
    LastMinute,
    Listing,
    MenuScreen,
    Message,
    NextGame,
    Offer,
    PagePin,
    PositionSetUp,
    Recap,
)
from urpi.show.menu.status import DieStatus
from urpi.show.views.bitmap_font import font
from urpi.show.views.dice_row import SMALL_DIE, draw_dice, row_width, symbols_of_faces
from urpi.show.views.draw import draw
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.phrases import action_template, is_legible, player_name
from urpi.show.views.placing import draw_placing
from urpi.show.views.text import (
    HUGE,
    LARGE,
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
from urpi.show.views.turn import draw_disc
from urpi.show.words import Words, menu_words
from urpi.show.words.move_texts import shown_move
from urpi.show.words.table_words import YOUR_SIDE

_TOP: Final = 16
_ROWS: Final = 3
_READ_LINES: Final = 4
_KEY: Final = 9
_NEXT: Final = "\N{DOWNWARDS ARROW}"
_BACK: Final = "\N{UPWARDS ARROW}"
_OFFER_LINES: Final = 3


def draw_menu(screen: MenuScreen, snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the OLED's picture of a screen of the menu, which covers the game's picture."""
    match screen:
        case Listing():
            return _draw_listing(screen, snapshot, words)
        case LastMinute():
            return _draw_reading(screen, words)
        case Recap():
            return _draw_recap(snapshot, words)
        case Offer():
            return _draw_offer(screen, snapshot, words)
        case Invitation():
            return _draw_invitation(screen, words)
        case NextGame():
            return _draw_next_game(screen.pairing, words)
        case Message():
            return _draw_note(screen, snapshot, words)
        case PagePin(pin=pin, address=address):
            return draw_pin(pin, address, words)
        case PositionSetUp(placing=placing):
            return draw_placing(placing, words)


def _draw_listing(listing: Listing, snapshot: Snapshot, words: Words) -> Image.Image:
    image = blank()
    title = ""
    if listing.name in menu_words.TITLES:
        title = words.text(menu_words.TITLES[listing.name])
    elif listing.side is not None:
        title = player_name(snapshot, listing.side, words)
    labels = [label(item, words) for item in listing.items]
    place = f"{listing.chosen + 1}/{len(labels)}" if len(labels) > _ROWS else ""
    _draw_heading(image, title, place)
    # The chosen line is in the middle, except for the first and the last line.
    first = max(0, min(listing.chosen - 1, len(labels) - _ROWS))
    for row, text in enumerate(labels[first : first + _ROWS]):
        top = _TOP + row * SMALL
        if first + row == listing.chosen:
            draw_inverted(image, (0, top), text, font(SMALL), (WIDTH, SMALL))
        else:
            draw_line(image, (1, top), text, font(SMALL), WIDTH - 2)
    _draw_keys(image, listing.side or Side.LIGHT, words)
    return image


def _draw_heading(image: Image.Image, title: str, place: str) -> None:
    """Draw the first line: the title, and at the right the chosen line's place in the list."""
    room = WIDTH - (font(SMALL).width(f" {place}") if place else 0)
    letters = largest(title, (MEDIUM, SMALL), room)
    draw_line(image, (0, (MEDIUM - letters.height) // 2), title, letters, room)
    left = WIDTH - ink_width(font(SMALL), place)
    draw_line(image, (left, (MEDIUM - SMALL) // 2), place, font(SMALL))


def _draw_keys(image: Image.Image, side: Side, words: Words) -> None:
    """Draw which button goes to the next line, which back, and that a hold selects."""
    top, left = HEIGHT - SMALL, 1
    for key, arrow in ((side, _NEXT), (side.other, _BACK)):
        draw_disc(image, (left, top + 2), key, _KEY)
        draw_line(image, (left + _KEY + 2, top), arrow, font(SMALL))
        left += _KEY + 2 + font(SMALL).width(arrow) + 6
    # Translators: The last line of the menu: to hold the button chooses. 9 letters.
    text = words.text("Hold: OK")
    draw_line(image, (WIDTH - ink_width(font(SMALL), text), top), text, font(SMALL))


def label(item: Item, words: Words) -> str:
    """Return the text of a line."""
    match item:
        case Item(name="table-light" | "table-dark"):
            return _value(item, words)
        case Item(name=name) if name == "rules" or name.startswith(("choose-", "seat-")):
            return _value(item, words)
        case Item(name="version"):
            return f"urpi {__version__}"
        case Item(name="address" | "ask"):
            return item.value
        case Item(name="die", die=die) if die is not None:
            return _die(die, words)
        case Item(name="take-back" | "undo"):
            return _take_back(item.value, words)
        case Item(name="throw", value=meaning):
            faces = "+".join(map(words.face, filter(str.isalpha, meaning)))
            return faces or words.text(menu_words.ITEMS["throw"]).replace("{value}", meaning)
        case _:
            text = words.text(menu_words.ITEMS[item.name])
            return text.replace("{value}", _value(item, words))


def _take_back(move: str, words: Words) -> str:
    """Return the line that takes a move back, with the move in words if they fit beside it."""
    line = words.text(menu_words.ITEMS["take-back"])
    shown = shown_move(
        move, words, lambda text: ink_width(font(SMALL), line.format(value=text)) <= WIDTH - 2
    )
    return line.format(value=shown)


def _value(item: Item, words: Words) -> str:
    match item.name:
        case _ if item.table:
            return words.text(menu_words.TABLE).replace("{place}", place_name(item.value))
        case "rules" | "choose-rules":
            return words.rules(item.value)
        case "sound" | "choose-sound":
            return words.text(menu_words.SOUNDS[item.value])
        case "language" | "choose-language":
            return menu_words.LANGUAGES.get(item.value, item.value)
        case "engine-throws":
            return words.text(menu_words.ENGINE_THROWS[item.value])
        case "club-light" | "club-dark":
            return words.text(menu_words.PUBLISHED if item.value else menu_words.HIDDEN)
        case "coach-light" | "coach-dark":
            points = menu_words.COACHES.get(item.value)
            return words.text(menu_words.NO_COACH) if points is None else words.percent(points)
        case _ if item.value in SEATS:
            level = words.text(menu_words.LEVELS[item.value.removeprefix("engine:")])
            return words.text(menu_words.ENGINE).replace("{level}", level)
        case "light" | "dark" | "choose-light" | "choose-dark":
            return _name(Side(item.name.removeprefix("choose-")), item.value, words)
        case _:
            return item.value


def _name(side: Side, name: str, words: Words) -> str:
    if name and not is_legible(name):
        return words.side(side)
    return normalize("NFC", name) or words.text(menu_words.NOBODY)


def _die(die: DieStatus, words: Words) -> str:
    """Return a die's number with its fault, or with its face and the charge of its battery."""
    fault = die.error or ("" if die.in_range else "lost")
    if fault:
        return f"{die.die}: {words.text(menu_words.DIE_STATES.get(fault, fault))}"
    if die.low:
        return f"{die.die}: {_charge(die, words)}  {words.text(menu_words.DIE_STATES['low'])}"
    shows = words.face(die.face)
    return "  ".join(part for part in (f"{die.die}: {shows or '?'}", _charge(die, words)) if part)


def _charge(die: DieStatus, words: Words) -> str:
    """Return the charge of a die's battery in its own unit, empty if unknown."""
    if die.battery_percent is not None:
        return words.percent(die.battery_percent)
    return f"{words.number(die.battery_mv / 1000, 1)} V" if die.battery_mv else ""


def _draw_reading(reading: LastMinute, words: Words) -> Image.Image:
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
    name = player_name(snapshot, rolled.side, words)
    draw_line(image, (0, _TOP), with_name(threw, name, font(SMALL), WIDTH), font(SMALL))
    if snapshot.position is not None:
        dice = snapshot.position.rules.dice
        body, symbols = dice.body, symbols_of_faces(dice.throw(rolled.faces).shown)
        left = (WIDTH - row_width(len(symbols), SMALL_DIE)) // 2
        draw_dice(image, (left, _TOP + SMALL + 1), body, symbols, SMALL_DIE)
    if snapshot.acted is not None:
        _draw_acted(image, snapshot, snapshot.acted, words)
    return image


def _draw_turn(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    """Draw whose turn it is, if the game is not over."""
    if snapshot.side is None or snapshot.outcome is not None:
        return
    moves = snapshot.phase is Phase.MOVE
    # Translators: The title of the menu: whose turn it is. 16 letters.
    template = words.text("{name} to move") if moves else words.text("{name} to throw")
    draw_named_title(image, template, player_name(snapshot, snapshot.side, words))


def _draw_acted(
    image: Image.Image, snapshot: Snapshot, acted: Moved | Passed | TakenBack, words: Words
) -> None:
    name = player_name(snapshot, acted.side, words)
    template = action_template(acted, words)
    whole = template.replace("{name}", name)
    letters = largest(whole, (MEDIUM, SMALL), WIDTH)
    line = with_name(template, name, letters, WIDTH)
    draw_line(image, (0, HEIGHT - MEDIUM), shorten(line, letters, WIDTH), letters)


def offer_text(offer: Offer, snapshot: Snapshot, words: Words) -> str:
    """Return the question to the opponent as a sentence."""
    text = words.text(menu_words.OFFERS[offer.proposal.name])
    if "{move}" in text:
        text = text.replace("{move}", shown_move(offer.proposal.move, words))
    return text.replace("{name}", player_name(snapshot, offer.proposal.by, words))


def _draw_offer(offer: Offer, snapshot: Snapshot, words: Words) -> Image.Image:
    image = blank()
    proposal = offer.proposal
    draw_named_title(image, "{name}?", player_name(snapshot, proposal.by.other, words))
    _draw_question(image, offer_text(offer, snapshot, words), words)
    return image


def invitation_text(invitation: Invitation, words: Words) -> str:
    """Return the question of another table to the players here as a sentence."""
    rules = parse_rules(invitation.rules)
    text = words.text(menu_words.INVITED).replace("{rules}", words.rules(rules.id))
    side = words.text(YOUR_SIDE[invitation.side])
    changed = (f"{each}." for each in _house_rules(rules, words))
    return " ".join((text.replace("{name}", _player_at(invitation)), side, *changed))


def _player_at(invitation: Invitation) -> str:
    name, place = invitation.name, invitation.place
    return f"{name} ({place})" if name else place


def _draw_invitation(invitation: Invitation, words: Words) -> Image.Image:
    image = blank()
    title, lines = _conditions(invitation, words)
    draw_named_title(image, title, _player_at(invitation), smaller=True)
    _draw_answerable(image, lines, words)
    return image


def _conditions(invitation: Invitation, words: Words) -> tuple[str, list[str]]:
    """Return the title, with `{name}` for the player, and the lines with the conditions.

    The side of the player here has a line of its own; if the house rules need that line, the title
    has the side of the player who invites instead.
    """
    rules, side = parse_rules(invitation.rules), invitation.side
    name, changed = words.rules(rules.id), _house_rules(rules, words)
    here = words.text(YOUR_SIDE[side])
    if not changed:
        question = f"{words.text(menu_words.INVITED_TITLE)} {name}"
        rows = _OFFER_LINES - 1
        return "{name}", [*wrap(question, font(SMALL), (WIDTH,) * rows), here]
    lines = [name, here, *_packed(changed)]
    if len(lines) <= _OFFER_LINES:
        return "{name}", lines
    title = words.text(menu_words.ITEMS[side.other.value]).replace("{value}", "{name}")
    lines = _packed([name, *changed])
    shown = len(changed)
    while len(lines) > _OFFER_LINES:
        shown -= 1
        lines = _packed([name, *changed[:shown], f"+{len(changed) - shown}"])
    return title, lines


def _draw_next_game(pairing: Pairing, words: Words) -> Image.Image:
    """Draw the rules, the players' names with their sides, and what beginning agrees to."""
    image = blank()
    title, below = words.text(menu_words.ITEMS["next-game"]), words.rules(pairing.rules.id)
    changed, more = _house_rules(pairing.rules, words), ""
    if not pairing.agreed:
        title, below = below, words.text(menu_words.CLUB_SHOWS)
        more = f"+{len(changed)}" if changed else ""
    elif changed:
        title, below = below, "  ".join(changed)
    draw_title(image, title)
    _draw_answerable(image, ["", "", below], words)
    right = WIDTH - font(SMALL).width(more)
    draw_line(image, (right, _TOP), more, font(SMALL))
    left = _KEY + 4
    for row, (side, name) in enumerate(zip(Side, (pairing.light, pairing.dark), strict=True)):
        top = _TOP + row * SMALL
        draw_disc(image, (1, top + 2), side, _KEY)
        draw_line(image, (left, top), _name(side, name, words), font(SMALL), right - left - 2)
    return image


def _house_rules(rules: RuleSet, words: Words) -> list[str]:
    """Return a short text for each option that differs from its default, first the pieces."""
    return [
        words.text(menu_words.ITEMS[option]).replace("{value}", value)
        if option == PIECES
        else words.text(menu_words.HOUSE_RULES[option, value])
        for option, value in sorted(rules.changed, key=lambda each: each[0] != PIECES)
    ]


def _packed(texts: Sequence[str]) -> list[str]:
    """Return lines with all texts, each text in the first line that has room for it."""
    lines: list[str] = []
    for text in texts:
        for row, line in enumerate(lines):
            longer = f"{line}  {text}"
            if ink_width(font(SMALL), longer) <= WIDTH:
                lines[row] = longer
                break
        else:
            lines.append(text)
    return lines


def _draw_question(image: Image.Image, text: str, words: Words) -> None:
    _draw_answerable(image, wrap(text, font(SMALL), (WIDTH,) * _OFFER_LINES), words)


def _draw_answerable(image: Image.Image, lines: Sequence[str], words: Words) -> None:
    """Draw lines, and how the buttons answer them."""
    for row, line in enumerate(lines):
        draw_line(image, (0, _TOP + row * SMALL), line, font(SMALL))
    answer = words.text(menu_words.ANSWER)
    draw_inverted(image, (0, HEIGHT - SMALL), answer, font(SMALL), (WIDTH, SMALL))


def _draw_note(note: Message, snapshot: Snapshot, words: Words) -> Image.Image:
    image = draw(snapshot, words)
    text = words.text(menu_words.NOTES[note.code]).replace("{value}", note.value)
    draw_notice(image, text, MAX_NOTICE_LINES)
    return image


def draw_pin(pin: str, address: str, words: Words) -> Image.Image:
    """Draw the page's PIN in large letters, and the page's address below."""
    image = blank()
    # Translators: The title above the six digits that the page asks for: 16 letters.
    draw_title(image, words.text("PIN for the page"))
    letters = largest(pin, (HUGE, LARGE, MEDIUM), WIDTH)
    draw_centred(image, 17 + (HUGE - letters.height) // 2, pin, letters)
    draw_centred(image, HEIGHT - SMALL, address, font(SMALL))
    return image
