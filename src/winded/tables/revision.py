"""How a state of a table is named, so that it cannot be taken for a state of another history of the same table."""

from __future__ import annotations

import os
import re
from random import Random

from msgspec import Struct

from winded.rules.fields import malformed
from winded.sentence import sentence

PATTERN = "[0-9]{1,15}(-[0-9a-f]{8})?"
"""How a revision is written, as a regular expression."""

A_REVISION = sentence("a revision such as “50-9f3ac21e”, or the number of an entry")
"""What must stand where a revision must."""

_WRITTEN = re.compile("([0-9]{1,15})(?:-([0-9a-f]{8}))?")


# Marks are no secret: they need only differ. To ask the system for each would cost more than to decide a command.
_drawing = Random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drawing.seed)


def new_mark() -> str:
    """A mark for an entry: 8 hexadecimal digits, drawn at random."""
    return f"{_drawing.getrandbits(32):08x}"


class Revision(Struct, frozen=True):
    """The number of a table's newest entry, 0 for none, and the mark of that entry, None where it is not known.

    A table that was replaced, or kept in a database that was put back, gets other marks from there on.
    """

    number: int
    mark: str | None = None

    def __str__(self) -> str:
        return f"{self.number}-{self.mark}" if self.mark else str(self.number)


def revision_from(text: str, field: str) -> Revision:
    """A revision as it is written, such as "50-9f3ac21e", or a bare number. Raises Malformed, naming the field."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise malformed(field, A_REVISION, text)
    return Revision(int(found[1]), found[2])
