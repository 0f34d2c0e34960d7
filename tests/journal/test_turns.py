"""Whoever waits raises a hand, and whoever has written leaves a gap."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from winded.journal.turns import GAP, LOOK_AGAIN, Turns

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such locks there")


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Turns, Turns]]:
    mine, theirs = Turns(tmp_path / "winded.sqlite"), Turns(tmp_path / "winded.sqlite")
    yield mine, theirs
    mine.close()
    theirs.close()


def gap(turns: Turns) -> float:
    """How long one waits who has just written and would again."""
    turns.wrote()
    start = time.monotonic()
    turns.leave_gap()
    return time.monotonic() - start


def test_nobody_waits_for_nobody(two: tuple[Turns, Turns]) -> None:
    mine, _ = two
    assert gap(mine) < GAP


def test_a_raised_hand_gets_a_gap(two: tuple[Turns, Turns]) -> None:
    mine, theirs = two
    theirs.raise_hand()
    assert gap(mine) >= GAP * 0.9
    theirs.lower_hand()
    assert gap(mine) < GAP


def test_two_raised_hands_do_not_wait_for_each_other(two: tuple[Turns, Turns]) -> None:
    mine, theirs = two
    mine.raise_hand()
    theirs.raise_hand()
    assert gap(mine) < GAP
    assert gap(theirs) < GAP


def test_nobody_is_looked_for_again_at_once(two: tuple[Turns, Turns]) -> None:
    mine, theirs = two
    gap(mine)
    theirs.raise_hand()
    start = time.monotonic()
    while gap(mine) < GAP * 0.9:
        assert time.monotonic() < start + 10
    assert time.monotonic() - start <= LOOK_AGAIN + 2


def test_a_hand_goes_down_with_its_owner(two: tuple[Turns, Turns]) -> None:
    mine, theirs = two
    theirs.raise_hand()
    theirs.close()
    assert gap(mine) < GAP


def test_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    turns = Turns(tmp_path / "nowhere" / "winded.sqlite")
    turns.raise_hand()
    assert gap(turns) < GAP
    turns.lower_hand()
    turns.close()
