"""A name that a hidden enemy bears is, for players, a name like any other that is free."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded import D8, D10, AddCharacter, BeginTurns, EditCharacter, NextTurn, React, Side, StartCombat, Table, Undo
from winded.errors import Refused, WindedError
from winded.journal import MemoryJournal
from winded.roles import (
    Accept,
    AskFor,
    Claim,
    Freedom,
    Join,
    Permissions,
    Role,
    SetPermissions,
    authorise,
    may_undo,
    seen_events,
    veiled,
)
from winded.rules import Command, command_from, options
from winded.rules.aim import AtMoment
from winded.tables import Snapshot, SomeCommand, Tables

REFEREE, PIP = "referee", "pip"


class Evening:
    """Pip plays Ash at a table with an enemy that is hidden; all that reaches Pip is kept."""

    def __init__(self, tables: Tables, hidden: str, freedom: Freedom) -> None:
        self.tables = tables
        self.id = tables.create("The gate")
        self.heard: list[object] = []
        for who, role in ((REFEREE, Role.REFEREE), (PIP, Role.PLAYER)):
            tables.do(self.id, Join(who, who, role), who=who)
        for command in (
            SetPermissions.to(Permissions(changing_characters=freedom, new_characters=freedom)),
            AddCharacter("Ash", con=D10),
            AddCharacter(hidden, con=D8, side=Side.ENEMY, hidden=True),
            AddCharacter("Wolf", con=D8, side=Side.ENEMY),
            Claim("Ash", PIP),
        ):
            self.by(REFEREE, command)

    def by(self, who: str, command: SomeCommand) -> None:
        """Have somebody act, or ask where the table wants it so."""

        def authorised(snapshot: Snapshot, command: SomeCommand) -> SomeCommand:
            member = snapshot.company.member(who)
            freedom = authorise(snapshot.company, snapshot.table, member, command, snapshot.last_act)
            return AskFor(command) if freedom is Freedom.ASK and isinstance(command, Command) else command

        self.tables.do(self.id, command, who=who, name=who, authorise=authorised)

    def tries(self, command: SomeCommand) -> None:
        """Pip tries this, and hears what comes of it."""
        for _ in ("beforehand", "really"):
            try:
                self.by(PIP, command)
                self.heard.append("done")
            except WindedError as no:
                self.heard.append(no.as_data())
        self.look()

    def look(self) -> None:
        """All that Pip's device may know now."""
        now = self.tables.snapshot(self.id)
        seen = veiled(now.table)
        self.heard += [
            now.number,
            seen.state(),
            [(ask.number, ask.command, ask.cost) for ask in now.company.asks],
            [(answer.accepted, answer.refusal) for answer in now.company.answers],
            now.company.claims,
            may_undo(now.company, now.table, now.company.member(PIP), now.last_act),
            [
                (line.entry.number, line.counts, event, str(event.tell()))
                for line in self.tables.lines_after(self.id, limit=1000)
                for event in seen_events(line.entry.events, line.entry.about, line.entry.secret, now.table)
            ],
            [
                (option.command, option.cost, option.refusal)
                for one in seen.party()
                for option in options(seen, one.name)
            ],
        ]


@contextmanager
def evenings(freedom: Freedom = Freedom.FREE) -> Iterator[tuple[Evening, Evening]]:
    """Two tables that players must not be able to tell apart: an enemy that is hidden is Shade here, Lurker there."""
    with MemoryJournal() as journal, Tables(journal, clock=lambda: 0.0) as tables:
        yield Evening(tables, "Shade", freedom), Evening(tables, "Lurker", freedom)


CALLED = st.sampled_from(["Shade", "SHADE", "Lurker", "Shade 2", "shade 2", "Lurker 2", "Wolf", "Enemy", "#2", "Ash"])
OWN = st.sampled_from(["Ash", "#1", "#4", "Shade", "Lurker"])
TRIED: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries({"do": st.just("add_character"), "name": CALLED, "con": st.just("d8")}),
    st.fixed_dictionaries({"do": st.just("edit_character"), "character": OWN, "name": CALLED}),
    st.fixed_dictionaries(
        {
            "do": st.just("edit_character"),
            "character": OWN,
            "name": CALLED,
            "con": st.sampled_from(["d6", "d8", "d10", "d12"]),
        }
    ),
    st.fixed_dictionaries({"do": st.sampled_from(["react", "act_early", "declare_check"]), "character": OWN | CALLED}),
    st.fixed_dictionaries(
        {"do": st.just("rest"), "kind": st.just("short"), "characters": st.lists(OWN | CALLED, min_size=1)}
    ),
    st.fixed_dictionaries(
        {"do": st.just("react"), "character": st.just("#1"), "at": st.fixed_dictionaries({"turn": CALLED})}
    ),
    st.fixed_dictionaries({"do": st.just("next_turn"), "at": st.fixed_dictionaries({"turn": CALLED})}),
    st.just({"do": "undo"}),
)
MOVED = st.sampled_from(["accept", "start_combat", "begin_turns", "next_turn", "end_combat", "undo", "claim"])


