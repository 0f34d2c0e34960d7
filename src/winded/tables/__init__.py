"""The one place where the rules meet the journal: tables are created, opened, played at, undone and watched here."""

from winded.tables.registry import (
    GONE,
    MOVED_TOLD,
    PATIENCE,
    REMEMBERED,
    Authorise,
    Done,
    Line,
    Rehearsed,
    Snapshot,
    SomeCommand,
    Tables,
    Watcher,
    table_name,
)

__all__ = [
    "GONE",
    "MOVED_TOLD",
    "PATIENCE",
    "REMEMBERED",
    "Authorise",
    "Done",
    "Line",
    "Rehearsed",
    "Snapshot",
    "SomeCommand",
    "Tables",
    "Watcher",
    "table_name",
]
