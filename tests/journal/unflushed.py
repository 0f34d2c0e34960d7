"""A disk that does not confirm what is written, in a process that then crashes.

`python unflushed.py DATABASE` opens the database, is refused every flush by the kernel from then on, hands in an entry,
prints what it was answered and what is read afterwards, and ends as by a power cut.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from pathlib import Path

from tests.journal.builders import adjusted
from winded.errors import Unavailable
from winded.journal import SqliteJournal

FSYNC, FDATASYNC = 74, 75
"""The numbers of the two system calls on x86-64."""


def refuse(*calls: int) -> None:
    """Have the kernel answer these calls of this thread with an input/output error, for good."""
    load, equal, answer = 0x20, 0x15, 0x06
    steps = [(load, 0, 0, 0)]
    steps += [(equal, len(calls) - at, 0, call) for at, call in enumerate(calls)]
    steps += [(answer, 0, 0, 0x7FFF0000), (answer, 0, 0, 0x00050000 | errno.EIO)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))

    class Filter(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

    libc = ctypes.CDLL(None, use_errno=True)
    given = Filter(len(steps), ctypes.addressof(program))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(given)):
        print("cannot")
        os._exit(0)


def main(database: Path) -> None:
    journal = SqliteJournal(database)
    # The first one after a start begins the log anew, which is flushed before anything else is written.
    journal.append("gate", [adjusted(2)]).result()
    refuse(FSYNC, FDATASYNC)
    try:
        # Waited for, it is written in this thread, whose flushes fail.
        journal.append("gate", [adjusted(3, "twice-is-once")], waited_for=True).result()
    except Unavailable as no:
        print(no, flush=True)
    print(journal.head("gate").number, flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