@given(st.lists(TRIED | MOVED, max_size=12), st.sampled_from([Freedom.FREE, Freedom.ASK]))
def test_nothing_a_player_tries_tells_a_name_that_a_hidden_enemy_bears_from_a_free_one(
    tried: list[dict[str, Any] | str], freedom: Freedom
) -> None:
    with evenings(freedom) as both:
        for evening in both:
            for one in tried:
                now = evening.tables.snapshot(evening.id)
                try:
                    if isinstance(one, dict):
                        evening.tries(command_from(one))
                    elif one == "accept":
                        for ask in now.company.asks:
                            evening.by(REFEREE, Accept(ask.number))
                    elif one == "claim":
                        for character in veiled(now.table).party():
                            evening.by(PIP, Claim(character.id, PIP))
                    else:
                        evening.by(REFEREE, command_from({"do": one}))
                except WindedError:
                    continue
            evening.look()
        assert both[0].heard == both[1].heard


@pytest.mark.parametrize("command", [AddCharacter("shade", con=D8), EditCharacter("Ash", name="shade")])
def test_a_hidden_enemy_is_called_something_else_once_a_player_takes_its_name(command: Command) -> None:
    with evenings() as (shade, lurker):
        for evening in (shade, lurker):
            number = evening.tables.snapshot(evening.id).number
            evening.by(PIP, command)
            assert evening.tables.snapshot(evening.id).number == number + 1
            assert evening.tables.snapshot(evening.id).table.character("shade").side == "party"
        table = shade.tables.snapshot(shade.id).table
        assert [one.name for one in table.enemies()] == ["Shade 2", "Wolf"]
        # The Referee reads it in the history, in the same entry; one undo takes back both.
        (line,) = shade.tables.lines(shade.id, limit=1)
        assert "Shade is now called Shade 2." in [str(event.tell()) for event in line.entry.events]
        shade.by(PIP, Undo())
        assert [one.name for one in shade.tables.snapshot(shade.id).table.enemies()] == ["Shade", "Wolf"]


def test_an_open_combat_goes_on_with_the_hidden_enemy_under_its_new_name() -> None:
    with evenings() as (shade, _):
        shade.by(REFEREE, StartCombat())
        shade.by(REFEREE, BeginTurns())
        shade.by(PIP, AddCharacter("Shade", con=D8))
        combat = shade.tables.snapshot(shade.id).table.combat
        assert combat is not None
        assert combat.order == ("Shade 2", "Wolf", "Ash", "Shade")
        shade.by(REFEREE, React("Shade 2"))


@pytest.mark.parametrize("turn", ["Shade", "#2", "Lurker", "Wolf", "Enemy"])
def test_what_is_meant_for_a_hidden_enemys_turn_is_meant_for_that_of_enemy(turn: str) -> None:
    with evenings() as both:
        for evening in both:
            for command in (StartCombat(), BeginTurns(), NextTurn()):
                evening.by(REFEREE, command)
            evening.tries(React("Ash", at=AtMoment(turn=turn)))
        shade, lurker = both
        assert shade.heard == lurker.heard
        assert (shade.heard[0] == "done") == (turn == "Enemy")


@pytest.mark.parametrize("name", ["Wolf", "wolf", "Enemy", "Ash", "#9"])
def test_a_name_that_everyone_sees_is_taken(name: str) -> None:
    with evenings() as (shade, _), pytest.raises(Refused) as no:
        shade.by(PIP, AddCharacter(name, con=D8))
    assert no.value.rule == "duplicate"


@pytest.mark.parametrize("hidden", [False, True])
def test_for_another_enemy_the_name_of_a_hidden_one_is_taken(hidden: bool) -> None:
    table = Table().do(AddCharacter("Shade", con=D8, side=Side.ENEMY, hidden=True))
    with pytest.raises(Refused) as no:
        table.do(AddCharacter("Shade", con=D8, side=Side.ENEMY, hidden=hidden))
    assert no.value.rule == "duplicate"


def test_the_other_name_is_as_long_as_a_name_may_be_and_nobodys() -> None:
    long = "x" * 40
    table = Table().do(AddCharacter(long, con=D8, side=Side.ENEMY, hidden=True))
    table = table.do(AddCharacter("x" * 38 + " 2", con=D8), AddCharacter(long, con=D8))
    assert [one.name for one in table.enemies()] == ["x" * 38 + " 3"]


def test_all_that_happens_to_ones_own_character_is_told_where_it_takes_a_hidden_enemys_name() -> None:
    with evenings() as (shade, lurker):
        for evening in (shade, lurker):
            evening.tries(EditCharacter("Ash", name="Shade", con="d6"))
        assert shade.heard == lurker.heard
        assert "Shade's base CON Ability Die is now d6" in str(shade.heard)


@pytest.mark.parametrize("name", ["Ash", "Wolf"])
def test_notes_are_the_referees_alone(name: str) -> None:
    with evenings() as (shade, _):
        shade.by(REFEREE, EditCharacter(name, note="owes the ferryman"))
        shade.look()
        assert "ferryman" not in str(shade.heard)
        assert shade.tables.snapshot(shade.id).table.character(name).note == "owes the ferryman"
