"""The pages people see, and what their forms send."""

from winded.web.pages import acting

handlers = [*acting.handlers]
