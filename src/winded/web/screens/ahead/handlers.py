"""What is ahead of a table from here on, and the forecast of a day that somebody brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from litestar import Request, Response, get, post
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler
from markupsafe import Markup

from winded.errors import WindedError
from winded.odds import HABITS, USUAL
from winded.odds.day.address import day_from_address, day_to_address
from winded.odds.day.form import rows_from_form, rows_from_line, rows_of, steps_from_rows
from winded.odds.day.line import StepTexts, line_from_texts, sketch_from_texts, sketch_to_text
from winded.service import Seen
from winded.service.odds import forecast_of_text
from winded.web.guard import FORECASTS
from winded.web.host import Host, address_of
from winded.web.language import Language
from winded.web.screens.ahead.advice import handlers as advising
from winded.web.screens.ahead.form import HABIT_WORDS, KIND_WORDS, changed, new_row, shown_rows
from winded.web.screens.parts.answers import html, is_a_piece
from winded.web.screens.parts.referee import referee

if TYPE_CHECKING:
    from winded.charts.prospect import Prospect

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


@get("/tables/{table:str}/sheet/ahead", include_in_schema=False)
async def ahead_sheet(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The Referee's sheet of what is ahead: a sketch, and everyone's forecast from the present state."""
    _, seen = referee(host, request, table)
    return html(await _ahead(request, host, seen, language, "ahead/sheet.html"))


@get("/tables/{table:str}/ahead", include_in_schema=False)
async def ahead_page(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """The same as a page, whose address keeps the sketch."""
    _, seen = referee(host, request, table)
    piece = "ahead/ahead.html" if is_a_piece(request) else "ahead/page.html"
    return html(await _ahead(request, host, seen, language, piece))


async def _ahead(request: Request[Any, Any, Any], host: Host, seen: Seen, language: Language, template: str) -> str:
    host.limits.take(FORECASTS, seen.id)
    query = {name: str(value) for name, value in request.query_params.items()}
    rows = _rows(query, language, seen.company.sketch)
    habit = query.get("habit", USUAL)
    habit = habit if habit in HABITS else USUAL
    error: WindedError | None = None
    people: tuple[Prospect, ...] = ()
    text = line_from_texts(rows)
    if rows:
        try:
            sketch = sketch_from_texts(steps_from_rows(rows), seen.company.check_dice)
            rows, text = rows_of(sketch), sketch_to_text(sketch)
            people = await host.odds.prospects(seen.table, sketch, habit, language.code, language.say_plain)
        except WindedError as no:
            error = no
    at = f"/tables/{seen.id}"
    address = urlencode({"sketch": text, "habit": habit})
    return language.render(
        template,
        at=at,
        name=seen.name,
        address=f"ahead?{address}",
        page=f"{at}/ahead?{address}",
        dice=seen.company.check_dice,
        fighting=seen.table.combat is not None,
        rows=shown_rows(rows),
        habit=habit,
        habits=HABIT_WORDS,
        kinds=KIND_WORDS,
        people=people,
        error=error,
        line=text,
        shared=seen.company.sketch,
    )


def _rows(query: dict[str, str], language: Language, shared: str | None) -> tuple[StepTexts, ...]:
    """The rows that the form sent, those in the address, those that everyone sees, or else one fight."""

    def named(kind: str, at: int) -> str:
        # A day holds no more than a few Wounds of different names.
        return {
            "fight": language.gettext("The next fight"),
            "check": language.gettext("A Check"),
            "wound": language.gettext("Wound {number}").format(number=at % 3 + 1),
        }.get(kind, "short")

    if "add" in query or any(name.startswith("step-") for name in query):
        before = rows_from_form(query, named) or rows_from_line(query.get("sketch", ""))
        return tuple(changed(before, query, named))
    if "sketch" in query:
        return rows_from_line(query["sketch"]) if query["sketch"].strip() else ()
    if shared is not None:
        return rows_from_line(shared)
    return (new_row("fight", named("fight", 0)),)


@get("/forecast", include_in_schema=False)
async def forecast_page(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str]:
    """A day's forecast, for the day file that stands packed in the address; without one, an example to begin with."""
    host.limits.take(FORECASTS, address_of(request))
    packed = str(request.query_params.get("day", ""))
    text = _EXAMPLE
    if packed:
        try:
            text = day_from_address(packed)
        except WindedError as no:
            return _forecast_html(request, language, "", error=no)
    try:
        people, title, picture = await host.odds.of_day(forecast_of_text, text, language.say_plain)
    except WindedError as no:
        return _forecast_html(request, language, text, error=no)
    return _forecast_html(request, language, text, None, people, title, picture)


def _forecast_html(
    request: Request[Any, Any, Any],
    language: Language,
    text: str,
    error: WindedError | None = None,
    people: tuple[Prospect, ...] = (),
    title: str = "",
    picture: str = "",
) -> Response[str]:
    text = language.render(
        "ahead/day.html",
        text=text,
        example=text == _EXAMPLE,
        error=error,
        people=people,
        title=title,
        picture=Markup(picture),
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


handlers: list[ControllerRouterHandler] = [*advising, ahead_sheet, ahead_page, forecast_page, pack_day]
