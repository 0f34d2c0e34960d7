"""What a player's phone is made of: when a turn comes, what is offered and how, and how little an update sends."""

import json
import re

import pytest

from winded.errors import Forbidden
from winded.journal import MemoryJournal
from winded.roles import PRESETS, Accept, AskFor, Company, Freedom, Member, Permissions, Role, SetPermissions, veiled
from winded.rules import (
    PAGE,
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    BeginTurns,
    Command,
    DeclareCheck,
    NextTurn,
    React,
    Reorder,
    Ruleset,
    Side,
    StartCombat,
    Table,
    TakeWound,
    when_it_comes,
)
from winded.service import Desk
from winded.service.links import Given
from winded.service.opening import begin_table
from winded.service.seeing import see_as
from winded.web.language import languages
from winded.web.live import Kept, Rendered, Viewer
from winded.web.screens.parts.offers import offers
from winded.web.screens.parts.seats import moment
from winded.web.screens.phone import view as phone
from winded.web.screens.phone.hand import hand, tiles

PARTY = (
    AddCharacter("Ash", con="d12"),
    AddCharacter("Bryn", con="d8"),
    AddCharacter("Corin", con="d10"),
    AddCharacter("Della", con="d6"),
    AddCharacter("Edda", con="d8"),
)
MIA = Member("m1", "Mia", Role.PLAYER)


def party(*commands: Command) -> Table:
    return Table().do(*PARTY, *commands)


def company(permissions: Permissions | None = None) -> Company:
    """Mia's company, who plays Ash."""
    return Company({MIA.id: MIA}, {"#1": (MIA.id,)}, permissions or Permissions())


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ((), None),
        ((StartCombat(),), "Acts after the enemy"),
        ((StartCombat(), ActEarly("Bryn")), "Acts before the enemy"),
        ((StartCombat(), BeginTurns()), "2 act before you"),
        ((StartCombat(), ActEarly("Bryn"), BeginTurns()), "You go first"),
        ((StartCombat(), ActEarly("Bryn"), BeginTurns(), NextTurn()), "Your turn"),
        ((StartCombat(), BeginTurns(), NextTurn()), "2 act before you"),
        ((StartCombat(), BeginTurns(), NextTurn(), NextTurn()), "Your turn is next"),
        ((StartCombat(), ActEarly("Bryn"), BeginTurns(), NextTurn(), NextTurn()), "You have acted this round"),
        (
            (StartCombat(), BeginTurns(), Reorder(("Ash", "Bryn", "Enemy", "Corin", "Della", "Edda"), "an ambush")),
            "1 acts before you",
        ),
    ],
)
def test_when_my_turn_comes_and_how_many_act_before_it(commands: tuple[Command, ...], told: str | None) -> None:
    table = party(*commands)
    when = when_it_comes(table, table.character("Bryn"))
    assert (None if when is None else str(when)) == told


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ((), "No combat"),
        ((StartCombat(),), "Round 1: who acts early?"),
        ((StartCombat(), BeginTurns()), "Round 1: the order is fixed"),
        ((StartCombat(), BeginTurns(), NextTurn()), "Round 1: the enemy's turn"),
        ((StartCombat(), BeginTurns(), NextTurn(), NextTurn()), "Round 1: Ash's turn"),
    ],
)
def test_where_the_combat_is(commands: tuple[Command, ...], told: str) -> None:
    assert str(moment(party(*commands))) == told


def test_a_check_with_and_without_a_push_is_one_tile() -> None:
    table = party(
        StartCombat(), AddAbility("Ash", ability="Cleave", cost=2), AddAbility("Ash", ability="Dodge", cost=1)
    )
    found = tiles(offers(table, company(), MIA, table.character("Ash")))
    assert [tile.key for tile in found] == [
        "act_early",
        "react",
        "declare_check-push",
        "resist-stamina",
        "use_ability",
        "use_ability-2",
        "channel-stamina",
    ]
    [check] = [tile for tile in found if tile.plain]
    assert check.offer.amounts[:2] == ((1, 11), (2, 10))
    assert check.offer.amounts[-1] == (12, 0)


def test_a_button_carries_the_cost_it_shows() -> None:
    table = party(StartCombat(), React("Ash"))
    react = next(one for one in offers(table, company(), MIA, table.character("Ash")) if one.key == "react")
    assert dict(react.values) == {"do": "react", "character": "#1", "cost": "2", "at": '{"combats":1}'}
    assert (react.cost, react.leaves, react.next_cost) == (2, 9, 3)


