"""What a player may take back. No chain of acts that players may do buys back what the rules have taken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.roles.evening import PIP, QUIN, REFEREE, Evening
from winded import (
    D8,
    ActEarly,
    AddCharacter,
    BeginTurns,
    DeclareCheck,
    EditCharacter,
    Forbidden,
    NextTurn,
    React,
    Redo,
    ResolveCheck,
    StartCombat,
    Undo,
    WithdrawCheck,
)
from winded.errors import WindedError
from winded.journal import MemoryJournal
from winded.roles import (
    PRESETS,
    Accept,
    Claim,
    Decline,
    Freedom,
    Release,
    TakeBackAsk,
    Undoing,
)
from winded.rules import Command
from winded.tables import Tables


@pytest.fixture
def evening() -> Iterator[Evening]:
    with MemoryJournal() as journal, Tables(journal) as tables:
        yield Evening(tables)


PUSHED = DeclareCheck("Ash", push=3, target=15)
FAILED = ResolveCheck("Ash", roll=2)


def test_a_roll_is_not_its_players_to_take_back(evening: Evening) -> None:
    evening.by(PIP, PUSHED, FAILED)
    assert not evening.may_undo(PIP)
    with pytest.raises(Forbidden, match="Ash's roll is known: only the Referee can take it back"):
        evening.by(PIP, Undo())
    assert evening.stamina() == 7


def test_a_push_comes_back_before_the_roll_by_withdrawing_or_by_undoing(evening: Evening) -> None:
    evening.by(PIP, PUSHED, WithdrawCheck("Ash"))
    assert evening.stamina() == 10
    evening.by(PIP, PUSHED, Undo())
    assert evening.stamina() == 10


def test_a_roll_the_referee_takes_back_leaves_the_push_spent(evening: Evening) -> None:
    evening.by(PIP, PUSHED, FAILED)
    evening.by(REFEREE, Undo())
    assert not evening.may_undo(PIP)
    for way in (Undo(), WithdrawCheck("Ash")):
        with pytest.raises(Forbidden, match="is known"):
            evening.by(PIP, way)
    evening.by(PIP, ResolveCheck("Ash", roll=12))
    assert evening.stamina() == 7


def test_the_referee_may_give_back_the_push_on_a_roll_that_is_known(evening: Evening) -> None:
    evening.by(PIP, PUSHED, FAILED)
    evening.by(REFEREE, Undo(), WithdrawCheck("Ash"))
    assert evening.stamina() == 10


@pytest.mark.parametrize("far", [False, True])
def test_a_roll_stays_known_however_it_was_taken_back(evening: Evening, far: bool) -> None:
    evening.by(PIP, PUSHED, FAILED)
    roll = evening.tables.snapshot(evening.id).number
    evening.by(QUIN, *[ResolveCheck("Bryn", 3) if n % 2 else DeclareCheck("Bryn") for n in range(80 if far else 2)])
    evening.by(REFEREE, EditCharacter("Ash", name="Cinder"), Undo(through=roll))
    with pytest.raises(Forbidden, match="is known"):
        evening.by(PIP, WithdrawCheck("Ash"))


def test_a_roll_is_known_whatever_its_roller_was_called_when_it_was_made(evening: Evening) -> None:
    evening.by(PIP, PUSHED)
    evening.by(REFEREE, EditCharacter("Ash", name="Cinder"))
    renamed = evening.now.number
    evening.by(PIP, ResolveCheck("Cinder", roll=2))
    evening.by(REFEREE, Undo(through=renamed))
    with pytest.raises(Forbidden, match="Ash's Check is known"):
        evening.by(PIP, WithdrawCheck("Ash"))


def test_the_next_check_is_a_new_one(evening: Evening) -> None:
    evening.by(PIP, PUSHED, FAILED)
    evening.by(REFEREE, Undo())
    evening.by(PIP, ResolveCheck("Ash", roll=12), PUSHED, WithdrawCheck("Ash"))
    assert evening.stamina() == 7
    evening.by(PIP, PUSHED, Undo())
    assert evening.stamina() == 7


@pytest.mark.parametrize("put_back", [Redo(), ResolveCheck("Ash", roll=12)])
def test_a_roll_that_is_taken_back_again_is_still_known(evening: Evening, put_back: Command) -> None:
    evening.by(PIP, PUSHED, FAILED)
    evening.by(REFEREE, Undo(), put_back, Undo())
    with pytest.raises(Forbidden, match="is known"):
        evening.by(PIP, WithdrawCheck("Ash"))


def test_a_check_that_was_withdrawn_by_mistake_is_still_one_whose_roll_is_known(evening: Evening) -> None:
    evening.by(PIP, PUSHED, FAILED)
    evening.by(REFEREE, Undo(), WithdrawCheck("Ash"), Undo())
    with pytest.raises(Forbidden, match="is known"):
        evening.by(PIP, WithdrawCheck("Ash"))


@pytest.mark.parametrize("settled", ["declined", "taken back", "waiting"])
def test_a_roll_that_was_asked_for_is_known(evening: Evening, settled: str) -> None:
    evening.by(PIP, PUSHED)
    evening.set(checks=Freedom.ASK)
    evening.by(PIP, FAILED)
    if settled == "declined":
        evening.by(REFEREE, Decline(evening.asked))
    elif settled == "taken back":
        evening.by(PIP, TakeBackAsk(evening.asked))
    assert not evening.may_undo(PIP)
    evening.set()
    for way in (Undo(), WithdrawCheck("Ash")):
        with pytest.raises(Forbidden, match="is known"):
            evening.by(PIP, way)


def test_what_the_referee_accepted_is_the_referees_to_take_back(evening: Evening) -> None:
    evening.set(pushes=Freedom.ASK)
    evening.by(PIP, PUSHED)
    evening.by(REFEREE, Accept(evening.asked))
    assert evening.stamina() == 7
    with pytest.raises(Forbidden):
        evening.by(PIP, Undo())
    evening.by(PIP, WithdrawCheck("Ash"))
    assert evening.stamina() == 10


def test_a_push_that_is_accepted_after_the_roll_is_one_on_the_next_check(evening: Evening) -> None:
    evening.set(pushes=Freedom.ASK)
    evening.by(PIP, PUSHED, DeclareCheck("Ash"), FAILED)
    assert evening.stamina() == 10
    # The Referee agrees after the roll: it is another Check, and the roll of the first stands.
    evening.by(REFEREE, Accept(evening.asked))
    assert evening.stamina() == 7
    evening.by(PIP, ResolveCheck("Ash", roll=9))
    with pytest.raises(Forbidden):
        evening.by(PIP, Undo())


def test_an_act_for_someone_who_is_somebody_elses_by_now_is_not_ones_own_to_take_back(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, React("Ash"), Release("Ash", PIP))
    evening.by(QUIN, Claim("Ash", QUIN))
    assert not evening.may_undo(PIP)
    with pytest.raises(Forbidden, match="You cannot act for"):
        evening.by(PIP, Undo())
    assert evening.stamina() == 9


def test_one_who_was_made_is_no_longer_the_makers_once_somebody_else_plays_it(evening: Evening) -> None:
    evening.by(PIP, AddCharacter("Cale", con=D8))
    assert evening.may_undo(PIP)
    evening.by(QUIN, Claim("Cale", QUIN))
    with pytest.raises(Forbidden, match="Somebody else plays Cale now"):
        evening.by(PIP, Undo())


def test_what_needs_the_referees_nod_by_now_is_not_taken_back_without_it(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, ActEarly("Ash"))
    evening.set(acting_early=Freedom.ASK)
    with pytest.raises(Forbidden, match="ask the Referee"):
        evening.by(PIP, Undo())
    evening.set(acting_early=Freedom.NO)
    with pytest.raises(Forbidden, match="only the Referee"):
        evening.by(PIP, Undo())


def test_acting_early_is_paid_for_good_once_the_turns_have_begun(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, ActEarly("Ash"), Undo(), ActEarly("Ash"))
    evening.by(REFEREE, BeginTurns())
    with pytest.raises(Forbidden):
        evening.by(PIP, Undo())
    assert evening.stamina() == 9


def test_the_end_of_ones_turn_is_taken_back_by_one_whose_turn_it_was(evening: Evening) -> None:
    evening.by(REFEREE, StartCombat())
    evening.by(PIP, ActEarly("Ash"))
    evening.by(REFEREE, BeginTurns(), NextTurn())
    evening.by(PIP, NextTurn())
    assert evening.may_undo(PIP)
    evening.by(PIP, Release("Ash", PIP))
    with pytest.raises(Forbidden, match="only your own turn"):
        evening.by(PIP, Undo())


def test_players_never_put_back_what_was_taken_back(evening: Evening) -> None:
    evening.by(PIP, PUSHED, Undo())
    with pytest.raises(Forbidden, match="Only the Referee"):
        evening.by(PIP, Redo())


def test_whether_players_take_back_their_own_acts_the_table_decides(evening: Evening) -> None:
    evening.set(undoing=Undoing.NO)
    evening.by(PIP, PUSHED)
    assert not evening.may_undo(PIP)
    assert evening.may_undo(REFEREE)
    with pytest.raises(Forbidden, match="only the Referee does this: Undo"):
        evening.by(PIP, Undo())
    evening.by(REFEREE, Undo())
    assert evening.stamina() == 10


def test_only_where_the_referee_does_all_do_players_not_take_back_their_acts() -> None:
    assert {name: preset.undoing for name, (_, preset) in PRESETS.items()} == {
        "trust": Undoing.FREE,
        "nod": Undoing.FREE,
        "referee": Undoing.NO,
    }


def chains(character: str, player: str) -> st.SearchStrategy[tuple[str, Command | str]]:
    """A player's acts that cost Stamina, or might bring some back: none of them gives what was not there before."""
    acts = st.one_of(
        st.builds(DeclareCheck, st.just(character), push=st.integers(0, 3), target=st.none() | st.just(12)),
        st.builds(ResolveCheck, st.just(character), roll=st.integers(1, 20)),
        st.builds(WithdrawCheck, st.just(character)),
        st.builds(React, st.just(character)),
        st.builds(ActEarly, st.just(character)),
        st.builds(Undo),
        st.builds(Redo),
        st.builds(NextTurn),
        st.sampled_from(["take back", "claim", "release", "join"]),
    )
    return st.tuples(st.just(player), acts)


