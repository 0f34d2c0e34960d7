"""The one place where the rules meet the journal: tables are created, opened, played at, undone and watched here."""

from winded.tables.registry import (
    ANEW,
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
    is_table_id,
    table_name,
)
from winded.tables.revision import Revision, new_mark, revision_from

__all__ = [
    "ANEW",
    "GONE",
    "MOVED_TOLD",
    "PATIENCE",
    "REMEMBERED",
    "Authorise",
    "Done",
    "Line",
    "Rehearsed",
    "Revision",
    "Snapshot",
    "SomeCommand",
    "Tables",
    "Watcher",
    "is_table_id",
    "new_mark",
    "revision_from",
    "table_name",
]
