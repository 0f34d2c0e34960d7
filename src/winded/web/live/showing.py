"""One way of looking at one table: each version rendered once, and each update encoded once, for all who look so."""

from __future__ import annotations

from winded.service import Desk, Seen, seeing
from winded.web.live.frames import frame, view_data
from winded.web.live.views import Kept, Marks, Render, Rendered, Viewer


class Showing:
    """How a table is shown to everyone who looks at it like `viewer`; `lookers` is how many do.

    What one alone looks at is made for each update and not kept.
    """

    __slots__ = ("_desk", "_kept", "_newest", "_render", "_table", "_updates", "lookers", "viewer")

    def __init__(self, desk: Desk, table: str, viewer: Viewer, render: Render, kept: Kept) -> None:
        self.viewer: Viewer = viewer
        self.lookers: int = 0
        self._desk = desk
        self._table = table
        self._render = render
        self._kept = kept
        self._newest: tuple[Seen, Rendered, Marks] | None = None
        self._updates: dict[tuple[Marks | None, bool], tuple[bytes, Marks]] = {}

    def begin_anew(self) -> None:
        """There is a newer version."""
        self._newest = None
        self._updates.clear()

    def newest(self) -> tuple[Seen, Rendered, Marks]:
        """The view of the newest state, and the marks that later updates are compared with."""
        if self._newest is not None:
            return self._newest
        seen = seeing.see_as(self._desk, self._table, self.viewer.role, self.viewer.member)
        made = self._render(self.viewer, seen, self._kept)
        newest = seen, made, made.marks()
        if self.lookers > 1:
            self._newest = newest
        return newest

    def data(self, *, anew: bool) -> bytes:
        """The whole view of the newest state, as JSON."""
        seen, made, _ = self.newest()
        return view_data(seen, made, None, anew=anew)

    def update(self, earlier: Marks | None, *, anew: bool) -> tuple[bytes, Marks]:
        """What brings a screen from what it shows to the newest state, and the marks of that.

        It is all of it for a screen of which nothing is known, and `anew` for one that shows another history.
        """
        known = self._updates.get((earlier, anew))
        if known is not None:
            return known
        seen, made, marks = self.newest()
        data = view_data(seen, made, None if anew else earlier, anew=anew)
        update = frame("view", data, seen.revision), marks
        if self.lookers > 1:
            self._updates[earlier, anew] = update
        return update
