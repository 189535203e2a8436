"""Charts: rows, an axis with its unit, and nothing that a name could break."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.svg import Chart, Mark, chart, element, escaped

SVG = "{http://www.w3.org/2000/svg}"
ROWS = (Mark("Ann", 40.0, 30.0, 55.0, "4 of 10"), Mark("Zoë", 60.0, expected=50.0))


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(picture).iter(f"{SVG}text")]


def test_a_chart_names_its_rows_and_its_unit() -> None:
    told = texts(chart(Chart("Won", "95 % interval", "games won, %", ROWS, low=0, high=100)))
    assert [text for text in told if text] == [
        "Won", "95 % interval", "0", "20", "40", "60", "80", "100", "games won, %",
        "Ann", "4 of 10", "Zoë",
    ]  # fmt: skip


def test_an_axis_has_the_language_s_decimal_sign() -> None:
    told = texts(chart(Chart("", "", "", (Mark("one", 1.5),), low=0, high=2, point=",")))
    assert {"0,5", "1", "1,5", "2"} <= set(told)


def test_a_bar_is_as_long_as_its_value() -> None:
    bars = chart(Chart("", "", "", ROWS, bars=True, low=0, high=100))
    widths = [
        float(node.attrib["width"])
        for node in ET.fromstring(bars).iter(f"{SVG}rect")
        if node.attrib.get("class") == "bar"
    ]
    assert widths[1] / widths[0] == pytest.approx(1.5)


@pytest.mark.parametrize("marks", [(), (Mark("one", 0.0),), (Mark("one", -2.5),)])
def test_few_values_have_an_axis_too(marks: tuple[Mark, ...]) -> None:
    assert len(texts(chart(Chart("", "", "unit", marks)))) > 3


@given(st.text(), st.lists(st.tuples(st.text(), st.floats(-1e6, 1e6)), max_size=5))
def test_whatever_it_is_told_a_chart_is_xml(title: str, rows: list[tuple[str, float]]) -> None:
    marks = tuple(Mark(label, value, value, value + 1, label) for label, value in rows)
    ET.fromstring(chart(Chart(title, title, title, marks)))


@given(st.text())
def test_a_text_comes_back_out_of_a_document(text: str) -> None:
    told = ET.fromstring(element("a", escaped(text), title=text))
    lost = "\ufffd"
    assert len(told.text or "") == len(text.replace("\r\n", "\n"))
    if text.isprintable() and lost not in text:
        assert (told.text or "", told.attrib["title"]) == (text, text)
