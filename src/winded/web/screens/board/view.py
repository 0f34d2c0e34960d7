"""The Referee's board: everyone at a glance, the round as a line, what each may do, what was asked, what happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import urlencode

from msgspec import Struct

from winded.errors import WindedError
from winded.journal import Entry
from winded.roles import Ask, Company, Member, Role
from winded.rules import (
    ENEMY,
    Character,
    Combat,
    Event,
    OpenCheck,
    Option,
    Table,
    combat_options,
    dry_run,
    lost_to_wounds,
)
from winded.rules.table import same
from winded.sentence import Sentence, sentence
from winded.tables import Line, Snapshot
from winded.web.language import language
from winded.web.live import Rendered, Viewer, seat_id
from winded.web.screens.parts.lines import SeenLine, Told, told_moved
from winded.web.screens.parts.offers import Asked, Offer, offers

LINES = 20
"""So many of the newest lines of the history stand on the board, as in `winded.js`; a sheet holds the rest."""

KEYS = {"start_combat": "c", "begin_turns": "n", "next_turn": "n", "end_combat": "e"}
"""The keys that do what moves a combat on; `winded.js` listens for them."""

_GROUPS = {
    "early": sentence("early"),
    "enemy": sentence("enemy"),
    "rest": sentence("the rest"),
}
_REFEREE = Member("", "", Role.REFEREE)


class Button(Struct, frozen=True):
    """An offer on the board: `act` is what one tap sends, `sheet` what is opened where something is filled in first.

    `says` stands in place of the price where one button is for several offers.
    """

    offer: Offer
    act: str = ""
    sheet: str = ""
    says: Sentence | None = None


class Seat(Struct, frozen=True):
    """One character on the board. `lost` is the Stamina by which Wounds have lowered the maximum; `players` play it.

    With an open Check, what needs one number only (`inline`) and what gives Stamina back (`beside`) stand with it.
    """

    key: str
    character: Character
    lost: int
    looks: str
    on_turn: bool
    reaction: int | None
    check: Sentence | None
    inline: tuple[tuple[Drive, Asked], ...]
    beside: tuple[Button, ...]
    buttons: tuple[Button, ...]
    players: str


class Stop(Struct, frozen=True):
    """A place in the line of a round: "early", "enemy" or "rest", and "done", "now", "to-come", "waits" or "none".

    `label` names the group where a new one begins.
    """

    name: str
    group: str
    state: str
    label: Sentence | None = None


class Drive(Struct, frozen=True):
    """Something that one tap does for the table, such as the next turn. `main` is what comes next by itself."""

    do: str
    label: Sentence
    main: bool = False
    key: str = ""


class Wish(Struct, frozen=True):
    """What a player asks of the Referee. `refused` says that the rules would say no as things stand."""

    number: int
    name: str
    character: str
    label: Sentence
    cost: int
    reason: str | None
    refused: WindedError | None


class Back(Struct, frozen=True):
    """What undo takes back, and what it sends."""

    act: str
    what: Sentence


def seat(table: Table, company: Company, character: Character) -> Seat:
    """What the board shows of one character."""
    combat = table.combat
    on_turn = combat is not None and combat.turn == character.name
    found = [one for one in _offers(table, company, character) if not is_shown_by_check(one, character)]
    alone = [] if character.open_check is None else [one for one in found if _only_number(one) is not None]
    others = [*buttons(character, [one for one in found if one not in alone])]
    looks = {
        " foe": character.is_enemy,
        " turn": on_turn,
        " early": character.acts_early,
        " secret": character.hidden,
    }
    return Seat(
        seat_id(character),
        character,
        lost_to_wounds(table.ruleset, character),
        "".join(look for look, holds in looks.items() if holds),
        on_turn,
        table.ruleset.reactions.cost(character.reactions) if combat is not None and character.base_con else None,
        None if character.open_check is None else open_check(character.open_check),
        tuple((Drive(one.do, one.label), field) for one in alone if (field := _only_number(one))),
        tuple(button for button in others if gives_back(button.offer, character)),
        tuple(button for button in others if not gives_back(button.offer, character)),
        ", ".join(player.name for player in company.players_of(character)),
    )


def is_shown_by_check(offer: Offer, character: Character) -> bool:
    """Whether the open Check, which stands on the board with its roll, already says why this cannot be."""
    return character.open_check is not None and offer.do == "declare_check" and offer.refused is not None


def gives_back(offer: Offer, character: Character) -> bool:
    """Whether this takes back what an open Check was pushed with."""
    return character.open_check is not None and offer.do == "withdraw_check" and offer.refused is None


def open_check(check: OpenCheck) -> Sentence:
    """An open Check: what it is for, and what the push adds."""
    facts = {"bonus": check.bonus, "strain": check.strain, "target": check.target}
    if check.strain is None:
        if check.target is None:
            return sentence("Open Check: +{bonus}", **facts)
        return sentence("Open Check against {target}: +{bonus}", **facts)
    if check.target is None:
        return sentence("Open Check ({strain}): +{bonus}", **facts)
    return sentence("Open Check ({strain}) against {target}: +{bonus}", **facts)


def buttons(character: Character, found: Sequence[Offer]) -> Iterator[Button]:
    """One button for each thing one may do; a thing that is offered with and without an amount has one sheet."""
    by_deed: dict[str, list[Offer]] = {}
    for offer in found:
        by_deed.setdefault(_deed(offer), []).append(offer)
    for deed, several in by_deed.items():
        possible = [offer for offer in several if offer.refused is None]
        offer = next((one for one in several if one.amount), several[0])
        if not possible:
            yield Button(several[0])
        elif len(several) == 1 and offer.is_quick:
            yield Button(offer, act=urlencode({"do": offer.do, **_filled(offer)}))
        else:
            says = None
            if len(several) > 1:
                free = sentence("without Stamina")
                says = sentence("push up to {most}", most=offer.amounts[-1][0]) if offer.refused is None else free
            yield Button(possible[0], sheet=f"act?of={seat_id(character)}&" + deed, says=says)


def _deed(offer: Offer) -> str:
    return urlencode({"do": offer.do, **{name: value for name, value in _filled(offer).items() if name != "cost"}})


def _filled(offer: Offer) -> dict[str, str]:
    return {name: value for name, value in offer.values if name not in ("do", "character")}


def _only_number(offer: Offer) -> Asked | None:
    """The field of an offer that needs nothing but one number, such as a roll."""
    needed = [one for one in offer.asked if one.field.required]
    return needed[0] if offer.amount is None and len(needed) == 1 and needed[0].field.kind == "number" else None


def _offers(table: Table, company: Company, character: Character) -> tuple[Offer, ...]:
    if character.base_con is None and character.is_enemy:
        return ()
    return offers(table, company, _REFEREE, character)


def line_of(table: Table) -> tuple[Stop, ...]:
    """The round as a line: who acts early, the enemy, the rest."""
    combat = table.combat
    if combat is None:
        return ()
    if combat.phase == "declare":
        return (*_declaring(table),)
    stops: list[Stop] = []
    for at, name in enumerate(combat.order):
        group = group_of(table, name)
        label = _GROUPS[group] if not stops or stops[-1].group != group else None
        stops.append(Stop(name, group, _state(combat, at), label))
    return tuple(stops)


def group_of(table: Table, name: str) -> str:
    """Whether the one of this name acts "early", is the "enemy", or is of the "rest"."""
    character = table.characters.get(name)
    if character is None or character.is_enemy:
        return "enemy"
    return "early" if character.acts_early else "rest"


def _declaring(table: Table) -> Iterator[Stop]:
    party = [*table.party()]
    enemies = [one.name for one in table.enemies()]
    groups = {
        "early": [one.name for one in party if one.acts_early],
        "enemy": enemies or [ENEMY],
        "rest": [one.name for one in party if not one.acts_early],
    }
    for group, names in groups.items():
        if not names:
            yield Stop("", group, "none", _GROUPS[group])
        for at, name in enumerate(names):
            yield Stop(name, group, "waits", None if at else _GROUPS[group])


def _state(combat: Combat, at: int) -> str:
    if at == combat.acting:
        return "now"
    return "done" if at < combat.acting else "to-come"


def controls(table: Table) -> tuple[Drive, ...]:
    """What moves the combat on now."""
    possible = [one for one in combat_options(table) if one.refused is None]
    return tuple(_drive(one, at == 0) for at, one in enumerate(possible))


def _drive(option: Option, main: bool) -> Drive:
    do = str(option.command.__struct_config__.tag)
    return Drive(do, option.label, main, KEYS.get(do, ""))


def wish(table: Table, company: Company, ask: Ask) -> Wish:
    """An ask as the Referee sees it."""
    member = company.members.get(ask.member)
    of = getattr(ask.command, "character", None)
    known = None if of is None else table.names.get(same(of))
    return Wish(
        ask.number,
        "" if member is None else member.name,
        known or "",
        ask.command.label(),
        ask.cost,
        ask.reason,
        dry_run(table, ask.command, 0, 0).refused,
    )


def telling(line: Line, by: str) -> SeenLine:
    """An entry of the history as the Referee reads it, all of it."""
    entry = line.entry
    told = _told(entry) + tuple(one for moved in line.moved for one in told_moved(_told(moved)))
    return SeenLine(entry.number, by, told, not line.counts, line.can_undo)


def _told(entry: Entry) -> tuple[Told, ...]:
    return tuple(Told(event.tell(), event.rule) for event in entry.events)


@lru_cache(maxsize=2048)
def _line(code: str, line: Line, by: str) -> str:
    """An entry's line as HTML; most of them are the same after each change."""
    return str(language(code).macro("parts/parts.html", "line")(telling(line, by), True)).strip()


