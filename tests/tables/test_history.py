"""The state read out of a journal is one that was, even while another process undoes and redoes."""

from collections.abc import Callable, Iterator

import pytest

from winded import PAGE, Adjust, Redo, Refused, Side, Undo
from winded.journal import Entry, MemoryJournal
from winded.rules import AddCharacter, AtAct, Command, Table
from winded.rules.characters import CharacterAdded
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


def ids_given(journal: MemoryJournal, table: str) -> list[str]:
    """The id of everyone who ever sat down, whatever was taken back since."""
    return [event.id for entry in journal.read(table, 0) for event in entry.events if isinstance(event, CharacterAdded)]


@pytest.mark.parametrize("joined", [1, 3, WINDOW + 5])
def test_an_id_is_never_given_twice_however_many_joinings_are_taken_back(joined: int) -> None:
    with MemoryJournal() as journal, Tables(journal) as tables:
        table = tables.create("The gate")
        for number in range(joined):
            tables.do(table, AddCharacter(f"Hero {number}", con="d8"))
        tables.do(table, Undo(through=1))
        tables.do(table, AddCharacter("Orc", con="d8", side=Side.ENEMY))
        tables.do(table, Undo())
        tables.do(table, AddCharacter("Ogre", con="d8", side=Side.ENEMY))
        assert tables.snapshot(table).table.character("Ogre").id == f"#{joined + 2}"
        given = ids_given(journal, table)
        assert len(set(given)) == len(given) == joined + 2
        tables.do(table, Undo())
        with Tables(journal) as again:
            assert again.snapshot(table).table == tables.snapshot(table).table
            again.do(table, Redo())
            again.do(table, Undo())
            again.do(table, AddCharacter("Imp", con="d8", side=Side.ENEMY))
            assert again.snapshot(table).table.character("Imp").id == f"#{joined + 3}"


def test_what_is_taken_back_or_put_back_first_may_be_said() -> None:
    with MemoryJournal() as journal, Tables(journal) as tables:
        table = tables.create("The gate")
        for name in ("Ash", "Bryn", "Cole"):
            tables.do(table, AddCharacter(name, con="d8"))
        tables.do(table, Undo(at=AtAct(3)))
        with pytest.raises(Refused, match="This was meant for entry 3; it would now be entry 2") as no:
            tables.do(table, Undo(at=AtAct(3)))
        assert no.value.rule == "not-now"
        assert [*tables.snapshot(table).table.characters] == ["Ash", "Bryn"]
        with pytest.raises(Refused, match="This was meant for entry 2; it would now be entry 3"):
            tables.do(table, Redo(at=AtAct(2)))
        tables.do(table, Redo(at=AtAct(3)))
        assert [*tables.snapshot(table).table.characters] == ["Ash", "Bryn", "Cole"]
