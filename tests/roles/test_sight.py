"""What players may see of the history, whatever has become of the names in it since."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests.rules.strategies import lines
from winded import (
    D8,
    D10,
    AddCharacter,
    Adjust,
    BeginTurns,
    EditCharacter,
    NextTurn,
    RemoveCharacter,
    Rest,
    Side,
    StartCombat,
    TakeWound,
    Undo,
)
from winded.errors import WindedError
from winded.journal import MemoryJournal
from winded.roles import seen_events, veiled
from winded.rules import Command, RestKind, combat_options, options
from winded.tables import Tables


class Played:
    """A table at which one plays, and what players may read of its history."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._id = tables.create("The gate")

    def do(self, *commands: Command) -> None:
        for command in commands:
            self._tables.do(self._id, command)

    def told(self) -> list[str]:
        """The history in sentences, oldest first, as players read it now."""
        table = self._tables.snapshot(self._id).table
        entries = (line.entry for line in self._tables.lines_after(self._id))
        return [
            str(event.tell())
            for entry in entries
            for event in seen_events(entry.events, entry.about, entry.secret, table)
        ]

    def tells(self, *words: str) -> list[str]:
        """Which of these words players can read anywhere."""
        return [word for word in words if any(word in line for line in self.told())]


@pytest.fixture
def table() -> Iterator[Played]:
    with MemoryJournal() as journal, Tables(journal) as tables:
        yield Played(tables)


def hidden(name: str) -> AddCharacter:
    return AddCharacter(name, con=D10, side=Side.ENEMY, hidden=True)


def test_a_name_that_a_hidden_enemy_gave_up_tells_nothing_of_it_once_a_player_bears_it(table: Played) -> None:
    table.do(hidden("Shade"), TakeWound("Shade", wound="scorched"), EditCharacter("Shade", name="Vampire"))
    table.do(AddCharacter("Shade", con=D8))
    assert table.told() == ["Shade joins with CON d8: 8 of 8 Stamina."]


def test_a_name_that_a_hidden_enemy_took_over_tells_nothing_of_it(table: Played) -> None:
    table.do(AddCharacter("Ash", con=D10, stamina=2), hidden("Shade"))
    table.do(Adjust("Shade", by=-9, reason="a fall"), Rest(RestKind.RESPITE, characters=("Ash", "Shade")))
    assert table.tells("10 of 10") == ["10 of 10"]
    table.do(EditCharacter("Ash", name="Cinder"), EditCharacter("Shade", name="Ash"))
    table.do(EditCharacter("Ash", name="Vampire"), EditCharacter("Cinder", name="Shade"))
    # The rest of the one who is called Shade today was told of under another name; that of the other Shade never.
    assert table.tells("Shade rests", "Vampire", "a fall") == []


def test_an_order_keeps_to_itself_who_bore_a_name_that_a_player_bears_now(table: Played) -> None:
    table.do(AddCharacter("Ash", con=D10), hidden("Shade"), StartCombat(), BeginTurns(), NextTurn())
    table.do(EditCharacter("Shade", name="Vampire"), AddCharacter("Shade", con=D8))
    assert "The order is fixed: Ash." in table.told()
    assert "Shade's turn begins." not in table.told()


def test_an_id_that_was_a_hidden_enemys_tells_nothing_of_it_once_a_player_has_it(table: Played) -> None:
    table.do(hidden("Shade"), TakeWound("Shade", wound="scorched"), Undo(), Undo(), AddCharacter("Bob", con=D8))
    assert table.tells("Shade", "scorched") == []
    table.do(EditCharacter("Bob", name="Shade"))
    assert table.tells("scorched", "10 of 10", "hidden") == []


def test_what_a_revealed_enemy_did_unseen_stays_unseen_whatever_it_is_called(table: Played) -> None:
    table.do(hidden("Shade"), TakeWound("Shade", wound="scorched"), EditCharacter("Shade", hidden=False))
    table.do(EditCharacter("Shade", name="Vampire"), RemoveCharacter("Vampire"), AddCharacter("Shade", con=D8))
    assert table.tells("scorched") == []
    assert table.tells("is revealed", "now called Vampire") == ["is revealed", "now called Vampire"]


UNSEEN = "Zzyzx"


@given(played=lines)
@settings(max_examples=40)
def test_a_hidden_enemy_shows_nowhere_whatever_it_and_all_others_do(played: list[Command]) -> None:
    with MemoryJournal() as journal, Tables(journal) as tables:
        at = tables.create("The gate")
        tables.do(at, AddCharacter(UNSEEN, con=D10, side=Side.ENEMY, hidden=True, note=UNSEEN))
        for command in played:
            also = [command]
            if hasattr(command, "character") and not isinstance(command, EditCharacter):
                # What anyone does, the hidden one does as well.
                also.append(replace(command, character=UNSEEN))
            for one in also:
                with suppress(WindedError):
                    tables.do(at, one)
        snapshot = tables.snapshot(at)
        seen = veiled(snapshot.table)
        offered = [option for one in seen.party() for option in options(seen, one.name)]
        shown = [
            seen.state(),
            *((str(one.label), one.command, one.refusal) for one in (*offered, *combat_options(seen))),
            *(
                (event, str(event.tell()))
                for line in tables.lines_after(at, limit=1000)
                for event in seen_events(line.entry.events, line.entry.about, line.entry.secret, snapshot.table)
            ),
        ]
        assert [one for one in shown if UNSEEN in str(one)] == []
