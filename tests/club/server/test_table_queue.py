"""Which messages of tables wait to be stored."""

from urpi.club.server.table_queue import MAX_OF_TABLE, MAX_WAITING, TableQueue


def removed(messages: TableQueue) -> list[tuple[str, bytes]]:
    """Remove and return all messages, which are not released."""
    found = []
    while (message := messages.get(timeout_s=0)) is not None:
        found.append(message)
    return found


def test_a_message_that_is_repeated_before_it_is_answered_waits_once() -> None:
    messages = TableQueue()
    for table, data in (("lisbon", b"1"), ("lisbon", b"1"), ("porto", b"1"), ("lisbon", b"2")):
        messages.put(table, data)
    assert removed(messages) == [("lisbon", b"1"), ("porto", b"1")]
    messages.put("lisbon", b"1")
    messages.release("lisbon", b"1")
    assert removed(messages) == [("lisbon", b"2")]
    messages.put("lisbon", b"2")
    assert removed(messages) == [], "it is being stored"
    assert messages.dropped == 0


def test_a_message_that_is_repeated_after_its_answer_is_stored_again() -> None:
    messages = TableQueue()
    messages.put("lisbon", b"1")
    assert removed(messages) == [("lisbon", b"1")]
    messages.release("lisbon", b"1")
    messages.put("lisbon", b"1")
    assert removed(messages) == [("lisbon", b"1")]


def test_a_table_that_floods_the_club_does_not_displace_others() -> None:
    messages = TableQueue()
    for number in range(MAX_WAITING):
        messages.put("lisbon", b"%d" % number)
    messages.put("porto", b"1")
    stored = 0
    while found := removed(messages):
        stored += len(found)
        for table, data in found:
            messages.release(table, data)
    assert stored == MAX_OF_TABLE + 1
    assert messages.dropped == MAX_WAITING - MAX_OF_TABLE


def test_no_table_is_remembered_when_nothing_waits() -> None:
    messages = TableQueue(max_waiting=20)
    for number in range(25):
        messages.put(f"table-{number}", b"1")
    assert messages.dropped == 5
    assert messages.tables == {f"table-{number}" for number in range(20)}
    for table, data in removed(messages):
        messages.release(table, data)
    assert not messages.tables


def test_a_table_whose_message_is_being_stored_occupies_no_other_thread() -> None:
    messages = TableQueue()
    for table, data in (("lisbon", b"1"), ("lisbon", b"2"), ("porto", b"1")):
        messages.put(table, data)
    assert removed(messages) == [("lisbon", b"1"), ("porto", b"1")]
    messages.release("lisbon", b"1")
    assert removed(messages) == [("lisbon", b"2")]
