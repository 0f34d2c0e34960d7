"""The state read out of a journal is one that was, even while another process undoes and redoes."""

from collections.abc import Callable, Iterator

import pytest

from winded import PAGE, Adjust, Redo, Undo
from winded.journal import Entry, MemoryJournal
from winded.rules import AddCharacter, Command, Table
from winded.tables import Tables
from winded.tables.history import WINDOW, History, Moment

SPEND = Adjust("Brakka", by=-1, reason="the cold")
BACK = Adjust("Brakka", by=1, reason="a draught")
BEGINNINGS: dict[str, tuple[Command, ...]] = {
    "short": (SPEND,) * 4,
    "undone and redone": (SPEND,) * 4 + (Undo(), Undo(), Redo(), SPEND, Undo(), Redo()),
    "long": (SPEND, BACK) * (2 * WINDOW) + (SPEND, SPEND),
}
MEANWHILE: dict[str, tuple[Command, ...]] = {
    "undo": (Undo(),),
    "undo and more": (Undo(), SPEND),
    "undo and redo": (Undo(), Redo()),
    "act and undo": (SPEND, Undo()),
    "undo far back": (Undo(through=2),),
}


class Busy(MemoryJournal):
    """A journal at which another process plays the moment after one has asked what was undone."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], object] | None = None

    def takings_back(self, table: str, after: int = 0) -> Iterator[Entry]:
        yield from super().takings_back(table, after)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()


@pytest.mark.parametrize("meanwhile", MEANWHILE.values(), ids=MEANWHILE.keys())
@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS.keys())
@pytest.mark.parametrize("at_hand", [False, True])
def test_what_is_undone_while_one_reads_is_not_half_read(
    beginning: tuple[Command, ...], meanwhile: tuple[Command, ...], at_hand: bool
) -> None:
    with Busy() as journal, Tables(journal) as theirs:
        table = theirs.create("The gate")
        were: dict[int, Table] = {0: Table(PAGE)}

        def play(*commands: Command) -> None:
            for command in commands:
                snapshot = theirs.do(table, command).snapshot
                were[snapshot.number] = snapshot.table

        play(AddCharacter("Brakka", con="d10"))
        mine = History(journal, table, PAGE, lambda: None)
        before: Moment = mine.newest()
        play(*beginning)
        journal.meanwhile = lambda: play(*meanwhile)
        read = mine.since(before) if at_hand else mine.newest()
        assert journal.meanwhile is None
        assert read.table == were[read.number]
        # Whoever looks again has all of it.
        newest = mine.since(read)
        assert (newest.number, newest.table) == (max(were), were[max(were)])
        assert [act.number for act in newest.acts] == [act.number for act in mine.newest().acts]
