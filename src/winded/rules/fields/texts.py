"""Names and texts: how long they may be, and what may stand in them."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from msgspec import Meta

from winded.errors import Malformed
from winded.rules.fields.checks import FieldKind, malformed
from winded.rules.fields.seen import seen
from winded.sentence import Sentence, sentence

_UNSEEN = frozenset(("Cc", "Cs", "Zl", "Zp"))
_INVISIBLE = frozenset(("Cc", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"))


def text_kind(least: int, most: int, allowed: Sentence) -> FieldKind:
    def check(value: object, path: str) -> str:
        if type(value) is not str:
            raise malformed(path, allowed, value)
        given = text = value.strip()
        # Two ways to write the same letters are one text, and it is as long as it is when composed and without what
        # cannot be seen. What is far too long stays as it is, so that nobody makes us compose a book.
        if len(text) <= 4 * most:
            text = seen(text)
            text = text if text.isascii() else unicodedata.normalize("NFC", text)
        if not least <= len(text) <= most:
            if given and not text:
                raise _nothing_seen(path, allowed)
            if not text:
                raise Malformed(
                    path[:60],
                    "“{field}” is empty; it must be {allowed}.",
                    field=path[:60],
                    allowed=allowed,
                )
            raise Malformed(
                path[:60],
                "“{field}” has {length} characters; it must be {allowed}.",
                field=path[:60],
                length=len(text),
                allowed=allowed,
            )
        if text.isascii() and text.isprintable():
            return text
        kinds = {unicodedata.category(character) for character in text}
        if kinds & _UNSEEN:
            raise Malformed(
                path[:60],
                "“{field}” contains a control character; it must be {allowed}, without control characters.",
                field=path[:60],
                allowed=allowed,
            )
        if kinds <= _INVISIBLE:
            raise _nothing_seen(path, allowed)
        return text

    return FieldKind(check, allowed, least, most)


def _nothing_seen(path: str, allowed: Sentence) -> Malformed:
    return Malformed(
        path[:60],
        "“{field}” contains nothing visible; it must be {allowed}.",
        field=path[:60],
        allowed=allowed,
    )


# What the JSON Schema can say of a text beyond its length: no control character, and not only blanks.
_CONTROL = r"\u0000-\u001f\u007f-\u009f\u2028\u2029"
_SEEN = {"pattern": rf"^[^{_CONTROL}]*[^\s{_CONTROL}][^{_CONTROL}]*$"}


def _a_text(most: int, description: str, allowed: Sentence, **extra: object) -> Meta:
    length = {"minLength": 1, "maxLength": most}
    kind = text_kind(1, most, allowed)
    return Meta(description=description, extra_json_schema=length | _SEEN, extra={"kind": kind} | extra)


_A_NAME = sentence("a name of 1 to 40 characters")

Name = Annotated[str, _a_text(40, "A name, 1 to 40 characters.", _A_NAME)]
Who = Annotated[str, _a_text(40, "A character at the table, by name or id.", _A_NAME, names="character")]
"""Somebody who sits at the table, as a command names them: forms offer those who do."""

Text = Annotated[str, _a_text(200, "A text, 1 to 200 characters.", sentence("a text of 1 to 200 characters"))]

LONGEST_LINE = 4000
Line = Annotated[str, _a_text(LONGEST_LINE, "A line of steps.", sentence("a line of 1 to 4000 characters"))]
"""Several things in one line, such as the steps of what is ahead."""
