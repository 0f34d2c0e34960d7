"""The page's figures and house rules: what each setting changes, and what is wrong with a file that is none."""

import copy
import pickle

import msgspec
import pytest

from winded import PAGE, Malformed, RestKind, Ruleset, ruleset_from_toml
from winded.rules import RULES, SPENDINGS, Rule, ruleset_from, ruleset_schema
from winded.rules.ruleset import Early, Pushes, Reactions, Rests

WORDS = [one.word for one in SPENDINGS]

HOUSE = """
name = "Sunday table"
below_lowest = "zero"
spends = ["react", "act_early"]
[dice]
d4 = 4
d20 = 20
[early]
cost = 2
limit = 3
[reactions]
costs = [1, 1, 2]
further = 2
resets = "round"
[push]
bonus = 2
[rest]
short = "1/4"
unsafe_long = 3
safe_long = "all"
respite = "all"
rounding = "nearest"
minimum = 0
"""


def test_the_page() -> None:
    assert Ruleset() == PAGE
    assert PAGE.dice == {"d6": 6, "d8": 8, "d10": 10, "d12": 12}
    assert PAGE.ladder == ("d6", "d8", "d10", "d12")
    assert (PAGE.early, PAGE.push) == (Early(cost=1, limit=None), Pushes(bonus=1))
    assert PAGE.reactions == Reactions(costs=(1,), further=1, resets="own-turn")
    assert PAGE.rest == Rests(1, "1/3", "2/3", "all", "down", 1)
    assert (PAGE.below_lowest, PAGE.spends) == ("stay", None)
    assert (PAGE.own_order, PAGE.enemies) == (False, "each")


def test_house_rules_from_a_file() -> None:
    assert ruleset_from_toml(HOUSE) == Ruleset(
        name="Sunday table",
        dice={"d4": 4, "d20": 20},
        early=Early(2, 3),
        reactions=Reactions((1, 1, 2), 2, "round"),
        push=Pushes(2),
        rest=Rests("1/4", 3, "all", "all", "nearest", 0),
        below_lowest="zero",
        spends=("act_early", "react"),
    )


def test_an_empty_file_is_the_page_and_one_without_a_name_is_not() -> None:
    assert ruleset_from_toml("") == PAGE
    assert ruleset_from_toml("[early]\ncost = 1") == PAGE
    assert ruleset_from_toml("[early]\ncost = 2").name == "House rules"


def test_rulesets_are_values() -> None:
    house, same = ruleset_from_toml(HOUSE), ruleset_from_toml(HOUSE)
    assert house == same
    assert hash(house) == hash(same)
    assert house != PAGE
    for other in (pickle.loads(pickle.dumps(house)), copy.deepcopy(house)):
        assert other == house
        assert other.ladder == house.ladder
    assert msgspec.json.decode(msgspec.json.encode(house), type=Ruleset) == house
    assert ruleset_from({"spends": ["push", "react", "push"]}) == ruleset_from({"spends": ["react", "push"]})
    assert ruleset_from({"spends": [*reversed(WORDS)]}) == PAGE


