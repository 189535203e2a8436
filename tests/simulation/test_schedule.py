"""The table's clock."""

from urpi.simulation.schedule import Schedule


def test_actions_due_at_the_same_time_run_in_the_order_of_their_addition():
    schedule, done = Schedule(), []
    for name in "abc":
        schedule.at(5, lambda name=name: done.append(name))
    schedule.advance(5)

    assert done == ["a", "b", "c"]


def test_an_action_for_the_past_runs_now():
    schedule, done = Schedule(now=100), []
    schedule.at(40, lambda: done.append(schedule.now))
    schedule.advance(100)

    assert done == [100]


def test_no_action_runs_before_it_is_due():
    schedule, done = Schedule(), []
    schedule.after(10, lambda: done.append("it"))
    schedule.advance(9)

    assert (done, schedule.now, schedule.next_due) == ([], 9, 10)


def test_a_script_continues_after_each_wait():
    schedule, done = Schedule(), []

    def script():
        done.append(schedule.now)
        yield 30
        done.append(schedule.now)
        yield 70
        done.append(schedule.now)

    schedule.start(script())
    schedule.advance(1000)

    assert done == [0, 30, 100]
