"""What the doctor sends to the club leaves everything there as it is."""

from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from tests.link.protocol.delivery import Delivery
from urpi.install.doctor.probes.broker_trial import lines_without_a_game
from urpi.link.protocol.archive import receive
from urpi.link.protocol.message_parsers import parse_from_table
from urpi.link.protocol.messages import Ack

NAMES = st.sampled_from(["", "Ann", "Zoë"])


@given(games=st.lists(st.tuples(NAMES, NAMES), max_size=3))
def test_the_club_answers_the_trial_and_stores_and_erases_nothing(
    games: list[tuple[str, str]],
) -> None:
    one = Delivery()
    for light, dark in games:
        one.begin(**{side: name for side, name in (("light", light), ("dark", dark)) if name})
    one.settle()
    before = deepcopy((one.store.stored, one.store.current, one.store.names))

    answer = receive(one.store, parse_from_table(lines_without_a_game().encode()))

    assert isinstance(answer, Ack)
    assert not answer.stored
    assert (one.store.stored, one.store.current, one.store.names) == before
