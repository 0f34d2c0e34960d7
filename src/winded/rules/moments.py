"""What there is to decide at this moment, in one sentence, under the rules in force."""

from __future__ import annotations

from winded.rules.acting_early import ACTING_EARLY, ActEarly
from winded.rules.checks import PUSHES
from winded.rules.command import dry_run
from winded.rules.reactions import REACTIONS, React
from winded.rules.table import ENEMY, Character, Combat, Table, is_aside
from winded.sentence import Sentence, sentence, sentences


def moment_told(table: Table, character: Character | None = None) -> Sentence:
    """What everyone may decide now; for a character of the party, what its player may, said to that player."""
    combat = table.combat
    if character is not None and character.aside:
        return is_aside(character.name).sentence
    if combat is None:
        return _out_of_combat(table)
    if combat.phase == "declare":
        return _declaring(table) if character is None else _declaring_to(table, character)
    if combat.turn is None:
        return _before_the_first_turn(table, combat, character)
    return _during_a_turn(table, combat.turn, character)


def _out_of_combat(table: Table) -> Sentence:
    if not any(table.taking_part()):
        return sentence("Nobody is at this table yet.")
    if table.ruleset.leaves_out(PUSHES.word):
        return sentence("Out of combat: a rest gives Stamina back.")
    return sentence("Out of combat: Checks can be pushed, and a rest gives Stamina back.")


def _declaring(table: Table) -> Sentence:
    ruleset = table.ruleset
    if ruleset.leaves_out(ACTING_EARLY.word):
        return sentence("House rules: nobody acts early, so everyone acts after the enemy.")
    if not ruleset.early.cost:
        return sentence("Everyone may now choose to act before the enemy, at no cost.")
    return sentence("Everyone may now pay {cost} Stamina to act before the enemy.", cost=ruleset.early.cost)


def _declaring_to(table: Table, character: Character) -> Sentence:
    if character.acts_early:
        return sentence("You act before the enemy this round.")
    early = table.ruleset.early
    refused = dry_run(table, ActEarly(character.name), character.stamina, early.cost).refused
    if refused is None:
        if not early.cost:
            return sentence("Choose now to act before the enemy, or act after.")
        return sentence("Pay {cost} Stamina now to act before the enemy, or keep it and act after.", cost=early.cost)
    if refused.needs is not None:
        return sentence(
            "Acting early costs {cost} Stamina and you have {has}, so you act after the enemy.",
            cost=early.cost,
            has=character.stamina,
        )
    if refused.rule == "early.cost":
        return sentence("You cannot act early again in this combat, so you act after the enemy.")
    return _declaring(table)


def _before_the_first_turn(table: Table, combat: Combat, character: Character | None) -> Sentence:
    if not combat.order:
        return sentence("Nobody is left to act this round.")
    first = combat.order[0]
    if character is not None and first == character.name:
        return sentence("You go first, once the Referee starts your turn.")
    if first == ENEMY and first not in table.characters:
        return sentence("The enemy goes first, once the Referee starts its turn.")
    return sentence("{name} goes first, once the Referee starts the turn.", name=first)


def _during_a_turn(table: Table, turn: str, character: Character | None) -> Sentence:
    ruleset = table.ruleset
    own = character is not None and turn == character.name
    is_enemy = turn not in table.characters
    if ruleset.leaves_out(REACTIONS.word):
        if own:
            return sentence("It's your turn.")
        return sentence("It's the enemy's turn.") if is_enemy else sentence("It's {name}'s turn.", name=turn)
    if character is None:
        if is_enemy:
            return sentence("It's the enemy's turn. Anyone may react to danger.")
        return sentence("It's {name}'s turn. Everyone else may react to danger.", name=turn)
    if own:
        return sentence("It's your turn. You can react again when it ends.")
    cost = ruleset.reactions.cost(character.reactions)
    facts = {"name": turn, "cost": cost, "has": character.stamina}
    if dry_run(table, React(character.name), character.stamina, cost).refused is not None:
        if is_enemy:
            return sentence("It's the enemy's turn. Reacting would cost {cost} Stamina; you have {has}.", **facts)
        return sentence("It's {name}'s turn. Reacting would cost {cost} Stamina; you have {has}.", **facts)
    if is_enemy:
        return sentence("It's the enemy's turn. You may react to danger for {cost} Stamina.", **facts)
    return sentence("It's {name}'s turn. You may react to danger for {cost} Stamina.", **facts)


def when_it_comes(table: Table, character: Character) -> Sentence | None:
    """When this character's turn comes: how many act before it."""
    combat = table.combat
    if combat is None:
        return None
    if combat.phase == "declare":
        return sentence("Acts before the enemy") if character.acts_early else sentence("Acts after the enemy")
    if combat.turn == character.name:
        return sentence("Your turn")
    if character.name in combat.to_come:
        before = combat.to_come.index(character.name) + (combat.turn is not None)
        if before == 0:
            return sentence("You go first")
        if before == 1 and combat.turn is not None:
            return sentence("Your turn is next")
        return sentences("{n} acts before you", "{n} act before you", before)
    return sentence("You have acted this round")


def standing_told(table: Table, character: Character) -> tuple[Sentence, ...]:
    """How a character stands: the Stamina, what the next reaction costs in combat, and when the turn comes."""
    facts = {"name": character.name, "stamina": character.stamina, "maximum": character.maximum}
    if character.aside:
        return (sentence("{name} is set aside, with {stamina} of {maximum} Stamina.", **facts),)
    has = sentence("{name} has {stamina} of {maximum} Stamina.", **facts)
    if table.combat is None:
        return (has,)
    if not table.ruleset.leaves_out(REACTIONS.word):
        cost = table.ruleset.reactions.cost(character.reactions)
        has = sentence("{name} has {stamina} of {maximum} Stamina; the next reaction costs {cost}.", **facts, cost=cost)
    when = when_it_comes(table, character)
    return (has,) if when is None else (has, sentence("{when}.", when=when))


def party_told(table: Table) -> tuple[Sentence, ...]:
    """How everyone of the party who takes part stands, and whose turn it is."""
    each = tuple(standing_told(table, one)[0] for one in table.taking_part())
    return (*each, moment_told(table))
