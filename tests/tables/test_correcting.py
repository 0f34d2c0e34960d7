"""ruling.correct: what was forgotten is played where it belongs, and all that followed again, or nothing changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winded import (
    D8,
    D12,
    ActEarly,
    AddCharacter,
    Adjust,
    BeginTurns,
    DeclareCheck,
    EditCharacter,
    NextTurn,
    React,
    Redo,
    Refused,
    RemoveCharacter,
    ResolveCheck,
    Side,
    StartCombat,
    Table,
    TakeWound,
    Undo,
)
from winded.journal import MemoryJournal
from winded.journal.codec import decode_events, encode_events
from winded.roles import Accept, AskFor, Claim, FallenDie, Join, Role, RollCheck, RolledCheck, SetCheckDice
from winded.rules import Command, Correct, Instead, PutRight
from winded.rules.reactions import Reacted
from winded.tables import MOST_PLAYED_AGAIN, Done, Tables
from winded.tables.checking import check_history

RIBS = TakeWound("Ash", "cracked ribs")
TWICE = (
    AddCharacter("Ash", con=D12),
    AddCharacter("Bryn", con=D8),
    StartCombat(),
    BeginTurns(),
    React("Ash"),
    React("Ash"),
)


class Evening:
    """One table, played at by whoever."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.id = tables.create("The gate")

    def do(self, *commands: Command) -> Done:
        for command in commands:
            done = self.tables.do(self.id, command)
        return done

    @property
    def table(self) -> Table:
        return self.tables.snapshot(self.id).table

    def stamina(self, who: str) -> int:
        return self.table.character(who).stamina

    def refused(self, command: Command) -> Refused:
        before, number = self.table, self.tables.snapshot(self.id).number
        with pytest.raises(Refused) as no:
            self.do(command)
        assert (self.table, self.tables.snapshot(self.id).number) == (before, number)
        return no.value

    def outcomes(self, command: Correct) -> list[tuple[int, str]]:
        """What becomes of each act, in a word."""
        acts = self.tables.put_right(self.id, command).correction.acts
        return [
            (
                act.entry.number,
                "left out" if act.left_out else "impossible" if act.refused else "same" if act.is_same else "changed",
            )
            for act in acts
        ]


@pytest.fixture
def evening(tables: Tables) -> Evening:
    return Evening(tables)


def told(done: Done) -> str:
    return str(done.entry.events[0].tell())


def test_ruling_correct_a_forgotten_wound_is_played_where_it_belongs(evening: Evening) -> None:
    evening.do(*TWICE)
    forgotten = Correct(2, (TakeWound("ash", "cracked ribs", 2),))
    assert evening.outcomes(forgotten) == [(3, "same"), (4, "same"), (5, "changed"), (6, "changed")]
    second = evening.tables.put_right(evening.id, forgotten).correction.acts[-1]
    assert (second.was, second.now) == ((Reacted("Ash", 2, 9, 2),), (Reacted("Ash", 2, 5, 2),))
    done = evening.do(forgotten)
    assert evening.table == Table().do(*TWICE[:2], TakeWound("Ash", "cracked ribs", 2), *TWICE[2:])
    assert told(done) == (
        "The past is put right, after entry 2. Ash takes a Wound, cracked ribs: CON d8, 4 Stamina is cut, 8 of 8 left. "
        "Ash now has 5 of 8 Stamina, not 9 of 12."
    )


def test_ruling_correct_is_one_entry_and_one_undo(evening: Evening) -> None:
    before = evening.do(*TWICE)
    done = evening.do(Correct(2, (RIBS,)))
    after = evening.table
    assert done.entry.number == before.entry.number + 1
    assert evening.do(Undo()).snapshot.table == before.snapshot.table
    assert evening.do(Redo()).snapshot.table == after
    evening.do(Undo(), Undo(), Undo())
    assert evening.stamina("Ash") == 12
    assert [line.entry.number for line in evening.tables.lines(evening.id)][-6:] == [6, 5, 4, 3, 2, 1]


def test_ruling_correct_what_should_not_have_happened_is_left_out(evening: Evening) -> None:
    evening.do(*TWICE)
    done = evening.do(Correct(4, without=(5,)))
    assert told(done) == ("The past is put right, after entry 4. Entry 5 is left out. Ash now has 11 Stamina, not 9.")
    assert evening.table.character("Ash").reactions == 1


def test_ruling_correct_what_is_no_longer_possible_is_named_and_left_out_or_mended(evening: Evening) -> None:
    evening.do(AddCharacter("Ash", con=D12, stamina=3), StartCombat(), React("Ash"), React("Ash"))
    tired = Correct(1, (Adjust("Ash", -1, "the climb"),))
    assert evening.outcomes(tired) == [(2, "same"), (3, "changed"), (4, "impossible")]
    no = evening.refused(tired)
    assert no.rule == "ruling.correct"
    assert str(no) == (
        "Entry 4 would no longer be possible: Ash has 1 Stamina; this costs 2. Leave it out, or say what happened "
        "instead."
    )
    mended = Correct(1, tired.commands, instead=(Instead(4, (Adjust("Ash", -1, "thrown aside"),)),))
    assert evening.do(mended).snapshot.table.character("Ash").stamina == 0
    evening.do(Undo())
    evening.do(Correct(1, tired.commands, without=(4,)))
    assert evening.table.character("Ash").reactions == 1


