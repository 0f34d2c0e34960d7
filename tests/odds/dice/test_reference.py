"""The reference page of the dice is true: its limits are those of the program, and its grammar is the reader's."""

from pathlib import Path

from winded.odds.check import FURTHEST_TARGET
from winded.odds.dice import grammar

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "dice.md").read_text(encoding="utf-8")


def test_every_limit_stands_on_the_page() -> None:
    told = " ".join(PAGE[PAGE.index("## Limits") :].split())
    for limit in (
        f"at most {grammar.LONGEST} characters",
        f"{grammar.MOST_DICE} dice of at most {grammar.MOST_FACES} faces",
        f"numbers up to {grammar.MOST_NUMBER}",
        f"brackets {grammar.DEEPEST} deep",
        f"{grammar.MOST_TOTALS} different totals",
        f"at most {grammar.MOST_KEPT_FROM} dice that show at most {grammar.MOST_KEPT_FACES} values",
        f"Targets are -{FURTHEST_TARGET} to {FURTHEST_TARGET}",
    ):
        assert limit in told
    assert f"at most {grammar.MOST_EXPLOSIONS} times" in PAGE


def test_the_grammar_on_the_page_is_the_readers() -> None:
    assert grammar.__doc__ is not None
    rows = [row.strip() for row in grammar.__doc__.splitlines() if " = " in row and row.startswith("    ")]
    assert len(rows) == 7
    assert "\n".join(rows) in PAGE
