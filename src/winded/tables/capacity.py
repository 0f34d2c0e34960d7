"""How much a table can hold, whether it is played there or brought in."""

from __future__ import annotations

from winded.errors import TooMuch
from winded.rules import AddAbility, AddCharacter, Character, Refused, Side, Table, TakeWound
from winded.sentence import Sentence, sentence

PARTY_LIMIT = 40
"""The most player characters at one table."""

ENEMY_LIMIT = 100
"""The most enemies at one table."""

ABILITY_LIMIT = 40
"""The most abilities of one character."""

WOUND_LIMIT = 40
"""The most Wounds of one character."""

MEMBER_LIMIT = 200
"""The most people at one table, counting spectators with links of their own."""


def check_room(table: Table, command: object) -> None:
    """Raises TooMuch for a command that would add one more than a table or a character can hold."""
    if isinstance(command, AddCharacter):
        if command.side is Side.ENEMY:
            _check(sum(1 for _ in table.enemies()) + 1, ENEMY_LIMIT, sentence("enemies"))
        else:
            _check(sum(1 for _ in table.party()) + 1, PARTY_LIMIT, sentence("player characters"))
    elif isinstance(command, AddAbility | TakeWound):
        try:
            character = table.character(command.character)
        except Refused:
            # The rules refuse it and say who is missing.
            return
        if isinstance(command, AddAbility):
            _check_one(character, len(character.abilities) + 1, ABILITY_LIMIT, sentence("abilities"))
        else:
            _check_one(character, len(character.wounds) + 1, WOUND_LIMIT, sentence("Wounds"))


def check_holds(table: Table) -> None:
    """Raises TooMuch if a table has more characters than it can hold."""
    enemies = sum(1 for _ in table.enemies())
    _check(enemies, ENEMY_LIMIT, sentence("enemies"))
    _check(len(table.characters) - enemies, PARTY_LIMIT, sentence("player characters"))


def check_character_holds(character: Character) -> None:
    """Raises TooMuch if a character has more abilities or Wounds than one can hold."""
    _check_one(character, len(character.abilities), ABILITY_LIMIT, sentence("abilities"))
    _check_one(character, len(character.wounds), WOUND_LIMIT, sentence("Wounds"))


def check_members(many: int) -> None:
    """Raises TooMuch for more people than one table can hold."""
    _check(many, MEMBER_LIMIT, sentence("people"))


def _check(many: int, limit: int, who: Sentence) -> None:
    if many > limit:
        raise TooMuch("A table can have {limit} {who}, and this one is full.", limit=limit, who=who)


def _check_one(character: Character, many: int, limit: int, what: Sentence) -> None:
    if many > limit:
        raise TooMuch(
            "A character can have {limit} {what}, and {name} already has that many.",
            limit=limit,
            what=what,
            name=character.name,
        )
