"""Typed commands that move the hands at the virtual table."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, TextIO

from urpi.core.errors import UrpiError
from urpi.referee.facts import Answer
from urpi.rules import Side, parse_square
from urpi.service.player_requests import NO_HINT
from urpi.service.virtual import VirtualService
from urpi.show.views.question import candidates
from urpi.show.words import Words
from urpi.show.words.sentences import N_
from urpi.simulation import ReedFault

HELP: Final = {
    "throw": N_("throw the dice for the player whose turn it is"),
    "move A4-A2": N_("play a legal move with your hands; `legal` lists them"),
    "lift A4, put A2 light": N_("move a piece by hand to any place, even a wrong one"),
    "restore": N_("put every piece where it belongs"),
    "cock 2": N_("throw die 2 so that it leans on something"),
    "press light [long], both": N_("press a player's button"),
    "bump": N_("bump the table"),
    "stick A4 on|off|ok": N_("break a switch, or repair it"),
    "unplug, plug": N_("pull the hub's cable, and put it back"),
    "auto": N_("let two simulated players continue"),
    "hint": N_("ask the engine for the best move"),
    "2, A4-A2": N_("answer what the display asks, with one of its choices"),
    "legal, help, quit": "",
}
"""The commands; they are the same in every language."""
BEGIN: Final = N_("You are the hands. Type `help`, or `throw` to begin.")
BEGIN_BY_HAND: Final = N_("You are the hands. Throw your own dice, and type what they show.")
_WIDTH: Final = max(map(len, HELP))
FAULTS: Final[Mapping[str, ReedFault | None]] = {
    "on": ReedFault.STUCK_ON,
    "off": ReedFault.STUCK_OFF,
    "ok": None,
}


PRESSES: Final = ("short", "long")
OF_DICE: Final = ("throw", "cock", "unplug", "plug", "auto")
"""Commands for dice that report their throws, and for players who throw them."""
SEQUENTIAL: Final = ("throw", "move", "lift", "put", "restore", "cock", "auto", "legal")
"""Commands that wait until the hands have carried out the one before."""


class TypedHands:
    """Carries out typed commands until `quit`, the end of the input or of the game.

    Args:
        service: The virtual table.
        lines: The typed lines.
        out: Where replies are printed.
        refresh: Called repeatedly, to redraw the display.
        words: The texts in the players' language.
    """

    def __init__(
        self,
        service: VirtualService,
        lines: TextIO,
        out: TextIO,
        refresh: Callable[[], None],
        words: Words,
    ) -> None:
        self._words = words
        self._service, self._lines, self._out, self._refresh = service, lines, out, refresh
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._waiting: list[str | None] = []
        self._is_automatic = False
        self._commands: Mapping[str, Callable[..., None]] = {
            "throw": self._service.table.throw,
            "move": self._service.table.move,
            "lift": self._lift,
            "put": self._put,
            "restore": self._service.table.restore_board,
            "cock": self._cock,
            "press": self._press,
            "bump": self._service.table.bump,
            "stick": self._stick,
            "unplug": self._service.table.unplug,
            "plug": self._service.table.plug,
            "auto": self._auto,
            "legal": self._legal,
            "hint": self._hint,
            "help": self._help,
        }
        if service.by_hand:
            self._commands = {
                name: do for name, do in self._commands.items() if name not in OF_DICE
            }

    def play(self) -> None:
        """Carry out the commands while time advances."""
        # Reading blocks, and time must advance meanwhile; a daemon, because a blocked read cannot
        # be ended.
        threading.Thread(target=self._read, name="urpi-typed", daemon=True).start()
        begin = BEGIN_BY_HAND if self._service.by_hand else BEGIN
        self._print(self._words.text(begin))
        while not self._service.over:
            self._service.run()
            self._refresh()
            for line in self._due():
                if line is None or line.split()[:1] == ["quit"]:
                    return
                self._carry_out(line)

    def _read(self) -> None:
        for line in self._lines:
            self._queue.put(line)
        self._queue.put(None)

    def _due(self) -> Iterator[str | None]:
        """Yield the next line, unless it must wait; None at the end of the input."""
        if not self._waiting:
            with suppress(Empty):
                self._waiting.append(self._queue.get_nowait())
        if self._waiting and not self._must_wait(self._waiting[0]):
            yield self._waiting.pop()

    def _must_wait(self, line: str | None) -> bool:
        if line is None:
            return self._service.table.busy
        by_hand = line.split()[:1] and line.split()[0] in SEQUENTIAL
        return bool(by_hand) and self._service.table.busy and not self._is_automatic

    def _carry_out(self, line: str) -> None:
        typed = line.split()
        if not typed:
            return
        text = self._words.text
        command = self._commands.get(typed[0])
        if command is None and self._answer(line.strip()):
            return
        if command is None:
            self._print(
                text(N_("Unknown command {command!r}; type help.")).format(command=typed[0])
            )
            return
        if self._is_automatic and typed[0] in SEQUENTIAL:
            self._print(text(N_("Two simulated players are playing; quit or watch them.")))
            return
        if typed[0] in SEQUENTIAL:
            self._service.follow_display()
        try:
            command(*typed[1:])
        except UrpiError as error:
            self._print(str(error))
        # From the call with the typed words: their number, a side, a die or a fault that does not
        # exist.
        except (TypeError, ValueError, KeyError):
            lacking = text(N_("{command!r} has missing or extra words; type help."))
            self._print(lacking.format(command=line.strip()))

    def _answer(self, typed: str) -> bool:
        """Answer the question with one of its choices as they are shown; False if it is none."""
        snapshot = self._service.service.snapshot
        if snapshot.question is None:
            return False
        shown = candidates(snapshot, self._words)
        if typed not in shown:
            return False
        choice, now = snapshot.choices[shown.index(typed)], self._service.now()
        match snapshot.question.ask:
            case "move":
                self._service.board.submit(Answer(now, move=choice))
            case "faces":
                self._service.board.submit(Answer(now, faces=choice))
                if self._service.by_hand:
                    self._service.table.enter_throw(choice)
            case "first":
                self._service.board.submit(Answer(now, first=Side(choice)))
        return True

    def _help(self) -> None:
        for command, about in HELP.items():
            if self._service.by_hand and command.split()[0].strip(",") in OF_DICE:
                continue
            text = self._words.text(about) if about else ""
            self._print(f"{command:<{_WIDTH}} {text}".rstrip())

    def _print(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()

    def _lift(self, square: str) -> None:
        self._service.table.lift(parse_square(square.upper()))

    def _put(self, square: str, side: str) -> None:
        self._service.table.put(parse_square(square.upper()), Side(side))

    def _cock(self, die: str) -> None:
        table = self._service.table
        dice = sorted({one for own in table.dice_of for one in own})
        if int(die) not in dice:
            message = f"There is no die {die}; the dice are {', '.join(map(str, dice))}."
            raise UrpiError(message)
        table.cock(int(die))

    def _press(self, side: str, press: str = "short") -> None:
        if press not in PRESSES:
            message = f"A press must be {' or '.join(PRESSES)}; found {press!r}."
            raise UrpiError(message)
        for each in Side if side == "both" else (Side(side),):
            # The two together open the menu if they are held.
            self._service.table.press(each, "long" if side == "both" else press)

    def _stick(self, square: str, how: str) -> None:
        self._service.table.break_switch(parse_square(square.upper()), FAULTS[how])

    def _auto(self) -> None:
        self._service.table.play()
        self._is_automatic = True

    def _hint(self) -> None:
        if not self._service.board.engine.hint():
            self._print(self._words.text(NO_HINT))

    def _legal(self) -> None:
        self._print(" ".join(move.text for move in self._service.table.game.legal) or self._none())

    def _none(self) -> str:
        return self._words.text(N_("no legal move; use `throw`"))
