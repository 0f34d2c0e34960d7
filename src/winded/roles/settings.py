"""What a table has settled for itself: what players may do without asking, and how a Check is rolled."""

from __future__ import annotations

from msgspec.structs import replace

from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Company
from winded.roles.permissions import Permissions
from winded.rules import Event, Table
from winded.rules.fields import Text
from winded.sentence import Sentence, sentence


class PermissionsSet(CompanyEvent, frozen=True, tag="permissions_set"):
    """What players may do was set."""

    permissions: Permissions

    def evolve(self, company: Company) -> Company:
        return replace(company, permissions=self.permissions)

    def tell(self) -> Sentence:
        return sentence("The Referee sets what players may do.")


class CheckDiceSet(CompanyEvent, frozen=True, tag="check_dice_set"):
    """How a Check is rolled at this table was said, or taken back."""

    dice: str | None

    def evolve(self, company: Company) -> Company:
        return replace(company, check_dice=self.dice)

    def tell(self) -> Sentence:
        if self.dice is None:
            return sentence("How a Check is rolled is open again.")
        return sentence("A Check is rolled with {dice}.", dice=self.dice)


class SetPermissions(CompanyCommand, frozen=True, tag="set_permissions"):
    """What players may do without asking."""

    permissions: Permissions

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (PermissionsSet(self.permissions),)


class SetCheckDice(CompanyCommand, frozen=True, tag="set_check_dice"):
    """How a Check is rolled at this table, as a dice expression such as "1d20+con"; None leaves it open."""

    dice: Text | None = None

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        return (CheckDiceSet(self.dice),)
