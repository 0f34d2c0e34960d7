"""Whoever waits raises a hand, and whoever has written leaves a gap."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from winded.journal.sqlite.fairness import GAP, LOOK_AGAIN, Fairness

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such locks there")


class Process:
    """One that writes, with a clock that goes only when it waits or is told to."""

    def __init__(self, path: Path) -> None:
        self.now = 100.0
        self.fairness = Fairness(path, lambda: self.now, self.wait)
        self.waited = 0.0

    def wait(self, seconds: float) -> None:
        self.waited += seconds
        self.now += seconds

    def writes_twice(self) -> float:
        """How long it waits between the two."""
        self.fairness.wrote()
        self.waited = 0.0
        self.fairness.leave_gap()
        return self.waited


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Process, Process]]:
    mine, theirs = Process(tmp_path / "winded.sqlite"), Process(tmp_path / "winded.sqlite")
    yield mine, theirs
    mine.fairness.close()
    theirs.fairness.close()


def test_nobody_waits_for_nobody(two: tuple[Process, Process]) -> None:
    mine, _ = two
    assert mine.writes_twice() == 0


def test_a_raised_hand_gets_a_gap(two: tuple[Process, Process]) -> None:
    mine, theirs = two
    theirs.fairness.raise_hand()
    assert mine.writes_twice() == pytest.approx(GAP)
    assert mine.writes_twice() == pytest.approx(GAP)
    theirs.fairness.lower_hand()
    assert mine.writes_twice() == 0


def test_who_has_not_written_lately_leaves_no_gap(two: tuple[Process, Process]) -> None:
    mine, theirs = two
    theirs.fairness.raise_hand()
    mine.fairness.wrote()
    mine.now += GAP
    mine.fairness.leave_gap()
    assert mine.waited == 0


def test_two_raised_hands_do_not_wait_for_each_other(two: tuple[Process, Process]) -> None:
    mine, theirs = two
    mine.fairness.raise_hand()
    theirs.fairness.raise_hand()
    assert mine.writes_twice() == theirs.writes_twice() == 0


def test_nobody_is_looked_for_again_at_once(two: tuple[Process, Process]) -> None:
    mine, theirs = two
    assert mine.writes_twice() == 0
    theirs.fairness.raise_hand()
    assert mine.writes_twice() == 0
    mine.now += LOOK_AGAIN
    assert mine.writes_twice() == pytest.approx(GAP)


def test_a_hand_goes_down_with_its_owner(two: tuple[Process, Process]) -> None:
    mine, theirs = two
    theirs.fairness.raise_hand()
    theirs.fairness.close()
    assert mine.writes_twice() == 0


def test_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    process = Process(tmp_path / "nowhere" / "winded.sqlite")
    process.fairness.raise_hand()
    assert process.writes_twice() == 0
    process.fairness.lower_hand()
    process.fairness.close()
