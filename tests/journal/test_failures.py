"""Errors of the journal's file."""

import pickle

from urpi.journal import DiskError


def test_a_disk_error_can_be_pickled_with_its_code() -> None:
    error = pickle.loads(pickle.dumps(DiskError("The disk is full.", "disk-full")))
    assert (str(error), error.code) == ("The disk is full.", "disk-full")
