"""Odds on pages: what a push is worth where it is declared, what is ahead of a party, and pages without a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from litestar import Request, Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from winded.charts import totals_picture
from winded.errors import Malformed, WindedError
from winded.odds import CheckOdds, check, push_chances
from winded.odds.day.address import day_from_address, day_to_address
from winded.roles import seen_by
from winded.rules import PAGE
from winded.tables import Snapshot
from winded.web.access import member_at, visitor
from winded.web.forecasting import at_table, check_day, check_size, elsewhere
from winded.web.guard import FORECASTS, ODDS
from winded.web.host import Host, address_of
from winded.web.language import Language
from winded.web.screens.ahead import view as looking_ahead
from winded.web.screens.odds.chances import (
    amounts,
    amounts_now,
    bonus_from,
    least_words,
    push_from,
    table_of_targets,
    target_from,
)
from winded.web.screens.parts.answers import html
from winded.web.screens.parts.referee import referee

if TYPE_CHECKING:
    from winded.odds import Day

_ID = re.compile(r"[A-Za-z0-9_-]{1,60}")
_PUSH = 5
"""So much is pushed at most on a page that knows no Stamina, unless it is said otherwise."""

_EXAMPLE = """\
title = "The mill and the road home"
check = "1d20+con"

[[characters]]
name = "Brakka"
con = "d10"
habit = "freely"

[[characters]]
name = "Ash"
con = "d12"
stamina = 9
habit = { keep = 3, reactions = 1 }

[[steps]]
check = "The stuck door"
target = 16

[[steps]]
fight = "Wolves at the mill"
rounds = { 2 = 0.25, 3 = 0.5, 4 = 0.25 }
early = 0.5
reactions = { 1 = 0.5, 2 = 0.3 }
wound = { wound = "bite", chance = 0.1 }

[[steps]]
rest = "short"

[[steps]]
fight = "The road home"
rounds = 3
early = 1
reactions = 2
"""


def _is_fetched(request: Request[Any, Any, Any]) -> bool:
    """Whether a page of ours asks for the piece alone, not a browser for the whole page."""
    return bool(request.headers.get("winded-script"))


@get("/tables/{table:str}/chances", include_in_schema=False)
async def chances(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """What each push does to a Check of this character now: against the target typed so far, or a few common ones."""
    who = visitor(host.links, request, table)
    host.limits.take(ODDS, who.member)
    snapshot = host.tables.snapshot(table)
    member_at(snapshot, who)
    seen = seen_by(who.role, snapshot.table)
    dice = snapshot.company.check_dice
    if dice is None:
        raise Malformed("dice", "This table has not said how its Checks are rolled.")
    query = request.query_params
    character = seen.character(str(query.get("character", "")))
    where = str(query.get("where", ""))
    typed = str(query.get("target", "")).strip()
    bonus = seen.ruleset.push.bonus
    target = target_from(typed) if typed else 0
    found = await at_table(lambda: push_chances(seen, character.id, dice, target))
    most = found.amounts[-1].push
    asked = {"dice": dice, "push": most, "bonus": bonus} | ({"con": character.con} if character.con else {})
    columns, rows = ((), ()) if typed else table_of_targets(dice, character.con, bonus, most)
    return html(
        language.render(
            "odds/chances.html",
            where=f"odds-{where}" if _ID.fullmatch(where) else "odds",
            dice=found.expression,
            target=found.target,
            amounts=amounts_now(found) if typed else (),
            columns=columns,
            rows=rows,
            refused=found.refused,
            bonus=bonus,
            more="/odds?" + urlencode(asked | ({"target": typed} if typed else {})),
        )
    )


@get("/tables/{table:str}/sheet/ahead", include_in_schema=False)
async def ahead_sheet(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The Referee's sheet of what is ahead: a sketch, and everyone's forecast from the present state."""
    _, snapshot = referee(host, request, table)
    return html(await _ahead(request, host, snapshot, language, "ahead/sheet.html"))


