"""The formats of dates and numbers in each language."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from urpi.show.words import languages, words_for

DAY = date(2026, 3, 9)


@pytest.mark.parametrize(
    ("language", "day", "number"),
    [
        ("en", "2026-03-09", "1234.50"),
        ("fr", "09/03/2026", "1234,50"),
        ("hu", "2026. 03. 09.", "1234,50"),
        ("pt", "09/03/2026", "1234,50"),
        ("ru", "09.03.2026", "1234,50"),
        ("sl", "9. 3. 2026", "1234,50"),
    ],
)
def test_date_and_number_in_each_language(language, day, number):
    words = words_for(language)
    assert words.date(DAY) == day
    assert words.number(1234.5, 2) == number


@pytest.mark.parametrize("language", languages())
def test_whole_and_negative_numbers(language):
    words = words_for(language)
    assert words.number(12.4, 0) == "12"
    assert words.number(-0.5, 1)[0] == "-"


def test_moment_with_and_without_seconds_and_offset():
    words = words_for("sl")
    moment = datetime(2026, 3, 9, 18, 5, 7, tzinfo=timezone(timedelta(hours=1)))
    assert words.moment(moment) == "9. 3. 2026 18:05"
    assert words.moment(moment, seconds=True) == "9. 3. 2026 18:05:07 +0100"
    assert words.moment(moment.astimezone(UTC)) == "9. 3. 2026 17:05"


def test_moment_without_a_time_zone_ends_with_its_seconds():
    moment = datetime(2026, 3, 9, 18, 5, 7)  # noqa: DTZ001 - what is tested
    assert words_for("en").moment(moment, seconds=True) == "2026-03-09 18:05:07"
