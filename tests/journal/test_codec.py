"""Whatever was ever written still loads.

The golden files are added to and never changed: when an event or a command gets a new field, the new form is a new
line.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from winded import PAGE, AddCharacter, Adjust, Malformed, Ruleset, StartCombat, Table, Unavailable, command_from, rules
from winded.journal import Entry, MemoryJournal, TableRecord, codec
from winded.journal.codec import EntryKind, kind_of
from winded.roles import Accept, AskFor, Freedom, Join, Permissions, Role
from winded.roles.settings import PermissionsSet
from winded.rules import Field, Undo, Undone, ruleset_from
from winded.rules.by_hand import StaminaAdjusted
from winded.rules.fields import check_fields
from winded.tables import Tables

HERE = Path(__file__).parent


def lines(name: str) -> list[bytes]:
    return (HERE / name).read_bytes().splitlines()


def tag(of: object) -> str:
    return str(of.__struct_config__.tag)  # type: ignore[attr-defined]


def is_within(part: object, whole: object) -> bool:
    """Whether all that is said in the one is said in the other too."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and is_within(value, whole[name]) for name, value in part.items())
    return part == whole


@pytest.mark.parametrize("line", lines("golden_events.jsonl"))
def test_every_event_ever_written_loads_as_it_was_meant(line: bytes) -> None:
    (event,) = codec.decode_events(b"[" + line + b"]")
    assert tag(event) == msgspec.json.decode(line)["event"]
    # What a golden line says is all still there; a field that came later may stand beside it.
    assert is_within(msgspec.json.decode(line), msgspec.json.decode(msgspec.json.encode(event)))


@pytest.mark.parametrize("line", lines("golden_commands.jsonl"))
def test_every_command_ever_written_loads_as_it_was_meant(line: bytes) -> None:
    command = codec.decode_command(line)
    assert is_within(msgspec.json.decode(line), msgspec.json.decode(codec.encode_command(command)))


@pytest.mark.parametrize("line", lines("golden_beyond.jsonl"))
def test_what_was_accepted_under_wider_ranges_loads_as_it_was_accepted(line: bytes) -> None:
    said = msgspec.json.decode(line)
    if "do" in said:
        command = codec.decode_command(line)
        assert msgspec.json.decode(codec.encode_command(command)) == said
        with pytest.raises(Malformed):
            check_fields(command.command if isinstance(command, AskFor) else command)
    elif "event" in said:
        assert msgspec.json.decode(codec.encode_events(codec.decode_events(b"[" + line + b"]"))) == [said]
    else:
        with pytest.raises(Malformed):
            ruleset_from(said)
        again = msgspec.json.decode(codec.encode_ruleset(codec.decode_ruleset(line)))
        assert {name: again[name] for name in said} == said


def beyond(field: Field) -> list[object]:
    """What no field of this kind takes today, of the same type."""
    match field.kind:
        case "number":
            return [-(10**18), 10**18]
        case "text" | "character":
            return ["x" * 1000, "", "a\x00b"]
        case "names":
            return [[], ["x" * 1000], ["x"] * 1000]
    return []


@pytest.mark.parametrize("do", rules.COMMANDS)
def test_no_range_of_today_is_held_against_a_stored_command(do: str) -> None:
    made = rules.COMMANDS[do]
    golden = next(line for line in lines("golden_commands.jsonl") if msgspec.json.decode(line)["do"] == do)
    accepted = msgspec.json.decode(golden)
    for field in rules.fields(made):
        for value in beyond(field):
            stored = accepted | {field.name: value}
            with pytest.raises(Malformed):
                command_from(stored)
            assert (
                msgspec.json.decode(codec.encode_command(codec.decode_command(msgspec.json.encode(stored)))) == stored
            )


def test_the_golden_file_of_wider_ranges_holds_every_command_that_has_one() -> None:
    ranged = {do for do, made in rules.COMMANDS.items() if any(beyond(field) for field in rules.fields(made))}
    assert ranged == {msgspec.json.decode(line).get("do") for line in lines("golden_beyond.jsonl")} & ranged


