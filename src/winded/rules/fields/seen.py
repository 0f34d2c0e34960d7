"""What can be seen of a text: what is dropped from it on the way in, and what is left of it to compare."""

from __future__ import annotations

import re
import unicodedata

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_TEXT_STYLE, _EMOJI_STYLE, _KEYCAP, _BLACK_FLAG = "\ufe0e", "\ufe0f", "\u20e3", "\U0001f3f4"
_SHOWN_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Signs of Arabic, Syriac and Kaithi that Unicode counts among the formats, and that are drawn."""
_UNSEEN_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that are never drawn, such as the fillers of Hangul."""
_BLANKS = re.compile(r"[^\S\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+|\u2800+")
"""Spaces of whatever width, no-break spaces and the blank of Braille; no control character."""
_JOINED = (
    "ARABIC", "SYRIAC", "MANDAIC", "NKO", "MONGOLIAN", "PHAGS-PA", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI",
    "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "MYANMAR", "KHMER", "TIBETAN", "BALINESE",
    "JAVANESE", "LAO", "THAI", "TAI", "CHAKMA", "BRAHMI", "GRANTHA", "NEWA",
)  # fmt: skip
"""The scripts in which a joiner, or its opposite, changes how the letters beside it are drawn."""


def seen(text: str) -> str:
    """A text without what nobody can see in it: inner spaces are single, signs of direction and invisible ones go.

    What an emoji or a script needs stays: joiners between the parts of an emoji or in scripts that join their letters,
    the style of an emoji, the variants of a CJK character or a Mongolian letter, the letters of a flag.
    """
    if text.isascii():
        return _BLANKS.sub(" ", text).strip() if "  " in text else text.strip()
    text = _BLANKS.sub(" ", text).strip()
    kept: list[str] = []
    for at, sign in enumerate(text):
        if sign.isascii() or not _may_be_unseen(sign) or _is_needed(sign, kept, text[at + 1 : at + 2]):
            kept.append(sign)
    return _BLANKS.sub(" ", "".join(kept)).strip()


def bare(text: str) -> str:
    """What is left of a text to compare it by: what is seen of it, without joiners of letters and choices of style."""
    text = seen(text)
    if text.isascii():
        return text
    return "".join(
        sign
        for at, sign in enumerate(text)
        if not _is_variation(sign) and (sign not in (_ZWJ, _ZWNJ) or _is_picture(text[at - 1]))
    )


def _may_be_unseen(sign: str) -> bool:
    return (
        (unicodedata.category(sign) == "Cf" and sign not in _SHOWN_FORMATS)
        or sign in _UNSEEN_LETTERS
        or _is_variation(sign)
    )


def _is_variation(sign: str) -> bool:
    return "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef" or sign in "\u180b\u180c\u180d\u180f"


def _is_needed(sign: str, before: list[str], after: str) -> bool:
    last = before[-1] if before else ""
    if not last:
        return False
    if sign in (_ZWJ, _ZWNJ):
        if _joins(last) and (not after or _joins(after) or unicodedata.category(after)[0] != "L"):
            return True
        return sign == _ZWJ and _is_picture(last) and after != "" and _is_picture(after)
    if sign in (_TEXT_STYLE, _EMOJI_STYLE):
        return _is_picture(last) or after == _KEYCAP
    if _is_variation(sign):
        return unicodedata.category(last) in {"Lo", "Lm"}
    # The letters of a flag such as England's, hidden behind a black one.
    return "\U000e0020" <= sign <= "\U000e007f" and (last == _BLACK_FLAG or "\U000e0020" <= last <= "\U000e007e")


def _joins(sign: str) -> bool:
    return unicodedata.name(sign, "").startswith(_JOINED)


def _is_picture(sign: str) -> bool:
    return sign in (_EMOJI_STYLE, _KEYCAP) or unicodedata.category(sign) in {"So", "Sk", "Sm"} or sign in "‼⁉〰"
