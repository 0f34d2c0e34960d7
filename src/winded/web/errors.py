"""What only a web server says no to, and how every error that can happen here becomes one of Winded's own."""

from __future__ import annotations

import logging

from litestar.exceptions import HTTPException

from winded.errors import Forbidden, Malformed, TooMuch, Unknown, WindedError
from winded.sentence import Fact

_logger = logging.getLogger(__name__)


class NoToken(Forbidden):
    """Whoever asks brings no token to this table, or one that does not hold."""

    kind = "no-token"
    status = 401


class WrongMethod(WindedError):
    """There is something at this address, but it takes other methods."""

    kind = "wrong-method"
    status = 405


class TooLarge(TooMuch):
    """More bytes than may be sent at once."""

    kind = "too-large"
    status = 413


def too_large(limit: int) -> TooLarge:
    """Said of a body with more bytes than this."""
    return TooLarge("That is too much: at most {limit} bytes can be sent here.", limit=limit)


class WrongType(Malformed):
    """The body is of another content type than the address takes."""

    kind = "wrong-type"
    status = 415


class Other(WindedError):
    """What a framework has a status for and Winded no word."""

    def __init__(self, status: int, text: str, /, **facts: Fact) -> None:
        super().__init__(text, **facts)
        self.status = status  # type: ignore[misc]


_OF_STATUS: dict[int, WindedError] = {
    400: Malformed("", "This request cannot be read."),
    401: NoToken("You need a link to this table. Ask its Referee for one."),
    403: Forbidden("That is not allowed."),
    404: Unknown("There is nothing at this address."),
    405: WrongMethod("This address does not take that method."),
    413: TooLarge("That is too much to send at once."),
    429: TooMuch("Too many requests. Try again in a moment."),
}


def in_our_words(error: Exception) -> WindedError:
    """An error of ours as it is, a framework's in our words; anything else is a mistake of ours, and is logged."""
    if isinstance(error, WindedError):
        return error
    if isinstance(error, HTTPException):
        known = _OF_STATUS.get(error.status_code)
        return known or Other(
            error.status_code, "The server cannot answer this request: {reason}.", reason=error.detail
        )
    _logger.error("Unexpected error", exc_info=error)
    return WindedError("Something went wrong on the server. Reload the page to see whether your last action was saved.")