WRONG = [
    ("dice = 3", "dice", "“dice” must be a table of 1 to 20 entries; it is 3."),
    ("[dice]", "dice", "“dice” must be a table of 1 to 20 entries; it is {}."),
    ("[dice]\nd0 = 3", "dice.d0", '“dice.d0” must be a CON Ability Die such as “d10”; it is "d0".'),
    ("[dice]\nD6 = 3", "dice.D6", '“dice.D6” must be a CON Ability Die such as “d10”; it is "D6".'),
    ("[dice]\nd100 = 3", "dice.d100", '“dice.d100” must be a CON Ability Die such as “d10”; it is "d100".'),
    ("[dice]\nd6 = 0", "dice.d6", "“dice.d6” must be a whole number from 1 to 99; it is 0."),
    ("[dice]\nd6 = 9\nd8 = 8", "dice.d8", "“dice.d8” must be no less than the 9 of the smaller die d6; it is 8."),
    ("[early]\ncost = -1", "early.cost", "“early.cost” must be a whole number from 0 to 99; it is -1."),
    ("[early]\ncost = 1.0", "early.cost", "“early.cost” must be a whole number from 0 to 99; it is 1.0."),
    ("[early]\ncost = nan", "early.cost", "“early.cost” must be a whole number from 0 to 99; it is nan."),
    ("[early]\ncost = true", "early.cost", "“early.cost” must be a whole number from 0 to 99; it is true."),
    ("[early]\nlimit = 0", "early.limit", "“early.limit” must be a whole number from 1 to 99; it is 0."),
    (
        "[reactions]\ncosts = []",
        "reactions.costs",
        "“reactions.costs” must be a list of 1 to 20 entries, each a whole number from 0 to 99; it is [].",
    ),
    (
        "[reactions]\ncosts = [1, 'two']",
        "reactions.costs[1]",
        '“reactions.costs[1]” must be a whole number from 0 to 99; it is "two".',
    ),
    ("[reactions]\nfurther = '1'", "reactions.further", None),
    (
        "[reactions]\nresets = 'combat'",
        "reactions.resets",
        '“reactions.resets” must be one of “never”, “own-turn”, “round”; it is "combat".',
    ),
    ("[push]\nbonus = 0", "push.bonus", "“push.bonus” must be a whole number from 1 to 99; it is 0."),
    (
        "[rest]\nshort = '1/0'",
        "rest.short",
        (
            "“rest.short” must be a whole number from 0 to 99, a share of the maximum such as “1/3”, or “all”; "
            'it is "1/0".'
        ),
    ),
    ("[rest]\nshort = '4/3'", "rest.short", None),
    ("[rest]\nshort = 'none'", "rest.short", None),
    ("[rest]\nshort = 0.5", "rest.short", None),
    ("[rest]\nshort = -1", "rest.short", None),
    ("[rest]\nshort = 2024-01-01", "rest.short", None),
    (
        "[rest]\nrounding = 'off'",
        "rest.rounding",
        '“rest.rounding” must be one of “down”, “nearest”, “up”; it is "off".',
    ),
    ("[rest]\nminimum = 100", "rest.minimum", None),
    (
        "[rest]\nlong = 1",
        "rest.long",
        (
            "There is no field “rest.long” here. Fields here: “minimum”, “respite”, “rounding”, “safe_long”, "
            "“short”, “unsafe_long”."
        ),
    ),
    ("below_lowest = 'die'", "below_lowest", '“below_lowest” must be one of “refuse”, “stay”, “zero”; it is "die".'),
    ("spends = ['sleep']", "spends[0]", None),
    ("spends = 'push'", "spends", None),
    ("name = ''", "name", "“name” is empty; it must be a name of 1 to 40 characters."),
    ("stamina = 3", "stamina", None),
    ("early = 1", "early", "“early” must be a table of its own; it is 1."),
]


@pytest.mark.parametrize(("text", "field", "message"), WRONG)
def test_a_wrong_file_names_key_value_and_what_is_allowed(text: str, field: str, message: str | None) -> None:
    with pytest.raises(Malformed) as wrong:
        ruleset_from_toml(text)
    assert wrong.value.field == field
    told = str(wrong.value)
    assert field in told
    if message is not None:
        assert told == message


@pytest.mark.parametrize("text", ["=", "[early]\ncost = ", "[early]\n[early]", "cost"])
def test_what_is_no_toml_says_where(text: str) -> None:
    with pytest.raises(Malformed) as wrong:
        ruleset_from_toml(text)
    assert wrong.value.field == ""
    assert str(wrong.value).startswith("The house rules are not TOML: ")


@pytest.mark.parametrize("data", [None, 3, [], "page"])
def test_what_is_no_table_of_settings(data: object) -> None:
    with pytest.raises(Malformed, match="House rules are a table of settings; this is "):
        ruleset_from(data)


def test_the_schema_has_every_setting() -> None:
    schema = ruleset_schema()
    assert set(schema["$defs"]["Ruleset"]["properties"]) == set(Ruleset.__struct_fields__)
    assert all(one["additionalProperties"] is False for one in schema["$defs"].values() if one.get("type") == "object")
    msgspec.json.encode(schema)


SETTINGS = {
    "dice": Ruleset(dice={"d6": 6, "d8": 8, "d10": 10, "d12": 13}),
    "early.cost": Ruleset(early=Early(cost=2)),
    "early.limit": Ruleset(early=Early(limit=1)),
    "reactions.costs": Ruleset(reactions=Reactions(costs=(2,))),
    "reactions.further": Ruleset(reactions=Reactions(further=2)),
    "reactions.resets": Ruleset(reactions=Reactions(resets="round")),
    "push.bonus": Ruleset(push=Pushes(bonus=2)),
    "rest.short": Ruleset(rest=Rests(short=2)),
    "rest.unsafe_long": Ruleset(rest=Rests(unsafe_long="1/2")),
    "rest.safe_long": Ruleset(rest=Rests(safe_long="all")),
    "rest.respite": Ruleset(rest=Rests(respite=5)),
    "rest.rounding": Ruleset(rest=Rests(rounding="up")),
    "rest.minimum": Ruleset(rest=Rests(minimum=2)),
    "below_lowest": Ruleset(below_lowest="zero"),
    "own_order": Ruleset(own_order=True),
    "enemies": Ruleset(enemies="together"),
    **{f"spends.{word}": Ruleset(spends=tuple({*WORDS} - {word})) for word in WORDS},
}


