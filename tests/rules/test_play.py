"""What holds at every table, whatever is played at it and under whatever rules."""

import copy
import doctest
import pickle
from collections.abc import Iterator

import msgspec
from hypothesis import given
from msgspec.structs import replace

import winded
from tests.rules.strategies import lines, rulesets
from winded import Malformed, Option, Refused, Ruleset, Table, WithdrawCheck, command_from_json, options
from winded.rules import AnyEvent
from winded.rules.command import Command, Event

decode_events = msgspec.json.Decoder(tuple[AnyEvent, ...]).decode
Played = Iterator[tuple[Table, Command, Table, tuple[Event, ...] | Refused]]


def played(rules: Ruleset, line: tuple[Command, ...]) -> Played:
    """Each command of a line: the table before it, the table after it, and its events or its refusal."""
    table = Table(rules)
    for command in line:
        try:
            events = command.decide(table)
        except Refused as no:
            yield table, command, table, no
        except Malformed:
            continue  # A die that these rules do not know.
        else:
            after = table.after(*events)
            assert table.do(command) == after
            yield table, command, after, events
            table = after


def end_of(rules: Ruleset, line: tuple[Command, ...]) -> Table:
    """The table after a line."""
    table = Table(rules)
    for _, _, after, _ in played(rules, line):
        table = after
    return table


def refusal(table: Table, command: Command) -> Refused | None:
    """Why a command is refused, None if it is not."""
    try:
        table.do(command)
    except Refused as no:
        return no
    return None


@given(rulesets, lines)
def test_stamina_is_never_below_0_nor_above_the_maximum(rules: Ruleset, line: tuple[Command, ...]) -> None:
    for _, _, table, _ in played(rules, line):
        for one in table.characters.values():
            assert 0 <= one.stamina <= one.maximum == rules.maximum(one.con)


@given(rulesets, lines)
def test_what_is_spent_is_exactly_the_cost_and_nobody_else_pays(rules: Ruleset, line: tuple[Command, ...]) -> None:
    for before, command, after, events in played(rules, line):
        spent = [] if isinstance(events, Refused) else [event for event in events if hasattr(event, "leaves")]
        if not spent:
            continue
        (event,) = spent
        assert before.characters.keys() == after.characters.keys()
        for name, one in after.characters.items():
            paid = before.characters[name].stamina - one.stamina
            assert paid == (event.cost if name == event.character else 0)
        assert after.character(event.character).stamina == event.leaves
        assert getattr(command, "cost", None) in (None, event.cost)


@given(rulesets, lines)
def test_a_refusal_changes_nothing_and_says_why(rules: Ruleset, line: tuple[Command, ...]) -> None:
    for before, command, after, no in played(rules, line):
        if not isinstance(no, Refused):
            continue
        assert after is before
        digest = hash(before), before.state()
        again = copy.deepcopy(before)
        for _ in range(2):
            same = refusal(before, command)
            assert same is not None
            assert same.refusal() == no.refusal()
        assert (hash(before), before.state()) == digest
        assert before == again
        assert str(no)
        assert "{" not in str(no).replace("{name}", "")
        if no.needs is None:
            assert no.has is None
        else:
            who = before.character(command.character)  # type: ignore[attr-defined]
            assert no.has == who.stamina < no.needs


def amounts(option: Option) -> Iterator[tuple[Command, int]]:
    """The command of an option with each figure that may stand in it, and the cost of that."""
    if option.amount is None:
        yield option.command, option.cost
        return
    least = getattr(option.command, option.amount)
    for figure in range(least, max(option.most, least) + 1):
        yield replace(option.command, **{option.amount: figure}), option.cost + figure - least


@given(rulesets, lines)
def test_options_agree_with_do_for_every_option_and_every_amount(rules: Ruleset, line: tuple[Command, ...]) -> None:
    table = end_of(rules, line)
    for one in table.characters.values():
        for option in options(table, one.name):
            no = refusal(table, option.command)
            assert (no and no.refusal()) == (option.refused and option.refused.refusal())
            for command, cost in amounts(option):
                if option.refused is not None:
                    no = refusal(table, command)
                    assert no is not None
                    assert no.rule == option.refused.rule
                    assert option.leaves == one.stamina
                    continue
                after = table.do(command).character(one.id)
                gone = one.stamina - after.stamina
                assert gone == (cost if not isinstance(command, WithdrawCheck) else one.stamina - option.leaves)
                if command == option.command:
                    assert (option.cost, option.leaves) == (cost, after.stamina)
                if "cost" in command.__struct_fields__:
                    assert table.do(replace(command, cost=cost)).character(one.id) == after
            if option.amount is not None and option.refused is None and option.most < 99:
                no = refusal(table, replace(option.command, **{option.amount: option.most + 1}))
                assert no is not None
                assert (no.needs, no.has) == (option.most + 1, one.stamina)
            if option.next_cost is not None and option.refused is None:
                again = [two for two in options(table.do(option.command), one.name) if two.command == option.command]
                assert [two.cost for two in again] == [option.next_cost]


@given(rulesets, lines)
def test_replay_of_the_events_equals_the_state(rules: Ruleset, line: tuple[Command, ...]) -> None:
    table, history = end_of(rules, line), []
    for _, _, _, events in played(rules, line):
        if not isinstance(events, Refused):
            history += events
            assert decode_events(msgspec.json.encode(events)) == events
    replayed = Table(rules).after(*decode_events(msgspec.json.encode(history)))
    assert replayed == table
    assert hash(replayed) == hash(table)
    assert replayed.state() == table.state()
    assert msgspec.json.decode(msgspec.json.encode(table.state())) == table.state()


@given(rulesets, lines)
def test_tables_survive_pickling_and_copying(rules: Ruleset, line: tuple[Command, ...]) -> None:
    table = end_of(rules, line)
    for other in (pickle.loads(pickle.dumps(table)), copy.copy(table), copy.deepcopy(table)):
        assert other == table
        assert hash(other) == hash(table)
        assert other.names == table.names
        assert [*other.characters] == [*table.characters]


@given(lines)
def test_every_command_survives_being_written_down(line: tuple[Command, ...]) -> None:
    for command in line:
        written = msgspec.json.encode(command)
        again = command_from_json(written)
        assert again == command
        assert hash(again) == hash(command)
        assert msgspec.json.encode(again) == written


@given(rulesets, lines)
def test_every_event_is_told_in_a_whole_sentence(rules: Ruleset, line: tuple[Command, ...]) -> None:
    for _, command, _, events in played(rules, line):
        assert str(command.label())
        for event in () if isinstance(events, Refused) else events:
            told = str(event.tell())
            assert told[-1] in ".?" or type(event).__name__ == "NoteChanged", told
            assert event.rule


@given(rulesets, lines)
def test_the_past_is_untouched_by_what_is_played_after_it(rules: Ruleset, line: tuple[Command, ...]) -> None:
    seen = [(table, hash(table), table.state()) for _, _, table, _ in played(rules, line)]
    for table, digest, state in seen:
        assert hash(table) == digest
        assert table.state() == state


def test_help_on_winded_shows_what_runs_and_leads_to_every_name() -> None:
    assert doctest.testmod(winded).failed == 0
    told = winded.__doc__ or ""
    errors = {name for name in winded.__all__ if isinstance(getattr(winded, name), type(winded.WindedError))}
    of_a_command = {"AbilitySource", "Hardship", "RestKind", "Side", "Option", "Refusal", "D6", "D8", "D12"}
    assert {name for name in winded.__all__ if name not in told} <= errors | of_a_command
