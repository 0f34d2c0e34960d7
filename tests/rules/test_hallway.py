"""The closed unions and the list of rules leave nothing out."""

import importlib
import pkgutil
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import winded.rules
from winded import PAGE
from winded.rules import COMMANDS, EVENTS, RULES, SPENDINGS, AnyCommand, AnyEvent, Command, DeclareCheck, Event
from winded.rules.combat import Reordered, TurnsBegun
from winded.rules.command import CharacterEvent
from winded.rules.reactions import Reacted

THE_PAGE = [
    "max.die", "max.wound", "max.cut", "max.recover", "max.no-refill",
    "early.cost", "early.before", "early.after", "early.referee",
    "reaction.combat", "reaction.outside-turn", "reaction.cost", "reaction.reset", "reaction.needs-stamina",
    "push.before-roll", "push.bonus", "push.lost", "push.checks-only", "push.strain", "push.fiction",
    "hardship.spend", "ability.spend", "channel.needs-stamina",
    "zero.no-condition", "zero.no-spending", "zero.acts-normally",
    "rest.short", "rest.unsafe-long", "rest.safe-long", "rest.respite", "rest.rounding", "rest.cap",
]  # fmt: skip
RULINGS = [
    "ruling.wound-steps", "ruling.below-lowest", "ruling.reaction-window", "ruling.start-full", "ruling.group-order",
    "ruling.no-refund", "ruling.rest-in-combat", "ruling.withdraw", "ruling.base-die", "ruling.joins-late",
    "ruling.enemies", "ruling.by-hand", "ruling.aside", "ruling.call", "ruling.enemies-together", "ruling.own-order",
    "ruling.correct",
]  # fmt: skip
NO_RULE = {"table", "undo", "redo"}
REFUSED_AS = {"not-found", "duplicate", "not-allowed", "not-now", "cost-changed"}
SOURCE = Path(winded.rules.__file__).parent


def every(kind: type) -> set[type]:
    """All classes of a kind that the rules define, in whatever room."""
    for room in pkgutil.iter_modules(winded.rules.__path__):
        importlib.import_module(f"winded.rules.{room.name}")

    def below(one: type) -> set[type]:
        return {found for child in one.__subclasses__() for found in {child} | below(child)}

    return {one for one in below(kind) if one.__module__.startswith("winded.rules")}


def test_any_command_is_every_command_there_is() -> None:
    assert set(get_args(AnyCommand)) == every(Command)


def test_any_event_is_every_event_there_is() -> None:
    assert set(get_args(AnyEvent)) == every(Event) - {CharacterEvent}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_every_event_says_itself_whom_it_names(event: type[Event]) -> None:
    assert event.names is not Event.names


def test_whoever_must_not_be_known_is_not_told_of() -> None:
    assert Reacted("Ash", 1, 2, 1).known_without({"Shade"}) == Reacted("Ash", 1, 2, 1)
    assert Reacted("Shade", 1, 2, 1).known_without({"Shade"}) is None
    assert TurnsBegun(("Ash", "Shade", "Bo")).known_without({"Shade"}) == TurnsBegun(("Ash", "Bo"))
    assert Reordered(("Shade", "Ash"), "fog").known_without({"Shade"}) == Reordered(("Ash",), "fog")


def test_a_way_to_spend_is_declared_once_and_known_by_its_command_and_its_event() -> None:
    commands = [one.SPENDING for one in COMMANDS.values() if one.SPENDING is not None]
    events = {id(one.SPENDING) for one in EVENTS.values() if one.SPENDING is not None}
    pushed = DeclareCheck("Ash", push=1).spending
    assert DeclareCheck("Ash").spending is None
    assert {id(one) for one in [*commands, pushed]} == {id(one) for one in SPENDINGS} == events
    for words in zip(*((one.word, one.permission, one.habit) for one in SPENDINGS), strict=True):
        assert len(set(words)) == len(SPENDINGS)


@pytest.mark.parametrize("union", [AnyCommand, AnyEvent], ids=["commands", "events"])
def test_tags_are_unique_and_written_like_words(union: object) -> None:
    tags = [one.__struct_config__.tag for one in get_args(union)]
    assert len(set(tags)) == len(tags)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", tag) for tag in tags)
    msgspec.json.Decoder(union)


def test_every_rule_and_ruling_is_there_once_the_pages_first() -> None:
    ids = [rule.id for rule in RULES]
    assert sorted(ids) == sorted(THE_PAGE + RULINGS)
    assert [rule.is_ruling for rule in RULES] == [False] * len(THE_PAGE) + [True] * len(RULINGS)
    assert all(rule.is_in_force(PAGE) for rule in RULES)


@pytest.mark.parametrize("rule", THE_PAGE + RULINGS)
def test_every_rule_has_a_test_that_names_it(rule: str) -> None:
    named = rule.replace(".", "_").replace("-", "_")
    tests = (
        re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
        for path in Path(__file__).parent.iterdir()
        if path.suffix == ".py"
    )
    assert any(named in test for file in tests for test in file)


def test_what_is_cited_is_a_rule() -> None:
    """Each id in quotes that looks like one, in the source of the rooms, is one."""
    known = {*THE_PAGE, *RULINGS}
    families = {rule.split(".")[0] for rule in known}
    for path in SOURCE.glob("*.py"):
        for cited in re.findall(r"[\"`]((?:[a-z]+)\.[a-z-]+)[\"`]", path.read_text(encoding="utf-8")):
            settings = cited.startswith(("rest.", "early.", "push.")) and cited.split(".")[1] in {
                *PAGE.rest.__struct_fields__, *PAGE.early.__struct_fields__, *PAGE.push.__struct_fields__,
            }  # fmt: skip
            if cited.split(".")[0] in families and not settings:
                assert cited in known, f"{path.name}: {cited}"


def test_events_are_told_under_a_rule_or_under_none_on_purpose() -> None:
    for event in every(Event):
        rule = getattr(event, "RULE", None)
        if rule is not None:
            assert rule in {*THE_PAGE, *RULINGS, *NO_RULE}, event


def test_commands_say_in_their_docstrings_how_they_are_refused() -> None:
    for command in every(Command):
        doc = command.__doc__ or ""
        assert "Refused" in doc, command
        for cited in re.findall(r"\"([a-z]+-[a-z-]+|duplicate)\"", doc):
            assert cited in REFUSED_AS, (command, cited)


def test_what_the_hallway_offers_is_there_and_sorted() -> None:
    for name in winded.rules.__all__:
        assert hasattr(winded.rules, name)
    for name in winded.__all__:
        assert hasattr(winded, name)
