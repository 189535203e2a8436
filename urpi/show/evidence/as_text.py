"""A dispute as plain text."""

import textwrap
from collections.abc import Iterator
from typing import Final

from urpi import __version__
from urpi.journal import CheckVerdict
from urpi.rules import Position, Side, Throw
from urpi.show.evidence.dispute import Dispute, Origin
from urpi.show.evidence.pictures import positions_of
from urpi.show.evidence.reasons import choices_of, pass_refusal
from urpi.show.evidence.story import Decided, Event, ThrowStory, TurnStory
from urpi.show.evidence.wording import Wording
from urpi.show.words import Words
from urpi.show.words.sentences import N_

WIDTH: Final = 96
ABOUT: Final = N_(
    "Refereed by urpi {program}; started {date}. Times run from that moment; pauses of "
    "the program are left out."
)
ORIGINS: Final = {
    Origin.RECORD: N_(
        "This game was typed in from a written record. No switch or die recorded it, and "
        "its times mean nothing."
    ),
    Origin.ARCHIVE: N_(
        "This game was read from an archive: it was not saved here while it was played."
    ),
}
VERDICTS: Final = {
    CheckVerdict.SAME: N_("This version of the program ({version}) makes the same decisions."),
    CheckVerdict.DIFFERS: N_(
        "Decisions that this version of the program ({version}) would make differently: {count} "
        "of {all}. Those shown here are the original ones."
    ),
    CheckVerdict.PRUNED: N_("The game cannot be replayed: {why}."),
    CheckVerdict.UNREADABLE: N_("The game cannot be replayed: {why}"),
}


def dispute_text(dispute: Dispute, words: Words) -> str:
    """Return a dispute as text for a terminal or a printer, ending with a line end."""
    wording = Wording(words, dispute.story.game)
    lines = [*_heading(dispute, wording)]
    for turn in dispute.story.turns:
        lines += _turn(turn, wording)
    return "\n".join([*lines, ""])


def _heading(dispute: Dispute, wording: Wording) -> Iterator[str]:
    yield title(dispute, wording)
    about = wording.text(
        ABOUT,
        program=dispute.summary.program,
        date=wording.words.moment(dispute.began, seconds=True),
    )
    yield from textwrap.wrap(about, WIDTH)
    if dispute.origin is not None:
        yield from textwrap.wrap(wording.text(ORIGINS[dispute.origin]), WIDTH)
    yield from textwrap.wrap(verdict(dispute, wording), WIDTH)
    if dispute.since_t is not None:
        since = wording.clock(dispute.since_t)
        yield wording.text(N_("Shown from {time} on."), time=since)


def title(dispute: Dispute, wording: Wording) -> str:
    """Return the title, with the game's number, rules and players."""
    return wording.text(
        N_("Game {number}, {rules}: {light} against {dark}"),
        number=dispute.summary.id,
        rules=dispute.summary.rules,
        light=wording.side(Side.LIGHT),
        dark=wording.side(Side.DARK),
    )


def verdict(dispute: Dispute, wording: Wording) -> str:
    """Return whether this version of the program makes the same decisions."""
    checked = dispute.checked
    done = checked.replay
    return wording.text(
        VERDICTS[checked.verdict],
        version=__version__,
        count=len(done.differences) if done else 0,
        all=done.decisions if done else 0,
        why=checked.why,
    )


def turn_title(turn: TurnStory, wording: Wording) -> str:
    """Return the title of a turn, with its number in the record and its side."""
    if turn.side is None:
        return wording.words.text(N_("Before the first turn"))
    return wording.text(
        N_("Turn {number}: {side}"), number=turn.number, side=wording.side(turn.side)
    )


def _turn(turn: TurnStory, wording: Wording) -> Iterator[str]:
    heading = turn_title(turn, wording)
    yield from ("", heading, "=" * len(heading))
    for throw in turn.throws:
        yield ""
        yield from _throw(throw, wording)


def throw_title(throw: ThrowStory, wording: Wording) -> str:
    """Return the title of a throw, with its faces, its value and its time."""
    if throw.faces is None or throw.thrown_t is None:
        return wording.words.text(N_("No throw yet"))
    again = N_(
        "The move was taken back: the throw {faces} is still to be played; it counts {value}"
    )
    thrown = N_("The throw was {faces} at {time}; it counts {value}")
    return wording.text(
        again if throw.again else thrown,
        faces=throw.faces,
        value=throw.value,
        time=wording.clock(throw.thrown_t),
    )


def _throw(throw: ThrowStory, wording: Wording) -> Iterator[str]:
    heading = throw_title(throw, wording)
    yield from (heading, "-" * len(heading))
    yield wording.text(N_("Position: {position}"), position=str(throw.position))
    if throw.faces is not None and throw.position.turn is not None:
        thrown = throw.position.rules.dice.throw(throw.faces)
        yield ""
        yield from _choices(throw.position, thrown, wording)
    yield ""
    for event, position, _ in positions_of(throw):
        yield from _event(event, position, wording)


def _choices(position: Position, throw: Throw, wording: Wording) -> Iterator[str]:
    yield wording.words.text(N_("Legal moves, and why the others are illegal:"))
    for choices in choices_of(position, throw):
        yield f"  {wording.place(choices.origin)}: {wording.legal(choices)}"
        for refused in choices.refused:
            text = wording.refused(refused, position.turn or Side.LIGHT)
            yield from textwrap.wrap(
                text, WIDTH, initial_indent="      ", subsequent_indent="        "
            )
    no_pass = pass_refusal(position, throw)
    if no_pass is not None:
        why = wording.refusal(no_pass, position.turn or Side.LIGHT)
        yield f"  {wording.text(N_('Passing is not allowed: {why}'), why=why)}"


def _event(event: Event, position: Position, wording: Wording) -> Iterator[str]:
    sign = "=>" if isinstance(event, Decided) else "  "
    text = wording.event(event, position) + shown_from(event, wording)
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"{wording.clock(event.t):>12} {sign} ",
        subsequent_indent=" " * 16,
    )


def shown_from(event: Event, wording: Wording) -> str:
    """Return the time when a decision could be shown, empty if it could be shown at once."""
    if not isinstance(event, Decided) or event.shown_from == event.t:
        return ""
    when = wording.clock(event.shown_from)
    return f" ({wording.text(N_('Shown from {time} on.'), time=when)})"
