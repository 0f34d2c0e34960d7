"""What a screen shows, as fragments: the least that has to be sent when something changes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from winded.roles import Role
from winded.rules import Character
from winded.tables import Line, Snapshot


def seat_id(character: Character) -> str:
    """A character's id as it may stand in the id of an element."""
    return character.id.removeprefix("#")


class Viewer(Struct, frozen=True):
    """One way of looking at a table. Everyone with an equal Viewer is sent the same bytes, rendered once.

    `kind` is "board", "phone", "spectator" or "overlay"; `member` is "" where it makes no difference who looks;
    `options` are what the address of an overlay asks for.
    """

    kind: str
    role: Role
    member: str
    language: str
    options: tuple[tuple[str, str], ...] = ()


class Rendered(Struct, frozen=True):
    """A view of a table at one number: the HTML of each fragment by the id of its root element.

    Two views with one `skeleton` have the same fragments in the same places, but for the lines of the history, which
    come and go at its ends. `root` makes the whole view anew, for a screen whose skeleton differs; its outermost
    element has the id "root".
    """

    skeleton: str
    fragments: Mapping[str, str]
    root: Callable[[], str]

    def marks(self) -> Marks:
        """What has to be kept of this view to tell later what has changed."""
        return Marks(self.skeleton, array("q", map(hash, self.fragments.items())))

    def changes_from(self, earlier: Marks | None) -> dict[str, object]:
        """What a screen that shows the earlier view needs: "fragments" that differ, or the "root"."""
        if earlier is None or earlier.skeleton != self.skeleton:
            return {"root": self.root()}
        before = set(earlier.hashes)
        return {"fragments": dict(one for one in self.fragments.items() if hash(one) not in before)}


class Marks(Struct, frozen=True):
    """A view once it has been sent: a hash of each fragment with its id. The HTML itself would fill the memory."""

    skeleton: str
    hashes: array[int]


Render = Callable[[Viewer, Snapshot, Sequence[Line]], Rendered]
"""How a kind of view is made from the newest state and the newest lines of the history, newest first."""

Page = Callable[[Viewer, Snapshot, Rendered], str]
"""How the whole page around a view is made, for the first load."""


class View(Struct, frozen=True):
    """One kind of view."""

    render: Render
    page: Page
