"""Every refusal there is: its rule, its figures, and the very sentence that people read."""

import ast
from pathlib import Path

import pytest

import winded.rules
from tests.rules.builders import brakka, company, fighting, refused, taking_turns, with_wolf
from winded import (
    ActEarly,
    AddAbility,
    AddCharacter,
    Adjust,
    BeginTurns,
    BringBack,
    CallCheck,
    Channel,
    CloseCall,
    Correct,
    DeclareCheck,
    EditCharacter,
    EndCombat,
    Hardship,
    NextTurn,
    React,
    RecoverWound,
    Redo,
    RemoveAbility,
    Reorder,
    Resist,
    ResolveCheck,
    Rest,
    RestKind,
    Ruleset,
    SetAside,
    Side,
    StartCombat,
    Table,
    TakeWound,
    Undo,
    UseAbility,
    Wait,
    WithdrawCheck,
)
from winded.rules import AtCall, AtCharacter, AtCheck, AtMoment, AtRests, Command, TheCharacter, TheCheck
from winded.rules.ruleset import Early

OPEN = brakka().do(DeclareCheck("Brakka"))
EMPTY = fighting(brakka(stamina=0))
WEARY = brakka(stamina=1)
ABLE = brakka(stamina=1).do(AddAbility("Brakka", "Shield Wall", cost=3))
HURT = brakka().do(TakeWound("Brakka", "cracked ribs"))
EARLY = fighting(brakka()).do(ActEarly("Brakka"))
ONCE = brakka(rules=Ruleset(early=Early(limit=1)))
NOTHING = brakka(rules=Ruleset(spends=())).do(AddAbility("Brakka", "Shield Wall", cost=3))
FIRM = brakka("d8", rules=Ruleset(below_lowest="refuse"))
CALLED = brakka().do(CallCheck(target=9, pushable=False))
AWAY = brakka().do(SetAside("Brakka"))
BEAST = with_wolf(Table(), con=None)
OURS = company(Ruleset(own_order=True))
ROUND = [ActEarly("Brakka"), BeginTurns(), NextTurn(), NextTurn(), NextTurn()]

