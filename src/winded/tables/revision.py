"""Names for the states of a table, which differ even if its history was replaced."""

from __future__ import annotations

import os
import re
from random import Random

from msgspec import Struct

from winded.rules.fields import malformed
from winded.sentence import sentence

PATTERN = "[0-9]{1,15}(-[0-9a-f]{8})?"
"""A regular expression for how a revision is written."""

A_REVISION = sentence("a revision such as “50-9f3ac21e”, or the number of an entry")
"""What an error says is allowed in a revision's place."""

_WRITTEN = re.compile("([0-9]{1,15})(?:-([0-9a-f]{8}))?")


# Marks need only differ; they are no secret. Asking the system for each would cost more than deciding a command.
_drawing = Random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drawing.seed)


def new_mark() -> str:
    """A mark for an entry: 8 random hexadecimal digits."""
    return f"{_drawing.getrandbits(32):08x}"


class Revision(Struct, frozen=True):
    """The number of a table's newest entry, 0 for none, and that entry's mark, None if it is not known.

    After a table is replaced, or its database restored, new entries have other marks than before.
    """

    number: int
    mark: str | None = None

    def __str__(self) -> str:
        return f"{self.number}-{self.mark}" if self.mark else str(self.number)


def revision_from(text: str, field: str) -> Revision:
    """Read a revision, such as "50-9f3ac21e" or a number alone. Raises Malformed, naming the field."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise malformed(field, A_REVISION, text)
    return Revision(int(found[1]), found[2])
