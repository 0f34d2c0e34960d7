"""Pictures: well-formed, safe in a strict page, readable without colour, and with the same figures in words."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from tests.odds.forecasts.test_comparison import DAY, HOUSE
from winded import charts
from winded.charts.ahead import often_empty
from winded.charts.tables import FigureTable, bar
from winded.odds import advise, check, compare, forecast, simulate
from winded.odds.day.fields import certainly
from winded.odds.day.model import CheckAhead, Day, DayCharacter, Fight, RestAhead, Sketch
from winded.odds.figures import Percent
from winded.rules import PAGE, RestKind
from winded.sentence import Sentence, sentence

ODDS = check("1d20+con", 18, 5, con="d8")
DRAWN = {
    "check": lambda **more: charts.check_picture(ODDS, **more),
    "totals": lambda **more: charts.totals_picture(ODDS, **more),
    "forecast": lambda **more: charts.forecast_picture(forecast(DAY), **more),
    "ahead": lambda **more: charts.ahead_picture(forecast(DAY).characters[0], **more),
    "advice": lambda **more: charts.advice_picture(advise(DAY), **more),
    "comparison": lambda **more: charts.comparison_picture(compare(DAY, (PAGE, HOUSE)), **more),
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_on_a_page_has_no_style_of_its_own_and_a_title_and_description(name: str) -> None:
    drawn = DRAWN[name]()
    root = ET.fromstring(drawn)
    assert root.get("role") == "img"
    title, description = root[0], root[1]
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert title.text
    assert description.text
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert "style" not in {attribute for element in root.iter() for attribute in element.keys()}  # noqa: SIM118
    assert {element.tag for element in root.iter()}.isdisjoint({f"{SVG}style", f"{SVG}script", f"{SVG}foreignObject"})
    assert not re.search(r"(href|on\w+)=", drawn)


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_in_a_file_carries_its_style_and_follows_light_and_dark(name: str) -> None:
    root = ET.fromstring(DRAWN[name](standalone=True))
    (style,) = root.iter(f"{SVG}style")
    assert style.text is not None
    assert "light-dark(" in style.text
    assert "color-scheme: light dark" in style.text


@pytest.mark.parametrize("name", DRAWN)
def test_every_class_in_a_picture_is_one_that_the_style_knows(name: str) -> None:
    root = ET.fromstring(DRAWN[name]())
    used = {one for element in root.iter() for one in (element.get("class") or "").split()}
    assert used <= {*re.findall(r"\.([a-z][a-z0-9-]*)", charts.STYLE)}


@pytest.mark.parametrize("name", DRAWN)
def test_everything_drawn_stays_inside_the_picture(name: str) -> None:
    root = ET.fromstring(DRAWN[name]())
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    for box in root.iter(f"{SVG}rect"):
        x, y, wide, high = (float(box.get(side, "0")) for side in ("x", "y", "width", "height"))
        assert -0.5 <= x <= x + wide <= width + 0.5
        assert -0.5 <= y <= y + high <= height + 0.5
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x", "0")) <= width
        assert 0 <= float(text.get("y", "0")) <= height


def test_two_pictures_on_a_page_have_different_ids() -> None:
    one, other = (ET.fromstring(charts.check_picture(ODDS, name=name)) for name in ("a", "b"))
    ids = [{element.get("id") for element in root.iter()} - {None} for root in (one, other)]
    assert ids[0].isdisjoint(ids[1])


def test_what_pushing_adds_is_told_from_the_rest_without_colour() -> None:
    drawn = charts.check_picture(ODDS)
    assert drawn.count("clip-path") == 5
    lines = re.findall(r'class="line line-\d"[^>]*', charts.comparison_picture(compare(DAY, (PAGE, HOUSE))))
    dashes = {re.search(r'stroke-dasharray="([^"]*)"', line)[1] if "dasharray" in line else "" for line in lines}  # type: ignore[index]
    assert len(dashes) == 2


def test_odd_names_are_escaped_everywhere() -> None:
    bad = '<script>alert("1")</script> & \u202e'
    day = Day((DayCharacter(bad[:40], "d6"),), Sketch((CheckAhead(bad),), title=bad))
    for drawn in (
        charts.forecast_picture(forecast(day)), charts.advice_picture(advise(day)),
        charts.comparison_picture(compare(day, (PAGE,))), charts.forecast_table(forecast(day).characters[0]).html(),
    ):  # fmt: skip
        assert "<script" not in drawn
        ET.fromstring(drawn)


def test_words_go_through_the_one_who_says_them() -> None:
    said: list[str] = []

    def say(words: Sentence) -> str:
        said.append(words.text)
        return "¡hola!"

    drawn = charts.check_picture(ODDS, say=say)
    assert "{dice} with CON {con} against {target}" in said
    assert "¡hola!" in drawn


def test_the_table_of_a_check_says_what_the_picture_shows() -> None:
    assert charts.check_text(ODDS).split("\n") == [
        "1d20+con with CON d8 against 18",
        "",
        "Push  Chance  Gain   Exactly",
        "   0   37.5%          60/160  ███████████▎",
        "   1   42.5%  +5.0%   68/160  ████████████▊",
        "   2   47.5%  +5.0%   76/160  ██████████████▎",
        "   3   52.5%  +5.0%   84/160  ███████████████▊",
        "   4   57.5%  +5.0%   92/160  █████████████████▎",
        "   5   62.5%  +5.0%  100/160  ██████████████████▊",
    ]
    assert charts.check_table(ODDS).csv().split("\n")[:2] == ["Push,Chance,Gain,Exactly", "0,37.5%,,60/160"]


def test_a_table_in_html_has_a_caption_and_scoped_headings() -> None:
    grid = FigureTable(sentence("A & B"), (sentence("Step"), sentence("Left")), (("<door>", 3),))
    assert grid.html() == (
        '<table class="odds-figures"><caption>A &amp; B</caption><thead><tr><th scope="col">Step</th>'
        '<th scope="col">Left</th></tr></thead><tbody><tr><th scope="row">&lt;door&gt;</th><td>3</td></tr></tbody>'
        "</table>"
    )


@pytest.mark.parametrize(
    "name", ["=1+2", '=HYPERLINK("http://x.test")', "@SUM(A1)", "+1+cmd", "-2+3", " =1", "\t=1", "＝1"]
)
def test_no_spreadsheet_takes_a_name_for_a_formula(name: str) -> None:
    grid = FigureTable(sentence("Who"), (sentence("Name"), sentence("Left")), ((name, 3), ("Ash", -3), ("+5.0%", 1)))
    rows = list(csv.reader(io.StringIO(grid.csv())))
    assert rows == [["Name", "Left"], [f"'{name}", "3"], ["Ash", "-3"], ["+5.0%", "1"]]


def test_a_forecast_in_words_and_a_simulation_with_its_errors() -> None:
    (ash, _) = forecast(DAY).characters
    assert str(charts.forecast_words(ash)) == (
        "Ash begins with 8 Stamina and can expect 3.0 at the end; the chance of having none is 0%."
    )
    drawn = charts.simulation_text(simulate(DAY, days=10))
    assert "±0.000" in drawn
    assert "Someone at 0" in drawn


@pytest.mark.parametrize(
    ("chance", "shown"),
    [(0, "0%"), (1, "100%"), (0.5, "50.0%"), (1e-9, "<0.1%"), (0.9999, ">99.9%"), (0.12345, "12.3%")],
)
def test_a_chance_is_never_shown_as_certain_when_it_is_not(chance: float, shown: str) -> None:
    assert str(Percent(chance)) == shown


def test_bars_are_true_to_an_eighth_of_a_character() -> None:
    assert [bar(share, 2) for share in (0, 1 / 16, 0.5, 1, 2)] == ["", "▏", "█", "██", "██"]


def test_what_is_ahead_is_told_in_words_that_need_no_mathematics() -> None:
    wolves = Fight(
        "Wolves", (0, 0, Fraction(1, 2), Fraction(1, 2)), Fraction(1, 2), (0, Fraction(1, 2), Fraction(1, 2))
    )
    day = Day((DayCharacter("Ash", "d6"),), Sketch((wolves, RestAhead(RestKind.SHORT), CheckAhead("door"))))
    assert [str(words) for words in charts.ahead_words(forecast(day).characters[0])] == [
        "After Wolves: likely 0 to 2 left.",
        "After Short Rest: likely 1 to 3 left.",
        "After door: likely 0 left.",
        "Nothing left at the end: in about 19 of 20 such evenings.",
    ]


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0, "There is always some left at the end."),
        (1, "Nothing is left at the end."),
        (0.01, "Nothing left at the end: hardly ever, in fewer than 1 of 20 such evenings."),
        (0.34, "Nothing left at the end: in about 7 of 20 such evenings."),
    ],
)
def test_running_out_is_counted_in_evenings(chance: float, words: str) -> None:
    assert str(often_empty(chance)) == words


@pytest.mark.parametrize("target", [2, 15, 28, 40, 999, -999])
def test_the_label_of_a_target_is_never_cut_off(target: int) -> None:
    root = ET.fromstring(charts.totals_picture(check("1d20+con", target, 2, con="d8")))
    (label,) = (one for one in root.iter(f"{SVG}text") if (one.text or "").startswith("target"))
    assert label.text == f"target {target}"
    wide, at = 7.0 * len(label.text), float(label.get("x", 0))
    begin = {"end": at - wide, "middle": at - wide / 2}.get(label.get("text-anchor", "start"), at)
    assert begin >= -1
    assert begin + wide <= float(root.get("width", 0)) + 1


def test_a_rare_event_that_was_never_drawn_is_not_told_as_impossible() -> None:
    rare = Fight("Wolves", certainly(1), reactions=(1 - Fraction(1, 10**6), Fraction(1, 10**6)))
    day = Day((DayCharacter("Ash", "d6", 1),), Sketch((rare,)))
    drawn = simulate(day, days=50)
    (_, after) = charts.simulation_table(drawn.characters[0], 50).rows
    assert (str(after[3]), after[4]) == ("<0.1%", "")
    calm = simulate(Day((DayCharacter("Ash", "d6"),), Sketch((rare,))), days=50)
    assert str(charts.simulation_table(calm.characters[0], 50).rows[1][3]) == "0%"


def test_a_picture_says_likely_where_the_page_does() -> None:
    wolves = Fight("Wolves", certainly(1), reactions=(Fraction(1, 10), Fraction(9, 10)))
    (one,) = forecast(Day((DayCharacter("Ash", "d6"),), Sketch((wolves,)))).characters
    assert "After Wolves: likely 5 left." in charts.ahead_picture(one)
