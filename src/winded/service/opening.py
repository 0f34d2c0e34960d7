"""Whole tables: begin, list, rename or delete them, and give a new link to a Referee who lost theirs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from winded.errors import Malformed
from winded.roles import Join, Role, SetCheckDice
from winded.rules import PAGE, Command, Ruleset, Table
from winded.service.desk import Desk
from winded.service.linking import ListedLink
from winded.service.links import INVITATION, Given
from winded.service.rolling import check_dice_of
from winded.service.sample import SAMPLE, SAMPLE_DICE, SAMPLE_NAME
from winded.service.visiting import Visitor, check_referee_is_here, count_act
from winded.tables import Tables, check_room, new_table_id, table_name


class Listing(Struct, frozen=True):
    """A table in the list that the database's owner sees. `created` is UTC in seconds since 1970."""

    id: str
    name: str
    created: float
    number: int
    people: tuple[ListedLink, ...]


def begin_table(
    desk: Desk,
    name: str,
    characters: Sequence[Command] = (),
    ruleset: Ruleset = PAGE,
    *,
    before: Sequence[Command] = (),
    check_dice: str | None = None,
    invites: bool = False,
) -> Given:
    """Begin a table: play `before`, add `characters`, set its `check_dice`. Returns the first Referee's link.

    With `invites` it also gets an invitation, which `invitation_of` shows. If anything fails, no table is begun.
    Raises what the commands raise; TooMuch for more than a table can hold; Malformed for an unusable name or dice.
    """
    if ruleset.name == PAGE.name and ruleset != PAGE:
        ruleset = replace(ruleset, name="House rules")
    called = table_name(name)
    commands = (*before, *characters)
    _check(commands, ruleset, len(before))
    if check_dice is not None:
        check_dice_of(ruleset, check_dice, "check_dice")
    given = desk.links.draw(new_table_id(), Role.REFEREE, "Referee")
    link = given.link

    def play(tables: Tables, table: str) -> None:
        tables.do(table, Join(link.id, link.name, Role.REFEREE), who=link.id, name=link.name)
        for command in commands:
            tables.do(table, command, who=link.id, name=link.name)
        if check_dice is not None:
            tables.do(table, SetCheckDice(check_dice), who=link.id, name=link.name)

    desk.tables.begin(called, ruleset, play, lambda _: (link,), link.table)
    if invites:
        desk.links.invite(link.table)
    return given


def _check(commands: Sequence[Command], ruleset: Ruleset, before: int) -> None:
    table = Table(ruleset)
    for place, command in enumerate(commands, -before):
        check_room(table, command)
        try:
            table = table.do(command)
        except Malformed as wrong:
            field = f"characters[{place}].{wrong.field}"
            raise Malformed(field, wrong.text, **{**wrong.facts, "field": field}) from wrong


def begin_sample(
    desk: Desk,
    name: str | None = None,
    characters: Sequence[Command] = (),
    ruleset: Ruleset = PAGE,
    *,
    invites: bool = False,
) -> Given:
    """Begin a sample table, and add `characters` to it. Returns its Referee's link; raises as `begin_table` does."""
    called = name or SAMPLE_NAME
    return begin_table(desk, called, characters, ruleset, before=SAMPLE, check_dice=SAMPLE_DICE, invites=invites)


def rename_table(desk: Desk, who: Visitor, name: str) -> None:
    """Rename the table.

    Raises Forbidden for all but its Referee, TooMuch for too many acts, Malformed for an unusable name.
    """
    check_referee_is_here(desk, who)
    count_act(desk, who)
    desk.tables.rename(who.table, table_name(name))


def delete_table(desk: Desk, who: Visitor) -> None:
    """Delete the table for good, with its history and links; screens that watch it are told.

    Raises Forbidden for all but its Referee.
    """
    check_referee_is_here(desk, who)
    desk.tables.delete(who.table)
    desk.links.forget(who.table)


def recover_table(desk: Desk, table: str) -> Given:
    """A new Referee's link, for the database's owner; earlier links still work. Raises Unknown."""
    return desk.links.give_member(table, Role.REFEREE, "Referee")


def list_tables(desk: Desk) -> list[Listing]:
    """Every table in the database, oldest first, with everyone who has a link to it."""
    return [
        Listing(
            record.id,
            record.name,
            record.created,
            desk.journal.head(record.id).number,
            tuple(
                ListedLink(one.id, one.role, one.name, one.created)
                for one in desk.links.of(record.id)
                if one.role != INVITATION
            ),
        )
        for record in desk.tables.records()
    ]
