"""What every kind of journal promises."""

import threading
from concurrent.futures import Future
from itertools import chain as chained

import pytest
from msgspec.structs import replace

from tests.journal.builders import adjusted, link, record, redone, undone
from winded import Malformed, Stale, Unavailable, Unknown
from winded.journal import Chain, Entry, Head, Journal, TableRecord
from winded.journal.codec import EntryKind
from winded.roles import Accept, Claim, Join, Role
from winded.roles.people import Claimed, Joined
from winded.rules import Ruleset


def write(journal: Journal, *entries: Entry, table: str = "gate") -> None:
    journal.append(table, entries).result(10)


def write_numbers(journal: Journal, *numbers: int, table: str = "gate") -> None:
    for number in numbers:
        write(journal, adjusted(number), table=table)


class TestTables:
    def test_a_table_reads_back_as_it_was_created(self, empty: Journal) -> None:
        house = record(name="Das Tor — 門", ruleset=Ruleset(name="Ours", below_lowest="zero"))
        empty.create(house)
        assert empty.record("gate") == house
        assert empty.head("gate").number == 0

    def test_tables_are_listed_oldest_first(self, empty: Journal) -> None:
        old, new = record("a", created=2.0), record("b", created=1.0)
        empty.create(old)
        empty.create(new)
        assert empty.records() == [new, old]

    def test_an_id_is_taken_once(self, journal: Journal) -> None:
        with pytest.raises(Stale, match="There is already a table gate"):
            journal.create(record(name="Another"))
        assert journal.record("gate").name == "The gate"

    def test_a_renamed_table_keeps_all_but_its_name(self, journal: Journal) -> None:
        write_numbers(journal, 1)
        before = journal.head("gate")
        journal.rename("gate", "The bridge")
        assert journal.record("gate") == record(name="The bridge")
        assert journal.head("gate") == replace(before, name="The bridge")

    def test_what_is_not_there_is_unknown(self, empty: Journal) -> None:
        for ask in (
            lambda: empty.record("gate"),
            lambda: empty.rename("gate", "x"),
            lambda: empty.delete("gate"),
            lambda: empty.head("gate"),
            lambda: empty.mark("gate", 0),
            lambda: empty.find("gate", "r"),
            lambda: [*empty.read("gate")],
            lambda: [*empty.read_back("gate")],
            lambda: [*empty.replay("gate")],
            lambda: [*empty.takings_back("gate")],
            lambda: empty.links("gate"),
            lambda: empty.add_link(link()),
            lambda: empty.change_link(link()),
            lambda: empty.append("gate", [adjusted(1)]).result(10),
        ):
            with pytest.raises(Unknown, match="There is no table gate"):
                ask()

    def test_a_deleted_table_is_gone_with_entries_and_links(self, journal: Journal) -> None:
        write_numbers(journal, 1, 2)
        journal.add_link(link())
        journal.create(record("bridge"))
        write_numbers(journal, 1, table="bridge")
        journal.delete("gate")
        assert journal.records() == [record("bridge")]
        assert journal.link_by_token_hash(b"token 1") is None
        assert [*journal.read("bridge")] == [adjusted(1)]
        journal.create(record())
        assert [*journal.read("gate")] == []
        assert journal.links("gate") == []

    def test_what_was_handed_in_before_a_deletion_is_written_and_what_comes_after_fails(self, journal: Journal) -> None:
        before = journal.append("gate", [adjusted(1)])
        journal.delete("gate")
        assert before.exception(10) is None
        assert isinstance(journal.append("gate", [adjusted(2)]).exception(10), Unknown)


