"""Played commands and what must follow, worked out by hand: in the library, through `winded run` and over HTTP.

In `scenarios.json` each has a `name`, the `rules` it shows, and `steps` of a `command` and what to `expect`: parts of
the state (only the keys named), a refusal's rule and figures, keys that some event holds, or the field that makes the
command none at all.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, and what is expected of the answer to it."""

    command: dict[str, Any]
    expect: dict[str, Any] = {}


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Steps played at a fresh table."""

    name: str
    rules: tuple[str, ...]
    steps: tuple[Step, ...]


class Answer(msgspec.Struct, frozen=True):
    """What came of a command, in plain data: the state after it, and its events, or the refusal, or the wrong field."""

    state: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]] = ()
    refusal: Mapping[str, Any] | None = None
    malformed: str | None = None


SCENARIOS = msgspec.json.decode(
    Path(__file__).with_name("scenarios.json").read_bytes(), type=tuple[Scenario, ...], strict=True
)


def differences(step: Step, answer: Answer) -> list[str]:
    """Where an answer is not what the step expects; empty if it is."""
    expect = step.expect
    found = [*_refusal(expect, answer)]
    if answer.malformed != expect.get("malformed"):
        found.append(f"malformed: {answer.malformed!r} instead of {expect.get('malformed')!r}")
    for name, wanted in expect.get("characters", {}).items():
        character = answer.state["characters"].get(name)
        if character is None:
            found.append(f"{name} is not at the table")
        else:
            found += _parts(name, wanted, character)
    if "combat" in expect:
        found += _parts("combat", expect["combat"], answer.state["combat"])
    wanted = expect.get("event", {})
    if not any(wanted.items() <= event.items() for event in answer.events) and wanted:
        found.append(f"no event holds {wanted}: {answer.events}")
    return found


def _refusal(expect: Mapping[str, Any], answer: Answer) -> Iterator[str]:
    refusal = answer.refusal or {}
    if refusal.get("rule") != expect.get("refused"):
        yield f"refused: {answer.refusal} instead of {expect.get('refused')!r}"
    for figure in ("needs", "has"):
        if figure in expect and refusal.get(figure) != expect[figure]:
            yield f"{figure}: {refusal.get(figure)!r} instead of {expect[figure]!r}"


def _parts(where: str, wanted: Any, found: Any) -> Iterator[str]:
    if not isinstance(wanted, dict) or not isinstance(found, Mapping):
        if wanted != found:
            yield f"{where}: {found!r} instead of {wanted!r}"
        return
    for key, value in wanted.items():
        if key not in found or found[key] != value:
            yield f"{where}.{key}: {found.get(key)!r} instead of {value!r}"