@get("/tables/{table:str}/ahead", include_in_schema=False)
async def ahead_page(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The same as a page, whose address keeps the sketch."""
    _, snapshot = referee(host, request, table)
    piece = "ahead/ahead.html" if _is_fetched(request) else "ahead/page.html"
    return html(await _ahead(request, host, snapshot, language, piece))


async def _ahead(
    request: Request[Any, Any, Any], host: Host, snapshot: Snapshot, language: Language, template: str
) -> str:
    host.limits.take(FORECASTS, snapshot.id)
    query = {name: str(value) for name, value in request.query_params.items()}

    def names(kind: str) -> str:
        return {
            "fight": language.gettext("The next fight"),
            "check": language.gettext("A Check"),
            "wound": language.gettext("Wound"),
        }.get(kind, "")

    text = query.get("sketch", "")
    if any(name.startswith("s") and name[1:].isdecimal() for name in query) or "add" in query:
        text = looking_ahead.text_of(query, names)
    elif not text.strip() and "sketch" not in query:
        text = looking_ahead.ADDED["fight"].format(name=names("fight"))
    habit = query.get("habit", looking_ahead.USUAL)
    habit = habit if habit in looking_ahead.HABIT_WORDS else looking_ahead.USUAL
    error: WindedError | None = None
    found: tuple[looking_ahead.Prospect, ...] = ()
    if text.strip():
        try:
            text, found = await at_table(lambda: _prospects(snapshot, text, habit, language))
        except WindedError as no:
            error = no
    at = f"/tables/{snapshot.id}"
    address = urlencode({"sketch": text, "habit": habit})
    return language.render(
        template,
        at=at,
        name=snapshot.name,
        address=f"ahead?{address}",
        page=f"{at}/ahead?{address}",
        dice=snapshot.company.check_dice,
        rows=looking_ahead.rows_of(text),
        added=query.get("add", "") in looking_ahead.ADDED,
        habit=habit,
        habits=looking_ahead.HABIT_WORDS,
        kinds=looking_ahead.KIND_WORDS,
        people=found,
        error=error,
    )


def _prospects(
    snapshot: Snapshot, text: str, habit: str, language: Language
) -> tuple[str, tuple[looking_ahead.Prospect, ...]]:
    sketch, words = looking_ahead.sketched(text, snapshot.company.check_dice)
    check_size(sketch, sum(1 for _ in snapshot.table.party()))
    return words, looking_ahead.prospects(snapshot.table, sketch, habit, language.code, language.say_plain)


@get("/odds", include_in_schema=False)
async def odds_page(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str]:
    """The odds of a Check, for whatever dice, target and pushes stand in the address."""
    host.limits.take(ODDS, address_of(request))
    query = {name: str(value)[:300] for name, value in request.query_params.items()}
    dice, con = query.get("dice", "").strip() or "1d20+con", query.get("con", "" if "dice" in query else "d8").strip()
    target, push = query.get("target", "").strip(), query.get("push", "").strip() or str(_PUSH)
    bonus = query.get("bonus", "").strip() or str(PAGE.push.bonus)
    asked = {"dice": dice, "con": con, "target": target, "push": push, "bonus": bonus}
    error: WindedError | None = None
    found: CheckOdds | None = None
    shown: dict[str, Any] = {"columns": (), "rows": (), "amounts": (), "least": (), "picture": ""}
    try:
        most, each = push_from(push), bonus_from(bonus)
        if target:
            against = target_from(target)
            found = await elsewhere(lambda: check(dice, against, most, con=con or None, push_bonus=each))
            shown["amounts"] = amounts(found, [None] * len(found.pushes))
            shown["least"] = least_words(found)
            shown["picture"] = Markup(totals_picture(found, say=language.say_plain))
        else:
            shown["columns"], shown["rows"] = await elsewhere(lambda: table_of_targets(dice, con or None, each, most))
    except WindedError as no:
        error = no
    text = language.render(
        "odds/odds.html" if _is_fetched(request) else "odds/page.html",
        address="/odds?" + urlencode({name: value for name, value in asked.items() if value}),
        ladder=PAGE.ladder,
        error=error,
        odds=found,
        **asked,
        **shown,
    )
    return html(text, 200 if error is None else error.status)


@get("/forecast", include_in_schema=False)
async def forecast_page(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str]:
    """A day's forecast, for the day file that stands packed in the address; without one, an example to begin with."""
    host.limits.take(FORECASTS, address_of(request))
    packed = str(request.query_params.get("day", ""))
    text, error = _EXAMPLE, None
    if packed:
        try:
            text = day_from_address(packed)
        except WindedError as no:
            return _forecast_html(request, language, "", error=no)
    try:
        people, day, picture = await elsewhere(lambda: _forecast(text, language))
    except WindedError as no:
        return _forecast_html(request, language, text, error=no)
    return _forecast_html(request, language, text, error, people, day, picture)


def _forecast(text: str, language: Language) -> tuple[tuple[looking_ahead.Prospect, ...], Day, Markup]:
    from winded.charts import forecast_picture
    from winded.odds import day_from_toml, forecast

    day = day_from_toml(text)
    check_day(day)
    found = forecast(day)
    people = tuple(
        looking_ahead.prospect(one, language.say_plain, f"day-{at}") for at, one in enumerate(found.characters)
    )
    return people, day, Markup(forecast_picture(found, say=language.say_plain))


def _forecast_html(
    request: Request[Any, Any, Any],
    language: Language,
    text: str,
    error: WindedError | None = None,
    people: tuple[looking_ahead.Prospect, ...] = (),
    day: Day | None = None,
    picture: str = "",
) -> Response[str]:
    text = language.render(
        "ahead/day.html",
        text=text,
        example=text == _EXAMPLE,
        error=error,
        people=people,
        title="" if day is None else day.title,
        picture=picture,
        back=str(request.url.path),
    )
    return html(text, 200 if error is None else error.status)


@post("/forecast", include_in_schema=False, status_code=303)
async def pack_day(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str] | Redirect:
    """Pack the day file of the form into an address that can be kept and shared, and go there."""
    host.limits.take(FORECASTS, address_of(request))
    text = str((await request.form()).get("text", "")).replace("\r\n", "\n")
    try:
        packed = day_to_address(text)
    except WindedError as no:
        return _forecast_html(request, language, text, error=no)
    return Redirect(f"/forecast?day={packed}", status_code=303)


handlers = [chances, ahead_sheet, ahead_page, odds_page, forecast_page, pack_day]