def test_ruling_correct_rolls_stay_as_they_fell(evening: Evening) -> None:
    evening.do(AddCharacter("Ash", con=D12), DeclareCheck("Ash", push=1, target=14), ResolveCheck("Ash", 13))
    done = evening.do(Correct(1, instead=(Instead(2, (DeclareCheck("Ash", target=14),)),)))
    event = done.entry.events[0]
    assert isinstance(event, PutRight)
    ((rolled,),) = (one.events for one in event.became)
    assert str(rolled.tell()) == "Ash's Check: 13 + 0 = 13 against 14, a failure."
    assert evening.stamina("Ash") == 12


def test_ruling_correct_a_shown_price_and_moment_bind_nobody_again(evening: Evening) -> None:
    evening.do(*TWICE[:4], React("Ash", cost=1), React("Ash", cost=2))
    evening.do(NextTurn().aimed(evening.table))
    evening.do(Correct(4, without=(5,)))
    assert evening.stamina("Ash") == 11


def test_ruling_correct_goes_on_for_the_same_characters_whatever_they_are_called(evening: Evening) -> None:
    evening.do(*TWICE)
    evening.do(Correct(3, (EditCharacter("Ash", "Asha"),)))
    assert evening.table.character("Asha").reactions == 2


def test_ruling_correct_whoever_sat_down_keeps_the_id_and_nobody_gets_anothers(evening: Evening) -> None:
    evening.do(AddCharacter("Ash", con=D12), AddCharacter("Bryn", con=D8))
    evening.do(Correct(0, (AddCharacter("Cole", con=D8),)))
    ids = {one.name: one.id for one in evening.table.characters.values()}
    assert ids == {"Cole": "#3", "Ash": "#1", "Bryn": "#2"}
    evening.do(Undo(), AddCharacter("Dov", con=D8))
    assert evening.table.character("Dov").id == "#4"
    evening.do(Correct(1, (Adjust("Ash", -1, "a fall"),)))
    assert evening.table.character("Dov").id == "#4"


def test_ruling_correct_an_earlier_correction_goes_on_counting_unless_it_is_left_out(evening: Evening) -> None:
    evening.do(*TWICE)
    evening.do(Correct(2, (Adjust("Ash", -1, "a fall"),)))
    evening.do(NextTurn(), Correct(4, (Adjust("Ash", -2, "the cold"),)))
    assert evening.stamina("Ash") == 12 - 1 - 2 - 3
    evening.do(Correct(2, without=(7,)))
    assert evening.stamina("Ash") == 12 - 2 - 3
    evening.do(Undo(), Correct(0, without=(5,)))
    assert evening.stamina("Ash") == 12 - 1 - 2 - 1


def test_ruling_correct_what_another_correction_put_in_is_named_where_it_is_in_the_way(evening: Evening) -> None:
    evening.do(AddCharacter("Ash", con=D12, stamina=2), Adjust("Ash", -1, "a fall"))
    evening.do(Correct(2, (Adjust("Ash", -1, "the cold"),)))
    assert "Entry 3 would no longer be possible" in str(evening.refused(Correct(1, (Adjust("Ash", -1, "a cut"),))))
    evening.do(Correct(1, (Adjust("Ash", -1, "a cut"),), without=(3,)))
    assert evening.stamina("Ash") == 0


def test_ruling_correct_acts_that_were_undone_stay_undone(evening: Evening) -> None:
    evening.do(*TWICE, Undo())
    evening.do(Correct(2, (Adjust("Ash", -1, "a fall"),)))
    assert evening.stamina("Ash") == 12 - 1 - 1
    assert "Entry 6 is not an act" in str(evening.refused(Correct(2, without=(6,))))


def test_ruling_correct_what_the_referee_accepted_and_what_winded_rolled_is_played_again(tables: Tables) -> None:
    evening = Evening(tables)
    tables.do(evening.id, Join("kim", "Kim", Role.PLAYER), who="kim")
    evening.do(AddCharacter("Ash", con=D12))
    tables.do(evening.id, Claim("Ash", "kim"), who="kim")
    tables.do(evening.id, SetCheckDice("2d6"))
    asked = tables.do(evening.id, AskFor(DeclareCheck("Ash", push=2)), who="kim")
    tables.do(evening.id, Accept(asked.entry.number))
    tables.do(evening.id, RolledCheck(RollCheck("Ash"), "2d6", (FallenDie(6, 4), FallenDie(6, 5)), 9), who="kim")
    evening.do(Correct(2, (RIBS,)))
    assert (evening.stamina("Ash"), evening.table.character("Ash").open_check) == (8, None)


