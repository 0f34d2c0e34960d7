"""Commands on their way, and their answers: a command sent twice under one request id happens once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias

from winded.errors import Malformed, WindedError
from winded.journal import Entry
from winded.journal.contract import Promise
from winded.tables.revision import Revision
from winded.tables.snapshot import Authorise, Done, Several, SomeCommand

REMEMBERED = 64
"""How many of a table's newest answers are kept by request id. The journal also knows every accepted one."""

Answer: TypeAlias = int | Entry | WindedError
"""The answer to a request: the number of its entry, an unstored entry if nothing changed, or an error."""


class InFlight:
    """A command on its way."""

    __slots__ = ("authorise", "behind", "command", "expect", "name", "promise", "request", "until", "waited_for", "who")

    def __init__(
        self,
        command: SomeCommand | Several,
        who: str,
        name: str,
        request: str | None,
        expect: int | Revision | None,
        authorise: Authorise | None,
        help_out: Callable[[], None],
        waited_for: bool = False,
    ) -> None:
        self.command: SomeCommand | Several = command
        self.who: str = who
        self.name: str = name
        self.request: str | None = request
        self.expect: int | Revision | None = expect
        self.authorise: Authorise | None = authorise
        self.promise: Promise[Done] = Promise(help_out)
        self.until: float = 0.0
        self.behind: bool = False
        self.waited_for: bool = waited_for

    def check_is_the_same(self, command: object, who: str) -> None:
        """Raises Malformed, naming "request", if another command was sent or done under the same request id."""
        if who == self.who:
            if isinstance(self.command, Several) and isinstance(command, tuple):
                if self.command.came_to(command):
                    return
            # A request to the Referee holds the command that it asks for.
            elif self.command in (command, getattr(command, "command", None)):
                return
        raise Malformed("request", "The request id “{request}” was used for something else.", request=self.request)


class Requests:
    """One table's requests on their way, and the newest answers. Use it under the table's lock."""

    def __init__(self) -> None:
        self._on_their_way: dict[str, InFlight] = {}
        self._answers: OrderedDict[str, tuple[SomeCommand | Several, str, Answer]] = OrderedDict()

    def take(self, one: InFlight) -> tuple[InFlight | None, tuple[SomeCommand | Several, str, Answer] | None]:
        """The command on its way under the same id, or the answer given before. If neither, notes this one."""
        if one.request is None:
            return None, None
        waiting = self._on_their_way.get(one.request)
        answered = self._answers.get(one.request)
        if waiting is None and answered is None:
            self._on_their_way[one.request] = one
        return waiting, answered

    def remember(self, one: InFlight, answer: Answer) -> None:
        """Keep the answer."""
        if one.request is None:
            return
        self._answers[one.request] = (one.command, one.who, answer)
        if len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        # Last, so that the request is always in one place or the other.
        self.forget(one)

    def forget(self, one: InFlight) -> None:
        """Let the same request be tried again."""
        if one.request is not None and self._on_their_way.get(one.request) is one:
            del self._on_their_way[one.request]
