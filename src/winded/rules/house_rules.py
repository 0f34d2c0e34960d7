"""House rules: a ruleset read from a TOML file, with every way of spending known by its word."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from winded.errors import Malformed
from winded.rules.fields import malformed, read, schema, shown
from winded.rules.hallway import SPENDINGS
from winded.rules.ruleset import PAGE, Ruleset
from winded.rules.toml_text import NotToml, toml_from
from winded.sentence import sentence

_WORDS = tuple(one.word for one in SPENDINGS)


def ruleset_from(data: object) -> Ruleset:
    """A ruleset from plain data; raises Malformed that names the key, what stands there and what is allowed."""
    if not isinstance(data, dict):
        raise Malformed("", "House rules are a table of settings; this is {value}.", value=shown(data))
    ruleset = _spends_known(read(Ruleset, data))
    return ruleset if "name" in data or ruleset == PAGE else replace(ruleset, name="House rules")


def _spends_known(ruleset: Ruleset) -> Ruleset:
    """The ruleset with its ways of spending in our order, None where that is all of them; Malformed for an unknown."""
    if ruleset.spends is None:
        return ruleset
    for at, word in enumerate(ruleset.spends):
        if word not in _WORDS:
            allowed = sentence("one of {words}", words=", ".join(f"“{one}”" for one in _WORDS))
            raise malformed(f"spends[{at}]", allowed, word)
    spends = tuple(word for word in _WORDS if word in ruleset.spends)
    return replace(ruleset, spends=None if spends == _WORDS else spends)


def ruleset_to_data(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as plain data that `ruleset_from` reads again, with every way of spending that there is."""
    data = _without_nothing(msgspec.to_builtins(ruleset))
    return {"spends": [*_WORDS]} | data


def _without_nothing(data: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _without_nothing(value) if isinstance(value, dict) else value
        for name, value in data.items()
        if value is not None
    }


def ruleset_from_toml(text: str) -> Ruleset:
    """House rules from the text of a TOML file.

    Raises Malformed as `ruleset_from` does, or for the line that is no TOML.
    """
    try:
        data = toml_from(text)
    except NotToml as wrong:
        raise Malformed("", "The house rules are not TOML: {reason}.", reason=str(wrong)) from wrong
    return ruleset_from(data)


def ruleset_schema() -> dict[str, Any]:
    """The JSON Schema of a house rules file."""
    whole = schema(Ruleset)
    whole["$defs"]["Ruleset"]["properties"]["spends"]["items"] = {"enum": [*_WORDS]}
    return whole
