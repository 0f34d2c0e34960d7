"""What a player has asked of the Referee, and the answers."""

from __future__ import annotations

from winded.errors import WindedError
from winded.roles import AskAnswer, Company, Member, decide_asked
from winded.rules import (
    Table,
)

ANSWER_KEPT = 15
"""An answer of the Referee's is shown until so many more entries have been made since it was asked for."""


def answers_to(
    company: Company, member: Member, table: Table, number: int
) -> list[tuple[AskAnswer, WindedError | None]]:
    """The newest answers to this player, each with the rules' own no where it still stands as it was told."""
    newest = [answer for answer in company.answers if answer.ask.number > number - ANSWER_KEPT]
    return [(answer, _same_no(answer, company, table)) for answer in newest[-1:-3:-1]]


def _same_no(answer: AskAnswer, company: Company, table: Table) -> WindedError | None:
    """The rules' no to what was asked, if it is the one that was kept in English: it can be said in any language."""
    if answer.refusal is None:
        return None
    try:
        decide_asked(company, table, answer.ask)
    except WindedError as no:
        return no if str(no) == answer.refusal else None
    return None
