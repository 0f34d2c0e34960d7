"""The pages people see, and what their forms send."""

from winded.web.pages import acting, board, installing, join, keeping, language, start, table

handlers = [
    *acting.handlers,
    *board.handlers,
    *installing.handlers,
    *join.handlers,
    *keeping.handlers,
    *language.handlers,
    *start.handlers,
    *table.handlers,
]