class TestAppending:
    def test_entries_read_back_as_they_were_written(self, journal: Journal) -> None:
        entries = [
            adjusted(1, request="r1", reason="„größer“ <b>&amp;</b> 🗡"),
            Entry(2, 0.0, "", "", Join("m2", "Bo", Role.PLAYER), (Joined("m2", "Bo", Role.PLAYER),)),
            Entry(
                3, 1e9, "m2", "Bo", Claim("Brakka", "m2"), (Claimed("#1", "Brakka", "m2", "Bo"),), None, ("#1", "#2")
            ),
            undone(4, 1),
            replace(adjusted(5), secret=True, events=()),
        ]
        write(journal, *entries)
        assert [*journal.read("gate")] == entries

    def test_a_number_is_written_once(self, journal: Journal) -> None:
        write_numbers(journal, 1, 2)
        for taken in (1, 2):
            late = replace(adjusted(taken), name="late")
            assert isinstance(journal.append("gate", [late]).exception(10), Stale)
        assert [*journal.read("gate")] == [adjusted(1), adjusted(2)]

    def test_no_number_is_left_out(self, journal: Journal) -> None:
        assert isinstance(journal.append("gate", [adjusted(2)]).exception(10), Stale)
        write_numbers(journal, 1)
        assert isinstance(journal.append("gate", [adjusted(3)]).exception(10), Stale)
        assert journal.head("gate").number == 1

    def test_several_entries_are_written_together_or_not_at_all(self, journal: Journal) -> None:
        write(journal, adjusted(1, "r1"), adjusted(2))
        together = journal.append("gate", [adjusted(3), adjusted(4), adjusted(5, "r1")])
        assert isinstance(together.exception(10), Stale)
        assert journal.head("gate").number == 2
        write_numbers(journal, 3)
        assert isinstance(journal.append("gate", [adjusted(3), adjusted(4)]).exception(10), Stale)
        assert [entry.number for entry in journal.read("gate")] == [1, 2, 3]

    @pytest.mark.parametrize("entries", [[], [adjusted(1), adjusted(3)], [adjusted(2), adjusted(1)]])
    def test_entries_that_are_not_in_a_row_are_a_mistake(self, journal: Journal, entries: list[Entry]) -> None:
        with pytest.raises(Malformed):
            journal.append("gate", entries)
        assert journal.head("gate").number == 0

    def test_a_request_id_is_used_once_a_table(self, journal: Journal) -> None:
        journal.create(record("bridge"))
        write(journal, adjusted(1, "r"))
        write(journal, adjusted(1, "r"), table="bridge")
        assert isinstance(journal.append("gate", [adjusted(2, "r")]).exception(10), Stale)
        assert isinstance(journal.append("gate", [adjusted(2, "s"), adjusted(3, "s")]).exception(10), Stale)
        assert journal.find("gate", "r") == adjusted(1, "r")
        assert journal.find("gate", "s") is None
        write(journal, adjusted(2, "s"))
        assert journal.find("gate", "s") == adjusted(2, "s")

    def test_appends_of_a_chain_build_on_each_other(self, journal: Journal) -> None:
        chain = Chain(journal.head("gate").life)
        for written in [journal.append("gate", [adjusted(number)], chain) for number in range(1, 50)]:
            assert written.exception(10) is None
        assert journal.head("gate").number == 49
        assert not chain.broken

    def test_once_a_chain_is_broken_everything_behind_fails(self, journal: Journal) -> None:
        chain = Chain(journal.head("gate").life)
        kept = journal.append("gate", [adjusted(1)], chain)
        other = journal.append("gate", [adjusted(2)])
        lost = [journal.append("gate", [adjusted(number)], chain) for number in (2, 3, 4)]
        assert kept.exception(10) is None
        assert other.exception(10) is None
        assert all(isinstance(one.exception(10), Stale) for one in lost)
        assert chain.broken
        # The right number alone does not help: it was decided on a state that never came to be.
        assert isinstance(journal.append("gate", [adjusted(3)], chain).exception(10), Stale)
        assert journal.append("gate", [adjusted(3)], Chain(journal.head("gate").life)).exception(10) is None

    def test_marks_are_kept_and_told(self, journal: Journal) -> None:
        entries = [replace(adjusted(number), mark=f"0000000{number}") for number in (1, 2)]
        write(journal, *entries)
        assert [*journal.read("gate")] == entries
        assert journal.head("gate").mark == "00000002"
        assert [journal.mark("gate", number) for number in range(4)] == ["", "00000001", "00000002", None]

    def test_a_chain_goes_on_only_after_the_entry_it_knows(self, journal: Journal) -> None:
        write(journal, replace(adjusted(1), mark="00000001"))
        life = journal.head("gate").life
        chain = Chain(life, "00000001")
        for number in (2, 3):
            assert (
                journal.append("gate", [replace(adjusted(number), mark=f"0000000{number}")], chain).exception(10)
                is None
            )
        lost = Chain(life, "99999999")
        assert isinstance(journal.append("gate", [adjusted(4)], lost).exception(10), Stale)
        assert lost.broken
        assert journal.head("gate").number == 3

    def test_a_failure_touches_no_other_chain_and_no_other_table(self, journal: Journal) -> None:
        journal.create(record("bridge"))
        lost = journal.append("gate", [adjusted(7)], Chain(journal.head("gate").life))
        kept = [
            journal.append("gate", [adjusted(1)], Chain(journal.head("gate").life)),
            journal.append("bridge", [adjusted(1)], Chain(journal.head("bridge").life)),
        ]
        assert isinstance(lost.exception(10), Stale)
        assert [one.exception(10) for one in kept] == [None, None]

    def test_futures_resolve_in_the_order_of_the_appends(self, journal: Journal) -> None:
        resolved: list[int] = []
        waiting: list[Future[None]] = []
        for number in chained(range(1, 40), (3,), range(40, 80)):
            done = journal.append("gate", [adjusted(number)])
            done.add_done_callback(lambda _, number=number: resolved.append(number))  # type: ignore[misc]
            waiting.append(done)
        for done in waiting:
            done.exception(10)
        assert resolved == [*range(1, 40), 3, *range(40, 80)]

    def test_an_append_cannot_be_called_off(self, journal: Journal) -> None:
        done = journal.append("gate", [adjusted(1)])
        assert not done.cancel()
        assert done.result(10) is None
        assert journal.head("gate").number == 1

    def test_of_many_threads_at_one_number_one_wins(self, journal: Journal) -> None:
        start = threading.Barrier(8)
        won: list[tuple[int, str]] = []

        def play(name: str) -> None:
            start.wait()
            won.extend(
                (number, name)
                for number in range(1, 26)
                if journal.append("gate", [replace(adjusted(number), name=name)]).exception(10) is None
            )

        threads = [threading.Thread(target=play, args=(f"t{at}",)) for at in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entries = [(entry.number, entry.name) for entry in journal.read("gate")]
        assert [number for number, _ in entries] == [*range(1, len(entries) + 1)]
        assert sorted(won) == entries


class TestReading:
    @pytest.fixture
    def journal(self, journal: Journal) -> Journal:
        write(journal, *(adjusted(number) for number in range(1, 2501)))
        return journal

    @pytest.mark.parametrize("after", [0, 1, 999, 1000, 1499, 2499, 2500, 9999])
    @pytest.mark.parametrize("limit", [None, 0, 1, 1000, 1001, 9999])
    def test_reading_gives_what_comes_after(self, journal: Journal, after: int, limit: int | None) -> None:
        numbers = [*range(after + 1, 2501)][:limit]
        assert [entry.number for entry in journal.read("gate", after, limit)] == numbers

    @pytest.mark.parametrize("before", [None, 0, 1, 2, 1001, 2500, 2501, 9999])
    @pytest.mark.parametrize("limit", [None, 0, 1, 1000, 1001, 9999])
    def test_reading_back_gives_what_came_before(self, journal: Journal, before: int | None, limit: int | None) -> None:
        numbers = [*range(min(2501, before or 1) - 1 if before is not None else 2500, 0, -1)][:limit]
        assert [entry.number for entry in journal.read_back("gate", before, limit)] == numbers

    @pytest.mark.parametrize("after", [0, 1, 1000, 1500, 2500, 9999])
    def test_replay_gives_kind_and_events_page_by_page(self, journal: Journal, after: int) -> None:
        number = after
        for page in journal.replay("gate", after):
            assert page.first == number + 1
            assert page.kinds == f"{EntryKind.ACT:d}" * len(page.events)
            for events in page.events:
                number += 1
                assert events == adjusted(number).events
        assert number == max(after, 2500)

    def test_replay_tells_acts_from_undo_and_from_what_happens_in_the_company(self, journal: Journal) -> None:
        joined = Joined("m2", "Bo", Role.PLAYER)
        write(
            journal,
            undone(2501, 2500),
            Entry(2502, 0.0, "", "", Join("m2", "Bo", Role.PLAYER), (joined,)),
            redone(2503, 2500),
            replace(adjusted(2504), command=Accept(7), events=(joined, *adjusted(2504).events)),
            adjusted(2505),
        )
        (page,) = journal.replay("gate", 2500)
        assert [*map(int, page.kinds)] == [
            EntryKind.TAKING_BACK,
            EntryKind.COMPANY,
            EntryKind.TAKING_BACK,
            EntryKind.BOTH,
            EntryKind.ACT,
        ]

    def test_undo_and_redo_can_be_read_alone(self, journal: Journal) -> None:
        back, again = undone(2501, 2500), redone(2502, 2500)
        write(journal, back, again, adjusted(2503))
        assert [*journal.takings_back("gate")] == [back, again]
        assert [*journal.takings_back("gate", 2501)] == [again]

    def test_reading_may_be_left_off(self, journal: Journal) -> None:
        reading = journal.read("gate")
        assert next(reading).number == 1
        write(journal, adjusted(2501))
        assert next(reading).number == 2
        del reading
        journal.delete("gate")


class TestTakingInAWholeTable:
    def test_a_table_comes_in_whole(self, empty: Journal) -> None:
        entries = [adjusted(number, f"r{number}") for number in range(1, 40)]
        empty.put(record(), iter(entries))
        assert empty.record("gate") == record()
        assert [*empty.read("gate")] == entries
        assert empty.find("gate", "r7") == entries[6]
        write(empty, adjusted(40))

    def test_it_takes_nobodys_place_unless_told_to(self, journal: Journal) -> None:
        write_numbers(journal, 1)
        with pytest.raises(Stale, match="There is already a table gate"):
            journal.put(record(name="Another"), [adjusted(1), adjusted(2)])
        assert journal.record("gate").name == "The gate"
        assert [*journal.read("gate")] == [adjusted(1)]

    def test_replacing_leaves_the_links_and_nothing_else(self, journal: Journal) -> None:
        write(journal, adjusted(1, "r"), adjusted(2))
        journal.add_link(link())
        journal.put(record(name="Another"), [adjusted(1, "s")], replacing=True)
        assert journal.record("gate").name == "Another"
        assert [*journal.read("gate")] == [adjusted(1, "s")]
        assert journal.find("gate", "r") is None
        assert journal.links("gate") == [link()]

    def test_who_decided_on_the_old_table_cannot_write_to_the_new(self, journal: Journal) -> None:
        write_numbers(journal, 1)
        old = journal.head("gate")
        chain = Chain(old.life)
        journal.put(record(), [adjusted(1)], replacing=True)
        assert journal.head("gate").life != old.life
        assert isinstance(journal.append("gate", [adjusted(2)], chain).exception(10), Stale)
        write(journal, adjusted(2))

    @pytest.mark.parametrize(
        ("entries", "field"),
        [
            ([adjusted(2)], "entries[0].number"),
            ([adjusted(1), adjusted(3)], "entries[1].number"),
            ([adjusted(1, "r"), adjusted(2, "r")], "entries[1].request"),
        ],
    )
    def test_what_is_no_whole_table_is_malformed(self, journal: Journal, entries: list[Entry], field: str) -> None:
        with pytest.raises(Malformed) as wrong:
            journal.put(record(), entries, replacing=True)
        assert wrong.value.field == field
        assert journal.head("gate").number == 0


class TestLinks:
    def test_links_are_listed_oldest_first(self, journal: Journal) -> None:
        old, new = link("a", token=b"1"), replace(link("b", token=b"2"), created=1.0)
        journal.add_link(old)
        journal.add_link(new)
        assert journal.links("gate") == [new, old]

    def test_a_link_is_found_by_either_hash(self, journal: Journal) -> None:
        kept = link(code=b"code")
        journal.add_link(kept)
        journal.add_link(link("l2", token=b"token 2"))
        assert journal.link_by_token_hash(b"token 1") == kept
        assert journal.link_by_code_hash(b"code") == kept
        assert journal.link_by_token_hash(b"code") is None
        assert journal.link_by_code_hash(b"token 1") is None

    def test_a_changed_link_takes_the_old_ones_place(self, journal: Journal) -> None:
        journal.add_link(link(code=b"code"))
        renewed = replace(link(token=b"new"), name="Bo", role="referee", revoked=9.5)
        journal.change_link(renewed)
        assert journal.links("gate") == [renewed]
        assert journal.link_by_token_hash(b"token 1") is None
        assert journal.link_by_code_hash(b"code") is None

    def test_ids_and_hashes_are_taken_once(self, journal: Journal) -> None:
        journal.add_link(link(code=b"code"))
        second = link("l2", token=b"token 2")
        journal.add_link(second)
        for wrong in (link("l1", token=b"x"), link("x", token=b"token 1"), link("x", token=b"x", code=b"code")):
            with pytest.raises(Stale):
                journal.add_link(wrong)
        for wrong in (replace(second, token_hash=b"token 1"), replace(second, code_hash=b"code")):
            with pytest.raises(Stale):
                journal.change_link(wrong)
        assert len(journal.links("gate")) == 2

    def test_a_link_of_another_table_cannot_be_changed(self, journal: Journal) -> None:
        journal.create(record("bridge"))
        journal.add_link(link())
        with pytest.raises(Unknown, match="This table has no link l1"):
            journal.change_link(link(table="bridge"))
        assert journal.links("gate") == [link()]


class TestTheWhole:
    def test_nothing_changed_is_no_news(self, journal: Journal) -> None:
        assert journal.changed({"gate": journal.head("gate")}) == {}

    def test_closing_writes_what_was_handed_in(self, journal: Journal) -> None:
        chain = Chain(journal.head("gate").life)
        waiting = [journal.append("gate", [adjusted(number)], chain) for number in range(1, 100)]
        journal.close()
        assert [one.exception(10) for one in waiting] == [None] * 99

    def test_a_closed_journal_is_unavailable(self, journal: Journal) -> None:
        journal.close()
        journal.close()
        for ask in (
            journal.records,
            lambda: journal.create(TableRecord("x", "x", 0.0, Ruleset())),
            lambda: journal.append("gate", [adjusted(1)]),
            lambda: journal.link_by_token_hash(b"x"),
            lambda: journal.changed({"gate": Head("The gate", 0, 1)}),
        ):
            with pytest.raises(Unavailable, match="closed"):
                ask()
