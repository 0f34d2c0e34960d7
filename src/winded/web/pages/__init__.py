"""The pages people see, and what their forms send."""

from winded.web.pages import acting, board, files, installing, join, keeping, language, odds, start, table

handlers = [
    *acting.handlers,
    *board.handlers,
    *files.handlers,
    *installing.handlers,
    *join.handlers,
    *keeping.handlers,
    *language.handlers,
    *odds.handlers,
    *start.handlers,
    *table.handlers,
]
