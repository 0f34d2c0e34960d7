"""The journal in one SQLite file: nothing to install, and safe against a crash of the process or of the machine."""

from winded.journal.sqlite.journal import SqliteJournal
from winded.journal.sqlite.restoring import put_in_place, staged

__all__ = ["SqliteJournal", "put_in_place", "staged"]
