"""The pages people see, a screen a room, and what their forms send."""

from litestar.types import ControllerRouterHandler

from winded.web.screens import sheets, table
from winded.web.screens.ahead import handlers as ahead
from winded.web.screens.board import handlers as board
from winded.web.screens.history import handlers as history
from winded.web.screens.join import handlers as join
from winded.web.screens.keep import handlers as keep
from winded.web.screens.odds import handlers as odds
from winded.web.screens.parts import acting, files, language_switch, manifest
from winded.web.screens.people import handlers as people
from winded.web.screens.start import handlers as start
from winded.web.screens.words import handlers as words

handlers: list[ControllerRouterHandler] = [
    *acting.handlers,
    *ahead.handlers,
    *board.handlers,
    *files.handlers,
    *history.handlers,
    *join.handlers,
    *keep.handlers,
    *language_switch.handlers,
    *manifest.handlers,
    *odds.handlers,
    *people.handlers,
    *sheets.handlers,
    *start.handlers,
    *table.handlers,
    *words.handlers,
]
