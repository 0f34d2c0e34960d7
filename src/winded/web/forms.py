"""Forms as they are sent to the pages: text is UTF-8, whatever else a sender would have it be."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import AsyncGenerator
from typing import Any

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.enums import RequestEncodingType
from multipart import MultipartError, MultipartSegment, PushMultipartParser  # type: ignore[import-untyped]

from winded.errors import Malformed
from winded.web.errors import too_large
from winded.web.guard import BODY_LIMIT

PIECE = 64 * 1024
"""Bytes of a body that are read at a time."""

_MINUS = "-\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
_PLUS = "+\ufe62\uff0b"
_WHOLE = re.compile(rf"([{re.escape(_MINUS)}]|[{re.escape(_PLUS)}])?\s*(\d{{1,9}})")
_UTF_8 = frozenset((None, "utf-8", "utf8"))


def whole_number(text: str) -> int | None:
    """The whole number that a person has typed, in the digits of any script and with any sign; None if it is none.

    A phone's keyboard may give "−2" with a true minus sign, and text from right to left brings marks that nobody sees.
    """
    seen = "".join(one for one in text if unicodedata.category(one) != "Cf").strip()
    found = _WHOLE.fullmatch(seen)
    if found is None:
        return None
    sign, digits = found.groups()
    return -int(digits) if sign and sign in _MINUS else int(digits)


class FormRequest(Request[Any, Any, Any]):
    """A request whose form cannot choose how it is decoded.

    Each part of a form may name an encoding, and Python has some that take hours for what is sent in a second.
    """

    async def form(self) -> FormMultiDict:
        """The form. Raises Malformed for text that is not UTF-8, TooLarge for a long form that brings no file."""
        kind, options = self.content_type
        if kind == RequestEncodingType.MULTI_PART and options.get("boundary"):
            await self._check_encodings(options["boundary"])
        else:
            length = self.headers.get("content-length", "")
            if (length.isdecimal() and int(length) > BODY_LIMIT) or len(await self.body()) > BODY_LIMIT:
                raise too_large(BODY_LIMIT)
        try:
            return await super().form()
        except UnicodeDecodeError as wrong:
            raise _not_utf_8() from wrong

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The body in short pieces: a long one is read piece by piece, and others are served between them."""
        async for some in super().stream():
            for start in range(0, len(some), PIECE):
                yield some[start : start + PIECE]
                await asyncio.sleep(0)

    async def _check_encodings(self, boundary: str) -> None:
        # Once it is here as a whole, it can be read twice.
        await self.body()
        try:
            with PushMultipartParser(boundary, max_segment_count=1000) as parser:
                async for piece in self.stream():
                    for part in parser.parse(piece):
                        if isinstance(part, MultipartSegment) and (part.charset and part.charset.lower()) not in _UTF_8:
                            raise _not_utf_8()
        except MultipartError:
            # What is no form at all is turned away where it is read.
            return


def _not_utf_8() -> Malformed:
    return Malformed("", "This request cannot be read.")
