"""Short codes: only wrong ones are counted, only against whoever typed them, and nobody holds up the others."""

import asyncio
from collections.abc import Iterator

import pytest

from winded.errors import TooMuch, Unknown, WindedError
from winded.journal import Link
from winded.rules import AddCharacter
from winded.service.codes import WRONG_CODES
from winded.service.desk import Desk, desk_in_memory
from winded.service.links import Given
from winded.service.opening import begin_table

MANY = 3 * WRONG_CODES.burst


@pytest.fixture
def desk() -> Iterator[Desk]:
    with desk_in_memory() as found:
        yield found


@pytest.fixture
def invited(desk: Desk) -> Given:
    return desk.links.invite(begin_table(desk, "Tuesday", [AddCharacter("Ash", con="d10")]).link.table)


async def asked(desk: Desk, code: str, address: str) -> Link | type[WindedError]:
    try:
        return await desk.codes.invitation(code, address)
    except WindedError as no:
        return type(no)


def test_many_right_codes_at_once_from_one_address_all_open(desk: Desk, invited: Given) -> None:
    async def evening() -> list[Link | type[WindedError]]:
        return list(await asyncio.gather(*(asked(desk, invited.code or "", "10.0.0.5") for _ in range(MANY))))

    assert asyncio.run(evening()) == [invited.link] * MANY


def test_many_guesses_at_once_are_no_more_than_one_after_another(desk: Desk) -> None:
    async def night() -> list[Link | type[WindedError]]:
        return list(await asyncio.gather(*(asked(desk, f"AAAA-{number}", "10.0.0.6") for number in range(MANY))))

    found = asyncio.run(night())
    assert found.count(Unknown) == WRONG_CODES.burst
    assert found.count(TooMuch) == MANY - WRONG_CODES.burst


def test_whoever_sends_very_many_is_served_once_while_others_are_served_once(desk: Desk, invited: Given) -> None:
    order: list[str] = []

    async def ask(code: str, address: str) -> None:
        await asked(desk, code, address)
        order.append(address)

    async def night() -> None:
        flood = [ask(f"AAAA-{number}", "10.0.0.6") for number in range(WRONG_CODES.burst)]
        await asyncio.gather(*flood, ask(invited.code or "", "10.0.0.5"))

    asyncio.run(night())
    assert "10.0.0.5" in order[:2]


def test_a_pass_opens_what_its_code_opened_and_nothing_once_that_is_void(desk: Desk, invited: Given) -> None:
    shown = desk.codes.pass_for(invited.link)
    assert desk.codes.invitation_by_pass(shown) == invited.link
    desk.links.invite(invited.link.table)
    assert desk.codes.invitation_by_pass(shown) is None


def test_no_pass_is_made_up(desk: Desk, invited: Given) -> None:
    shown = desk.codes.pass_for(invited.link)
    table, link, signed = shown.split(".")
    with desk_in_memory() as other:
        foreign = other.codes.pass_for(invited.link)
    for made_up in ("", ".", "..", "ä.ö.ü", shown[:-1], f"{table}.other.{signed}", f"other.{link}.{signed}", foreign):
        assert desk.codes.invitation_by_pass(made_up) is None, made_up


def test_a_pass_opens_no_other_kind_of_link(desk: Desk) -> None:
    referee = begin_table(desk, "Tuesday").link
    assert desk.codes.invitation_by_pass(desk.codes.pass_for(referee)) is None
