"""The arguments of `python -m tests.mutation` that name something which does not exist."""

import sys

import pytest

from tests.mutation.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ruls"], "urpi has no package 'ruls'; name a folder of urpi, such as rules"),
        (["rules", "--tests", "tests/ruls"], "there is no tests/ruls; name files or folders of"),
        (["rules", "--tests", "tests/x.py::test"], "there is no tests/x.py::test; name files or"),
    ],
)
def test_a_name_without_a_file_is_an_error_of_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.setattr(sys, "argv", ["mutation", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 2
    assert message in capsys.readouterr().err
