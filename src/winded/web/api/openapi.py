"""The description of the API, OpenAPI 3.1: its operations come from the framework, its types from msgspec."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from typing import Any

import msgspec
from litestar import Litestar
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, OpenAPIType, SecurityScheme
from litestar.openapi.spec import Schema as Component
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from msgspec import Struct

from winded.odds.day.schema import COMPONENTS as OF_DAYS
from winded.roles import COMPANY_COMMANDS
from winded.rules import command_schema, commands_schema, ruleset_schema
from winded.rules.fields import schema
from winded.service import AnyCommand, table_file
from winded.web.api import odds
from winded.web.api.links import Joining, NewLink
from winded.web.api.operations import COMPONENT
from winded.web.api.shapes import EntrySeen, State
from winded.web.api.tables import NewName, NewTable

Schema = dict[str, Any]

_DEFS = "#/$defs/"

_BODIES: tuple[type[Struct], ...] = (NewTable, NewName, NewLink, Joining)


class _Types(OpenAPISchemaPlugin):
    """Notes which of our types the operations answer with: msgspec describes them better than the framework."""

    def __init__(self) -> None:
        self.found: list[type[Struct]] = []

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return not field_definition.is_union and field_definition.is_subclass_of(Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Component:
        self.found.append(field_definition.annotation)
        component: Component = schema_creator.schema_registry.get_schema_for_field_definition(field_definition)
        component.type = OpenAPIType.OBJECT
        component.title = field_definition.annotation.__name__
        return component


def description_of(build: Callable[..., Litestar]) -> Schema:
    """The whole description of the API that `build` makes."""
    types = _Types()
    described = build(
        plugins=[types],
        openapi_config=OpenAPIConfig(
            title="Winded",
            version=version("winded"),
            description="Stamina at the table: tables, commands, options, state, history and live events.",
            license=License(name="MIT", identifier="MIT"),
            # The framework's own pages about the API; Winded does not serve them.
            path="/pages",
            use_handler_docstrings=True,
            operation_id_creator=lambda handler, *_: handler.handler_name,
            components=Components(
                security_schemes={
                    "token": SecurityScheme(
                        type="http",
                        scheme="bearer",
                        description="The token of a link to this table; for some operations, a Referee's.",
                    )
                }
            ),
        ),
    )
    whole: Schema = described.openapi_schema.to_schema()
    whole["components"]["schemas"] = _components(types.found)
    return whole


def _components(answered: Iterable[type[Struct]]) -> Schema:
    types = {one.__name__: one for one in answered} | odds.answer_types()
    _, found = msgspec.json.schema_components([*types.values(), EntrySeen, State], ref_template=COMPONENT)
    # Input is stricter than output: a field that may be left out may not be null instead.
    for whole in (schema(AnyCommand), ruleset_schema(), *map(schema, _BODIES), command_schema()):
        found |= _here(whole["$defs"])
    found["Command"] = _here({key: value for key, value in command_schema().items() if key != "$defs"})
    found["Commands"] = _here(commands_schema())
    found["CompanyCommand"] = _company_command(found)
    found["NewCharacter"] = _without_do(found["AddCharacter"]) | {"title": "NewCharacter"}
    found["NewTable"]["properties"]["characters"]["items"] = {"$ref": COMPONENT.format(name="NewCharacter")}
    _add_table_file(found)
    found |= OF_DAYS
    return {name: _plain(one) for name, one in sorted(found.items())}


def _here(part: Any, names: Mapping[str, str] | None = None) -> Any:
    """The same schemas with their references pointing into the components, some under other `names`."""
    match part:
        case dict():
            return {name: _here(one, names) for name, one in part.items()}
        case list() | tuple():
            return [_here(one, names) for one in part]
        case str() if part.startswith(_DEFS):
            name = part.removeprefix(_DEFS)
            return COMPONENT.format(name=(names or {}).get(name, name))
    return part


def _plain(part: Any) -> Any:
    """The same schema in a form that client generators understand.

    They would take a field with a default as always present, so the default is given in the description instead.
    """
    if isinstance(part, list):
        return [_plain(one) for one in part]
    if not isinstance(part, dict):
        return part
    plain = {name: _plain(one) for name, one in part.items()}
    words = plain.get("enum")
    if words == [True]:
        plain |= {"type": "boolean", "description": "Always true."}
        del plain["enum"]
    elif words is not None and all(isinstance(one, str) for one in words):
        plain["type"] = "string"
        if len(words) == 1:
            plain["const"] = plain.pop("enum")[0]
    default = plain.get("default", ...)
    if default is not ... and ("type" in plain or "$ref" in plain or "anyOf" in plain):
        del plain["default"]
        if default not in (None, (), [], {}) and not isinstance(default, dict):
            told = plain.get("description", "")
            plain["description"] = f"{told} {msgspec.json.encode(default).decode()} where it is left out.".strip()
    return plain


def _without_do(command: Schema) -> Schema:
    properties = {name: one for name, one in command["properties"].items() if name != "do"}
    return command | {"properties": properties, "required": [name for name in command["required"] if name != "do"]}


def _company_command(found: Schema) -> Schema:
    for made in COMPANY_COMMANDS.values():
        found[made.__name__]["additionalProperties"] = False
    for name in ("Claim", "Release"):
        found[name]["required"] = [field for field in found[name]["required"] if field != "member"]
    references = {word: COMPONENT.format(name=made.__name__) for word, made in COMPANY_COMMANDS.items()}
    return {
        "anyOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "do", "mapping": references},
    }


def _add_table_file(found: Schema) -> None:
    whole = table_file.schema()
    defs = whole["$defs"]
    names = {name: name.partition("_")[0] for name in defs if name.startswith("Carried")}
    names = {name: "TableFile" if short == "CarriedTable" else short for name, short in names.items()}
    files: Schema = {short: _here(defs[name], names) for name, short in names.items()}
    # A stored ruleset differs slightly from one that is sent.
    files["TableFile"]["properties"]["ruleset"] = {"type": "object"}
    for one in files.values():
        one["title"] = one["title"].partition("[")[0].replace("CarriedTable", "TableFile")
    found |= files
