"""People of one name are told apart wherever the Referee must know who is meant."""

from winded.roles import Company, Join, Leave, Role
from winded.rules import Table


def company(*joining: tuple[str, str, Role]) -> Company:
    found = Company()
    for member, name, role in joining:
        found = after(found, Join(member, name, role))
    return found


def after(company: Company, command: Join | Leave) -> Company:
    for event in command.decide(company, Table(), "", 1):
        company = event.evolve(company)  # type: ignore[union-attr,arg-type,assignment]
    return company


def called(company: Company) -> list[str]:
    return [company.called(one) for one in company.members.values()]


def test_people_of_one_name_are_counted_in_the_order_in_which_they_joined() -> None:
    found = company(("a", "Ash", Role.PLAYER), ("b", "Mia", Role.PLAYER), ("c", "ASH", Role.PLAYER))
    assert called(found) == ["Ash (1)", "Mia", "ASH (2)"]
    assert [found.which(one) for one in found.members.values()] == [1, 0, 2]


def test_whoever_is_left_with_a_name_has_it_alone() -> None:
    found = company(("a", "Ash", Role.PLAYER), ("b", "Ash", Role.PLAYER))
    assert called(after(found, Leave("a"))) == ["Ash"]


def test_a_player_and_a_spectator_of_one_name_are_not_taken_for_each_other() -> None:
    assert called(company(("a", "Ash", Role.PLAYER), ("b", "Ash", Role.SPECTATOR))) == ["Ash", "Ash"]
