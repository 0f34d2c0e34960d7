"""The sheet of who is at the table, by which links, and what players may do."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from winded.roles import PERMISSION_NAMES, PRESETS, Role, choices_of, preset_of
from winded.rules import (
    Character,
)
from winded.sentence import Sentence
from winded.service import INVITATION, linking
from winded.web.screens.parts.sheet import Asking, Facts


class Person(Struct, frozen=True):
    """Someone who holds a link: what they play, and what else of the party there is to claim for them.

    `which` tells people of one name apart, 0 where the name is alone, and so do the `devices` that came by the link,
    as far as this server has seen them, and since when the link holds.
    """

    id: str
    name: str
    which: int
    devices: tuple[Sentence, ...]
    since: datetime
    plays: tuple[Character, ...]
    others: tuple[Character, ...]
    is_you: bool


def people(asking: Asking) -> Facts:
    """Who is at the table and by which links, what players may do without asking, how Checks are rolled."""
    table, company = asking.seen.table, asking.seen.company
    links = linking.links_of(asking.desk, asking.visitor)
    holding = {link.id: link.created for link in links}

    def of(role: Role) -> list[Person]:
        return [
            Person(
                one.id,
                one.name,
                company.which(one),
                asking.devices.of(one.id, holding[one.id]),
                datetime.fromtimestamp(holding[one.id], UTC),
                company.characters_of(one.id, table),
                tuple(character for character in table.party() if not company.plays(one.id, character)),
                one.id == asking.visitor.member,
            )
            for one in company.members.values()
            if one.role is role and one.id in holding
        ]

    permissions = company.permissions
    return {
        "players": of(Role.PLAYER),
        "spectators": of(Role.SPECTATOR),
        "referees": of(Role.REFEREE),
        "invited": any(link.role == INVITATION for link in links),
        "presets": [(name, label) for name, (label, _) in PRESETS.items()],
        "preset": preset_of(permissions),
        "permissions": [
            (name, label, getattr(permissions, name), choices_of(name)) for name, label in PERMISSION_NAMES.items()
        ],
        "permissions_seen": msgspec.json.encode({"permissions": permissions}).decode(),
        "dice_seen": msgspec.json.encode({"check_dice": company.check_dice}).decode(),
        "check_dice": company.check_dice or "",
    }