def by_whom(line: Line, company: Company) -> str:
    """Who did this, where it was a player and is not told anyway."""
    entry = line.entry
    if not entry.who or not any(isinstance(event, Event) for event in entry.events):
        return ""
    member = company.members.get(entry.who)
    return "" if member is not None and member.role is Role.REFEREE else entry.name


def first_told(entry: Entry) -> Sentence:
    """What an entry did in the game, in its first sentence."""
    played = [event for event in entry.events if isinstance(event, Event)]
    return played[0].tell() if played else sentence("nothing changed")


def render(viewer: Viewer, snapshot: Snapshot, lines: Sequence[Line]) -> Rendered:
    """The board of every Referee of a table."""
    speaking = language(viewer.language)
    table = snapshot.table
    at = f"/tables/{snapshot.id}"
    # The party, then the enemies; those without a CON Ability Die have little to show and stand together at the end.
    sitting = sorted(table.characters.values(), key=lambda one: (one.is_enemy, one.base_con is None))
    told = [line for line in lines if line.entry.events][:LINES]

    def part(name: str, *facts: object) -> str:
        return str(speaking.macro("board/pieces.html", name)(*facts)).strip()

    undo = snapshot.undo
    fragments = {
        "title": part("title", snapshot.name),
        "round": part("round", table.combat, line_of(table), controls(table), at),
        "asks": part("asks", [wish(table, snapshot.company, ask) for ask in snapshot.company.asks], at),
        "undo": part(
            "undo",
            None if undo is None else Back(f"do=undo&expect={snapshot.number}", first_told(undo)),
            None if snapshot.redo is None else first_told(snapshot.redo),
            len(snapshot.redo_numbers) - 1,
        ),
    }
    seats = [seat_id(one) for one in sitting]
    low = [seat_id(one) for one in sitting if one.is_enemy and one.base_con is None]
    for one in sitting:
        fragments[f"seat-{seat_id(one)}"] = part("seat", seat(table, snapshot.company, one))
    history = [f"h-{line.entry.number}" for line in told]
    for line in told:
        fragments[f"h-{line.entry.number}"] = _line(viewer.language, line, by_whom(line, snapshot.company))

    def root() -> str:
        return speaking.render(
            "board/root.html",
            fragments=fragments,
            seats=[key for key in seats if key not in low],
            low=low,
            lines=history,
            number_now=snapshot.number,
            ladder=table.ruleset.ladder,
        )

    return Rendered(" ".join(seats) + f" {len(low)}", fragments, root)


def page(viewer: Viewer, snapshot: Snapshot, rendered: Rendered) -> str:
    """The whole page of the board."""
    return language(viewer.language).render(
        "board/page.html", name=snapshot.name, at=f"/tables/{snapshot.id}", root=rendered.root()
    )
