"""Tables over a journal in memory and over one in a file, and two processes at one table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from winded import (
    D10,
    D12,
    AddCharacter,
)
from winded.journal import Journal, MemoryJournal, SqliteJournal
from winded.tables import Tables


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    with MemoryJournal() if request.param == "memory" else SqliteJournal(tmp_path / "winded.sqlite") as made:
        yield made


@pytest.fixture
def tables(journal: Journal) -> Iterator[Tables]:
    with Tables(journal, clock=lambda: 1764491940.12345) as made:
        yield made


@pytest.fixture
def gate(tables: Tables) -> str:
    """A table at which Brakka (CON d10) and Ash (CON d12) sit: two entries."""
    table = tables.create("The gate")
    tables.do(table, AddCharacter("Brakka", con=D10))
    tables.do(table, AddCharacter("Ash", con=D12))
    return table


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "shared.sqlite"


@pytest.fixture
def two(database: Path) -> Iterator[tuple[Tables, Tables, str]]:
    """Two that share a database as two processes do, and a table with Brakka (Stamina 5 of 10)."""
    with (
        SqliteJournal(database) as mine,
        SqliteJournal(database) as theirs,
        Tables(mine) as one,
        Tables(theirs) as other,
    ):
        table = one.create("The gate")
        one.do(table, AddCharacter("Brakka", con=D10, stamina=5))
        assert one.snapshot(table) == other.snapshot(table)
        yield one, other, table
