"""Charts: rows, axis and escaping."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.show.svg import Chart, Mark, chart, element, escaped

SVG = "{http://www.w3.org/2000/svg}"
ROWS = (Mark("Ann", 40.0, 30.0, 55.0, "4 of 10"), Mark("Zoë", 60.0, expected=50.0))


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(picture).iter(f"{SVG}text")]


def test_a_chart_labels_its_rows_and_its_axis() -> None:
    found = texts(chart(Chart("Won", "95 % interval", "games won, %", ROWS, low=0, high=100)))
    assert [text for text in found if text] == [
        "Won", "95 % interval", "0", "20", "40", "60", "80", "100", "games won, %",
        "Ann", "4 of 10", "Zoë",
    ]  # fmt: skip


def test_axis_labels_use_the_decimal_separator() -> None:
    found = texts(chart(Chart("", "", "", (Mark("one", 1.5),), low=0, high=2, point=",")))
    assert {"0,5", "1", "1,5", "2"} <= set(found)


def test_the_length_of_a_bar_is_proportional_to_its_value() -> None:
    bars = chart(Chart("", "", "", ROWS, bars=True, low=0, high=100))
    widths = [
        float(node.attrib["width"])
        for node in ET.fromstring(bars).iter(f"{SVG}rect")
        if node.attrib.get("class") == "bar"
    ]
    assert widths[1] / widths[0] == pytest.approx(1.5)


def test_a_narrow_chart_has_its_labels_above_and_its_texts_in_lines() -> None:
    title = "Luck: the mean value of a throw, compared with the expected value"
    picture = ET.fromstring(chart(Chart(title, "About.", "axis", ROWS), narrow=True))
    assert picture.attrib["viewBox"].split()[2] == "380"
    lines = [node for node in picture.iter(f"{SVG}text") if node.attrib.get("class") == "title"]
    assert " ".join(node.text or "" for node in lines) == title
    assert all(len(node.text or "") <= 40 for node in lines)
    assert len({node.attrib["y"] for node in lines}) == len(lines) > 1
    circles = [float(node.attrib["cy"]) for node in picture.iter(f"{SVG}circle")]
    labels = [
        float(node.attrib["y"])
        for node in picture.iter(f"{SVG}text")
        if node.text in {mark.label for mark in ROWS}
    ]
    assert all(label < circle for label, circle in zip(labels, circles, strict=True))
    assert labels[1] > circles[0]


def test_lines_of_wider_letters_have_fewer_of_them() -> None:
    longest = {}
    for letter in "xж":
        about = " ".join([letter * 9] * 40)
        picture = ET.fromstring(chart(Chart("Title", about, "axis", ROWS)))
        lines = [node.text or "" for node in picture.iter(f"{SVG}text")]
        longest[letter] = max(len(text) for text in lines if letter in text)
    assert longest["ж"] < 0.9 * longest["x"]


def test_texts_of_an_arabic_chart_are_read_from_right_to_left_and_numbers_are_not() -> None:
    marks = (Mark("Ann", -1.0, text="1.0 / 2.0"), Mark("النرد 1", 1.0, text="-3.0"))
    picture = chart(Chart("الحظ", "", "المتوقع", marks))
    title, *_ = ET.fromstring(picture).iter(f"{SVG}text")
    assert title.attrib["text-anchor"] == "end"
    found = [text for text in texts(picture) if text.startswith("\u2067")]
    assert {text.strip("\u2067\u2069") for text in found} == {
        "الحظ", "المتوقع", "1.0 / 2.0", "النرد 1"
    }  # fmt: skip
    assert "\u2067" not in chart(Chart("Luck of النرد", "", "points", marks))


@pytest.mark.parametrize("marks", [(), (Mark("one", 0.0),), (Mark("one", -2.5),)])
def test_charts_with_few_values_have_an_axis(marks: tuple[Mark, ...]) -> None:
    assert len(texts(chart(Chart("", "", "unit", marks)))) > 3


@given(st.text(), st.lists(st.tuples(st.text(), st.floats(-1e6, 1e6)), max_size=5))
def test_a_chart_of_any_texts_is_well_formed_xml(title: str, rows: list[tuple[str, float]]) -> None:
    marks = tuple(Mark(label, value, value, value + 1, label) for label, value in rows)
    for narrow in (False, True):
        ET.fromstring(chart(Chart(title, title, title, marks), narrow=narrow))


@given(st.text())
def test_an_escaped_text_survives_a_round_trip(text: str) -> None:
    parsed = ET.fromstring(element("a", escaped(text), title=text))
    replacement = "\ufffd"
    assert len(parsed.text or "") == len(text.replace("\r\n", "\n"))
    if text.isprintable() and replacement not in text:
        assert (parsed.text or "", parsed.attrib["title"]) == (text, text)
