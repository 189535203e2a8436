"""A whole game of `ravensburger` with one Pixels die, which is often out of range when thrown."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kernel.bluez import system_bus
from tests.kernel.board import BEHAVIOUR
from tests.kernel.bumble_room import decisions, play_game, room
from tests.kernel.findings import Findings, play

RULES: Final = "ravensburger"
FORGETFUL: Final = replace(BEHAVIOUR, die_dead=0.1)
"""Players whose die is out of range in one of ten throws, which they enter by the buttons."""


def act(findings: Findings) -> None:
    """Play the game, then check its results."""
    configured = f'rules = "{RULES}"'
    with (
        system_bus(Path.cwd()),
        room(Path.cwd() / RULES, RULES, configured, FORGETFUL) as at,
    ):
        play_game(at, findings)
    thrown = {line["faces"] for line in decisions(at.place.journal, "roll")}
    findings.check("a d6 counts as itself", thrown == set("123456"), thrown)
    questions = decisions(at.place.journal, "question")
    entered = sum(line["ask"] == "faces" for line in questions)
    findings.check("a throw of a die out of range is entered by hand", entered > 0, questions)
    findings.figure("throws entered by hand", str(entered))
    (die,) = at.air.own
    findings.check("the die was connected again", die.connections > 1, die.connections)
    findings.figure("connections of the die", str(die.connections))


if __name__ == "__main__":
    play("bluetooth_ravensburger", act)
