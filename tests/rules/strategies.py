"""Hypothesis strategies: house rules, and commands at a small table, most of which make sense there."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from winded import (
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    BeginTurns,
    BringBack,
    CallCheck,
    Channel,
    CloseCall,
    DeclareCheck,
    EditCharacter,
    EndCombat,
    Hardship,
    Malformed,
    NextTurn,
    React,
    RecoverWound,
    Redo,
    RemoveAbility,
    RemoveCharacter,
    Reorder,
    Resist,
    ResolveCheck,
    Rest,
    RestKind,
    Ruleset,
    SetAside,
    Side,
    StartCombat,
    TakeWound,
    Undo,
    UseAbility,
    Wait,
    WithdrawCheck,
)
from winded.rules import SPENDINGS
from winded.rules.command import Command
from winded.rules.ruleset import Early, Pushes, Reactions, Rests

NAMES = ("Ash", "bryn", "Çelik", "Ogre", "Wolf 2")
names = st.sampled_from((*NAMES, "#1", "#2", "ÇELIK", "Nobody", "Enemy"))
new_names = st.sampled_from((*NAMES, "BRYN", "Ash\u0308", "Enemy", "#1", "x" * 40))
dice = st.sampled_from(("d12", "d10", "d8", "d6"))
texts = st.sampled_from(("ribs", "RIBS", "fever", "<b>burns</b>", "schön", "{name}", "x" * 200))
costs = st.none() | st.integers(0, 6)
figures = st.integers(0, 13)
amounts = st.integers(1, 13)


def sensible(make: Callable[..., Command], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Command]:
    """Commands with these fields; those that are none at all are left out."""

    def made(drawn: dict[str, Any]) -> Command | None:
        try:
            return make(**drawn)
        except Malformed:
            return None

    return st.fixed_dictionaries(fields).map(made).filter(lambda command: command is not None)  # type: ignore[return-value]


spends = st.one_of(
    sensible(ActEarly, character=names, cost=costs),
    sensible(React, character=names, cost=costs, what=st.none() | texts),
    sensible(DeclareCheck, character=names, push=figures, cost=costs, target=st.none() | st.integers(-999, 999)),
    sensible(Resist, character=names, stamina=amounts, hardship=st.sampled_from(Hardship), cost=costs),
    sensible(UseAbility, character=names, ability=texts.filter(lambda text: len(text) <= 40), cost=costs),
    sensible(Channel, character=names, stamina=amounts, cost=costs),
)
moves = st.sampled_from((StartCombat(), BeginTurns(), NextTurn(), NextTurn(), NextTurn(), NextTurn(), EndCombat()))
others = st.one_of(
    sensible(
        AddCharacter,
        name=new_names,
        con=st.none() | dice,
        side=st.sampled_from(Side),
        stamina=st.none() | figures,
        hidden=st.booleans(),
    ),
    sensible(
        EditCharacter,
        character=names,
        name=st.none() | new_names,
        con=st.none() | dice,
        hidden=st.none() | st.booleans(),
        note=st.none() | texts,
    ),
    sensible(RemoveCharacter, character=names),
    sensible(SetAside, character=names, reason=st.none() | texts),
    sensible(BringBack, character=names),
    sensible(Wait, character=names),
    sensible(
        CallCheck,
        characters=st.none() | st.lists(names, min_size=1, max_size=3).map(tuple),
        target=st.none() | st.integers(-999, 999),
        secret=st.booleans(),
        pushable=st.booleans(),
        what=st.none() | texts,
    ),
    st.just(CloseCall()),
    sensible(AddAbility, character=names, ability=texts.filter(lambda text: len(text) <= 40), cost=st.integers(0, 4)),
    sensible(RemoveAbility, character=names, ability=texts.filter(lambda text: len(text) <= 40)),
    sensible(TakeWound, character=names, wound=texts, steps=st.integers(1, 4)),
    sensible(RecoverWound, character=names, wound=texts),
    sensible(ResolveCheck, character=names, roll=st.integers(-999, 999)),
    sensible(WithdrawCheck, character=names, reason=st.none() | texts),
    sensible(
        Rest,
        kind=st.sampled_from(RestKind),
        characters=st.none() | st.lists(names, min_size=1, max_size=3).map(tuple),
    ),
    sensible(Adjust, character=names, by=st.integers(-13, 13).filter(bool), reason=texts),
    sensible(Reorder, order=st.permutations((*NAMES, "Enemy")).map(lambda order: tuple(order[:3])), reason=texts),
    st.sampled_from((Undo(), Redo())),
)
commands = st.one_of(spends, moves, others)

seated = st.just(
    (
        AddCharacter("Ash", con="d12"),
        AddCharacter("bryn", con="d8", stamina=3),
        AddCharacter("Çelik", con="d6"),
        AddCharacter("Ogre", con="d10", side=Side.ENEMY),
        AddAbility("Ash", "ribs", cost=2),
    )
)
lines = st.tuples(seated, st.lists(commands, max_size=60)).map(lambda both: (*both[0], *both[1]))

shares = st.sampled_from(("all", "0/3", "1/3", "2/3", "1/2", "3/4", "1/1")) | st.integers(0, 20)
rulesets = st.just(Ruleset()) | st.builds(
    Ruleset,
    name=st.just("House"),
    dice=st.sampled_from(
        (
            {"d6": 6, "d8": 8, "d10": 10, "d12": 12},
            {"d6": 1, "d8": 1, "d10": 5, "d12": 99},
            {"d4": 4, "d6": 7, "d8": 9, "d10": 9, "d12": 13, "d20": 20},
        )
    ),
    early=st.builds(Early, cost=st.integers(0, 3), limit=st.none() | st.integers(1, 3)),
    reactions=st.builds(
        Reactions,
        costs=st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple),
        further=st.integers(0, 3),
        resets=st.sampled_from(("own-turn", "round", "never")),
    ),
    push=st.builds(Pushes, bonus=st.integers(1, 3)),
    rest=st.builds(
        Rests,
        short=shares,
        unsafe_long=shares,
        safe_long=shares,
        respite=shares,
        rounding=st.sampled_from(("down", "up", "nearest")),
        minimum=st.integers(0, 3),
    ),
    below_lowest=st.sampled_from(("stay", "refuse", "zero")),
    own_order=st.booleans(),
    enemies=st.sampled_from(("each", "together")),
    spends=st.lists(st.sampled_from([one.word for one in SPENDINGS]), unique=True).map(tuple) | st.none(),
)
