"""Each field of each command: what may stand in it, and what is said of anything else."""

import re
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winded import AddCharacter, EditCharacter, Malformed, React, Rest, Side, command_from, command_from_json
from winded.rules import AnyCommand, Command, Field, command_schema, fields
from winded.rules.fields import checks

COMMANDS: dict[str, type[Command]] = {str(one.__struct_config__.tag): one for one in get_args(AnyCommand)}
FIELDS = [(do, field) for do, made in COMMANDS.items() for field in fields(made)]


AIMS: dict[str, dict[str, Any]] = {
    "resolve_check": {"check": {"push": 2, "strain": None, "target": 14}},
    "withdraw_check": {"check": {"push": 0}},
    "declare_check": {"call": 1},
    "rest": {"rests": 3},
    "edit_character": {"character": {"name": "x", "con": None, "hidden": False, "note": "x"}},
    "undo": {"act": 7},
    "redo": {"act": 7},
}
LISTS: dict[str, list[Any]] = {
    "commands": [{"do": "react", "character": "x"}],
    "without": [7],
    "instead": [{"entry": 9, "commands": []}],
}
"""What may stand in a list of anything but names."""
LONGEST = {"commands": 20, "without": 200, "instead": 50}

"""What a command was aimed at, where it is not the moment of a combat."""


def good(field: Field) -> object:
    """Something that may stand in a field."""
    match field.kind:
        case "number":
            return field.most
        case "text" | "character":
            return "d8" if field.name == "con" else "x"
        case "names":
            return ["x"]
        case "yes-no":
            return False
        case "list":
            return LISTS[field.name]
        case "moment":
            return {}
        case _:
            return field.choices[0]


def whole(do: str, but: str | None = None) -> dict[str, Any]:
    """A command with all its fields, or all but one."""
    return {"do": do} | {one.name: AIMS.get(do) or good(one) if one.kind == "moment" else good(one)
                         for one in fields(COMMANDS[do]) if one.name != but}  # fmt: skip


def bad(field: Field) -> list[object]:
    """What may not stand in a field."""
    never: list[object] = [{"a": 1}, [[]], 1.5, float("inf")]
    if field.kind == "moment":
        return [*never, [], "round 2", 2, None, {"round": -1}, {"round": "2"}, {"combats": True}, {"turn": 5},
                {"phase": "early"}, {"rests": -1}, {"rests": None}, {"act": 1.5}, {"check": 3}, {"check": {"push": -1}},
                {"check": {"roll": 3}}, {"check": None}]  # fmt: skip
    never.append({})
    if field.name != "note" or field.required:
        never.append(None)
    match field.kind:
        case "number":
            least, most = field.least, field.most
            assert least is not None
            assert most is not None
            return [*never, least - 1, most + 1, 10**30, -(10**30), True, False, "1", str(least), "", [least], 1.0]
        case "text" if field.name == "con":
            return [*never, 0, "", "d", "12", "d0", "d08", "D8", "d100", " d8", "d8 ", "d８", "d-8", "d8\n"]
        case "text" | "character":
            most = field.most
            assert most is not None
            return [
                *never, 0, True, [], ["x"], "", " ", "\t\n", "x" * (most + 1), "ä" * (most + 1), "a\x00b", "a\nb",
                "\x1b[0m",
                "a\x7fb", "a\x85b", "a\u2028b", "a\u2029b", "\u200b", "\u200d\ufe0f", "\u0301", "\ud800", "x\udfff",
            ]  # fmt: skip
        case "names":
            return [*never, "x", [], [1], ["x", None], ["x" * 41], [""], ["a\nb"], ["x"] * 201, {"x": 1}]
        case "list":
            too_long = LISTS[field.name] * (LONGEST[field.name] + 1)
            return [*never, 0, True, "x", ["x"], [None], [0], [{"do": "undo"}], [{"entry": 0}], too_long]
        case "yes-no":
            return [*never, 0, 1, "true", "false", "", [True]]
        case _:
            return [
                *never,
                0,
                True,
                "",
                "nothing",
                field.choices[0].upper(),
                f" {field.choices[0]}",
                [field.choices[0]],
            ]


def field_of(data: object) -> str:
    """The field that makes this no command."""
    with pytest.raises(Malformed) as wrong:
        command_from(data)
    told = str(wrong.value)
    assert told.endswith(".")
    assert len(told) < 700
    assert wrong.value.as_data() == {"error": "malformed", "message": told, "field": wrong.value.field}
    return wrong.value.field


@pytest.mark.parametrize("do", COMMANDS)
def test_with_every_field_right_it_is_a_command(do: str) -> None:
    command = command_from(whole(do))
    assert type(command) is COMMANDS[do]
    assert command_from_json(msgspec.json.encode(command)) == command
    assert COMMANDS[do](**{one: getattr(command, one) for one in command.__struct_fields__}) == command