def test_a_table_is_read_and_played_on_though_its_entries_would_be_malformed_today() -> None:
    long = "x" * 201
    adjust = codec.decode_command(msgspec.json.encode({"do": "adjust", "character": "Ash", "by": -1, "reason": long}))
    entries = [
        Entry(1, 0.0, "", "", AddCharacter("Ash", con="d8"), AddCharacter("Ash", con="d8").decide(Table())),
        Entry(2, 1.0, "", "", adjust, (StaminaAdjusted("Ash", -1, 7, long),)),
    ]
    with MemoryJournal() as journal, Tables(journal) as tables:
        record = TableRecord("t" * 26, "The gate", 0.0, Ruleset())
        tables.take_in(record, entries)
        tables.do(record.id, Adjust("Ash", 1, "a draught"))
        assert tables.snapshot(record.id).number == 3
        assert tables.snapshot(record.id).table.character("Ash").stamina == 8


def test_the_golden_file_holds_every_event() -> None:
    assert {tag(event) for event in get_args(codec.AnyEvent)} <= {
        msgspec.json.decode(line)["event"] for line in lines("golden_events.jsonl")
    }


def test_the_golden_file_holds_every_command() -> None:
    assert {tag(command) for command in get_args(codec.AnyCommand)} <= {
        msgspec.json.decode(line)["do"] for line in lines("golden_commands.jsonl")
    }


def test_no_two_events_and_no_two_commands_share_a_word() -> None:
    for union in (codec.AnyEvent, codec.AnyCommand):
        tags = [tag(one) for one in get_args(union)]
        assert len(set(tags)) == len(tags)


def golden_table() -> tuple[TableRecord, list[Entry]]:
    first, *rest = lines("golden_table.jsonl")
    return msgspec.json.decode(first, type=TableRecord), [msgspec.json.decode(line, type=Entry) for line in rest]


def still_said(then: Any, now: Any) -> Any:
    """What a state says now of whatever it said then: later states may say more."""
    return {key: still_said(then[key], now[key]) for key in then} if isinstance(then, dict) else now


def test_a_campaign_that_was_played_reads_back_to_the_same_state() -> None:
    record, entries = golden_table()
    with MemoryJournal() as journal, Tables(journal) as tables:
        tables.take_in(record, entries)
        state = tables.snapshot(record.id).table.state()
    then = msgspec.json.decode((HERE / "golden_state.json").read_bytes())
    assert still_said(then, state) == then


def test_an_event_without_its_later_fields_reads_as_it_was_then() -> None:
    (event,) = codec.decode_events('[{"event":"stamina_adjusted","character":"Ash","by":1,"stamina":2,"reason":"x"}]')
    assert event == StaminaAdjusted("Ash", 1, 2, "x")


def test_fields_that_were_done_away_with_are_skipped() -> None:
    (event,) = codec.decode_events('[{"event":"permissions_set","permissions":{"rest":"free","rallying":"ask"}}]')
    assert event == PermissionsSet(Permissions(rest=Freedom.FREE))
    assert codec.decode_command('{"do":"start_combat","mood":"grim"}') == StartCombat()
    assert codec.decode_ruleset('{"mood":"grim"}') == Ruleset()
    stored = '[{"event":"stamina_adjusted","character":"Ash","by":1,"stamina":2,"reason":"x","mood":"grim"}]'
    assert codec.decode_events(stored) == (StaminaAdjusted("Ash", 1, 2, "x"),)


