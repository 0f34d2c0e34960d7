"""A language that nobody speaks, made from the sources' own texts: longer, and without one plain letter of English.

What is still read in English where it is spoken is no text of the catalogue, and what sticks out of a screen has no
room for a language that is longer.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

CODE = "en-XA"
"""The code by which it is chosen."""

SOURCE = Path(__file__).parents[1] / "src" / "winded"
_SIGNS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒǵĥíĵķłɱñóþɋŕšţúṽŵẋýžÁɃÇĐÉƑǴĤÍĴĶŁṀÑÓÞɊŔŠŢÚṼŴẊÝŽ",
)
# What stands for a figure or a name, a tag, a sign of HTML, and what is written in code.
_KEPT = re.compile(r"\{[^}]*\}|%\([^)]*\)[sd]|%%|<[^>]+>|&\w+;|`[^`]+`")


def pseudo(text: str) -> str:
    """A text as this language has it: “Next turn” is “[Ñéẋţ ţúŕñ···]”, a third longer."""
    kept = _KEPT.findall(text)
    parts = [part.translate(_SIGNS) for part in _KEPT.split(text)]
    said = "".join(part + sign for part, sign in zip(parts, [*kept, ""], strict=True))
    return f"[{said}{'·' * (len(''.join(parts)) // 3)}]"


def _translated(message: Message) -> Message:
    # What has a context says how a language writes, and is no text, but for what the language is called.
    if message.context and message.context != "this language":
        said = message.id
    elif message.pluralizable:
        said = tuple(pseudo(one) for one in message.id)
    else:
        said = pseudo(message.id)
    return Message(message.id, said, context=message.context)


def spoken(folder: Path) -> Path:
    """Puts a copy of Winded that speaks it into a folder, which is then to be first on PYTHONPATH."""
    shutil.copytree(SOURCE, folder / "winded", ignore=shutil.ignore_patterns("__pycache__"))
    with (SOURCE / "web/locales/de/LC_MESSAGES/winded.po").open("rb") as german:
        texts = [message for message in read_po(german) if message.id]
    made = Catalog(locale="en")
    for message in texts:
        one = _translated(message)
        made.add(one.id, one.string, context=one.context)
    compiled = folder / "winded/web/locales" / CODE.replace("-", "_") / "LC_MESSAGES/winded.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, made)
    return folder
