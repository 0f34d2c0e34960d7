"""Played commands and what must follow, worked out by hand: in the library, through `winded run` and over HTTP.

Each has a `name`, the `rules` it shows, the text of the `house` rules it is played by where it is not the page's, and
`steps` of a `command` and what to `expect`: parts of the state (only the keys named), paths at which nothing stands in
it (`absent`), a refusal's rule and figures, keys that some event holds, or the field that makes it no command.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec


class ScenarioStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, and what is expected of the answer to it."""

    command: dict[str, Any]
    expect: dict[str, Any] = {}


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Steps played at a fresh table."""

    name: str
    rules: tuple[str, ...]
    steps: tuple[ScenarioStep, ...]
    house: str | None = None


class Answer(msgspec.Struct, frozen=True):
    """What came of a command, in plain data: the state after it, and its events, or the refusal, or the wrong field."""

    state: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]] = ()
    refusal: Mapping[str, Any] | None = None
    malformed: str | None = None


SCENARIOS: tuple[Scenario, ...] = tuple(
    scenario
    for file in ("scenarios.json", "evening.json")
    for scenario in msgspec.json.decode(
        Path(__file__).with_name(file).read_bytes(), type=tuple[Scenario, ...], strict=True
    )
)


def differences(step: ScenarioStep, answer: Answer) -> list[str]:
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
    for part in ("combat", "call"):
        if part in expect:
            found += _parts(part, expect[part], answer.state.get(part))
    found += [f"{path} is there" for path in expect.get("absent", ()) if _stands(path, answer.state)]
    wanted = expect.get("event", {})
    if not any(wanted.items() <= event.items() for event in answer.events) and wanted:
        found.append(f"no event holds {wanted}: {answer.events}")
    return found


def _stands(path: str, state: Mapping[str, Any]) -> bool:
    found: Any = state
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            return False
        found = found[key]
    return True


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
        if key not in found:
            yield f"{where}.{key} is not there"
        else:
            yield from _parts(f"{where}.{key}", value, found[key])
