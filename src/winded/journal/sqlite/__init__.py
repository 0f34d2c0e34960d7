"""The journal in one SQLite file: nothing to install, and safe against a crash of the process or of the machine."""

from winded.journal.sqlite.journal import SqliteJournal

__all__ = ["SqliteJournal"]