@pytest.mark.parametrize(("do", "field"), FIELDS, ids=lambda value: value if isinstance(value, str) else value.name)
def test_what_may_not_stand_in_a_field_is_named_by_it(do: str, field: Field) -> None:
    for value in bad(field):
        named = field_of(whole(do) | {field.name: value})
        assert re.split(r"[.\[]", named, maxsplit=1)[0] == field.name, repr(value)


@pytest.mark.parametrize(("do", "field"), FIELDS, ids=lambda value: value if isinstance(value, str) else value.name)
def test_a_missing_field_is_named_and_said_what_it_must_be(do: str, field: Field) -> None:
    data = whole(do, but=field.name)
    if field.required or (do, field.name) == ("add_character", "con"):
        assert field_of(data) == field.name
    else:
        command_from(data)


@pytest.mark.parametrize("do", COMMANDS)
def test_an_unknown_field_is_named_by_its_first_60_characters(do: str) -> None:
    for name in ("stamin", "DO", "__class__", "", "цена", "x" * 1000, "rule"):
        assert field_of({**whole(do), name: 1}) == name[:60]


@pytest.mark.parametrize(("do", "field"), FIELDS, ids=lambda value: value if isinstance(value, str) else value.name)
def test_the_edges_of_each_field_may_stand_in_it(do: str, field: Field) -> None:
    match field.kind:
        case "number":
            edges: list[object] = [field.least, field.most]
        case "text" if field.name == "con":
            edges = ["d4", "d6", "d20", "d99"]
        case "text" | "character":
            assert field.most is not None
            edges = [
                "x",
                "x" * field.most,
                " x ",
                "é" * field.most,
                "e\u0301" * field.most,
                "👩‍👩‍👧",
                "<b>&amp;</b>",
                "{name}",
            ]
        case "choice":
            edges = [*field.choices]
        case "yes-no":
            edges = [True, False]
        case "list":
            edges = [[], LISTS[field.name] * LONGEST[field.name]]
        case "moment":
            edges = [AIMS.get(do) or {"combats": 3, "round": 2, "phase": "turns", "turn": None}]
        case _:
            edges = [["x"], ["x"] * 200]
    for value in edges:
        command_from(whole(do) | {field.name: value} | ({"side": "enemy"} if do == "add_character" else {}))


@pytest.mark.parametrize("data", [None, 3, "react", [], [{"do": "react"}], True])
def test_what_is_no_object_is_no_command(data: object) -> None:
    assert field_of(data) == ""


@pytest.mark.parametrize("do", [None, 3, "", "React", "react ", "undone", ["react"], {}, "__init__"])
def test_do_is_one_of_the_commands(do: object) -> None:
    assert field_of({"do": do, "character": "Ash"}) == "do"
    assert field_of({"character": "Ash"}) == "do"


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff", b"\xef\xbb\xbf{}", b"{'do': 'undo'}", b'{"do": "undo"} {}', b"[" * 100_000, b'"' + b"x" * 99,
     b'{"do": "react", "character": "\\ud800"}', b"NaN", b'{"do": "undo", "through": ' + b"9" * 5000 + b"}"],
)  # fmt: skip
def test_what_is_no_json_is_no_command(text: bytes) -> None:
    with pytest.raises(Malformed) as wrong:
        command_from_json(text)
    assert wrong.value.field == ""
    assert str(wrong.value).startswith("This is not JSON: ")


def test_deep_and_long_values_are_shown_cut_short() -> None:
    for value in (["x" * 10_000], [[[]]] * 500, 10**5000, {"k": "v" * 500}):
        with pytest.raises(Malformed) as wrong:
            command_from({"do": "react", "character": value})
        assert len(str(wrong.value)) < 130


def test_texts_are_trimmed_and_composed() -> None:
    assert React(" \t Zoe\u0308 \u00a0", what="  dodge ") == React("Zoë", what="dodge")
    assert AddCharacter("e\u0301" * 40, con="d8").name == "é" * 40
    with pytest.raises(Malformed) as wrong:
        React("\u0958" * 40)
    assert str(wrong.value) == "“character” has 80 characters; it must be a name of 1 to 40 characters."
    with pytest.raises(Malformed) as wrong:
        React("e\u0301" * 4000)
    assert wrong.value.field == "character"


