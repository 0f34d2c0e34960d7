"""Journals to test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.builders import record
from winded.journal import Journal, MemoryJournal, SqliteJournal


@pytest.fixture(params=["memory", "sqlite"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    """A journal of each kind, with no tables."""
    with MemoryJournal() if request.param == "memory" else SqliteJournal(tmp_path / "winded.sqlite") as made:
        yield made


@pytest.fixture
def journal(empty: Journal) -> Journal:
    """A journal of each kind with one table, "gate", that has no entries."""
    empty.create(record())
    return empty
