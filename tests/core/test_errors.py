"""Messages of errors, which are one line whatever names they contain."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from urpi.core.errors import UrpiError, one_line

NAMES = st.text(st.characters(codec=None) | st.characters(categories=["Cc", "Cf", "Zl", "Cs"]))


@given(NAMES)
def test_a_message_is_one_line_that_a_terminal_prints_as_it_is(name: str) -> None:
    shown = one_line(UrpiError(f"{name} is missing."))
    assert shown.encode().decode().splitlines() == [shown]
    assert not {"Cc", "Cf", "Zl", "Zp", "Cs"} & set(map(unicodedata.category, shown))


@given(NAMES)
def test_what_has_a_picture_or_is_a_space_is_kept(name: str) -> None:
    kept = "".join(one for one in name if one.isprintable() or unicodedata.category(one) == "Zs")
    assert one_line(kept) == kept
