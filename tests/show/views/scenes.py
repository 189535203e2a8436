"""Snapshots for every view, as they occur in games."""

from dataclasses import replace

from urpi.referee.clock import Clock, TimeControl
from urpi.referee.decisions import (
    Abandoned,
    Coached,
    Drawn,
    Fault,
    Fix,
    Hinted,
    Moved,
    Passed,
    Question,
    Refused,
    Roll,
    RollRefused,
    Starts,
    TakenBack,
    Warned,
    Won,
)
from urpi.referee.seats import SharedGame
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import Side, Starter, names_of, parse_position, parse_square, squares_of
from urpi.show.words import words_for

LIGHT, DARK = Side

START = parse_position("finkel - L7D7 L0D0 L")
MIDDLE = parse_position("finkel A1:L,A4:L,B4:L,B6:D,B8:L,C2:D,C4:D L2D3 L1D1 L")
TOWERS = parse_position("ravensburger A4:L,B2:DL,B5:LDD,B8:DLL',C3:D L5D4 L0D1 D")
FORTS = parse_position("freecompany A1:L,A3:L,B4:D,C1:L,C7:D L4D5 L0D0 L")
OVER = parse_position("finkel B6:D,C4:D L0D4 L7D1 =")
SKIRYUK = parse_position("skiryuk B3:LDD,B6:D'L,B8:L,C2:DD L4D1 L0D1 D")
MURRAY = parse_position("murray A2:L,B5:L',B7:D',C1:D L4D4 L1D1 D")


def squares(*names):
    return squares_of(parse_square(name) for name in names)


def throw_of(position, faces):
    return position.rules.dice.throw(faces)


def to_throw(position=MIDDLE, **more):
    return Snapshot(Phase.THROW, position, side=position.turn, **more)


SHARED = {
    "light": "Ann",
    "dark": "Zoë",
    "seats": ("remote", "person"),
    "shared": SharedGame("5f" * 16, "lisbon", "2026.11.20"),
}
ENGINES = {"light": "urpi hard", "seats": ("engine:hard", "engine:easy")}


def to_move(faces, position=MIDDLE, **more):
    throw = throw_of(position, faces)
    legal = tuple(move.text for move in position.rules.legal_moves(position, throw))
    legal = more.pop("legal", legal)
    return Snapshot(Phase.MOVE, position, side=position.turn, throw=throw, legal=legal, **more)


def warning_scene(code, to_fill=0, to_clear=0, position=MIDDLE, **details):
    lists = {"fill": ", ".join(names_of(to_fill)), "clear": ", ".join(names_of(to_clear))}
    named = {"side": "light", **lists, **details}
    text = words_for("en").sentence(code, named)
    warning = Warned(0, LIGHT, code, to_fill | to_clear, text, Fix(to_fill, to_clear))
    return Snapshot(
        Phase.MOVE,
        position,
        side=LIGHT,
        throw=throw_of(position, "gs--"),
        warning=warning,
        fill=to_fill,
        clear=to_clear,
    )


TIPS = ("----", "g---", "gs--", "gsg-", "gsgs")


def question_scene(ask, choices, chosen=0, **more):
    question = Question(0, LIGHT, ask, choices if ask == "move" else ())
    return Snapshot(
        Phase.MOVE, MIDDLE, side=LIGHT, question=question, choices=choices, chosen=chosen, **more
    )


def asked(scene, chosen):
    """Return the scene while a throw of four ordinary dice is entered."""
    asking = question_scene("faces", TIPS, chosen)
    return replace(
        scene, phase=Phase.THROW, throw=None, question=asking.question, choices=TIPS, chosen=chosen
    )


def over(outcome, position=OVER, **names):
    return Snapshot(Phase.OVER, position, outcome=outcome, **names)


STUCK = Fault(0, "B4", "stuck-on")
LOST_DIE = Fault(0, "die 3", "lost")

