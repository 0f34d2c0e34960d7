"""Undo and redo: a table alone remembers nothing; its history does."""

import pytest

from tests.rules.builders import brakka, refused, rule_of
from winded import Correct, Redo, TakeWound, Undo
from winded.rules import Redone, Undone
from winded.rules.command import Command, Event


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Undo(), "There is nothing to take back."),
        (Undo(through=7), "There is nothing to take back."),
        (Redo(), "There is nothing to redo."),
    ],
)
def test_not_now_a_table_alone_has_nothing_to_take_or_put_back(command: Command, message: str) -> None:
    no = refused(brakka(), command)
    assert (no.rule, str(no)) == ("not-now", message)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Undone((4,)), "1 act is taken back."),
        (Undone((4, 3)), "2 acts are taken back."),
        (Redone((3,)), "1 act is put back."),
        (Redone((3, 4, 5)), "3 acts are put back."),
    ],
)
def test_taking_and_putting_back_is_told_and_changes_no_table_by_itself(event: Event, told: str) -> None:
    assert str(event.tell()) == told
    assert brakka().after(event) == brakka()


def test_ruling_correct_a_table_alone_has_no_past_to_put_right() -> None:
    assert rule_of(brakka(), Correct(1, (TakeWound("Brakka", "ribs"),))) == "not-now"