REFUSALS: list[tuple[Table, Command, str, int | None, int | None, str]] = [
    # Who and what is not there.
    (brakka(), React("Nobody"), "not-found", None, None, "There is nobody called Nobody at this table."),
    (brakka(), RecoverWound("brakka", "Ribs"), "not-found", None, None, "Brakka has no Wound called Ribs."),
    (brakka(), UseAbility("#1", "Sprint"), "not-found", None, None, "Brakka has no ability called Sprint."),
    (brakka(), RemoveAbility("#1", "Sprint"), "not-found", None, None, "Brakka has no ability called Sprint."),
    # Names that are taken.
    (
        brakka(), AddCharacter("BRAKKA", con="d8"), "duplicate", None, None,
        "The name BRAKKA is taken at this table.",
    ),
    (OPEN, EditCharacter("Brakka", name="enemy"), "duplicate", None, None, "The name enemy is taken at this table."),
    (
        brakka(), AddCharacter("#7", con="d8"), "duplicate", None, None,
        "#7 is written like an id: please choose another name.",
    ),
    (
        HURT, TakeWound("Brakka", "Cracked Ribs"), "duplicate", None, None,
        "Brakka already has a Wound called Cracked Ribs.",
    ),
    (
        ABLE, AddAbility("Brakka", "shield wall", cost=1), "duplicate", None, None,
        "Brakka already has an ability called shield wall.",
    ),
    # What such a one cannot have, and what the house leaves out.
    (
        BEAST, TakeWound("Wolf", "arrow"), "not-allowed", None, None,
        "Wolf has no CON Ability Die, so no CON Wound can reduce it.",
    ),
    (
        Table(), AddCharacter("Ash", con="d8", hidden=True), "not-allowed", None, None,
        "Ash is not an enemy; only enemies can be hidden.",
    ),
    (
        brakka(), EditCharacter("Brakka", hidden=True), "not-allowed", None, None,
        "Brakka is not an enemy; only enemies can be hidden.",
    ),
    (
        NOTHING, ActEarly("Brakka"), "not-allowed", None, None,
        "The rules at this table leave out acting early.",
    ),
    (NOTHING, React("Brakka"), "not-allowed", None, None, "The rules at this table leave out reactions."),
    (
        NOTHING, DeclareCheck("Brakka", push=1), "not-allowed", None, None,
        "The rules at this table leave out pushing Checks.",
    ),
    (
        NOTHING, Resist("Brakka", 1, Hardship.PAIN), "not-allowed", None, None,
        "The rules at this table leave out resisting hardship.",
    ),
    (
        NOTHING, UseAbility("Brakka", "Shield Wall"), "not-allowed", None, None,
        "The rules at this table leave out class abilities.",
    ),
    (
        NOTHING, Channel("Brakka", 1), "not-allowed", None, None,
        "The rules at this table leave out Channel Casting.",
    ),
    # The wrong moment.
    (
        AWAY, Resist("Brakka", 1, Hardship.PAIN), "ruling.aside", None, None,
        "Brakka is set aside and takes part in nothing until brought back.",
    ),
    (
        OPEN, SetAside("Brakka"), "push.before-roll", None, None,
        "Brakka has an open Check: roll it or withdraw it first.",
    ),
    (
        brakka(), EditCharacter("Brakka", con="d8", at=AtCharacter(TheCharacter(con="d10"))), "not-now", None, None,
        "Somebody else has changed the CON Ability Die of Brakka since you opened this. Your change was not saved.",
    ),
    (
        CALLED, DeclareCheck("Brakka", push=1), "push.strain", None, None,
        "Brakka cannot push this Check: the Referee sees no strain or danger in it.",
    ),
    (
        CALLED, DeclareCheck("Brakka", target=8), "not-now", None, None,
        "The Referee has called Brakka for a Check and sets its target.",
    ),
    (
        CALLED, DeclareCheck("Brakka", at=AtCall(None)), "not-now", None, None,
        "Brakka has been called for another Check since. Nothing has changed.",
    ),
    (
        brakka(), DeclareCheck("Brakka", at=AtCall(1)), "not-now", None, None,
        "Brakka is no longer called for the Check that this was meant for.",
    ),
    (
        CALLED, CallCheck(), "not-now", None, None,
        "A call for a Check is still open: close it first, or let everyone roll.",
    ),
    (Table(), CallCheck(), "not-now", None, None, "There is nobody to call for a Check."),
    (brakka(), CloseCall(), "not-now", None, None, "There is no open call for a Check."),
    (
        CALLED.do(DeclareCheck("Brakka")), CloseCall(), "not-now", None, None,
        "Everyone called has declared a Check, and still has to roll or withdraw it.",
    ),
    (AWAY, SetAside("Brakka"), "not-now", None, None, "Brakka is already set aside."),
    (brakka(), BringBack("Brakka"), "not-now", None, None, "Brakka is not set aside."),
    (
        taking_turns(company()), Wait("Ash"), "not-allowed", None, None,
        "At this table the seats and the Referee decide who goes first.",
    ),
    (
        taking_turns(with_wolf(OURS)), Wait("Wolf"), "not-now", None, None,
        "Wolf is an enemy; only the party can change its own order.",
    ),
    (
        fighting(OURS), Wait("Ash"), "not-now", None, None,
        "Ash can wait only once the order of the round is fixed.",
    ),
    (taking_turns(OURS, 2), Wait("Ash"), "not-now", None, None, "Ash has no turn to come in this round."),
    (
        taking_turns(OURS), Wait("Cole"), "not-now", None, None,
        "Nobody in Cole's group comes next who could go first.",
    ),
    (
        brakka(), ActEarly("Brakka"), "early.cost", None, None,
        "Brakka can choose to act early only as a round of combat begins.",
    ),
    (EARLY, ActEarly("Brakka"), "early.cost", None, None, "Brakka already acts early this round."),
    (
        fighting(ONCE).do(*ROUND), ActEarly("Brakka"), "early.cost", None, None,
        "Brakka has acted early in 1 round of this combat; the house rules allow no more.",
    ),
    (
        fighting(with_wolf(brakka())), ActEarly("Wolf"), "ruling.enemies", None, None,
        "Wolf is an enemy; only those who face the enemy can act early.",
    ),
    (brakka(), React("Brakka"), "reaction.combat", None, None, "Brakka can react only in combat."),
    (
        taking_turns(brakka(), 2), React("Brakka"), "reaction.outside-turn", None, None,
        "Brakka cannot react on their own turn.",
    ),
    (
        OPEN, DeclareCheck("Brakka"), "push.before-roll", None, None,
        "Brakka already has an open Check: roll it or withdraw it first.",
    ),
    (
        fighting(brakka()), Rest(RestKind.SHORT), "ruling.rest-in-combat", None, None,
        "Nobody can rest in combat: end the combat first.",
    ),
    (Table(), Rest(RestKind.SHORT), "not-now", None, None, "There is nobody to rest."),
    (brakka(), ResolveCheck("Brakka", 9), "not-now", None, None, "Brakka has no open Check."),
    (brakka(), WithdrawCheck("Brakka"), "not-now", None, None, "Brakka has no open Check."),
    (EARLY, StartCombat(), "not-now", None, None, "Combat is already under way, in round 1."),
    (brakka(), EndCombat(), "not-now", None, None, "There is no combat now."),
    (taking_turns(brakka()), BeginTurns(), "not-now", None, None, "The turns of round 1 have already begun."),
    (EARLY, NextTurn(), "not-now", None, None, "Round 1 is still in its declare phase: begin turns first."),
    (EARLY, Reorder(("Brakka",), "ambush"), "not-now", None, None, "Round 1 has no order yet: begin turns first."),
    (
        taking_turns(company(), 1), Reorder(("Ash",), "ambush"), "not-now", None, None,
        "The new order must hold exactly those who have not yet acted: Ash, Bryn, Cole.",
    ),
    (
        EARLY, EndCombat(AtMoment(7)), "not-now", None, None,
        "This was meant for another combat. Nothing has changed.",
    ),
    (
        EARLY, EndCombat(AtMoment(round=2)), "not-now", None, None,
        "This was meant for round 2; it is now the declare phase of round 1. Nothing has changed.",
    ),
    (
        OPEN, WithdrawCheck("Brakka", at=AtCheck(TheCheck(push=3))), "not-now", None, None,
        "This was meant for a different Check than Brakka's open one. Nothing has changed.",
    ),
    (
        brakka(), Rest(RestKind.SHORT, at=AtRests(1)), "not-now", None, None,
        "There has been another rest since you chose this. Nothing has changed.",
    ),
    (
        brakka(), EditCharacter("Brakka", note="lame", at=AtCharacter(TheCharacter(note="proud"))),
        "not-now", None, None,
        "Somebody else has changed the note of Brakka since you opened this. Your change was not saved.",
    ),
    (brakka(), Undo(), "not-now", None, None, "There is nothing to take back."),
    (brakka(), Correct(1), "not-now", None, None, "There is no history here to put right."),
    (brakka(), Redo(), "not-now", None, None, "There is nothing to redo."),
    # Another cost than was shown.
    (
        EARLY, React("Brakka", cost=2), "cost-changed", None, None,
        "This now costs 1 Stamina, not 2. Nothing was spent.",
    ),
    # Too little Stamina.
    (EMPTY, ActEarly("Brakka"), "zero.no-spending", 1, 0, "Brakka has 0 Stamina; this costs 1."),
    (EMPTY, React("Brakka"), "reaction.needs-stamina", 1, 0, "Brakka has 0 Stamina; this costs 1."),
    (brakka(stamina=0), Channel("Brakka", 4), "zero.no-spending", 4, 0, "Brakka has 0 Stamina; this costs 4."),
    (
        fighting(brakka(stamina=2)).do(React("Brakka")), React("Brakka"), "reaction.cost", 2, 1,
        "Brakka has 1 Stamina; this costs 2.",
    ),
    (WEARY, DeclareCheck("Brakka", push=3), "push.bonus", 3, 1, "Brakka has 1 Stamina; this costs 3."),
    (WEARY, Resist("Brakka", 2, Hardship.FEAR), "hardship.spend", 2, 1, "Brakka has 1 Stamina; this costs 2."),
    (ABLE, UseAbility("Brakka", "Shield Wall"), "ability.spend", 3, 1, "Brakka has 1 Stamina; this costs 3."),
    (WEARY, Channel("Brakka", 2), "channel.needs-stamina", 2, 1, "Brakka has 1 Stamina; this costs 2."),
    (
        fighting(brakka(stamina=1, rules=Ruleset(early=Early(cost=2)))), ActEarly("Brakka"), "early.cost", 2, 1,
        "Brakka has 1 Stamina; this costs 2.",
    ),
    # Figures.
    (
        Table(), AddCharacter("Ash", con="d8", stamina=9), "max.die", None, None,
        "Ash cannot begin with 9 Stamina; the maximum is 8.",
    ),
    (
        Table(), AddCharacter("Wolf", side=Side.ENEMY, stamina=1), "max.die", None, None,
        "Wolf cannot begin with 1 Stamina; the maximum is 0.",
    ),
    (
        brakka(stamina=5), Adjust("Brakka", 8, "a draught"), "ruling.by-hand", None, None,
        "Brakka has 5 of 12 Stamina; a change by +8 would go past the maximum.",
    ),
    (
        brakka(stamina=5), Adjust("Brakka", -6, "a curse"), "ruling.by-hand", None, None,
        "Brakka has 5 of 12 Stamina; a change by -6 would go past 0.",
    ),
    (
        FIRM, TakeWound("Brakka", "cracked ribs", steps=2), "ruling.below-lowest", None, None,
        "Brakka's CON Ability Die is d8; it cannot go down 2 steps more.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "command", "rule", "needs", "has", "message"),
    [pytest.param(*one, id=f"{one[2]} {one[1].__struct_config__.tag}") for one in REFUSALS],
)
def test_a_refusal(table: Table, command: Command, rule: str, needs: int | None, has: int | None, message: str) -> None:
    no = refused(table, command)
    assert (no.rule, no.needs, no.has, str(no)) == (rule, needs, has, message)
    figures = {} if needs is None else {"needs": needs, "has": has}
    assert no.refusal() == {"rule": rule, "message": message, **figures}


def sentences_of_refusal() -> set[str]:
    """Each template of a refusal in the source of the rules."""
    found = set()
    for path in Path(winded.rules.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Refused" | "RefusedTo"), args=[_, ast.Constant(str(text)), *_]):
                    found.add(text)
    return found


def test_no_refusal_is_missing_here() -> None:
    known = {refused(table, command).text for table, command, *_ in REFUSALS}
    # A table alone has no entries to take back; tests/rules/test_aim.py reads this one.
    of_history = {"This was meant for entry {meant}; it would now be entry {number}. Nothing has changed."}
    assert known | of_history == sentences_of_refusal()
