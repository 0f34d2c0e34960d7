"""A sketch of what is ahead, once the Referee lets everyone see it."""

from winded.roles import COMPANY_COMMANDS, Company, Freedom, Member, Role, ShareSketch, SketchShared, authorise
from winded.rules import Table

LINE = "fight The mill rounds=3"


def test_a_sketch_is_shared_and_taken_back_and_the_same_again_changes_nothing() -> None:
    (shared,) = ShareSketch(LINE).decide(Company(), Table(), "ref", 1)
    assert isinstance(shared, SketchShared)
    company = shared.evolve(Company())
    assert company.sketch == LINE
    assert ShareSketch(LINE).decide(company, Table(), "ref", 2) == ()
    (gone,) = ShareSketch().decide(company, Table(), "ref", 2)
    assert isinstance(gone, SketchShared)
    assert gone.evolve(company).sketch is None
    assert str(shared.tell()) == "The Referee shows everyone what is ahead."
    assert str(gone.tell()) == "The Referee no longer shows what is ahead."


def test_players_hear_that_it_is_shown_and_never_its_words() -> None:
    assert SketchShared(True, LINE).without_secrets() == SketchShared(True)


def test_sharing_is_the_referees_alone() -> None:
    assert not COMPANY_COMMANDS["share_sketch"].is_for_players(ShareSketch(LINE), Member("m", "Mia", Role.PLAYER))
    referee = Member("ref", "Ann", Role.REFEREE)
    company = Company({"ref": referee})
    assert authorise(company, Table(), referee, ShareSketch(LINE)) is Freedom.FREE
