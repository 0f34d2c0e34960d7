"""Whatever is played, undone and put back, by whichever process: the state is that of the commands that count.

The model is a plain list of the commands that count, replayed from the start each time it is looked at.
"""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from tests.rules import strategies
from winded import AddCharacter, Malformed, Redo, Refused, Table, Undo, Unknown, WindedError
from winded.journal import MemoryJournal, SqliteJournal
from winded.roles import Claim, Join, Release, Role, SetCheckDice
from winded.rules import Command, Ruleset
from winded.tables import Done, Snapshot, Tables, history

commands = strategies.commands.filter(lambda command: not isinstance(command, Undo | Redo))
WINDOW = 4
"""So few earlier states that most undos go beyond them."""


class Play(RuleBasedStateMachine):
    """Two processes play at one table; either may be restarted, and look at it later than the other."""

    @initialize(ruleset=strategies.rulesets, before=strategies.seated)
    def begin(self, ruleset: Ruleset, before: tuple[Command, ...]) -> None:
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(history, "WINDOW", WINDOW)
        self.folder = tempfile.TemporaryDirectory()
        self.journals = [SqliteJournal(Path(self.folder.name) / "winded.sqlite") for _ in range(2)]
        self.tables = [Tables(journal) for journal in self.journals]
        self.number = 0
        # (number, command) of what counts; what each undo took, the newest last.
        self.counts: list[tuple[int, Command]] = []
        self.taken: list[list[tuple[int, Command]]] = []
        # How many had ever sat down, before each command and now: no id is given twice.
        self.seated: dict[int, int] = {}
        self.ever_seated = 0
        self.dice: str | None = None
        self.ruleset = ruleset
        self.table = self.tables[0].create("The gate", ruleset)
        for command in before:
            self.play(0, command)

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            for tables, journal in zip(self.tables, self.journals, strict=True):
                tables.close()
                journal.close()
            self.folder.cleanup()
            self.patch.undo()

    def state(self) -> Table:
        table = Table(self.ruleset)
        for number, command in self.counts:
            table = replace(table, seated=self.seated[number]).do(command)
        return replace(table, seated=self.ever_seated)

    def refusal(self, command: Command) -> WindedError | None:
        try:
            self.state().do(command)
        except (Refused, Malformed) as no:
            return no
        return None

    def accepted(self, done: Done) -> None:
        self.number += 1
        assert done.entry.number == done.snapshot.number == self.number
        self.look(done.snapshot)

    def unchanged(self, done: Done) -> None:
        """What changes nothing makes no entry, and ends nothing that could be put back."""
        assert done.entry.events == ()
        assert done.entry.number == self.number
        self.look(done.snapshot)

    def look(self, snapshot: Snapshot) -> None:
        assert snapshot.number == self.number
        assert snapshot.table == self.state()
        assert (snapshot.undo and snapshot.undo.number) == (self.counts[-1][0] if self.counts else None)
        redo = tuple(number for number, _ in self.taken[-1]) if self.taken else ()
        assert snapshot.redo_numbers == redo
        assert (snapshot.redo and snapshot.redo.number) == (redo[0] if redo else None)
        assert snapshot.company.check_dice == self.dice

    @rule(process=st.sampled_from((0, 1)), command=commands)
    def play(self, process: int, command: Command) -> None:
        if no := self.refusal(command):
            with pytest.raises(type(no)) as also:
                self.tables[process].do(self.table, command)
            assert str(also.value) == str(no)
        elif not command.decide(self.state()):
            self.unchanged(self.tables[process].do(self.table, command))
        else:
            done = self.tables[process].do(self.table, command)
            self.counts.append((self.number + 1, command))
            self.seated[self.number + 1] = self.ever_seated
            self.ever_seated += isinstance(command, AddCharacter)
            self.taken = []
            self.accepted(done)

    @rule(process=st.sampled_from((0, 1)), back=st.integers(1, 12) | st.none())
    def undo(self, process: int, back: int | None) -> None:
        if not self.counts:
            with pytest.raises(Refused, match="There is nothing to take back"):
                self.tables[process].do(self.table, Undo())
            return
        cut = len(self.counts) - min(back or 1, len(self.counts))
        through = None if back is None else self.counts[cut][0]
        done = self.tables[process].do(self.table, Undo(through))
        self.taken.append(self.counts[cut:])
        del self.counts[cut:]
        self.accepted(done)

    @rule(process=st.sampled_from((0, 1)))
    def redo(self, process: int) -> None:
        if not self.taken:
            with pytest.raises(Refused, match="There is nothing to redo"):
                self.tables[process].do(self.table, Redo())
            return
        done = self.tables[process].do(self.table, Redo())
        self.counts += self.taken.pop()
        self.accepted(done)

    @precondition(lambda self: self.number > 0)
    @rule(process=st.sampled_from((0, 1)), data=st.data())
    def undo_through_what_does_not_count(self, process: int, data: st.DataObject) -> None:
        counts = {number for number, _ in self.counts}
        through = data.draw(st.integers(1, self.number + 3).filter(lambda number: number not in counts))
        with pytest.raises(Refused, match=r"(nothing to take back|cannot be undone now)\."):
            self.tables[process].do(self.table, Undo(through))

    @rule(process=st.sampled_from((0, 1)), dice=st.sampled_from((None, "1d20+con", "2d6")))
    def set_check_dice(self, process: int, dice: str | None) -> None:
        done = self.tables[process].do(self.table, SetCheckDice(dice))
        if dice == self.dice:
            self.unchanged(done)
        else:
            self.dice = dice
            self.accepted(done)

    @rule(process=st.sampled_from((0, 1)), command=st.sampled_from((Join, Claim, Release)))
    def sit(self, process: int, command: type) -> None:
        made = Join("m1", "Ann", Role.PLAYER) if command is Join else command("Ash", "m1")
        try:
            done = self.tables[process].do(self.table, made)
        except (Refused, Unknown):
            assert made != Join("m1", "Ann", Role.PLAYER)
        else:
            # Who plays Ash already claims Ash again.
            (self.accepted if done.entry.events or command is not Claim else self.unchanged)(done)

    @rule(process=st.sampled_from((0, 1)))
    def restart(self, process: int) -> None:
        self.tables[process].close()
        self.tables[process] = Tables(self.journals[process])
        self.look(self.tables[process].snapshot(self.table))

    @rule(process=st.sampled_from((0, 1)))
    def refresh(self, process: int) -> None:
        self.tables[process].refresh()
        self.look(self.tables[process].snapshot(self.table))

    @rule()
    def carry_elsewhere(self) -> None:
        with MemoryJournal() as journal, Tables(journal) as elsewhere:
            elsewhere.take_in(self.journals[0].record(self.table), self.journals[0].read(self.table))
            self.look(elsewhere.snapshot(self.table))

    @invariant()
    def history_says_what_counts(self) -> None:
        if not hasattr(self, "table"):
            return
        lines = self.tables[0].lines(self.table, limit=1000)
        assert [line.entry.number for line in lines] == [*range(self.number, 0, -1)]
        assert [line.entry.number for line in lines if line.can_undo] == [number for number, _ in self.counts[::-1]]


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=60, stateful_step_count=40)
TestPlay.pytestmark = [pytest.mark.slow]
