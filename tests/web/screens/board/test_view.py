"""The board as fragments: little is sent for one change, and a new way of spending needs no edit here."""

from collections.abc import Callable, Iterator

import msgspec
import pytest
from msgspec.structs import replace

from winded.journal import MemoryJournal
from winded.roles import Ask, Company, Member, Role
from winded.rules import (
    ActEarly,
    AddAbility,
    AddCharacter,
    BeginTurns,
    Channel,
    Character,
    Command,
    Correct,
    DeclareCheck,
    EditCharacter,
    NextTurn,
    Option,
    React,
    ResolveCheck,
    Rest,
    RestKind,
    StartCombat,
    Table,
    TakeWound,
    Undo,
    UseAbility,
    WithdrawCheck,
    options,
)
from winded.rules.command import Event, dry_run
from winded.rules.fields import Amount, Name
from winded.sentence import Sentence, sentence
from winded.service import Desk
from winded.service.opening import begin_table
from winded.service.seeing import see, see_as
from winded.service.visiting import keeper
from winded.web.language import language
from winded.web.live import Kept, Rendered, Viewer
from winded.web.screens.board import view as board
from winded.web.screens.board.requests import wish
from winded.web.screens.board.seat import seat
from winded.web.screens.history import summary
from winded.web.screens.parts import offers
from winded.web.screens.parts.sheet import Asking
from winded.web.screens.sheets import SHEETS

VIEWER = Viewer("board", Role.REFEREE, "", "en")
FIVE = tuple(AddCharacter(name, con="d10") for name in ("Ash", "Brakka", "Bryn", "Cato", "Doran"))

Play = Callable[..., Rendered]


class Sitting:
    """A table of five, and the board as it was and is after each command."""

    def __init__(self) -> None:
        self.desk = Desk(MemoryJournal())
        self.tables = self.desk.tables
        given = begin_table(self.desk, "Tuesday", FIVE)
        self.id = given.link.table

    def render(self) -> Rendered:
        return board.render(VIEWER, see_as(self.desk, self.id, Role.REFEREE), Kept())

    def play(self, *commands: Command) -> None:
        for command in commands:
            self.tables.do(self.id, command)

    def sent_for(self, command: Command) -> bytes:
        """What a screen is sent that showed the state before this command."""
        before = self.render()
        self.play(command)
        return msgspec.json.encode({"number": 1, **self.render().changes_from(before.marks())})


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    made = Sitting()
    yield made
    made.tables.close()


def test_an_update_for_one_character_at_a_table_of_five_stays_about_2_kib(sitting: Sitting) -> None:
    sitting.play(AddAbility("Ash", "Shield Wall", 2), StartCombat(), BeginTurns(), NextTurn(), NextTurn(), NextTurn())
    for command in (
        React("Ash"),
        React("Ash", what="a raised shield"),
        UseAbility("Ash", "Shield Wall"),
        Channel("Ash", 1),
        DeclareCheck("Ash", 1, "keeping a gate shut against pressure", 14),
        ResolveCheck("Ash", 12),
        DeclareCheck("Ash"),
        WithdrawCheck("Ash"),
        TakeWound("Ash", "cracked ribs"),
    ):
        assert len(sitting.sent_for(command)) < 2080, command


def test_only_who_changed_is_sent(sitting: Sitting) -> None:
    before = sitting.render()
    sitting.play(Channel("Bryn", 2))
    changes = sitting.render().changes_from(before.marks())
    number = sitting.tables.snapshot(sitting.id).number
    assert set(changes["fragments"]) == {"seat-3", "undo", f"h-{number}"}


def test_someone_who_joins_changes_the_skeleton(sitting: Sitting) -> None:
    before = sitting.render()
    sitting.play(AddCharacter("Ela", con="d6"))
    assert "root" in sitting.render().changes_from(before.marks())


class Shoved(Event, frozen=True, tag="shoved"):
    """Of a room that there is not yet."""

    character: str
    cost: int

    def evolve(self, table: Table) -> Table:
        return table

    def tell(self) -> Sentence:
        return sentence("{name} shoves.", name=self.character)


class Shove(Command, frozen=True, tag="shove"):
    """Of a room that there is not yet."""

    character: Name
    stamina: Amount
    paces: Amount

    def decide(self, table: Table) -> tuple[Event, ...]:
        return (Shoved(self.character, self.stamina),)

    def label(self) -> Sentence:
        return sentence("Shove")


