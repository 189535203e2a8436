"""Stories in a few words: the game, then what hands, dice and buttons do, one after another.

The first line is a RULES word or a position, after which options of the `game` fact may follow in
the form NAME=VALUE, such as ``first=dark`` or ``dice=own``. The other lines are acts, separated by
semicolons: ``lift A3``, ``put B2``, ``throw gs--``, ``wait 300``, ``press light long``,
``die 2 cocked``, ``enter move=A3-A1``, ``read A3 B2`` (a reading of the whole board),
``off A7`` (through the chute), ``sense B1 dark`` (the pole at a Hall sensor),
``decline light``, ``draw light``, ``resign dark``.
"""

from tests.referee.playing import Desk
from urpi.referee.clock import parse_time_control
from urpi.referee.facts import Decline, Draw, Field, Game, Occupancy, Plan, Resign
from urpi.rules import Side, parse_position, parse_rules, parse_square, squares_of
from urpi.show.words import words_for

_FLAGS = {"yes": True, "no": False}


def tell(text: str, language: str) -> Desk:
    """Return the table at the end of a story, in a language."""
    first, *lines = text.splitlines()
    desk = _begin(first, language)
    for act in (act for line in lines for act in line.split(";")):
        verb, *words = act.split()
        _ACTS[verb](desk, *words)
    return desk


def _begin(line: str, language: str) -> Desk:
    words = line.split()
    more = dict(word.split("=", 1) for word in words if "=" in word and "[" not in word)
    begun = [word for word in words if word.partition("=")[0] not in more]
    rules = parse_rules(begun[0])
    position = parse_position(" ".join(begun)) if len(begun) > 1 else None
    options: dict[str, object] = {name: _FLAGS.get(value, value) for name, value in more.items()}
    if "first" in more:
        options["first"] = Side(more["first"])
    if "clock" in more:
        options["clock"] = parse_time_control(more["clock"])
    if "seats" in more:
        options["seats"] = tuple(more["seats"].split(","))
    if more.get("dice") == "own":
        count = rules.dice.count
        options["dice"] = tuple(range(1, count + 1)), tuple(range(count + 1, 2 * count + 1))
    game = Game(
        0,
        rules.id,
        "Anna",
        "Ben",
        rules.changed,
        position=None if position is None else str(position),
        **{"start": rules.start_value, "decline": rules.may_decline, **options},
    )
    desk = Desk(game, sentence=words_for(language).sentence)
    desk.do(Occupancy(0, 0 if position is None else position.occupancy))
    return desk.wait(500)


def _read(desk: Desk, *squares: str) -> None:
    desk.do(Occupancy(desk.t, squares_of(map(parse_square, squares))))


def _sense(desk: Desk, square: str, pole: str) -> None:
    strength = 900 if pole == "light" else -900
    desk.do(Field(desk.t, parse_square(square), strength, 5, Side(pole)))


def _throw(desk: Desk, faces: str, first: str = "1") -> None:
    desk.throw(faces, tuple(range(int(first), int(first) + len(faces))))


def _die(desk: Desk, die: str, state: str, face: str | None = None, by: str = "hand") -> None:
    desk.die(int(die), state, face, tumbled=by == "thrown")


def _off(desk: Desk, square: str) -> None:
    desk.lift(square).chute(desk.state.side)


_ACTS = {
    "lift": Desk.lift,
    "put": Desk.put,
    "wait": lambda desk, ms: desk.wait(int(ms)),
    "throw": _throw,
    "press": lambda desk, side, press="short": desk.press(Side(side), press),
    "die": _die,
    "enter": lambda desk, answer: desk.answer(**dict([answer.split("=")])),
    "takeback": lambda desk: desk.answer(takeback=True),
    "first": lambda desk, side: desk.answer(first=Side(side)),
    "read": _read,
    "sense": _sense,
    "off": _off,
    "plan": lambda desk, side, move: desk.do(Plan(desk.t, Side(side), move)),
    "decline": lambda desk, side: desk.do(Decline(desk.t, Side(side))),
    "draw": lambda desk, side, agreed="": desk.do(Draw(desk.t, Side(side), agreed == "agreed")),
    "resign": lambda desk, side: desk.do(Resign(desk.t, Side(side))),
}
