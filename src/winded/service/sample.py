"""The sample table: a few characters to try everything with."""

from __future__ import annotations

from winded.rules import D6, D8, D10, D12, AbilitySource, AddAbility, AddCharacter, Command, Side, TakeWound

SAMPLE_NAME = "Sample table"

SAMPLE_DICE = "1d20+con"
"""Its Check dice. The page names none, and a table without them shows no chances."""

SAMPLE: tuple[Command, ...] = (
    AddCharacter("Ash", con=D10),
    AddCharacter("Brakka", con=D12),
    AddCharacter("Bryn", con=D8, stamina=5),
    AddCharacter("Cato", con=D6),
    AddAbility("Ash", "Shield Wall", 2, AbilitySource.CLASS),
    AddAbility("Cato", "Old Song", 0, AbilitySource.TRADITION),
    TakeWound("Brakka", "cracked ribs"),
    AddCharacter("Ogre", con=D12, side=Side.ENEMY),
    AddCharacter("Wolf 1", side=Side.ENEMY),
    AddCharacter("Wolf 2", side=Side.ENEMY),
)
"""Four player characters, one of them wounded, and three enemies."""
