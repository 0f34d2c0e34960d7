"""The sheet of the keyboard shortcuts."""

from __future__ import annotations

from winded.sentence import sentence
from winded.web.screens.parts.sheet import Asking, Facts

SHORTCUTS = (
    ("1 – 9", sentence("go to that character on the board; Tab then moves through its actions")),
    ("c", sentence("start combat")),
    ("n", sentence("begin turns, then next turn")),
    ("e", sentence("end combat")),
    ("u", sentence("undo the last action")),
    ("y", sentence("redo")),
    ("← →", sentence("on a name in the turn order: move it, then press Enter to give a reason")),
    ("t", sentence("rest")),
    ("k", sentence("call for a Check")),
    ("m", sentence("one act on several")),
    ("a", sentence("add a character or an enemy")),
    ("p", sentence("players and links")),
    ("h", sentence("full history")),
    ("s", sentence("Stamina spent")),
    ("w", sentence("what is ahead")),
    ("i", sentence("how the party stands, in sentences")),
    ("?", sentence("these shortcuts")),
)


def keys(asking: Asking) -> Facts:
    """The keyboard shortcuts."""
    return {"keys": SHORTCUTS}