def test_the_place_in_a_list_is_part_of_the_field_that_is_named() -> None:
    assert field_of({"do": "rest", "kind": "short", "characters": ["Ash", "", "Bo"]}) == "characters[1]"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"do": "react"}, "“character” is missing; it must be a name of 1 to 40 characters."),
        ({"do": "react", "character": 5}, "“character” must be a name of 1 to 40 characters; it is 5."),
        ({"do": "react", "character": " "}, "“character” is empty; it must be a name of 1 to 40 characters."),
        (
            {"do": "react", "character": "x" * 41},
            "“character” has 41 characters; it must be a name of 1 to 40 characters.",
        ),
        (
            {"do": "react", "character": "a\nb"},
            ("“character” contains a control character; it must be a name of 1 to 40 characters, without control "
            "characters."),
        ),
        (
            {"do": "react", "character": "\u200b"},
            "“character” contains nothing visible; it must be a name of 1 to 40 characters.",
        ),
        (
            {"do": "react", "character": "Ash", "what": ""},
            "“what” is empty; it must be a text of 1 to 200 characters.",
        ),
        (
            {"do": "react", "character": "Ash", "cost": "1"},
            "“cost” must be a whole number from 0 to 99; it is \"1\".",
        ),
        (
            {"do": "react", "character": "Ash", "stamina": 1},
            "There is no field “stamina” here. Fields here: “at”, “character”, “cost”, “what”.",
        ),
        ({"do": "start_combat", "round": 1}, "There is no field “round” here. Fields here: “at”."),
        (
            {"do": "rest", "kind": "long"},
            "“kind” must be one of “short”, “unsafe_long”, “safe_long”, “respite”; it is \"long\".",
        ),
        (
            {"do": "rest", "kind": "short", "characters": ["Ash", 7]},
            "“characters[1]” must be a name of 1 to 40 characters; it is 7.",
        ),
        (
            {"do": "rest", "kind": "short", "characters": []},
            "“characters” must be a list of 1 to 200 entries, each a name of 1 to 40 characters; it is [].",
        ),
        (
            {"do": "edit_character", "character": "Ash", "hidden": "no"},
            "“hidden” must be true or false; it is \"no\".",
        ),
        (
            {"do": "adjust", "character": "Ash", "by": 100, "reason": "x"},
            "“by” must be a whole number from -99 to 99; it is 100.",
        ),
    ],
)  # fmt: skip
def test_an_error_says_what_to_do_about_it(data: dict[str, object], message: str) -> None:
    with pytest.raises(Malformed) as wrong:
        command_from(data)
    assert str(wrong.value) == message


def test_null_takes_a_note_away_and_stands_nowhere_else() -> None:
    assert command_from({"do": "edit_character", "character": "Ash", "note": None}) == EditCharacter("Ash", note=None)
    assert msgspec.json.encode(EditCharacter("Ash", note=None)) == (
        b'{"do":"edit_character","character":"Ash","note":null}'
    )
    assert msgspec.json.encode(EditCharacter("Ash")) == b'{"do":"edit_character","character":"Ash"}'


def test_python_may_say_in_python_what_json_says_in_words() -> None:
    assert AddCharacter("Wolf", side="enemy") == AddCharacter("Wolf", side=Side.ENEMY)  # type: ignore[arg-type]
    assert Rest("short", ["Ash"]) == command_from({"do": "rest", "kind": "short", "characters": ["Ash"]})  # type: ignore[arg-type]
    with pytest.raises(Malformed):
        React(5)  # type: ignore[arg-type]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
)


@given(anything, st.sampled_from(FIELDS))
def test_anything_at_all_is_a_command_or_malformed(value: object, where: tuple[str, Field]) -> None:
    do, field = where
    for data in (value, {"do": value}, whole(do) | {field.name: value}):
        try:
            command = command_from(data)
        except Malformed:
            continue
        assert command_from_json(msgspec.json.encode(command)) == command


def test_the_schema_says_what_may_be_left_out_and_knows_every_command() -> None:
    defs = command_schema()["$defs"]
    for do, made in COMMANDS.items():
        schema = defs[made.__name__]
        assert schema["properties"]["do"] == {"enum": [do]}
        assert set(schema["properties"]) == {"do"} | {field.name for field in fields(made)}
        assert schema["required"] == ["do", *(field.name for field in fields(made) if field.required)]
        assert schema["additionalProperties"] is False
        for field in fields(made):
            may_be_null = "null" in schema["properties"][field.name].get("type", [])
            assert may_be_null == ((do, field.name) == ("edit_character", "note"))


def test_the_schema_is_so_plain_that_programs_can_be_made_from_it() -> None:
    for name, schema in command_schema()["$defs"].items():
        assert schema.keys() <= {
            "title",
            "description",
            "type",
            "properties",
            "required",
            "additionalProperties",
            "enum",
        }
        for field, kind in schema.get("properties", {}).items():
            assert ("type" in kind) + ("$ref" in kind) + ("enum" in kind) == 1, (name, field)
            assert not {"anyOf", "oneOf", "not", "const"} & kind.keys(), (name, field)
            assert True not in kind.get("enum", []), (name, field)
    assert (
        "Only an enemy may do without" in command_schema()["$defs"]["AddCharacter"]["properties"]["con"]["description"]
    )


def test_what_is_read_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[object] = []
    monkeypatch.setattr(checks, "check_fields", checked.append)
    assert command_from(whole("react")) == command_from_json(msgspec.json.encode(whole("react")))
    assert checked == []
    made = React("Ash")
    assert checked == [made]


def test_what_is_decoded_is_taken_as_it_was_written() -> None:
    long = "x" * 201
    assert msgspec.convert({"do": "react", "character": "Ash", "what": long}, AnyCommand).what == long
    with pytest.raises(Malformed):
        command_from({"do": "react", "character": "Ash", "what": long})