def test_ruling_correct_with_nothing_to_say_or_for_what_is_not_there(evening: Evening) -> None:
    evening.do(*TWICE)
    assert str(evening.refused(Correct(2))) == "Say what should have happened, or what should not have."
    assert evening.refused(Correct(70, (RIBS,))).rule == "not-found"
    assert evening.refused(Correct(5, without=(3,))).rule == "not-found"
    assert evening.refused(Correct(2, (React("Nobody"),))).rule == "not-found"
    assert evening.refused(Correct(4, (ActEarly("Ash"),))).rule == "early.cost"


def test_ruling_correct_is_kept_also_where_nobody_has_another_figure_for_it(evening: Evening) -> None:
    evening.do(*TWICE)
    done = evening.do(Correct(2, (Adjust("Ash", -1, "a fall"), Adjust("Ash", 1, "it was not so"))))
    assert told(done).endswith("Nobody's Stamina changes.")


def test_ruling_correct_is_refused_for_what_is_too_long_ago() -> None:
    with MemoryJournal() as journal, Tables(journal) as tables:
        evening = Evening(tables)
        evening.do(AddCharacter("Ash", con=D12))
        evening.do(*[Adjust("Ash", by, "to and fro") for _ in range(MOST_PLAYED_AGAIN // 2) for by in (-1, 1)])
        newest = MOST_PLAYED_AGAIN + 1
        evening.do(Correct(1, (Adjust("Ash", -1, "a fall"),), without=(2,)))
        assert evening.stamina("Ash") == 12
        assert str(evening.refused(Correct(1, (RIBS,)))) == (
            f"That is too long ago: {newest} entries would be played again, and at most {newest - 1} can be."
        )


def test_ruling_correct_is_read_again_as_it_was_and_accepted_from_elsewhere(evening: Evening) -> None:
    done = evening.do(*TWICE, Correct(2, (RIBS,), without=(6,)))
    assert decode_events(encode_events(done.entry.events)) == done.entry.events
    with Tables(evening.tables.journal) as again:
        assert again.snapshot(evening.id).table == evening.table
    check_history(evening.table.ruleset, [*evening.tables.journal.read(evening.id)])


@pytest.mark.parametrize("leaving", [False, True])
def test_ruling_correct_players_hear_nothing_of_what_is_hidden(evening: Evening, leaving: bool) -> None:
    evening.do(AddCharacter("Ash", con=D12), AddCharacter("Shade", con=D8, side=Side.ENEMY, hidden=True), StartCombat())
    if leaving:
        evening.do(RemoveCharacter("Shade"))
    done = evening.do(Correct(3, (React("Shade"), React("Ash"))))
    event = done.entry.events[0]
    assert isinstance(event, PutRight)
    seen = event.known_without(["Shade"]).without_secrets() if not leaving else event.without_secrets()
    assert (seen.state, seen.became, seen.left_out, seen.inserted) == (None, (), (), ())
    assert "Shade" not in str(seen.tell())
    assert "Shade" not in encode_events((seen,))
    assert str(seen.tell()) == "The past is put right, after entry 3. Ash now has 11 Stamina, not 12."


acts = st.sampled_from(
    (
        React("Ash"), React("Bryn"), NextTurn(), StartCombat(), BeginTurns(), ActEarly("Ash"), RIBS,
        Adjust("Ash", -1, "a fall"), Adjust("Bryn", -3, "a fall"), Adjust("Ash", 1, "a draught"), Undo(), Redo(),
        DeclareCheck("Ash", push=1), ResolveCheck("Ash", 9),
    )
)  # fmt: skip


forgettable = st.sampled_from((RIBS, React("Ash")))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(acts, max_size=14), st.lists(acts, max_size=4), st.integers(0, 14), st.sampled_from((RIBS, React("Ash")))
)
def test_ruling_correct_leaves_what_the_same_acts_in_that_order_would_have_left(
    played: list[Command], later: list[Command], after: int, forgotten: Command
) -> None:
    with MemoryJournal() as journal, Tables(journal) as tables:
        evening = Evening(tables)
        evening.do(*TWICE[:2])
        for command in played:
            try:
                evening.do(command)
            except Refused:
                continue
        number = tables.snapshot(evening.id).number
        correct = Correct(min(after, number), (forgotten,))
        before = evening.table
        try:
            evening.do(correct)
        except Refused:
            assert evening.table == before
            return
        counting = [line.entry for line in reversed(tables.lines(evening.id)) if line.can_undo]
        expected = Table()
        for entry in counting:
            if entry.number <= correct.after:
                expected = expected.after(*entry.events)
        expected = expected.do(forgotten)
        for entry in counting:
            if correct.after < entry.number <= number:
                expected = expected.do(entry.command)
        assert evening.table.state() == expected.state()
        for command in later:
            try:
                evening.do(command)
            except Refused:
                continue
        with Tables(journal) as again:
            assert again.snapshot(evening.id).table == evening.table
