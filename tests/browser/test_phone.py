"""The player's phone: what I have, what I can do, what it costs and leaves, and when my turn comes."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.evening import PARTY, Evening, stamina
from tests.serving import Server
from winded.rules import AddAbility, AddCharacter, Side, StartCombat, TakeWound

NewContext = Callable[..., object]

PARTY_AND_A_WOLF = (
    *PARTY,
    AddCharacter("Wolf", con="d8", side=Side.ENEMY),
    AddAbility("Ash", ability="Cleave", cost=2),
    TakeWound("Ash", wound="cracked ribs"),
)


@pytest.fixture
def evening(server: Server) -> Iterator[Evening]:
    found = Evening(server.address, server.database, PARTY_AND_A_WOLF)
    yield found
    found.close()


@pytest.fixture
def ash(evening: Evening, phone: NewContext) -> Page:
    """The phone of one who plays Ash."""
    return evening.open(phone(), evening.player("Mia", "Ash"))


def tile(page: Page, name: str, seat: str = "1") -> object:
    return page.locator(f"#hand-{seat} .cans").get_by_role("button", name=name)


def test_the_first_screen_says_what_i_have_and_what_i_can_do(ash: Page, evening: Evening) -> None:
    evening.do("start_combat")
    evening.do("begin_turns")
    expect(ash.locator("#have-1")).to_contain_text("10 of 10 Stamina")
    expect(ash.get_by_role("img", name="10 of 10 Stamina, 2 lost to Wounds").first).to_be_visible()
    expect(ash.get_by_role("img", name="CON d10").first).to_be_visible()
    expect(ash.locator("#have-1 .wounds")).to_contain_text("cracked ribs")
    react = ash.locator("#can-1-react")
    expect(react).to_contain_text("1 Stamina, leaves 9, the next costs 2")
    expect(react).to_be_in_viewport(ratio=1)
    expect(ash.locator("#can-1-act_early")).to_have_count(0)


def test_a_reaction_is_one_tap_and_shows_what_is_left(ash: Page, evening: Evening) -> None:
    evening.do("start_combat")
    ash.locator("#can-1-react button").tap()
    expect(ash.locator("#have-1 .fig b")).to_have_text("9")
    expect(ash.locator("#can-1-react")).to_contain_text("2 Stamina, leaves 7, the next costs 3")
    expect(ash.locator("#lines li").first).to_contain_text("Ash reacts: 1 Stamina, 9 left.")


def test_the_prime_act_of_each_moment_is_by_the_thumb(ash: Page, evening: Evening) -> None:
    bar, prime = ash.locator("#bar-1"), ash.locator("#bar-1 button.main")
    expect(bar).to_contain_text("Out of combat: Checks can be pushed, and a rest gives Stamina back.")
    expect(bar.get_by_role("button")).to_have_count(0)
    evening.do("start_combat")
    expect(bar).to_contain_text("Pay 1 Stamina now to act before the enemy, or keep it and act after.")
    expect(prime).to_have_text("Act early1 Stamina, leaves 9")
    prime.tap()
    expect(bar.locator(".when")).to_have_text("Acts before the enemy")
    expect(prime).to_have_count(0)
    expect(bar.get_by_role("button", name="React")).to_be_visible()
    evening.do("begin_turns")
    expect(prime).to_contain_text("React")
    evening.do("next_turn")
    expect(prime).to_have_text("End my turn")
    prime.tap()
    expect(ash.locator("#moment")).to_contain_text("Round 1: Wolf's turn")
    expect(bar.locator(".when")).to_have_text("You have acted this round")


def test_what_is_by_the_thumb_is_nowhere_twice(ash: Page, evening: Evening) -> None:
    for moment in ("start_combat", "begin_turns", "next_turn"):
        evening.do(moment)
        expect(ash.locator("#root")).to_have_attribute("data-seq", str(evening.now.number))
        for name in ("React", "Act early", "End my turn"):
            assert ash.locator("#hand-1").get_by_role("button", name=name).count() <= 1


def test_it_says_how_many_act_before_me(ash: Page, evening: Evening) -> None:
    when = ash.locator("#bar-1 .when")
    evening.do("start_combat")
    evening.do("begin_turns")
    expect(when).to_contain_text("1 acts before you")
    evening.do("reorder", order=["Bryn", "Wolf", "Corin", "Ash", "Della"], reason="an ambush")
    expect(when).to_contain_text("3 act before you")
    for before in ("3 act before you", "2 act before you", "Your turn is next"):
        evening.do("next_turn")
        expect(when).to_contain_text(before)
    evening.do("next_turn")
    expect(ash.locator("#moment .yours")).to_contain_text("Your turn, Ash next: Della")


def test_a_push_is_declared_with_its_amount_and_its_roll_entered(ash: Page) -> None:
    ash.get_by_text("push with up to").tap()
    ash.get_by_label("What makes it hard").fill("holding the gate")
    ash.get_by_label("Target").fill("15")
    ash.get_by_role("button", name="+3 leaves 7").tap()
    bar = ash.locator("#bar-1")
    expect(bar).to_contain_text("pushed with 3 Stamina for +3, against 15, holding the gate")
    expect(ash.locator("#open-1-declare_check-push")).not_to_have_attribute("open", "")
    bar.get_by_label("Roll without the push").fill("12")
    bar.get_by_role("button", name="Enter").tap()
    expect(ash.locator("#lines li").first).to_contain_text("12 + 3 = 15 against 15, a success")
    expect(bar.locator("form")).to_have_count(0)
    assert stamina(ash) == "7"


def test_a_check_without_a_push_costs_nothing(ash: Page) -> None:
    ash.get_by_text("push with up to").tap()
    ash.get_by_role("button", name="No push").tap()
    expect(ash.locator("#bar-1")).to_contain_text("Open Check without a push")
    ash.get_by_role("button", name="Withdraw the Check").tap()
    expect(ash.locator("#bar-1 form")).to_have_count(0)
    assert stamina(ash) == "10"


def test_an_ability_a_hardship_and_channel_casting_are_paid_for(ash: Page) -> None:
    ash.locator("#can-1-use_ability button").tap()
    expect(ash.locator("#have-1 .fig b")).to_have_text("8")
    ash.get_by_text("Resist hardship").tap()
    ash.get_by_label("Hardship").select_option("fear")
    ash.locator("#can-1-resist-stamina").get_by_role("button", name="2 leaves 6").tap()
    expect(ash.locator("#have-1 .fig b")).to_have_text("6")
    ash.locator("summary", has_text="Channel Casting").tap()
    ash.locator("#can-1-channel-stamina").get_by_role("button", name="1 leaves 5").tap()
    expect(ash.locator("#have-1 .fig b")).to_have_text("5")
    expect(ash.locator("#lines li").nth(1)).to_contain_text("Ash fights through fear: 2 Stamina, 6 left.")


def test_while_a_button_is_pressed_or_focused_by_keyboard_its_pips_are_marked(ash: Page, evening: Evening) -> None:
    evening.do("start_combat")
    marked = ash.locator("#have-1 .pips .m")
    expect(marked).to_have_count(0)
    ash.locator("#can-1-react button").press("Shift")
    expect(marked).to_have_count(1)
    ash.locator("#open-1-declare_check-push summary").press("Enter")
    ash.get_by_role("button", name="+4 leaves 6").press("Shift")
    expect(marked).to_have_count(4)
    ash.locator("#can-1-use_ability button").dispatch_event("pointerdown", {"bubbles": True, "pointerType": "touch"})
    expect(marked).to_have_count(2)
    ash.locator("#can-1-use_ability button").dispatch_event("pointerup", {"bubbles": True, "pointerType": "touch"})
    ash.get_by_role("link", name="The table everyone").focus()
    expect(marked).to_have_count(0)


def test_after_a_tap_no_pips_stay_marked(ash: Page, evening: Evening) -> None:
    evening.do("start_combat")
    ash.locator("#can-1-react button").tap()
    expect(ash.locator("#have-1 .fig b")).to_have_text("9")
    expect(ash.locator("#have-1 .pips .m")).to_have_count(0)


def test_what_is_refused_says_why_in_words_in_place(ash: Page, evening: Evening) -> None:
    evening.do("adjust", character="Ash", by=-10, reason="a long march")
    evening.do("start_combat")
    refused = ash.locator("#can-1-react").get_by_role("button")
    expect(refused).to_have_attribute("aria-disabled", "true")
    expect(refused).to_contain_text("Ash has 0 Stamina; this costs 1.")
    expect(ash.locator("#can-1-channel-stamina summary")).to_contain_text("Ash has 0 Stamina; this costs 1.")


def test_no_stamina_is_no_condition(ash: Page, evening: Evening) -> None:
    evening.do("adjust", character="Ash", by=-10, reason="a long march")
    expect(ash.locator("#have-1 .fig b")).to_have_text("0")
    colours = ash.locator("#have-1").evaluate(
        "one => [getComputedStyle(one).backgroundColor, getComputedStyle(document.body).backgroundColor]"
    )
    assert colours[0] == colours[1]
    ash.locator("#open-1-declare_check-push summary").tap()
    ash.get_by_role("button", name="No push").tap()
    expect(ash.locator("#bar-1")).to_contain_text("Open Check")


def test_wounds_and_rest_are_asked_for_and_answered(ash: Page, evening: Evening) -> None:
    ash.locator("#rest-1 summary").tap()
    ash.get_by_role("button", name="Ask: Short Rest").tap()
    asked = ash.locator("#asks .wish")
    expect(asked).to_contain_text("Short Rest. Nothing is spent yet.")
    asked.get_by_role("button", name="Withdraw").tap()
    expect(asked).to_have_count(0)
    ash.locator("#wound-1 summary").tap()
    ash.get_by_label("What the Wound is").fill("a twisted knee")
    ash.get_by_role("button", name="Ask: take the Wound").tap()
    expect(asked).to_have_count(1)
    evening.company("accept", ask=asked.get_attribute("id").removeprefix("ask-"))
    expect(ash.locator("#asks .answer")).to_contain_text("The Referee said yes: Wound: a twisted knee.")
    expect(ash.locator("#have-1 .wounds")).to_contain_text("a twisted knee")


def test_where_the_table_wants_it_reactions_and_pushes_are_asked_for(server: Server, phone: NewContext) -> None:
    evening = Evening(server.address, server.database, (*PARTY, StartCombat()), permissions="nod")
    ash = evening.open(phone(), evening.player("Mia", "Ash"))
    ash.locator("#can-1-react").get_by_role("button", name="Ask: React").tap()
    asked = ash.locator("#asks .wish")
    expect(asked).to_contain_text("React, 1 Stamina. Nothing is spent yet.")
    assert stamina(ash) == "12"
    evening.company("decline", ask=asked.get_attribute("id").removeprefix("ask-"), reason="you are asleep")
    expect(ash.locator("#asks .answer.no")).to_contain_text("The Referee said no: React. you are asleep")
    ash.get_by_text("push with up to").tap()
    ash.get_by_role("button", name="Ask +2").tap()
    expect(asked).to_have_count(1)
    evening.do("adjust", character="Ash", by=-11, reason="a fall")
    evening.company("accept", ask=asked.get_attribute("id").removeprefix("ask-"))
    expect(ash.locator("#asks .answer.no").first).to_contain_text("but you can’t do this now")
    expect(ash.locator("#asks .answer.no").first).to_contain_text("Ash has 1 Stamina; this costs 2.")
    evening.close()


def test_what_only_the_referee_does_says_so(server: Server, phone: NewContext) -> None:
    evening = Evening(server.address, server.database, (*PARTY, StartCombat()), permissions="referee")
    ash = evening.open(phone(), evening.player("Mia", "Ash"))
    expect(ash.locator("#can-1-react")).to_contain_text("At this table only the Referee does this: React.")
    expect(ash.locator("#bar-1 button.main, #bar-1 .not-early")).to_have_count(0)
    evening.close()


def test_my_own_last_act_can_be_taken_back_while_nothing_came_after_it(ash: Page, evening: Evening) -> None:
    evening.do("start_combat")
    back = ash.locator("#back")
    expect(back).to_be_empty()
    ash.locator("#can-1-react button").tap()
    expect(back).to_contain_text("Ash reacts: 1 Stamina, 9 left.")
    back.get_by_role("button").tap()
    expect(ash.locator("#have-1 .fig b")).to_have_text("10")
    ash.locator("#can-1-react button").tap()
    expect(back).not_to_be_empty()
    evening.do("react", character="Bryn")
    expect(back).to_be_empty()


def test_several_characters_are_reached_by_tabs_and_by_swipe(evening: Evening, phone: NewContext) -> None:
    page = evening.open(phone(), evening.player("Jo", "Ash", "Bryn"))
    tabs = page.locator("#tabs a")
    expect(tabs).to_have_count(3)
    expect(tabs.nth(0)).to_have_attribute("aria-current", "true")
    tabs.nth(1).tap()
    expect(page.locator("#hand-2 h2")).to_be_in_viewport(ratio=1)
    expect(tabs.nth(1)).to_have_attribute("aria-current", "true")
    page.locator("#hands").evaluate("hands => hands.scrollTo({ left: 0, behavior: 'instant' })")
    expect(tabs.nth(0)).to_have_attribute("aria-current", "true")
    # An update neither moves the view nor loses the mark.
    tabs.nth(2).tap()
    expect(tabs.nth(2)).to_have_attribute("aria-current", "true")
    evening.do("start_combat")
    expect(page.locator("#moment")).to_contain_text("Round 1")
    expect(page.locator("#around h2").first).to_be_in_viewport()
    expect(tabs.nth(2)).to_have_attribute("aria-current", "true")


def test_a_character_is_claimed_shared_made_and_given_up(evening: Evening, phone: NewContext) -> None:
    evening.player("Mia", "Ash")
    page = evening.open(phone(), evening.player("Jo"))
    expect(page.get_by_role("heading", name="Which character do you play?")).to_be_visible()
    page.get_by_role("button", name="Play Bryn").tap()
    expect(page.locator("#hand-2 h2")).to_have_text("Bryn")
    expect(page.locator("#hand-2 h2")).to_be_in_viewport(ratio=1)
    page.locator("#tabs a").last.tap()
    page.get_by_text("Play another, or give one up").tap()
    page.get_by_role("button", name="Play Ash too").tap()
    expect(page.locator("#hand-1")).to_contain_text("Also played by Mia")
    page.locator("#tabs a").last.tap()
    page.get_by_role("button", name="Give up Bryn").tap()
    expect(page.locator("#hand-2")).to_have_count(0)
    expect(page.locator(".still")).to_have_count(0)
    page.get_by_text("Make a character").tap()
    page.get_by_label("Name").fill("Edda")
    page.get_by_role("radio", name="CON d8").check()
    page.get_by_role("button", name="Make the character").tap()
    expect(page.locator(".others")).to_contain_text("Edda 8 / 8")
    expect(page.locator(".still")).to_have_count(0)
    page.get_by_role("button", name="Play Edda").tap()
    expect(page.get_by_role("region", name="Edda")).to_be_attached()


def test_typed_but_unsent_input_survives_an_update(ash: Page, evening: Evening) -> None:
    ash.get_by_text("push with up to").tap()
    strain = ash.get_by_label("What makes it hard")
    strain.fill("holding the ga")
    ash.get_by_label("Target").fill("14")
    strain.focus()
    evening.do("adjust", character="Ash", by=-2, reason="a fall")
    expect(ash.locator("#have-1 .fig b")).to_have_text("8")
    expect(strain).to_be_focused()
    ash.keyboard.type("te")
    expect(strain).to_have_value("holding the gate")
    expect(ash.get_by_label("Target")).to_have_value("14")
    ash.get_by_role("button", name="+1 leaves 7").tap()
    expect(ash.locator("#bar-1")).to_contain_text("against 14, holding the gate")


def test_nobody_pays_more_than_the_button_said(ash: Page, evening: Evening) -> None:
    evening.do("start_combat")
    button = ash.locator("#can-1-react button")
    expect(button).to_contain_text("1 Stamina")
    # A tap on a button that is out of date: the stream is held back, as a slow network would.
    ash.evaluate("() => document.querySelector('#can-1-react button').setAttribute('value', 'do=react&cost=3')")
    button.tap()
    expect(ash.locator("#said")).to_contain_text("This now costs 1 Stamina, not 3. Nothing was spent.")
    assert stamina(ash) == "10"


def test_a_link_that_is_revoked_says_so_and_stops(evening: Evening, phone: NewContext) -> None:
    given = evening.player("Mia", "Ash")
    page = evening.open(phone(), given)
    evening.revoke(given)
    expect(page.locator("#status")).to_contain_text("your link to it is no longer valid")
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("Ask the Referee for a new one")


def test_the_check_made_elsewhere_is_there(evening: Evening, phone: NewContext) -> None:
    given = evening.player("Mia", "Ash")
    evening.send("do", do="declare_check", character="Ash", push=2, strain="holding the gate")
    page = evening.open(phone(), given)
    expect(page.locator("#bar-1")).to_contain_text("pushed with 2 Stamina for +2, holding the gate")
