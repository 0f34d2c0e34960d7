"""The start page: a new table, the sample table, the tables this browser holds links for, the way in by code."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from winded.errors import Forbidden, Malformed, Unknown, WindedError
from winded.roles import Role
from winded.rules import PAGE, AddCharacter, Ruleset, ruleset_from_toml
from winded.sentence import Sentence
from winded.service import copies, opening, seeing
from winded.service.examining import told_age
from winded.web.access import remembered
from winded.web.guard import HOUSE_RULES, NEW_TABLES
from winded.web.host import Host, address_of
from winded.web.language import Language
from winded.web.screens.parts.answers import html, to_table
from winded.web.screens.start.house_rules import GROUPS, ruleset_filled_in, ways_to_spend

ROWS = 4
"""Rows for characters on an empty form; one that is left without a name is left out."""

CHECK_DICE = ("1d20+con", "2d10+con", "3d6")
"""Examples of how Checks are rolled."""


class Filled(Struct, frozen=True):
    """The form of a new table as it was filled in. `rules` is where its rules come from: page, fields or toml."""

    name: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    check: str = ""
    rules: str = "page"
    settings: Mapping[str, str] = {}
    spends: tuple[str, ...] | None = None
    toml: str = ""

    def ruleset(self) -> Ruleset:
        """The rules to play by. Raises Malformed."""
        if self.rules == "fields":
            return ruleset_filled_in(self.settings, None if self.spends is None else [*self.spends])
        return ruleset_from_toml(self.toml) if self.rules == "toml" and self.toml.strip() else PAGE


class Known(Struct, frozen=True):
    """A table whose link this browser holds."""

    id: str
    name: str
    role: Role
    who: str
    party: tuple[str, ...] = ()
    round: int | None = None
    trouble: WindedError | None = None


@get("/", include_in_schema=False)
async def start(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str]:
    """The start page."""
    return page(request, host, language)


def page(
    request: Request[Any, Any, Any],
    host: Host,
    language: Language,
    *,
    error: WindedError | None = None,
    filled: Filled = Filled(),  # noqa: B008 - nothing changes it
    code: str = "",
    no_such_code: WindedError | None = None,
) -> Response[str]:
    """The start page, with what was filled in before and why it did not do."""
    wrong = error or no_such_code
    known = _known(host, request)
    text = language.render(
        "start/page.html",
        known=known,
        copy_age=_age_of_newest_copy(host, known),
        error=error,
        wrong_field=error.field if isinstance(error, Malformed) else "",
        filled=filled,
        rows=filled.rows or [("", "d10")] * ROWS,
        ladder=_dice(filled),
        check_dice=CHECK_DICE,
        groups=GROUPS,
        spendings=ways_to_spend(),
        code=code,
        no_such_code=no_such_code,
        back="/",
    )
    return html(text, 200 if wrong is None else wrong.status)


def _known(host: Host, request: Request[Any, Any, Any]) -> list[Known]:
    found = []
    for one in remembered(host.desk, request):
        try:
            seen = seeing.see(host.desk, one)
        except (Forbidden, Unknown):
            continue
        except WindedError as no:
            # Whatever is wrong with this one, the others are played.
            found.append(Known(one.table, seeing.name_of(host.desk, one.table), one.role, one.name, trouble=no))
            continue
        party = tuple(character.name for character in seen.table.party())
        combat = seen.table.combat
        now = None if combat is None else combat.round
        found.append(Known(one.table, seen.name, one.role, one.name, party, now))
    return sorted(found, key=lambda table: table.name.casefold())


def _age_of_newest_copy(host: Host, known: Sequence[Known]) -> Sentence | None:
    """How old the newest copy of the database is, for whoever keeps a table here."""
    if all(one.role is not Role.REFEREE for one in known):
        return None
    newest = copies.newest(host.desk)
    return None if newest is None else told_age(max(0.0, host.desk.clock() - newest.made))


@post("/tables", include_in_schema=False, status_code=303)
async def new_table(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str] | Redirect:
    """Begin a table; whoever does is its Referee, in this browser."""
    host.limits.take(NEW_TABLES, address_of(request))
    filled = await _filled_in(await request.form())
    try:
        ruleset = filled.ruleset()
        commands = [AddCharacter(one, con=con) for one, con in filled.rows if one.strip()]
        check_dice = filled.check.strip() or None
        given = await asyncio.to_thread(
            opening.begin_table, host.desk, filled.name, commands, ruleset, check_dice=check_dice, invites=True
        )
    except WindedError as error:
        return page(request, host, language, error=error, filled=filled)
    return to_table(request, given.link.table, given.token)


@post("/tables/sample", include_in_schema=False, status_code=303)
async def sample(request: Request[Any, Any, Any], host: Host, language: Language) -> Redirect:
    """A sample table of one's own."""
    host.limits.take(NEW_TABLES, address_of(request))
    given = await asyncio.to_thread(opening.begin_sample, host.desk, language.gettext("Sample table"), invites=True)
    return to_table(request, given.link.table, given.token)


@post("/tables/dice", include_in_schema=False, status_code=200)
async def dice(request: Request[Any, Any, Any], host: Host, language: Language) -> dict[str, Any]:
    """The CON Ability Dice that house rules know, largest first, or in words what is wrong with the house rules."""
    host.limits.take(HOUSE_RULES, address_of(request))
    try:
        return {"dice": (await _filled_in(await request.form())).ruleset().ladder[::-1]}
    except Malformed as no:
        return {"trouble": language.say_plain(no)}


def _dice(filled: Filled) -> tuple[str, ...]:
    """The dice to choose from, smallest first; the page's where the house rules are wrong."""
    try:
        return filled.ruleset().ladder
    except Malformed:
        return PAGE.ladder


async def _filled_in(form: FormMultiDict) -> Filled:
    toml, rules = await _house_rules(form), str(form.get("rules", ""))
    return Filled(
        str(form.get("name", "")),
        tuple(zip(map(str, form.getall("character", [])), map(str, form.getall("con", [])), strict=False)),
        str(form.get("check", "")),
        # A program that sends house rules means them.
        rules or ("toml" if toml.strip() else "page"),
        {name: str(value) for name, value in form.items() if name.startswith("rules.")},
        tuple(map(str, form.getall("spends", []))) if rules == "fields" else None,
        toml,
    )


async def _house_rules(form: FormMultiDict) -> str:
    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        try:
            return (await file.read()).decode("utf-8-sig")
        except UnicodeDecodeError as wrong:
            raise Malformed("file", "The house rules file is not UTF-8 text.") from wrong
    return str(form.get("toml", ""))


handlers: list[ControllerRouterHandler] = [start, new_table, sample, dice]
