"""What a screen shows, as fragments: the least that has to be sent when something changes."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from winded.roles import Role
from winded.rules import Character
from winded.service import Seen

Piece = TypeVar("Piece")


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


class Marks(Struct, frozen=True, eq=False):
    """A view once it has been sent: a hash of each fragment with its id. The HTML itself would fill the memory.

    One is equal to itself alone.
    """

    skeleton: str
    hashes: array[int]


class Kept:
    """Pieces of HTML that stay as they are as long as nothing changes that they depend on; at most `most` of them."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._pieces: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Piece]) -> Piece:
        """The piece of this key, made where it is not at hand. All that it depends on stands in the key."""
        found: Piece | None = self._pieces.get(key)
        if found is None:
            found = self._pieces[key] = make()
            if len(self._pieces) > self._most:
                self._pieces.popitem(last=False)
        else:
            self._pieces.move_to_end(key)
        return found


Render = Callable[[Viewer, Seen, Kept], Rendered]
"""How a kind of view is made from what is seen of the newest state, and from pieces that were kept."""

Page = Callable[[Viewer, Seen, Rendered], str]
"""How the whole page around a view is made, for the first load."""


class View(Struct, frozen=True):
    """One kind of view."""

    render: Render
    page: Page