@pytest.mark.parametrize("path", SETTINGS)
def test_each_setting_is_a_house_rule_of_its_own(path: str) -> None:
    house = SETTINGS[path]
    assert not PAGE.is_house_rule(path)
    assert [one for one in SETTINGS if house.is_house_rule(one)] == [path]


@pytest.mark.parametrize("path", [path for path in SETTINGS if not path.startswith("spends.")])
def test_each_setting_changes_what_its_rule_says(path: str) -> None:
    def told(rules: Ruleset) -> list[str]:
        return [str(rule.told(rules)) for rule in RULES if path in rule.settings]

    assert told(PAGE)
    assert told(SETTINGS[path]) != told(PAGE)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_is_told_in_a_whole_sentence_under_any_rules(rule: Rule) -> None:
    for rules in (PAGE, ruleset_from_toml(HOUSE), *SETTINGS.values()):
        told = str(rule.told(rules))
        assert told.endswith(".")
        assert "{" not in told
    for path in rule.settings:
        assert path in SETTINGS


@pytest.mark.parametrize("word", WORDS)
def test_each_way_of_spending_may_be_left_out(word: str) -> None:
    house = Ruleset(spends=tuple({*WORDS} - {word}))
    assert [one for one in WORDS if house.leaves_out(one)] == [word]
    gone = [rule.id for rule in RULES if not rule.is_in_force(house)]
    assert gone
    assert all(f"spends.{word}" in rule.settings for rule in RULES if rule.id in gone)


OF_A_WAY_TO_SPEND = {
    "act_early": {"early.cost", "early.before", "ruling.no-refund"},
    "react": {
        "reaction.combat", "reaction.outside-turn", "reaction.cost", "reaction.reset", "reaction.needs-stamina",
        "ruling.reaction-window",
    },
    "push": {
        "push.before-roll", "push.bonus", "push.lost", "push.checks-only", "push.strain", "push.fiction",
        "ruling.withdraw",
    },
    "resist": {"hardship.spend"},
    "ability": {"ability.spend"},
    "channel": {"channel.needs-stamina"},
}  # fmt: skip


def not_in_force(house: Ruleset) -> set[str]:
    """The rules that there are none of by these house rules, each told so, and as a house rule."""
    gone = {rule for rule in RULES if not rule.is_in_force(house)}
    assert all(rule.is_house_rule(house) for rule in gone)
    assert {str(rule.says(house)) for rule in gone} <= {"The house rules leave this out."}
    return {rule.id for rule in gone}


@pytest.mark.parametrize("word", WORDS)
def test_the_rules_of_a_way_to_spend_are_in_force_only_with_it(word: str) -> None:
    assert not_in_force(Ruleset(spends=tuple({*WORDS} - {word}))) == OF_A_WAY_TO_SPEND[word]
    others = set().union(*(ids for other, ids in OF_A_WAY_TO_SPEND.items() if other != word))
    assert not_in_force(Ruleset(spends=(word,))) == others


@pytest.mark.parametrize("resets", ["round", "never"])
def test_ruling_reaction_window_is_in_force_only_where_the_cost_goes_back_on_ones_own_turn(resets: str) -> None:
    house = ruleset_from({"reactions": {"resets": resets}})
    assert not_in_force(house) == {"ruling.reaction-window"}
    assert not_in_force(PAGE) == set()


def test_reactions_that_cost_no_more_than_the_last_are_told_so() -> None:
    told = {rule.id: str(rule.says(ruleset_from({"reactions": {"costs": [0, 2], "further": 0}}))) for rule in RULES}
    assert told["reaction.cost"] == "Reactions cost 0, 2, 2 Stamina in turn, each further one as much as the last."


@pytest.mark.parametrize(("kind", "thirds"), [(RestKind.UNSAFE_LONG, 1), (RestKind.SAFE_LONG, 2)])
def test_a_share_is_rounded_as_the_house_says(kind: RestKind, thirds: int) -> None:
    for maximum in range(100):
        down, up, nearest = Rests(minimum=0), Rests(rounding="up", minimum=0), Rests(rounding="nearest", minimum=0)
        assert down.offered(kind, maximum) == maximum * thirds // 3
        assert up.offered(kind, maximum) == (maximum * thirds + 2) // 3
        assert nearest.offered(kind, maximum) == (maximum * thirds + 1) // 3
        assert Rests().offered(kind, maximum) == max(1, maximum * thirds // 3)


def test_rules_of_the_same_figures_are_the_same() -> None:
    assert Ruleset() == PAGE
    assert not Ruleset() != PAGE  # noqa: SIM202 - the two are two methods
    assert Ruleset(early=Early(cost=2)) != PAGE
