"""Where the rules meet the journal: create a table, open it, play at it, undo, and watch it."""

from winded.tables.capacity import (
    ABILITY_LIMIT,
    ENEMY_LIMIT,
    MEMBER_LIMIT,
    PARTY_LIMIT,
    WOUND_LIMIT,
    check_members,
    check_room,
)
from winded.tables.correcting import MOST_PLAYED_AGAIN, Corrected, Correction, PlayedAgain, changed
from winded.tables.deciding import PATIENCE
from winded.tables.in_flight import REMEMBERED
from winded.tables.lines import MOVED_TOLD, NEWEST, Line
from winded.tables.names import is_table_id, new_table_id, table_name
from winded.tables.registry import Tables
from winded.tables.revision import Revision, new_mark, revision_from
from winded.tables.snapshot import Authorise, Done, Rehearsed, Several, Snapshot, SomeCommand
from winded.tables.watching import ANEW, GONE, Watcher

__all__ = [
    "ABILITY_LIMIT",
    "ANEW",
    "ENEMY_LIMIT",
    "GONE",
    "MEMBER_LIMIT",
    "MOST_PLAYED_AGAIN",
    "MOVED_TOLD",
    "NEWEST",
    "PARTY_LIMIT",
    "PATIENCE",
    "REMEMBERED",
    "WOUND_LIMIT",
    "Authorise",
    "Corrected",
    "Correction",
    "Done",
    "Line",
    "PlayedAgain",
    "Rehearsed",
    "Revision",
    "Several",
    "Snapshot",
    "SomeCommand",
    "Tables",
    "Watcher",
    "changed",
    "check_members",
    "check_room",
    "is_table_id",
    "new_mark",
    "new_table_id",
    "revision_from",
    "table_name",
]
