"""A whole round at a table, by a client that openapi-python-client makes of the description alone."""

import json
import sys
from typing import TypeVar

from winded_client import AuthenticatedClient, Client
from winded_client.api.acting import play as commands
from winded_client.api.links import give_link, join
from winded_client.api.reading import see_journal, see_options, see_state
from winded_client.api.tables import begin_table
from winded_client.models import (
    Accepted,
    ActEarly,
    BeginTurns,
    CharacterOptions,
    DeclareCheck,
    Joining,
    JournalSeen,
    LinkGiven,
    NewCharacter,
    NewLink,
    NewLinkRole,
    NewTable,
    NextTurn,
    PlayerJoined,
    React,
    RefusedError,
    ResolveCheck,
    Side,
    StartCombat,
    State,
    TableMade,
)

Kind = TypeVar("Kind")
address = sys.argv[1]


def sure(answer: object, kind: type[Kind]) -> Kind:
    assert isinstance(answer, kind), answer
    return answer


anyone = Client(base_url=address)
people = [NewCharacter(name="Ash", con="d12"), NewCharacter(name="Wolf", side=Side.ENEMY, con="d6")]
begun = sure(begin_table.sync(client=anyone, body=NewTable(name="The Gate", characters=people)), TableMade)
table = begun.id
referee = AuthenticatedClient(base_url=address, token=begun.token)
invitation = sure(give_link.sync(table, client=referee, body=NewLink(role=NewLinkRole.INVITATION)), LinkGiven)
joining = Joining(name="Pip", invitation=invitation.token, character="Ash")
player = AuthenticatedClient(base_url=address, token=sure(join.sync(client=anyone, body=joining), PlayerJoined).token)

sure(commands.sync(table, client=referee, body=StartCombat(do="start_combat")), Accepted)
early = sure(commands.sync(table, client=player, body=ActEarly(do="act_early", character="Ash", cost=1)), Accepted)
assert early.accepted is True
assert [event.event for event in early.events] == ["acted_early"]
sure(commands.sync(table, client=referee, body=BeginTurns(do="begin_turns")), Accepted)
sure(commands.sync(table, client=referee, body=NextTurn(do="next_turn")), Accepted)
check = DeclareCheck(do="declare_check", character="Ash", push=2, strain="holding the gate", target=14)
sure(commands.sync(table, client=player, body=check), Accepted)
sure(commands.sync(table, client=player, body=ResolveCheck(do="resolve_check", character="Ash", roll=12)), Accepted)
sure(commands.sync(table, client=referee, body=NextTurn(do="next_turn")), Accepted)

offered = sure(see_options.sync(table, client=player, character="Ash"), CharacterOptions)
(react,) = (option.command for option in offered.options if isinstance(option.command, React))
sure(commands.sync(table, client=player, body=react), Accepted)
again = commands.sync(table, client=player, body=React(do="react", character="Ash", cost=1))
assert sure(again, RefusedError).rule == "cost-changed"

state = sure(see_state.sync(table, client=referee), State)
history = sure(see_journal.sync(table, client=player), JournalSeen)
ash = state.characters["Ash"]
print(
    json.dumps(
        {
            "stamina": ash.stamina,
            "reaction": ash.reaction_cost,
            "turn": state.combat and state.combat.turn,
            "last": [line.rule for line in history.entries[-1].told],
        }
    )
)
