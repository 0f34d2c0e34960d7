"""Only what Winded could have written is taken for a history: every state in it holds, undo took what was newest."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests.rules.strategies import lines, rulesets
from winded import (
    D8,
    D10,
    PAGE,
    AddCharacter,
    Adjust,
    BeginTurns,
    Malformed,
    NextTurn,
    Redo,
    Refused,
    RemoveCharacter,
    Ruleset,
    Side,
    StartCombat,
    Undo,
)
from winded.journal import Entry, MemoryJournal, codec
from winded.rules import Command
from winded.tables import Tables
from winded.tables.checking import check_history

SITTING = (AddCharacter("Brakka", con=D10), AddCharacter("Wolf", con=D8, side=Side.ENEMY))
SPEND = Adjust("Brakka", by=-1, reason="the cold")


def played(*commands: Command, ruleset: Ruleset = PAGE) -> list[Entry]:
    """What a table writes where these are played at it; what is refused is left out."""
    with MemoryJournal() as journal, Tables(journal) as tables:
        table = tables.create("The gate", ruleset)
        for command in commands:
            try:
                tables.do(table, command)
            except (Refused, Malformed):
                continue
        return [*journal.read(table)]


def then(entries: Sequence[Entry], *further: list[dict[str, Any]], command: Command = SPEND) -> list[Entry]:
    """The entries, and further ones with these events."""
    made = [*entries]
    for events in further:
        made.append(
            replace(
                entries[-1],
                number=len(made) + 1,
                command=command,
                events=codec.decode_events(codec.encode_events(events)),  # type: ignore[arg-type]
                request=None,
            )
        )
    return made


@settings(max_examples=40)
@given(lines, rulesets)
def test_whatever_was_played_is_likely(commands: tuple[Command, ...], ruleset: Ruleset) -> None:
    check_history(ruleset, played(*commands, ruleset=ruleset))


def test_undo_and_redo_in_any_number_are_likely() -> None:
    spent = (*SITTING, SPEND, SPEND, SPEND)
    back_and_forth = (Undo(), Undo(), Redo(), SPEND, Undo(through=4), Redo(), Undo(), Undo(), Redo(), Redo())
    check_history(PAGE, played(*spent, *back_and_forth))
    check_history(PAGE, played(*spent, Undo(through=1), *SITTING, StartCombat(), Undo(), Redo()))


def test_a_long_history_is_likely() -> None:
    check_history(PAGE, played(*SITTING, *([SPEND] * 3 + [Undo(), Undo(), Redo(), Undo()]) * 40))


def test_a_state_that_only_an_undo_would_bring_back_must_hold_too() -> None:
    away, back = (
        [{"event": "stamina_adjusted", "character": "Brakka", "by": 0, "stamina": stamina, "reason": "?"}]
        for stamina in (-50, 5)
    )
    with pytest.raises(Malformed, match="would leave Brakka with -50 of 10") as caught:
        check_history(PAGE, then(played(*SITTING), away, back))
    assert caught.value.field == "entries[2].events"


DIE = {"event": "base_die_changed", "character": "Brakka", "base_con": "d10", "con": "d10", "maximum": 10, "stamina": 5}
NEW = {
    "event": "character_added", "id": "#9", "character": "Z", "side": "enemy", "con": "d8", "maximum": 8, "stamina": 8
}  # fmt: skip


@pytest.mark.parametrize(
    "events",
    [
        [DIE | {"maximum": 10**9, "stamina": 10**9}],
        [DIE | {"maximum": 4}],
        [DIE | {"con": "d77"}],
        [DIE | {"base_con": "d77"}],
        [DIE | {"character": "Nobody"}],
        [NEW | {"id": "#1"}],
        [NEW | {"id": '"><script>'}],
        [NEW | {"id": "#0"}],
        [NEW | {"character": "Brakka"}],
        [NEW | {"character": "BRAKKA"}],
        [NEW | {"character": "#1"}],
        [{"event": "renamed", "character": "Wolf", "name": "Brakka"}],
        [{"event": "renamed", "character": "Nobody", "name": "Somebody"}, NEW | {"character": "Brakka"}],
        [NEW | {"character": ""}],
        [NEW | {"character": "Enemy"}],
        [NEW | {"side": "nobody's"}],
        [NEW | {"side": "party", "hidden": True}],
        [{"event": "turn_started", "character": "Brakka"}],
        [{"event": "combat_started"}, {"event": "turns_begun", "order": ["Nobody", "Brakka"]}],
        [{"event": "combat_started"}, {"event": "turns_begun", "order": ["Brakka", "Brakka"]}],
        [{"event": "combat_started"}, {"event": "turn_started", "character": "Brakka"}],
        [
            {"event": "combat_started"},
            {"event": "turns_begun", "order": ["Brakka"]},
            {"event": "turn_started", "character": "Brakka"},
            {"event": "turn_started", "character": "Brakka"},
        ],
        [{"event": "undone", "numbers": [2]}],
        [{"event": "redone", "numbers": [2]}],
    ],
)
def test_what_no_command_leads_to_is_not_taken_in(events: list[dict[str, Any]]) -> None:
    with pytest.raises(Malformed) as caught:
        check_history(PAGE, then(played(*SITTING), events))
    assert caught.value.field == "entries[2].events"


@pytest.mark.parametrize("numbers", [[], [1], [2], [3, 2, 1], [2, 3], [3, 3], [5], [99], [3, 1]])
def test_an_undo_can_only_have_taken_back_the_newest_acts(numbers: list[int]) -> None:
    with pytest.raises(Malformed) as caught:
        check_history(
            PAGE, then(played(*SITTING, SPEND, SPEND), [{"event": "undone", "numbers": numbers}], command=Undo())
        )
    assert caught.value.field == "entries[4].events"


@pytest.mark.parametrize("numbers", [[], [1], [3], [4], [4, 3], [3, 4, 5]])
def test_a_redo_can_only_have_put_back_what_the_last_undo_took(numbers: list[int]) -> None:
    undone = played(*SITTING, SPEND, SPEND, Undo(through=3))
    check_history(PAGE, then(undone, [{"event": "redone", "numbers": [3, 4]}], command=Redo()))
    with pytest.raises(Malformed) as caught:
        check_history(PAGE, then(undone, [{"event": "redone", "numbers": numbers}], command=Redo()))
    assert caught.value.field == "entries[5].events"


def test_nothing_is_put_back_after_a_new_act() -> None:
    played_on = played(*SITTING, SPEND, Undo(), SPEND)
    with pytest.raises(Malformed):
        check_history(PAGE, then(played_on, [{"event": "redone", "numbers": [3]}], command=Redo()))


def test_one_who_leaves_on_their_own_turn_is_likely() -> None:
    check_history(
        PAGE,
        played(*SITTING, StartCombat(), BeginTurns(), NextTurn(), RemoveCharacter("Wolf"), NextTurn(), Undo(through=5)),
    )
