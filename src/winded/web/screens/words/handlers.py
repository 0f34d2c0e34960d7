"""What the words of the page mean and which rules are in force: a page for everyone at a table, a sheet for a word."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from winded.errors import Unknown
from winded.rules import PAGE, TERMS, Ruleset, explained
from winded.sentence import Sentence
from winded.service import seeing
from winded.web.access import visitor
from winded.web.host import Host
from winded.web.language import Language
from winded.web.screens.board.rules import rule_lines
from winded.web.screens.parts.answers import html


class Explained(Struct, frozen=True):
    """A word of the page: what it means, and what holds for it under the rules in force."""

    word: str
    title: Sentence
    means: tuple[Sentence, ...]


def words_under(ruleset: Ruleset) -> tuple[Explained, ...]:
    """Every word of the page, under these rules."""
    return tuple(Explained(one.word, one.title, explained(one.word, ruleset)) for one in TERMS)


@get("/tables/{table:str}/standing", include_in_schema=False)
async def standing(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """“How do I stand?” in a few sentences: a player's own characters; with `party`, and for others, the party."""
    told = seeing.standing(host.desk, visitor(host.desk, request, table), party="party" in request.query_params)
    return html(language.render("words/standing.html", told=told))


@get("/tables/{table:str}/words", include_in_schema=False)
async def words(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """All words and all rules in force; `#respite` and `#early.cost` lead to a word and to a rule."""
    seen = seeing.see(host.desk, visitor(host.desk, request, table))
    ruleset = seen.table.ruleset
    return html(
        language.render(
            "words/page.html",
            at=f"/tables/{seen.id}",
            table_name=seen.name,
            words=words_under(ruleset),
            rules=rule_lines(ruleset),
            rules_name=None if ruleset.name == PAGE.name else ruleset.name,
        )
    )


@get("/tables/{table:str}/sheet/words", include_in_schema=False)
async def word(request: Request[Any, Any, Any], table: str, host: Host, language: Language) -> Response[str]:
    """One word as a sheet, for whoever is at the table. Unknown for a word that the page does not have."""
    seen = seeing.see(host.desk, visitor(host.desk, request, table))
    asked = request.query_params.get("of")
    found = next((one for one in words_under(seen.table.ruleset) if one.word == asked), None)
    if found is None:
        raise Unknown("There is nothing at this address.")
    return html(language.render("words/sheet.html", at=f"/tables/{seen.id}", word=found))


handlers: list[ControllerRouterHandler] = [standing, words, word]