SCENES = {
    "throw-clock": to_throw(
        light="Anna",
        dark="Ben",
        last=Moved(0, DARK, "C4-B2", str(MIDDLE), "sensed"),
        clock=Clock((600_000, 594_000), TimeControl(10, 5), LIGHT),
    ),
    "throw-clock-engine": to_throw(
        **ENGINES, clock=Clock((600_000, 594_000), TimeControl(10, 5), DARK)
    ),
    "move-clock": to_move(
        "gs--", light="Anna", dark="Ben", clock=Clock((45_000, 10_800_000), TimeControl(180), LIGHT)
    ),
    "no-game": Snapshot(Phase.NO_GAME),
    "no-game-fault": Snapshot(Phase.NO_GAME, faults=(Fault(0, "hub", "lost"),)),
    "set-up-start": Snapshot(Phase.SET_UP, START, clear=squares("B4", "C2")),
    "set-up-middle": Snapshot(
        Phase.SET_UP,
        MIDDLE,
        fill=squares("A1", "A4", "B4", "B6", "B8", "C2", "C4"),
        clear=squares("A7"),
    ),
    "set-up-fault": Snapshot(Phase.SET_UP, MIDDLE, fill=squares("A1"), faults=(STUCK,)),
    "choose-first": Snapshot(Phase.CHOOSE_FIRST, START, "Anna", "Béla"),
    "start-throw-first": Snapshot(Phase.START_THROW, START, side=LIGHT, waiting=(1, 2, 3, 4)),
    "start-throw-second": Snapshot(
        Phase.START_THROW,
        START,
        "Anna",
        "Bartholomew",
        side=DARK,
        waiting=(1, 2, 3, 4),
        start_throws=(throw_of(START, "gs--"), None),
    ),
    "start-throw-dice": Snapshot(
        Phase.START_THROW,
        START,
        side=DARK,
        rolling=(4,),
        waiting=(3, 4),
        settled=((1, "g"), (2, "-")),
        start_throws=(throw_of(START, "gs--"), None),
    ),
    "start-throw-tie": Snapshot(
        Phase.START_THROW,
        START,
        "Anna",
        "Bartholomew",
        side=LIGHT,
        waiting=(1, 2, 3, 4),
        start_throws=(throw_of(START, "gs--"), throw_of(START, "--gs")),
    ),
    "start-throw-no-one": Snapshot(
        Phase.START_THROW,
        SKIRYUK,
        "Anna",
        "Ben",
        side=LIGHT,
        waiting=(1, 2, 3),
        starter=Starter.ONE_MARK,
        start_throws=(throw_of(SKIRYUK, "gs-"), throw_of(SKIRYUK, "ggs")),
    ),
    "throw-start-values": to_throw(
        START,
        last=Starts(0, LIGHT, "throw"),
        waiting=(1, 2, 3, 4),
        start_throws=(throw_of(START, "gsg-"), throw_of(START, "gs--")),
    ),
    "throw-start-one": to_throw(SKIRYUK, last=Starts(0, DARK, "one"), waiting=(1, 2, 3)),
    "rebuild": Snapshot(
        Phase.MOVE,
        MIDDLE,
        "Anna",
        "Ben",
        side=LIGHT,
        warning=Warned(0, LIGHT, "disturbed", squares("A4", "B4", "B6", "B3"), "", Fix(0, 0)),
        fill=squares("A4", "B4", "B6"),
        clear=squares("B3"),
    ),
    "rebuild-towers": Snapshot(
        Phase.THROW,
        TOWERS,
        side=DARK,
        warning=Warned(0, DARK, "disturbed", squares("B2", "B5", "B8", "C3"), "", Fix(0, 0)),
        fill=squares("B2", "B5", "B8", "C3"),
    ),
    "seems-won": Snapshot(Phase.MOVE, MIDDLE, "Anna", side=LIGHT, seems="A7-off", seems_won=True),
    "throw-too-soon": to_throw(
        light="Anna",
        dark="Ben",
        last=RollRefused(0, LIGHT, "too-soon", (1, 2, 3, 4)),
        waiting=(1, 2, 3, 4),
        refused=((1, "g"), (2, "-"), (3, "s"), (4, "-")),
    ),
    "throw-start": to_throw(START, last=Starts(0, LIGHT, "throw"), waiting=(1, 2, 3, 4)),
    "throw-after-move": to_throw(last=Moved(0, DARK, "B4xB6", "", "sensed")),
    "throw-names": to_throw(
        light="Nebuchadnezzar", dark="Šárka Űrhajós", last=Moved(0, DARK, "B4xB6", "", "sensed")
    ),
    "throw-cyrillic": to_throw(light="Људмила", dark="Жужа", last=Passed(0, DARK, "no-move")),
    "throw-after-pass": to_throw(last=Passed(0, DARK, "zero")),
    "throw-after-takeback": to_throw(last=TakenBack(0, LIGHT, "A4-A2")),
    "throw-fault": to_throw(last=Moved(0, DARK, "C4-C2", "", "sensed"), faults=(STUCK, LOST_DIE)),
    "throw-dice-rolling": to_throw(rolling=(2, 4), waiting=(2, 3, 4), settled=((1, "g"),)),
    "throw-dice-waiting": to_throw(waiting=(3,), settled=((1, "g"), (2, "s"), (4, "-"))),
    "throw-dice-cocked": to_throw(
        waiting=(3,),
        settled=((1, "g"), (2, "s"), (4, "-")),
        last=RollRefused(0, LIGHT, "cocked", (3,)),
    ),
    "throw-refused": to_throw(last=RollRefused(0, LIGHT, "not-tumbled", (1, 2, 3, 4))),
    "throw-skiryuk": to_throw(SKIRYUK, last=Moved(0, LIGHT, "B2-B3", "", "sensed")),
    "throw-murray": to_throw(MURRAY, last=Moved(0, LIGHT, "B2-B5", "", "inferred")),
    "move": to_move("gs--"),
    "move-none": to_move("----", legal=()),
    "move-four": to_move("gsgs", light="Zsófia"),
    "move-fault": to_move("g---", faults=(LOST_DIE,)),
    "move-refused": to_move("gs--", last=Refused(0, "answer", "not-legal", "")),
    "move-unplayed": to_move("gs--", last=RollRefused(0, LIGHT, "unplayed-throw", (2,))),
    "move-skiryuk": to_move("-s-", SKIRYUK),
    "move-ravensburger": to_move("5", TOWERS),
    "move-freecompany": to_move("gs", FORTS),
    "throw-ravensburger": to_throw(TOWERS, last=Passed(0, LIGHT, "zero")),
    "throw-may-decline": to_throw(
        parse_position("freecompany A1:L,A3:L,B4:D,C1:L,C7:D L4D5 L0D0 L*"),
        last=Moved(0, LIGHT, "A2-A1", "", "sensed"),
        may_decline=True,
    ),
    "throw-freecompany": to_throw(FORTS, last=Moved(0, DARK, "A3-A2,B5-B6", "", "sensed")),
    "planned": to_move("gs--", legal=("A4-A2",), planned="A4-A2", **ENGINES),
    "planned-capture": to_move("gs--", legal=("A1xB2",), planned="A1xB2", **ENGINES),
    "planned-entry": to_move("gs--", legal=("+A3",), planned="+A3", **ENGINES),
    "planned-off": to_move("gs--", legal=("A7-off",), planned="A7-off", **ENGINES),
    "planned-two": to_move("gs", FORTS, legal=("A3-A2,B5xB6",), planned="A3-A2,B5xB6", **ENGINES),
    "planned-unplayed": to_move(
        "gs--",
        legal=("A4-A2",),
        planned="A4-A2",
        last=RollRefused(0, LIGHT, "unplayed-throw", (2,)),
        **ENGINES,
    ),
    "planned-program": to_move(
        "gs--",
        planned="A4-A2",
        legal=("A4-A2",),
        rolled=Roll(0, LIGHT, "gs--", 2, ("A4-A2",), program=True),
        engine_throws="program",
        **ENGINES,
    ),
    "refused-takeback": to_throw(last=Refused(0, "answer", "takebacks-off", "")),
    "program-throws": to_throw(engine_throws="program", **ENGINES),
    "seems-program": to_move(
        "gs--", seems="A4-A2", engine_throws="program", seats=("person", "engine:easy")
    ),
    "thinking": to_move("gs--", legal=(), thinking=True, **ENGINES),
    "remote-throws": to_throw(**SHARED),
    "remote-thinking": to_move("gs--", legal=(), thinking=True, **SHARED),
    "remote-move": to_move(
        "gs--", legal=("A4-A2",), planned="A4-A2", planned_as="sensed", **SHARED
    ),
    "unplanned": to_move("gs--", **ENGINES),
    "hint": to_move("gs--", hint=Hinted(0, LIGHT, "A4-A2", 7)),
    "hint-only": to_move("gs--", hint=Hinted(0, LIGHT, "A4-A2")),
    "coached": to_throw(
        coached=Coached(0, LIGHT, "A4-A2", "B5xB6", 7), before=MIDDLE, takeback=(LIGHT, "A4-A2")
    ),
    "coached-program": to_throw(
        coached=Coached(0, DARK, "C4-C2", "B6-B8", 7),
        before=MIDDLE,
        takeback=(DARK, "C4-C2"),
        engine_throws="program",
        seats=("engine:hard", "person"),
    ),
    "coached-for-good": to_throw(
        coached=Coached(0, LIGHT, "A4-A2", "B5xB6", 7), before=MIDDLE, takeback=None
    ),
    "coached-long": to_throw(
        coached=Coached(0, LIGHT, "A4-A2", "A3-A2,B5xB6", 12),
        before=MIDDLE,
        takeback=(LIGHT, "A4-A2"),
    ),
    "coached-seems": to_move(
        "gs--", seems="A4-A2", coached=Coached(0, LIGHT, "A4-A2", "B4xB6", 3), before=MIDDLE
    ),
    "seems": to_move("gs--", seems="A4-A2"),
    "seems-long": to_move("gs--", seems="A3-A2,B5xB6"),
    "warning-distance": warning_scene(
        "wrong-distance", squares("A4"), squares("A1"), threw=2, went=3, origin="A4", target="A1"
    ),
    "warning-longest": warning_scene(
        "must-move", squares("A4", "B4"), squares("A2", "B5"), threw=2
    ),
    "warning-missing": warning_scene("piece-missing", squares("B6")),
    "warning-safe": warning_scene("safe-square", squares("B2"), origin="B2", target="B4"),
    "question-move": question_scene("move", ("A1xB2", "A4-A2", "B4-B6"), 1),
    "question-many": question_scene(
        "move", ("+A4", "A1-B2", "A3-A2,B5-B6", "A4-A2", "B4xB6"), 4, light="Nebuchadnezzar"
    ),
    "question-first-chooser": question_scene(
        "first", ("light", "dark"), light="Anna", dark="Béla", chooser=DARK
    ),
    "question-first": question_scene("first", ("light", "dark"), 1, light="Anna", dark="Béla"),
    "question-faces": question_scene("faces", ("gs--", "gsg-"), 1),
    "question-last-die": question_scene("faces", ("----", "---g")),
    "question-all-dice": question_scene("faces", TIPS, 3),
    "question-fault": question_scene("faces", TIPS, 2, faults=(STUCK,)),
    "question-disturbed": asked(
        warning_scene("disturbed", squares("A4", "B6"), squares("B3", "B5", "C1")), 3
    ),
    "question-early-move": asked(warning_scene("no-throw-yet", squares("A4"), squares("A2")), 1),
    "won": over(Won(0, LIGHT, "off")),
    "won-name": over(Won(0, DARK, "resigned"), dark="Nebuchadnezzar"),
    "won-captured": over(Won(0, DARK, "captured"), dark="Şükriye"),
    "drawn": over(Drawn(0, "repeated-action"), MIDDLE),
    "abandoned": over(Abandoned(0, "abandoned"), MIDDLE),
}
