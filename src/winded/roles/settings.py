"""A table's settings: what players may do without asking, and how a Check is rolled."""

from __future__ import annotations

from msgspec import UNSET, UnsetType, structs
from msgspec.structs import replace

from winded.errors import Refused
from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Company
from winded.roles.permissions import PERMISSION_NAMES, PermissionChanges, Permissions
from winded.rules import Event, Table
from winded.rules.fields import Checked, Text
from winded.sentence import Sentence, sentence


class PermissionsSet(CompanyEvent, frozen=True, tag="permissions_set"):
    """The Referee changed what players may do."""

    permissions: Permissions

    def evolve(self, company: Company) -> Company:
        return replace(company, permissions=self.permissions)

    def tell(self) -> Sentence:
        return sentence("The Referee changes what players may do.")


class CheckDiceSet(CompanyEvent, frozen=True, tag="check_dice_set"):
    """The Referee said how a Check is rolled at this table, or left it open again."""

    dice: str | None

    def evolve(self, company: Company) -> Company:
        return replace(company, check_dice=self.dice)

    def tell(self) -> Sentence:
        if self.dice is None:
            return sentence("The Referee no longer says how Checks are rolled.")
        return sentence("Checks are rolled with {dice}.", dice=self.dice)


class AtPermissions(Checked, frozen=True):
    """The permissions as the sender saw them; those left out are not compared."""

    permissions: PermissionChanges


class AtCheckDice(Checked, frozen=True):
    """The Check dice as the sender saw them; null if they were left open."""

    check_dice: Text | UnsetType | None = UNSET


class SetPermissions(CompanyCommand, frozen=True, tag="set_permissions"):
    """Set what players may do without asking; permissions left out stay as they are.

    Refused: "not-now" if one of those to set is no longer what `at` says the sender saw.
    """

    permissions: PermissionChanges
    at: AtPermissions | None = None

    @staticmethod
    def to(permissions: Permissions) -> SetPermissions:
        """The command that sets all of these permissions."""
        return SetPermissions(PermissionChanges.of(permissions))

    @staticmethod
    def changed(was: Permissions, chosen: Permissions) -> SetPermissions:
        """The command for a form that showed `was`: it sets only the permissions that were changed in it."""
        before, after = structs.asdict(was), structs.asdict(chosen)
        names = [name for name in before if before[name] != after[name]]
        return SetPermissions(
            PermissionChanges(**{name: after[name] for name in names}),
            AtPermissions(PermissionChanges(**{name: before[name] for name in names})),
        )

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        now = structs.asdict(company.permissions)
        seen = {} if self.at is None else self.at.permissions.named
        for name in self.permissions.named:
            if name in seen and seen[name] != now[name]:
                raise Refused(
                    "not-now",
                    "Somebody else has since changed “{permission}” to “{now}”. Your change was not saved.",
                    permission=PERMISSION_NAMES[name],
                    now=now[name].told,
                )
        permissions = replace(company.permissions, **self.permissions.named)
        return () if permissions == company.permissions else (PermissionsSet(permissions),)


class SetCheckDice(CompanyCommand, frozen=True, tag="set_check_dice"):
    """Set how a Check is rolled at this table, as a dice expression such as "1d20+con"; None leaves it open.

    Refused: "not-now" if it is no longer what `at` says the sender saw.
    """

    dice: Text | None = None
    at: AtCheckDice | None = None

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        now = company.check_dice
        if now == self.dice:
            return ()
        if self.at is not None and self.at.check_dice not in (UNSET, now):
            if now is None:
                raise Refused(
                    "not-now", "Somebody else has since left open how Checks are rolled. Your change was not saved."
                )
            raise Refused(
                "not-now",
                "Somebody else has since changed how Checks are rolled, to {dice}. Your change was not saved.",
                dice=now,
            )
        return (CheckDiceSet(self.dice),)
