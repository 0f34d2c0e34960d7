"""The live streams: one hub, and what a screen shows as fragments."""

from winded.web.live.hub import BEAT, Channel, Holds, Live, Tell, frame
from winded.web.live.views import Kept, Marks, Render, Rendered, View, Viewer, seat_id

__all__ = [
    "BEAT",
    "Channel",
    "Holds",
    "Kept",
    "Live",
    "Marks",
    "Render",
    "Rendered",
    "Tell",
    "View",
    "Viewer",
    "frame",
    "seat_id",
]