referees = st.tuples(
    st.just(REFEREE),
    st.one_of(
        st.sampled_from(["take back the roll", "accept", "decline", "begin turns", "permissions", "rename"]),
    ),
)
ways = st.sampled_from(
    [
        {},
        {"pushes": Freedom.ASK},
        {"checks": Freedom.ASK},
        {"checks": Freedom.ASK, "pushes": Freedom.ASK, "reactions": Freedom.ASK},
        {"checks": Freedom.NO},
    ]
)


@given(st.lists(chains("#1", PIP) | chains("#2", QUIN) | referees, max_size=30), ways, ways)
@settings(max_examples=150, deadline=None)
def test_no_chain_of_a_players_acts_buys_back_what_was_pushed_on_a_roll_that_is_known(
    chain: list[tuple[str, Command | str]], first: dict[str, Freedom], then: dict[str, Freedom]
) -> None:
    """`push.lost`, `ruling.withdraw`: from a roll on, Stamina is at most what was left then, as nobody rests."""
    with MemoryJournal() as journal, Tables(journal) as tables:
        evening = Evening(tables)
        evening.set(**first)
        evening.by(REFEREE, StartCombat())
        most = {"#1": 10, "#2": 8}
        for who, act in chain:
            now = tables.snapshot(evening.id)
            roll = act if isinstance(act, ResolveCheck) else None
            try:
                if act == "take back the roll":
                    # The Referee takes back nothing else: all else might give Stamina back, as a Referee may.
                    if now.last_act is not None and isinstance(now.last_act.commands[0], ResolveCheck):
                        evening.by(REFEREE, Undo())
                elif act in {"accept", "decline"}:
                    if now.company.asks:
                        ask = now.company.asks[0]
                        evening.by(REFEREE, Accept(ask.number) if act == "accept" else Decline(ask.number))
                elif act == "take back":
                    evening.by(who, *[TakeBackAsk(ask.number) for ask in now.company.asks if ask.member == who])
                elif act in {"claim", "release"}:
                    other = "#2" if who == PIP else "#1"
                    evening.by(who, Claim(other, who) if act == "claim" else Release(other, who))
                elif act == "join":
                    evening.by(who, AddCharacter(f"One of {now.number}", con=D8))
                elif act == "begin turns":
                    evening.by(REFEREE, BeginTurns())
                elif act == "permissions":
                    evening.set(**then)
                elif act == "rename":
                    evening.by(REFEREE, EditCharacter("#1", name=f"Ash {now.number}"))
                else:
                    assert isinstance(act, Command)
                    evening.by(who, act)
            except WindedError:
                roll = None
            table = tables.snapshot(evening.id).table
            for one, cap in most.items():
                assert table.character(one).stamina <= cap
            if roll is not None:
                # Told, it is known, whether it was entered or only asked for.
                most[roll.character] = table.character(roll.character).stamina