class Leap(Command, frozen=True, tag="leap"):
    """Of a room that there is not yet: free, and needs nothing but a number."""

    character: Name
    paces: Amount

    def decide(self, table: Table) -> tuple[Event, ...]:
        return (Shoved(self.character, 0),)

    def label(self) -> Sentence:
        return sentence("Leap")


def test_a_new_way_of_spending_appears_with_its_sheet_and_no_edit(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def more(table: Table, who: str) -> tuple[Option, ...]:
        one: Character = table.character(who)
        shove = dry_run(table, Shove(one.name, 1, 1), one.stamina, 1, None, "stamina", one.stamina)
        return (*options(table, who), shove, dry_run(table, Leap(one.name, 1), one.stamina, 0))

    monkeypatch.setattr(offers, "options", more)
    who = keeper(sitting.desk, sitting.id)
    asking = Asking(sitting.desk, who, see(sitting.desk, who), {"of": "1"})
    card = language("en").render("board/who.html", at="/tables/x", **SHEETS["who"].facts(asking))
    assert "data-sheet='act?of=1&do=shove'" in card
    assert "Shove…<small>1 to 10 Stamina</small>" in card
    assert "data-sheet='act?of=1&do=leap'" in card
    asking = Asking(sitting.desk, who, see(sitting.desk, who), {"of": "1", "do": "shove"})
    html = language("en").render("board/act.html", at="/tables/x", **SHEETS["act"].facts(asking))
    assert "data-least='1' data-most='99'><input id='act-paces' name='paces' inputmode='numeric'" in html
    assert html.count('name="stamina"') == 10


def test_acting_early_is_shown_until_the_turn_ends(sitting: Sitting) -> None:
    sitting.play(StartCombat(), ActEarly("Ash"), BeginTurns(), NextTurn())
    assert "<li class=early>" in sitting.render().fragments["seat-1"]
    sitting.play(NextTurn())
    assert "<li class=early>" not in sitting.render().fragments["seat-1"]


def test_whose_turn_it_is_has_checks_and_abilities_on_the_card_and_all_else_in_the_pane(sitting: Sitting) -> None:
    sitting.play(AddAbility("Brakka", "Shield Wall", 2), StartCombat(), BeginTurns(), NextTurn(), NextTurn())

    def likeliest() -> tuple[str, list[str | None], list[str]]:
        table = sitting.tables.snapshot(sitting.id).table
        assert table.combat is not None
        shown = seat(table, Company(), table.character(str(table.combat.turn)))
        return (
            shown.character.name,
            [None if one is None else str(one.offer.label) for one in shown.likeliest],
            [str(one.offer.label) for one in shown.buttons],
        )

    name, on_card, in_pane = likeliest()
    assert (name, on_card) == ("Ash", [None, "Check"])
    assert "Resist hardship" in in_pane
    sitting.play(NextTurn())
    name, on_card, in_pane = likeliest()
    assert (name, on_card) == ("Brakka", ["Use Shield Wall", "Check"])
    assert "Resist hardship" in in_pane


def test_undo_of_a_rest_names_everyone_whom_it_takes_back(sitting: Sitting) -> None:
    resting = ("Ash", "Bryn", "Cato")
    sitting.play(*[Channel(name, 2) for name in resting], Rest(RestKind.SHORT, resting))
    undo = sitting.render().fragments["undo"]
    assert "Also" in undo
    assert all(name in undo for name in resting)
    assert "Doran" not in undo


def test_a_wound_says_in_advance_what_it_would_do(sitting: Sitting) -> None:
    who = keeper(sitting.desk, sitting.id)
    asking = Asking(sitting.desk, who, see(sitting.desk, who), {"of": "1"})
    html = language("en").render("board/who.html", at="/tables/x", **SHEETS["who"].facts(asking))
    assert "<b>1</b><small><bdi>d10</bdi> to <bdi>d8</bdi>, 10 to 8 of 8 Stamina</small>" in html
    assert "<b>2</b><small><bdi>d10</bdi> to <bdi>d6</bdi>, 10 to 6 of 6 Stamina</small>" in html


PLAYED = Company(members={"pip": Member("pip", "Pip", Role.PLAYER)}, claims={"#1": ("pip",)})


def test_what_is_asked_for_says_for_whom_by_the_name_they_bear_now() -> None:
    table = Table().do(AddCharacter("Zoë", con="d10"))
    ask = Ask(5, "pip", Channel("Zoë", 2), 2, about=("#1",))
    table = table.do(EditCharacter("Zoë", name="Zora"), AddCharacter("Zoë", con="d8"))
    assert wish(table, PLAYED, ask).character == "Zora"


def test_what_is_asked_for_says_which_of_two_of_one_name_asks() -> None:
    members = {one: Member(one, "Pip", Role.PLAYER) for one in ("pip", "other")}
    company = Company(members=members, claims={"#1": ("pip", "other")})
    table = Table().do(AddCharacter("Zoë", con="d10"))
    asked = [wish(table, company, Ask(5, one, Channel("Zoë", 2), 2)) for one in ("other", "pip")]
    assert [one.name for one in asked] == ["Pip (2)", "Pip (1)"]
    assert seat(table, company, table.character("Zoë")).players == ("Pip (1)", "Pip (2)")


def test_what_could_not_be_accepted_says_why() -> None:
    table = Table().do(AddCharacter("Zoë", con="d10"))
    asked = wish(table, replace(PLAYED, claims={}), Ask(5, "pip", Channel("Zoë", 2), 2))
    assert str(asked.refused) == "You cannot act for Zoë, Pip."


@pytest.mark.parametrize("written", ["Zoë", "ZOE\u0308", "#1"])
def test_what_is_asked_for_says_for_whom_however_the_name_was_written(written: str) -> None:
    table = Table().do(AddCharacter("Zoë", con="d10"))
    asked = wish(table, PLAYED, Ask(5, "pip", Channel(written, 2), 2))
    assert (asked.number, asked.character, asked.cost, asked.refused) == (5, "Zoë", 2, None)


def test_the_summary_counts_the_past_as_it_was_put_right_and_as_it_was_once_that_is_undone() -> None:
    desk = Desk(MemoryJournal())
    tables, table = desk.tables, begin_table(desk, "Tuesday", FIVE).link.table
    who = keeper(desk, table)
    start = tables.do(table, StartCombat()).entry.number
    first, second, _ = (tables.do(table, React("Ash")).entry.number for _ in range(3))

    def reactions() -> tuple[int, int]:
        (row,) = summary.summary(Asking(desk, who, see(desk, who), {}))["rows"]  # type: ignore[misc]
        return row.on["react"]

    assert reactions() == (3, 1 + 2 + 3)
    tables.do(table, Correct(start, without=(second,)))
    assert reactions() == (2, 1 + 2)
    put_in = tables.do(table, Correct(start, (React("Ash"),))).entry.number
    assert reactions() == (3, 1 + 2 + 3)
    tables.do(table, Correct(start, without=(first, put_in)))
    assert reactions() == (1, 1)
    for expected in ((3, 6), (2, 3), (3, 6)):
        tables.do(table, Undo())
        assert reactions() == expected
    tables.close()


def test_the_summary_is_of_this_evening_or_of_all_and_counts_a_renamed_one_once() -> None:
    now = 1_000_000.0
    desk = Desk(MemoryJournal(), clock=lambda: now)
    tables, table = desk.tables, begin_table(desk, "Tuesday", FIVE).link.table
    who = keeper(desk, table)
    tables.do(table, Channel("Ash", 2))
    now += 2 * summary.SESSION
    tables.do(table, Channel("Ash", 1))
    tables.do(table, DeclareCheck("Ash", 3))
    tables.do(table, WithdrawCheck("Ash"))
    tables.do(table, EditCharacter("Ash", name="Ash the Grey"))
    tables.do(table, Channel("Ash the Grey", 1))

    def spent(**query: str) -> dict[str, int]:
        found = summary.summary(Asking(desk, who, see(desk, who), query))
        return {row.name: row.spent for row in found["rows"]}  # type: ignore[attr-defined]

    assert spent() == {"Ash the Grey": 2}
    assert spent(all="1") == {"Ash the Grey": 4}

    # A push that came back is no push; the columns add up to what was spent.
    tables.do(table, DeclareCheck("Ash the Grey", 1))
    (row,) = summary.summary(Asking(desk, who, see(desk, who), {}))["rows"]  # type: ignore[misc]
    assert (row.on, row.spent) == ({"channel": (2, 2), "push": (1, 1)}, 3)
    tables.close()