@pytest.fixture
def old_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if events and commands had once had other words and fields."""

    def given(stored: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield {"event": "stamina_adjusted", "character": stored["to"], "by": 1, "stamina": stored["now"], "reason": "x"}
        yield {"event": "undone", "numbers": []}

    def older(stored: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield {"event": "given", "to": stored["whom"], "now": 3}

    monkeypatch.setattr(codec, "OLD_EVENTS", {"given": given, "older": older})
    monkeypatch.setattr(
        codec,
        "OLD_COMMANDS",
        {"give": lambda old: {"do": "adjust", "character": old["to"], "by": old["stamina"], "reason": "a gift"}},
    )


@pytest.mark.usefixtures("old_words")
def test_an_event_under_an_old_word_becomes_those_of_today() -> None:
    stored = '[{"event":"older","whom":"Ash"},{"event":"redone","numbers":[1]}]'
    today = (StaminaAdjusted("Ash", 1, 3, "x"), Undone(()))
    assert codec.decode_events(stored)[:2] == today
    first, second = codec.decode_page(f'[{stored},[{{"event":"undone","numbers":[]}}]]')
    assert first[:2] == today
    assert second == (Undone(()),)


@pytest.mark.usefixtures("old_words")
def test_a_command_under_an_old_word_becomes_todays() -> None:
    gift = Adjust("Ash", by=2, reason="a gift")
    assert codec.decode_command('{"do":"give","to":"Ash","stamina":2}') == gift
    assert codec.decode_command('{"do":"ask","command":{"do":"give","to":"Ash","stamina":2}}') == AskFor(gift)
    (asked,) = codec.decode_events(
        '[{"event":"asked","number":1,"member":"m","name":"Bo","command":{"do":"give","to":"Ash","stamina":2},"cost":0}]'
    )
    assert asked.command == gift  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "stored", ["", "{", "7", "[7]", "[{}]", '[{"event":"nothing such"}]', '[{"event":"undone"}]', "null"]
)
def test_what_no_winded_wrote_is_said_to_be_unreadable(stored: str) -> None:
    with pytest.raises(Unavailable, match="This Winded cannot read a stored event"):
        codec.decode_events(stored)
    with pytest.raises(Unavailable, match="This Winded cannot read a stored event"):
        codec.decode_page(f"[{stored}]" if stored else "")
    with pytest.raises(Unavailable, match="This Winded cannot read a stored command"):
        codec.decode_command(stored)
    with pytest.raises(Unavailable, match="This Winded cannot read a stored ruleset"):
        codec.decode_ruleset(stored)


def test_rulesets_read_back_equal() -> None:
    ruleset = Ruleset(name="Ours", dice={"d4": 3, "d20": 20}, below_lowest="zero")
    assert codec.decode_ruleset(codec.encode_ruleset(ruleset)) == ruleset


def test_a_ruleset_that_listed_every_way_to_spend_is_the_pages() -> None:
    assert codec.decode_ruleset('{"spends":["act_early","react","push","resist","ability","channel"]}') == PAGE
    assert codec.decode_ruleset('{"spends":["react"]}').spends == ("react",)


def test_a_ruleset_without_later_settings_reads_as_the_page_has_them() -> None:
    assert codec.decode_ruleset("{}") == Ruleset()


def test_an_accepted_ask_is_an_act_and_joining_is_not() -> None:
    adjusted = StaminaAdjusted("Ash", 1, 2, "x")
    assert kind_of(Accept(1), (adjusted,)) is EntryKind.BOTH
    assert kind_of(Accept(1), ()) is EntryKind.COMPANY
    assert kind_of(Join("m", "Bo", Role.PLAYER), ()) is EntryKind.COMPANY
    assert kind_of(Undo(), (Undone((1,)),)) is EntryKind.TAKING_BACK


def test_the_figures_of_kinds_never_change() -> None:
    assert [*itertools.chain(EntryKind)] == [0, 1, 2, 3]


def test_a_table_that_does_not_follow_from_its_entries_is_not_taken_in() -> None:
    record, entries = golden_table()
    with MemoryJournal() as journal, Tables(journal) as tables:
        with pytest.raises(Malformed, match="do not fit together"):
            tables.take_in(record, [msgspec.structs.replace(entry, number=entry.number - 3) for entry in entries[3:]])
        assert journal.records() == []
