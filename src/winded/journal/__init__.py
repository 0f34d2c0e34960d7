"""The log of each table: every command that was accepted, numbered, with its events, and never rewritten."""

from winded.journal.codec import AnyCommand, AnyEvent, Commands
from winded.journal.contract import Chain, Damaged, DecideLinks, Entry, Head, Journal, Link, TableRecord
from winded.journal.memory import MemoryJournal
from winded.journal.sqlite import SqliteJournal, put_in_place, staged

__all__ = [
    "AnyCommand",
    "AnyEvent",
    "Chain",
    "Commands",
    "Damaged",
    "DecideLinks",
    "Entry",
    "Head",
    "Journal",
    "Link",
    "MemoryJournal",
    "SqliteJournal",
    "TableRecord",
    "put_in_place",
    "staged",
]
