"""Forms as they are sent to the pages: text is UTF-8, whatever else a sender would have it be."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.enums import RequestEncodingType
from multipart import MultipartError, MultipartSegment, PushMultipartParser  # type: ignore[import-untyped]

from winded.errors import Malformed

_UTF_8 = frozenset((None, "utf-8", "utf8"))


class FormRequest(Request[Any, Any, Any]):
    """A request whose form cannot choose how it is decoded.

    Each part of a form may name an encoding, and Python has some that take hours for what is sent in a second.
    """

    async def form(self) -> FormMultiDict:
        """The form. Raises Malformed for text that is not UTF-8."""
        kind, options = self.content_type
        if kind == RequestEncodingType.MULTI_PART and options.get("boundary"):
            _check_encodings(options["boundary"], await self.body())
        try:
            return await super().form()
        except UnicodeDecodeError as wrong:
            raise _not_utf_8() from wrong


def _check_encodings(boundary: str, body: bytes) -> None:
    try:
        with PushMultipartParser(boundary, max_segment_count=1000) as parser:
            for part in parser.parse(body):
                if isinstance(part, MultipartSegment) and (part.charset and part.charset.lower()) not in _UTF_8:
                    raise _not_utf_8()
    except MultipartError:
        # What is no form at all is turned away where it is read.
        return


def _not_utf_8() -> Malformed:
    return Malformed("", "This request cannot be read.")