def test_an_offer_says_whether_it_is_free_asked_for_or_the_referees() -> None:
    table = party(StartCombat())
    ash = table.character("Ash")

    def react(permissions: Permissions) -> tuple[bool, bool]:
        found = next(one for one in offers(table, company(permissions), MIA, ash) if one.key == "react")
        return found.asks, isinstance(found.refused, Forbidden)

    assert react(Permissions()) == (False, False)
    assert react(PRESETS["nod"][1]) == (True, False)
    assert react(Permissions(reactions=Freedom.NO)) == (False, True)


@pytest.mark.parametrize(
    ("commands", "prime"),
    [
        ((), ""),
        ((StartCombat(),), "act_early"),
        ((StartCombat(), ActEarly("Ash")), ""),
        ((StartCombat(), BeginTurns()), "react"),
        ((StartCombat(), ActEarly("Ash"), BeginTurns(), NextTurn()), "end-turn"),
        ((StartCombat(), DeclareCheck("Ash", push=1)), "roll"),
    ],
)
def test_what_stands_by_the_thumb_is_what_the_moment_calls_for(commands: tuple[Command, ...], prime: str) -> None:
    table = party(*commands)
    assert hand(table, company(), MIA, table.character("Ash")).prime == prime


class Evening:
    """A table of five in memory, and the phone of one who plays some of them."""

    def __init__(self, *characters: str, commands: tuple[Command, ...] = (), ruleset: Ruleset = PAGE) -> None:
        self.desk = Desk(MemoryJournal())
        self.tables, self.links = self.desk.tables, self.desk.links
        self.referee = begin_table(self.desk, "Thursday night", (*PARTY, *commands), ruleset)
        self.id = self.referee.link.table
        self.mia: Given = self.links.join(self.links.invite(self.id).link, "Mia")
        for character in characters:
            self.links.claim(self.mia, character)

    def do(self, command: Command, given: Given | None = None) -> None:
        by = (given or self.referee).link
        self.tables.do(self.id, command, who=by.id, name=by.name)

    def phone(self, language: str = "en") -> Rendered:
        viewer = Viewer("phone", Role.PLAYER, self.mia.link.id, language)
        return phone.render(viewer, see_as(self.desk, self.id, viewer.role, viewer.member), Kept())


def test_every_fragment_is_one_element_with_its_own_id() -> None:
    evening = Evening("Ash", "Bryn", commands=(StartCombat(), TakeWound("Ash", wound="a cut")))
    for name, html in evening.phone().fragments.items():
        assert re.match(rf"<\w+ id='?{name}[' >]", html), name


def test_what_happens_to_somebody_else_sends_next_to_nothing() -> None:
    evening = Evening("Ash", commands=(StartCombat(), BeginTurns()))
    before = evening.phone()
    evening.do(React("Bryn"))
    changes = evening.phone().changes_from(before.marks())
    assert set(changes["fragments"]) == {"moment", "seat-2", f"h-{evening.tables.snapshot(evening.id).number}"}  # type: ignore[call-overload]
    assert len(json.dumps(changes)) < 2048


def test_an_act_of_my_own_sends_no_more_than_its_own_figures() -> None:
    evening = Evening("Ash", commands=(StartCombat(), BeginTurns()))
    before = evening.phone()
    evening.do(React("Ash"), evening.mia)
    changes = evening.phone().changes_from(before.marks())
    assert "root" not in changes
    assert len(json.dumps(changes)) < 9 * 1024


def test_of_many_amounts_the_figure_is_typed_instead_of_chosen() -> None:
    few = Evening("Ash").phone().fragments
    many = Evening("Ash", ruleset=Ruleset(dice={"d6": 6, "d8": 8, "d10": 10, "d12": 60})).phone().fragments
    assert few["can-1-declare_check-push"].count("name='push'") == 12
    assert few["can-1-channel-stamina"].count("name='stamina'") == 12
    for name in ("can-1-declare_check-push", "can-1-channel-stamina"):
        assert many[name].count("<button") <= 7
        assert "data-least='1' data-most='60'" in many[name]


def test_a_new_ability_or_claim_makes_the_view_anew() -> None:
    evening = Evening("Ash")
    before = evening.phone()
    evening.do(AddAbility("Ash", ability="Cleave", cost=2))
    assert "root" in evening.phone().changes_from(before.marks())


