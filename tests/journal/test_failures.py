"""Errors of the journal's file."""

import pickle

from urpi.journal import DiskError


def test_an_error_of_the_disk_reaches_another_process_whole() -> None:
    error = pickle.loads(pickle.dumps(DiskError("The disk is full.", "disk-full")))
    assert (str(error), error.code) == ("The disk is full.", "disk-full")
