"""The live streams: one hub of them all, a feed for each table, and what a screen shows as fragments."""

from winded.web.live.feed import Tell
from winded.web.live.hub import BEAT, Live
from winded.web.live.stream import Holds
from winded.web.live.views import Kept, Marks, Render, Rendered, View, Viewer, seat_id

__all__ = [
    "BEAT",
    "Holds",
    "Kept",
    "Live",
    "Marks",
    "Render",
    "Rendered",
    "Tell",
    "View",
    "Viewer",
    "seat_id",
]
