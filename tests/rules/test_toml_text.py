"""House rules and days are read or refused with little work, whatever somebody sends in their place."""

import pytest

from tests.work import lines_of_python
from winded import Malformed
from winded.odds.day.files import day_from_toml
from winded.rules import ruleset_from_toml
from winded.rules.toml_text import LONGEST, MOST_DOTS, NotToml, toml_from

MOST_LINES = 10 * LONGEST

HOSTILE = {
    "nested lists": "a = " + "[" * 60_000,
    "nested tables": "a = " + "{a=" * 20_000,
    "a key of many parts": ".".join(["a"] * 30_000) + " = 1",
    "a table of many parts": "[" + ".".join(["a"] * 30_000) + "]",
    "quoted parts with line separators": ".".join(['"\u2028"'] * 10_000) + " = 1",
    "an endless number": "a = " + "9" * 60_000,
    "an endless number in hexadecimals": "a = 0x" + "f" * 60_000,
    "an endless fraction": "a = 0." + "9" * 60_000,
    "an endless exponent": "a = 1e" + "9" * 60_000,
    "a far exponent": "a = 1e999999999",
    "an endless text": 'a = "' + "x" * 300_000 + '"',
    "a text that does not end": "a = '''" + "x" * 60_000,
    "many tables": "\n".join(f"[a{number}]" for number in range(10_000)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("read", [ruleset_from_toml, day_from_toml])
def test_no_text_breaks_its_reader_or_keeps_it_busy(read: object, text: str) -> None:
    with pytest.raises(Malformed) as caught, lines_of_python(MOST_LINES):
        read(text)  # type: ignore[operator]
    assert len(str(caught.value)) < 600


def test_why_a_text_is_no_toml_is_said() -> None:
    for text, reason in (
        ("a = 1\n" + ".".join("b" * (MOST_DOTS + 2)) + " = 1", "at line 2"),
        ("x" * (LONGEST + 1), "characters"),
        ("a = " + "[" * 10_000, "nested"),
        ("a = " + "9" * 10_000, "figures"),
        ("a = ?", "line 1"),
    ):
        with pytest.raises(NotToml, match=reason):
            toml_from(text)


def test_dots_in_a_remark_are_as_many_as_one_likes() -> None:
    assert toml_from("# " + "." * 500 + "\na.b = 1") == {"a": {"b": 1}}
