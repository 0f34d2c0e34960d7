"""The sheet of the keyboard shortcuts."""

from __future__ import annotations

from winded.sentence import sentence
from winded.web.screens.parts.sheet import Asking, Facts

SHORTCUTS = (
    ("1 – 9", sentence("go to this character, in the order of the board; Tab then goes through what it can do")),
    ("c", sentence("start combat")),
    ("n", sentence("begin turns, and then the next turn")),
    ("e", sentence("end combat")),
    ("u", sentence("undo what happened last")),
    ("y", sentence("redo")),
    ("← →", sentence("on a name in the round: move it; Enter then asks for the reason")),
    ("t", sentence("rest")),
    ("a", sentence("add a character or an enemy")),
    ("p", sentence("players and links")),
    ("h", sentence("all that happened")),
    ("s", sentence("what each one spent")),
    ("w", sentence("what is ahead, and what it will leave")),
    ("?", sentence("these shortcuts")),
)


def keys(asking: Asking) -> Facts:
    """The keyboard shortcuts."""
    return {"keys": SHORTCUTS}