def test_a_phone_says_who_else_plays_a_character_as_soon_as_they_do() -> None:
    evening = Evening("Ash", "Bryn")
    before = evening.phone()
    tom = evening.links.join(evening.links.invite(evening.id).link, "Tom")
    evening.links.claim(tom, "Ash")
    now = evening.phone()
    assert "Also played by" not in "".join(before.fragments.values())
    assert [name for name, html in now.fragments.items() if "Also played by Tom" in html] == ["more-1"]
    assert "more-1" in now.changes_from(before.marks())["fragments"]  # type: ignore[operator]


def test_my_own_last_act_tells_nothing_of_a_hidden_enemy() -> None:
    evening = Evening(
        "Ash",
        commands=(
            AddCharacter("Lurker", con="d6", side=Side.ENEMY, hidden=True),
            StartCombat(),
            ActEarly("Ash"),
            BeginTurns(),
            NextTurn(),
        ),
    )
    evening.do(NextTurn(), evening.mia)
    view = evening.phone()
    assert evening.tables.snapshot(evening.id).table.combat.turn == "Lurker"  # type: ignore[union-attr]
    assert "value='do=undo&amp;at=" in view.fragments["back"]
    assert "Lurker" not in view.root()
    assert "the enemy&#39;s turn" in view.fragments["moment"]


def test_html_in_names_and_texts_is_shown_and_never_run() -> None:
    evil = "<img src=x onerror=alert(1)>"
    evening = Evening("Ash")
    evening.do(AddCharacter(evil, con="d8"))
    evening.do(TakeWound("Ash", wound=evil))
    evening.do(AddAbility("Ash", ability=evil, cost=1))
    evening.do(DeclareCheck("Ash", push=1, strain=evil))
    page = phone.page(
        Viewer("phone", Role.PLAYER, evening.mia.link.id, "en"),
        evening.tables.snapshot(evening.id),
        evening.phone(),
    )
    assert "<img" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") > 4


def test_players_of_two_languages_see_the_same_figures() -> None:
    evening = Evening("Ash", commands=(StartCombat(),))
    english, german = evening.phone("en"), evening.phone("de")
    assert english.skeleton == german.skeleton
    assert "<b>12</b>" in german.fragments["have-1"]
    assert veiled(evening.tables.snapshot(evening.id).table).character("Ash").stamina == 12


def test_what_the_rules_refused_after_the_referees_yes_is_said_in_the_readers_language() -> None:
    evening = Evening("Ash", commands=(StartCombat(), Adjust("Ash", by=-11, reason="a fall")))
    evening.tables.do(evening.id, AskFor(React("Ash")), who=evening.mia.link.id, name="Mia")
    number = evening.tables.snapshot(evening.id).company.asks[0].number
    evening.do(React("Ash"))
    evening.tables.do(evening.id, Accept(number), who=evening.referee.link.id)
    assert "<bdi>Ash</bdi> has 0 Stamina; this costs 2." in evening.phone("en").fragments["asks"]
    if "de" in languages():
        assert "<bdi>Ash</bdi> hat 0 Ausdauer; das kostet 2." in evening.phone("de").fragments["asks"]
    evening.do(Adjust("Ash", by=1, reason="a song"))
    assert "<bdi lang='en'>Ash has 0 Stamina; this costs 2.</bdi>" in evening.phone("de").fragments["asks"]


def test_permissions_change_what_the_buttons_say_at_once() -> None:
    evening = Evening("Ash", commands=(StartCombat(),))
    assert ">Ask: React<" not in evening.phone().fragments["bar-1"]
    evening.tables.do(evening.id, SetPermissions.to(PRESETS["nod"][1]), who=evening.referee.link.id)
    assert "Ask: React" in evening.phone().fragments["bar-1"]


def test_whoever_may_wait_is_offered_it_as_one_tap_for_this_round() -> None:
    table = Table(Ruleset(own_order=True)).do(*PARTY, StartCombat(), BeginTurns())
    (wait,) = (
        tile.offer for tile in hand(table, company(), MIA, table.character("Ash")).tiles if tile.offer.do == "wait"
    )
    assert (str(wait.label), wait.cost, wait.refused) == ("I wait", 0, None)
    assert wait.is_quick
    assert dict(wait.values)["at"] == '{"combats":1,"round":1}'
