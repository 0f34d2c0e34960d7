"""What is played at the gate, where Brakka and Ash sit, and a disk that is slow."""

import sqlite3
from pathlib import Path

from winded import (
    Adjust,
)
from winded.tables import Snapshot


class Held:
    """Keeps everyone else from writing to a database, as a slow disk would."""

    def __init__(self, database: Path) -> None:
        self.connection = sqlite3.connect(database, isolation_level=None)

    def __enter__(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_: object) -> None:
        self.connection.execute("ROLLBACK")
        self.connection.close()


def stamina(snapshot: Snapshot, name: str = "Brakka") -> int:
    return snapshot.table.character(name).stamina


def spend(by: int = 1) -> Adjust:
    return Adjust("Brakka", by=-by, reason="the cold")


def give(by: int = 1) -> Adjust:
    return Adjust("Brakka", by=by, reason="a draught")
