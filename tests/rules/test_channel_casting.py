"""channel.needs-stamina: Channel Casting, for as much as the caster states."""

import pytest

from tests.rules.builders import brakka, events, refused, said
from winded import Channel, Malformed, Ruleset
from winded.rules.channel_casting import Channelled


def test_channel_needs_stamina_as_much_as_the_caster_states() -> None:
    assert events(brakka(), Channel("Brakka", 4)) == (Channelled("Brakka", 4, 8),)
    assert events(brakka(), Channel("Brakka", 12, "a ward")) == (Channelled("Brakka", 12, 0, "a ward"),)
    assert said(brakka(), Channel("Brakka", 4)) == ["Brakka uses Channel Casting: 4 Stamina, 8 left."]
    assert said(brakka(), Channel("Brakka", 4, "a ward")) == [
        "Brakka uses Channel Casting (a ward): 4 Stamina, 8 left."
    ]


def test_channel_needs_stamina_1_or_more() -> None:
    for none in (0, -1):
        with pytest.raises(Malformed) as wrong:
            Channel("Brakka", none)
        assert wrong.value.field == "stamina"


def test_channel_needs_stamina_some_but_too_little() -> None:
    no = refused(brakka(stamina=3), Channel("Brakka", 4))
    assert (no.rule, no.needs, no.has) == ("channel.needs-stamina", 4, 3)


def test_house_without_it() -> None:
    no = refused(brakka(rules=Ruleset(spends=())), Channel("Brakka", 1))
    assert str(no) == "The rules at this table leave out Channel Casting."
