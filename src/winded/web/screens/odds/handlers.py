"""Odds on pages: what a push is worth where it is declared, what is ahead of a party, and pages without a table."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Request, Response, get
from litestar.types import ControllerRouterHandler
from markupsafe import Markup

from winded.errors import Malformed, WindedError
from winded.odds import BadExpression, CheckOdds, Dice, check_of, push_chances
from winded.rules import PAGE
from winded.sentence import sentence
from winded.service import seeing
from winded.service.odds import drawn, totals_csv
from winded.web.access import visitor
from winded.web.guard import ODDS
from winded.web.host import Host, address_of
from winded.web.language import Language
from winded.web.screens.odds.chances import (
    amounts,
    amounts_now,
    bonus_from,
    few_targets,
    least_words,
    push_from,
    table_of_targets,
    target_from,
)
from winded.web.screens.parts.answers import html, is_a_piece

_ID = re.compile(r"[A-Za-z0-9_-]{1,60}")
_PUSH = 5
"""So much is pushed at most on a page that knows no Stamina, unless it is said otherwise."""


@get("/tables/{table:str}/chances", include_in_schema=False)
async def chances(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """What each push does to a Check of this character now: against the target typed so far, or a few common ones.

    With `as=figures` it is only the chance of each push, in words, as a JSON object; for someone who is called without
    a target that they may know, the chances against a few round ones, which `told` names.
    """
    who = visitor(host.desk, request, table)
    host.limits.take(ODDS, who.member)
    at_hand = seeing.see(host.desk, who)
    seen, dice = at_hand.table, at_hand.company.check_dice
    if dice is None:
        raise Malformed("dice", "This table has not said how its Checks are rolled.")
    query = request.query_params
    character = seen.character(str(query.get("character", "")))
    where = str(query.get("where", ""))
    typed = str(query.get("target", "")).strip()
    bonus = seen.ruleset.push.bonus
    target = target_from(typed) if typed else 0
    rolled = await host.odds.roll(dice, character.con, at_table=True)
    found = push_chances(seen, character.id, rolled, target)
    if query.get("as") == "figures":
        told = language.macro("odds/parts.html", "figure")
        if typed:
            shown = {str(one.push): f"{str(told(one.chance)).strip()} %" for one in amounts_now(found)}
        elif seen.called(character) is not None:
            targets = few_targets(rolled)
            against = [amounts_now(push_chances(seen, character.id, rolled, one), whole=True) for one in targets]
            shown = {
                str(same[0].push): " / ".join(str(told(one.chance)).strip() for one in same) + " %"
                for same in zip(*against, strict=True)
            }
            shown["told"] = language.say_plain(
                sentence("Chances against {targets}.", targets=" / ".join(map(language.number, targets)))
            )
        else:
            shown = {}
        return Response(msgspec.json.encode(shown).decode(), media_type="application/json")
    most = found.amounts[-1].push
    asked = {"dice": dice, "push": most, "bonus": bonus} | ({"con": character.con} if character.con else {})
    columns, rows = ((), ()) if typed else table_of_targets(rolled, bonus, most)
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


class _Query:
    """What was filled in on the page of odds, and what came of it."""

    def __init__(self, request: Request[Any, Any, Any]) -> None:
        query = {name: str(value)[:300].strip() for name, value in request.query_params.items()}
        self.dice = query.get("dice", "") or "1d20+con"
        self.other = query.get("other", "")
        self.con = query.get("con", "" if "dice" in query else "d8")
        self.target = query.get("target", "")
        self.push = query.get("push", "") or str(_PUSH)
        self.bonus = query.get("bonus", "") or str(PAGE.push.bonus)
        self.succeeds = "at-most" if query.get("succeeds") == "at-most" else "at-least"

    @property
    def fields(self) -> dict[str, str]:
        """What the form holds."""
        return {
            "dice": self.dice, "con": self.con, "target": self.target, "push": self.push, "bonus": self.bonus,
            "succeeds": self.succeeds, "other": self.other,
        }  # fmt: skip

    @property
    def address(self) -> str:
        """The same in an address; what is as usual is left out."""
        usual = {"succeeds": "at-least"}
        return urlencode({name: value for name, value in self.fields.items() if value and value != usual.get(name)})

    async def rolled(self, host: Host) -> tuple[Dice, ...]:
        """The dice, and those they are compared with, rolled out. Raises BadExpression."""
        found = [await host.odds.roll(self.dice, self.con or None)]
        if self.other:
            try:
                found.append(await host.odds.roll(self.other, self.con or None))
            except BadExpression as no:
                raise Malformed("other", no.text, **no.facts) from no
        return tuple(found)


@get("/odds", include_in_schema=False)
async def odds_page(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str]:
    """The odds of any dice: each push against a target, every total, and two rolls compared, all in the address."""
    host.limits.take(ODDS, address_of(request))
    asked = _Query(request)
    error: WindedError | None = None
    odds: list[CheckOdds] = []
    shown: dict[str, Any] = {
        "columns": (),
        "rows": (),
        "amounts": (),
        "least": (),
        "picture": "",
        "spread": "",
        "totals": "",
    }
    rolled: tuple[Dice, ...] = ()
    try:
        most, each = push_from(asked.push), bonus_from(asked.bonus)
        against = target_from(asked.target) if asked.target else None
        rolled = await asked.rolled(host)
        under = asked.succeeds == "at-most"
        if against is not None:
            odds = [check_of(one, against, most, con=asked.con or None, push_bonus=each, under=under) for one in rolled]
            shown["amounts"] = amounts(odds[0], [None] * len(odds[0].pushes))
            shown["least"] = least_words(odds[0])
        else:
            shown["columns"], shown["rows"] = table_of_targets(rolled[0], each, most, under=under)
        spread, totals, picture = await host.odds.draw(drawn, rolled, odds[0] if odds else None, language.say_plain)
        shown |= {"spread": Markup(spread), "totals": Markup(totals), "picture": Markup(picture)}
    except WindedError as no:
        error, rolled = no, ()
    text = language.render(
        "odds/odds.html" if is_a_piece(request) else "odds/page.html",
        address=f"/odds?{asked.address}",
        file=f"/odds.csv?{asked.address}",
        ladder=PAGE.ladder,
        error=error,
        odds=odds[0] if odds else None,
        others=tuple(amounts(one, [None] * len(one.pushes)) for one in odds[1:]),
        rolled=rolled,
        **asked.fields,
        **shown,
    )
    return html(text, 200 if error is None else error.status)


@get("/odds.csv", include_in_schema=False)
async def odds_file(request: Request[Any, Any, Any], host: Host, language: Language) -> Response[str]:
    """Every total with its chance, comma-separated."""
    host.limits.take(ODDS, address_of(request))
    rolled = await _Query(request).rolled(host)
    return Response(
        await host.odds.draw(totals_csv, rolled, language.say_plain),
        media_type="text/csv",
        headers={"content-disposition": 'attachment; filename="odds.csv"'},
    )


handlers: list[ControllerRouterHandler] = [chances, odds_page, odds_file]
