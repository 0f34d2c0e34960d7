"""The ids of tables in addresses, and the names that people give them."""

from __future__ import annotations

import re
import secrets

from msgspec import Struct

from winded.rules.fields import Name, check_fields

_ID = re.compile(r"[a-z0-9]{1,64}")
_ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def is_table_id(text: str) -> bool:
    """Whether this can be a table's id: 1 to 64 lower-case letters and digits."""
    return _ID.fullmatch(text) is not None


def new_table_id() -> str:
    """A table id that nobody can guess: 16 letters and digits, 80 random bits."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(16))


class _Named(Struct, frozen=True):
    name: Name

    def __post_init__(self) -> None:
        check_fields(self)


def table_name(name: str) -> str:
    """A table's name, trimmed: 1 to 40 characters. Raises Malformed for any other."""
    return _Named(name).name
