"""Files that are named on the command line, and the lines of commands in them, whoever wrote them."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from winded.errors import Malformed

LONGEST = 1 << 20
"""Bytes that a line may have; the longest command there is needs less."""

LARGEST = 1 << 20
"""Bytes that house rules or a day may have; they need a few hundred."""

Read = TypeVar("Read")

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class NumberedLine:
    """One line of a file, numbered from 1, and whether it was cut off for being too long."""

    __slots__ = ("number", "raw", "whole")

    def __init__(self, number: int, raw: bytes, whole: bool) -> None:
        self.number: int = number
        self.raw: bytes = raw
        self.whole: bool = whole

    def text(self) -> str:
        """What stands there. Raises Malformed if it is too long, or no UTF-8."""
        if not self.whole:
            raise Malformed("", "This line is too long: a line has at most {most} bytes.", most=LONGEST)
        try:
            return self.raw.decode()
        except UnicodeDecodeError as wrong:
            raise Malformed("", "Commands must be UTF-8 text; byte {place} is not.", place=wrong.start + 1) from wrong


def no_option(kind: object, path: Path | None) -> None:
    """“-” is standard input; anything else with a hyphen in front is an option that does not exist."""
    if path is not None and str(path).startswith("-") and str(path) != "-":
        raise ValueError(f"There is no option {path}; a file of that name is ./{path}.")


@contextmanager
def opened(path: Path | None, field: str = "FILE") -> Iterator[BinaryIO]:
    """The file at this path, or standard input for None and “-”. Raises Malformed if it cannot be read.

    `field` is what the file is called among the arguments.
    """
    if path is None or str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file = path.open("rb")
    except (OSError, ValueError) as wrong:
        raise Malformed(
            field,
            "{path} cannot be read: {reason}.",
            path=str(path),
            reason=getattr(wrong, "strerror", None) or str(wrong),
        ) from wrong
    with file:
        yield file


def read_from(path: Path, field: str, read: Callable[[str], Read]) -> Read:
    """What a text file holds, as `read` makes it out. Raises Malformed that names the file and the place in it."""
    with opened(path, field) as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise Malformed(field, "{path} is larger than {most} bytes.", path=str(path), most=LARGEST)
    try:
        return read(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as wrong:
        raise Malformed(
            field, "{path} is not UTF-8 text: see byte {place}.", path=str(path), place=wrong.start + 1
        ) from wrong
    except Malformed as wrong:
        raise Malformed(wrong.field, "{path}: {what}", path=str(path), what=wrong.sentence) from wrong


def is_waited_for(file: BinaryIO) -> bool:
    """Whether someone may be waiting for each answer: unless this is a file on a disk."""
    try:
        return not stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def lines(file: BinaryIO) -> Iterator[NumberedLine]:
    """Each line that is neither blank nor a comment."""
    number = 0
    while raw := file.readline(LONGEST + 1):
        number += 1
        if number == 1:
            raw = raw.removeprefix(_BYTE_ORDER_MARK)
        whole = len(raw) <= LONGEST or raw.endswith(b"\n")
        stripped = raw.strip()
        if stripped.startswith(b"#"):
            while not whole:
                raw = file.readline(LONGEST + 1)
                whole = len(raw) <= LONGEST or raw.endswith(b"\n")
        elif stripped:
            yield NumberedLine(number, stripped, whole)
