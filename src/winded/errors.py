"""Winded's errors, as a tree. Each class has one HTTP status, one exit status and one JSON shape.

WindedError        anything that Winded does not do
├── Malformed      cannot be read as what it should be: names the field       400, exit 2
├── Forbidden      this link may not do that, or is for another table         403, exit 3
├── Unknown        no such table, link, entry or member                       404, exit 4
├── Stale          somebody acted first, or a newer Winded wrote the data     409, exit 5
├── Refused        the rules do not allow it; nothing has changed             422, exit 1
├── TooMuch        more, larger or faster than Winded allows                  429, exit 6
└── Unavailable    the database or the disk does not answer                   503, exit 7
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from winded.sentence import Fact, Sentence


class WindedError(Exception):
    """Why Winded did not do something, as a whole sentence (`str(error)`) and as data (`as_data()`)."""

    kind: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    exit_status: ClassVar[int] = 1

    def __init__(self, text: str, /, **facts: Fact) -> None:
        super().__init__(text)
        self.text = text
        self.facts: Mapping[str, Fact] = facts

    @property
    def sentence(self) -> Sentence:
        """The reason, ready to be translated."""
        return Sentence(self.text, self.facts)

    def __str__(self) -> str:
        return str(self.sentence)

    def as_data(self) -> dict[str, object]:
        """The JSON shape of every error: `error`, `message`, and what its class adds."""
        return {"error": self.kind, "message": str(self)}


class Malformed(WindedError):
    """The input cannot be read as what it should be. `field` names the place, "" for the whole."""

    kind = "malformed"
    status = 400
    exit_status = 2

    def __init__(self, field: str, text: str, /, **facts: Fact) -> None:
        super().__init__(text, **facts)
        self.field = field

    def as_data(self) -> dict[str, object]:
        return {**super().as_data(), "field": self.field}


class Forbidden(WindedError):
    """Whoever asks may not do or see this."""

    kind = "forbidden"
    status = 403
    exit_status = 3


class Unknown(WindedError):
    """There is no such table, link, entry or member."""

    kind = "unknown"
    status = 404
    exit_status = 4


class Stale(WindedError):
    """The state this was meant for is no longer the newest: somebody acted first."""

    kind = "stale"
    status = 409
    exit_status = 5


class TooMuch(WindedError):
    """More, larger or faster than Winded allows."""

    kind = "too-much"
    status = 429
    exit_status = 6


class Unavailable(WindedError):
    """The database does not answer, is full, or cannot be read."""

    kind = "unavailable"
    status = 503
    exit_status = 7


class Refused(WindedError):
    """The rules do not allow this, and nothing has changed.

    `rule` is a rule id, or one of "not-found", "duplicate", "not-allowed", "not-now", "cost-changed". `needs` and `has`
    (Stamina, 0 to 99) are given only if there is too little Stamina.
    """

    kind = "refused"
    status = 422
    exit_status = 1

    def __init__(
        self, rule: str, text: str, /, needs: int | None = None, has: int | None = None, **facts: Fact
    ) -> None:
        self.rule = rule
        self.text = text
        self.needs = needs
        self.has = has
        self.facts: Mapping[str, Fact] = facts

    @property
    def sentence(self) -> Sentence:
        if self.needs is None:
            return Sentence(self.text, self.facts)
        return Sentence(self.text, {**self.facts, "needs": self.needs, "has": self.has})

    def refusal(self) -> dict[str, object]:
        """The refusal as data: `rule`, `message`, and `needs` and `has` if there is too little Stamina."""
        data: dict[str, object] = {"rule": self.rule, "message": str(self)}
        if self.needs is not None:
            data |= {"needs": self.needs, "has": self.has}
        return data

    def as_data(self) -> dict[str, object]:
        return {"error": self.kind, **self.refusal()}

    def __reduce__(self) -> tuple[object, ...]:
        return _refused, (self.rule, self.text, self.needs, self.has, self.facts)


class RefusedTo(Refused):
    """Refused to one character. Its sentence needs only the name and the Stamina: "{name} …"."""

    if TYPE_CHECKING:

        def __init__(
            self, rule: str, text: str, name: str, needs: int | None = None, has: int | None = None, /
        ) -> None: ...

    else:
        # Keeps only its arguments: options raise and catch thousands of these, and few are ever read.
        __init__ = Exception.__init__
        rule = property(lambda self: self.args[0])
        text = property(lambda self: self.args[1])
        facts = property(lambda self: {"name": self.args[2]})
        needs = property(lambda self: self.args[3] if len(self.args) > 3 else None)
        has = property(lambda self: self.args[4] if len(self.args) > 3 else None)


def _refused(rule: str, text: str, needs: int | None, has: int | None, facts: Mapping[str, Fact]) -> Refused:
    return Refused(rule, text, needs, has, **facts)
