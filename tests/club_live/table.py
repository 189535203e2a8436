"""A table that plays random games: the real journal and connection, with answers for hands.

Run as ``python -m tests.club_live.table JOURNAL BROKER TABLE PASSWORD_FILE SEED [LONGEST]``. On
SIGTERM it plays no more, waits until the club has everything, and ends with status 0.
"""

import random
import signal
import sys
import time
from pathlib import Path

from tests.club_live.running import READY
from tests.journal.games import STARTED
from tests.output import print_line
from urpi.config import ClubSection
from urpi.journal import Journal, timing_settings
from urpi.link.broker.club_link import ClubLink
from urpi.link.broker.state_message import TableState
from urpi.referee import Phase, Settings, Snapshot, State, Timing, begin, snapshot, step
from urpi.referee.facts import Answer, Fact, Game, Occupancy, Resign
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import Side

PAUSE_S = 0.02
LONGEST = 150
"""Answers after which light resigns by default, so that many games end."""
DELIVERY_S = 110.0
"""Longest wait for the club; less than that of the test for the end of this program."""


class RandomGame:
    """A game that is refereed and stored as by the service."""

    def __init__(self, journal: Journal, dice: random.Random, longest: int = LONGEST) -> None:
        self.journal, self.dice, self.longest = journal, dice, longest
        timing = Timing()
        self.state: State = begin(Settings(lambda code, _details: f"Ann: {code}.", timing))
        opening = Game(0, "finkel", "Ann", "Zoë", first=dice.choice(list(Side)))
        settings = {**timing_settings(timing), "language": "en", "table": "board"}
        self.number = journal.new_game(fact_line(opening), STARTED, "1.0.0", settings)
        self.state, decisions = step(self.state, opening)
        journal.append(self.number, [], map(decision_line, decisions))
        self.t = 1000
        self.look()

    @property
    def now(self) -> Snapshot:
        return snapshot(self.state)

    @property
    def over(self) -> bool:
        return self.now.phase is Phase.OVER

    def apply(self, fact: Fact) -> None:
        self.state, decisions = step(self.state, fact)
        ended = STARTED if self.over else None
        self.journal.append(
            self.number, [fact_line(fact)], map(decision_line, decisions), ended=ended
        )

    def look(self) -> None:
        position = self.now.position
        assert position is not None
        if not self.over:
            self.apply(Occupancy(self.t, position.occupancy))

    def play(self) -> None:
        self.t += 1000
        now = self.now
        if self.t > self.longest * 1000:
            self.apply(Resign(self.t, Side.LIGHT))
            return
        if now.phase is Phase.MOVE:
            self.apply(Answer(self.t, move=self.dice.choice(now.legal)))
        else:
            assert now.position is not None
            dice = now.position.rules.dice
            faces = self.dice.choices(list(dice.faces), k=dice.count)
            self.apply(Answer(self.t, faces="".join(faces)))
        self.t += 500
        self.look()


def main(
    path: str, broker: str, table: str, password_file: str, seed: str, longest: str = str(LONGEST)
) -> int:
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    print_line(READY)
    dice = random.Random(int(seed))
    link = ClubLink(ClubSection(broker, table, password_file), Path(path), "board")
    with Journal.open(Path(path)) as journal, link.opened():
        while not stopped:
            game = RandomGame(journal, dice, int(longest))
            while not (stopped or game.over):
                game.play()
                link.publish(TableState(game.number, game.now))
                time.sleep(PAUSE_S)
        deadline = time.monotonic() + DELIVERY_S
        # The next status may be from before the last lines; the one after it is not.
        known, newer = link.status, 0
        while time.monotonic() < deadline:
            status = link.status
            if status is not known:
                known, newer = status, newer + 1
            if newer > 1 and status is not None and status.connected and not status.waiting:
                return 0
            time.sleep(0.1)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
