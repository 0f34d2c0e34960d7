"""The description of the API, OpenAPI 3.1, made from what the operations say of themselves and the types they use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from types import FunctionType
from typing import Any

import msgspec
from msgspec import Struct

from winded.errors import Forbidden, Malformed, Refused, TooMuch, Unavailable, Unknown, WindedError
from winded.journal import AnyCommand
from winded.odds.day.schema import COMPONENTS as OF_DAYS
from winded.roles import COMPANY_COMMANDS
from winded.rules import command_schema, ruleset_schema
from winded.rules.fields import schema
from winded.service import table_file
from winded.web.api.links import Joining, NewLink
from winded.web.api.operations import PREFIX, Answers, Operation
from winded.web.api.shapes import EntrySeen
from winded.web.api.tables import NewName, NewTable
from winded.web.errors import NoToken, TooLarge, WrongType

Schema = dict[str, Any]

_BODIES: tuple[type[Struct], ...] = (NewTable, NewName, NewLink, Joining)
_PLACES = {
    "table": {"type": "string", "pattern": "^[a-z0-9]{1,64}$", "description": "The id of a table."},
    "link": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "The id of a link."},
}


def document(operations: Sequence[Operation]) -> Schema:
    """The whole description."""
    paths: dict[str, Schema] = {}
    for one in operations:
        paths.setdefault(PREFIX + one.path, {})[one.method.lower()] = _described(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Winded",
            "version": version("winded"),
            "description": "Stamina at the table: tables, commands, options, state, history and live events.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": _components(operations),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token of a link to the table in the address, of whatever role.",
                }
            },
        },
    }


def _described(one: Operation) -> Schema:
    summary, _, rest = one.told.partition("\n\n")
    described: Schema = {
        "operationId": one.name,
        "summary": " ".join(summary.split()),
        "tags": [_tag(one)],
        "parameters": [*_parameters(one)],
        "responses": {**{str(status): _answer(answers) for status, answers in one.answers.items()}, **_errors(one)},
    }
    if rest:
        described["description"] = " ".join(rest.split())
    if one.token:
        described["security"] = [{"token": []}]
    if one.body is not None:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": one.body.schema()}}}
    return described


def _tag(one: Operation) -> str:
    return one.run.__module__.rpartition(".")[2]


def _parameters(one: Operation) -> Iterator[Schema]:
    for place in one.places:
        yield {"name": place, "in": "path", "required": True, "schema": _PLACES[place]}
    if one.query is not None:
        types = schema(one.query)["$defs"]
        whole = types[one.query.__name__]
        for name, kind in whole["properties"].items():
            # A parameter stands by itself: what it refers to is written out.
            written = types[kind.pop("$ref").rpartition("/")[2]] | kind if "$ref" in kind else kind
            yield {"name": name, "in": "query", "required": name in whole.get("required", ()), "schema": written}
    for header in one.headers:
        yield {
            "name": header.name,
            "in": "header",
            "required": False,
            "description": header.told,
            "schema": dict(header.schema),
        }


def _answer(answers: Answers) -> Schema:
    described: Schema = {"description": answers.told}
    if answers.headers:
        described["headers"] = {
            name: {"description": told, "required": True, "schema": {"type": "string"}}
            for name, told in answers.headers.items()
        }
    if answers.media_type != "application/json":
        described["content"] = {answers.media_type: {"schema": {"type": "string"}}}
    elif answers.made is not None:
        described["content"] = {"application/json": {"schema": _reference(answers.made)}}
    return described


def _reference(made: Any) -> Schema:
    if isinstance(made, FunctionType):
        made = made()
    if isinstance(made, dict):
        return made
    if isinstance(made, tuple):
        return {"anyOf": [_reference(one) for one in made]}
    (found,), _ = msgspec.json.schema_components([made], ref_template=_TEMPLATE)
    return found


_TEMPLATE = "#/components/schemas/{name}"
_HEADERS: Mapping[type[WindedError], Mapping[str, str]] = {
    NoToken: {"WWW-Authenticate": "How to bring a token."},
}


def _kinds(one: Operation) -> set[type[WindedError]]:
    """The kinds of errors an operation may answer with; most follow from what it takes."""
    kinds: set[type[WindedError]] = {WindedError, Malformed, Unavailable, *one.errors}
    if one.places:
        kinds.add(Unknown)
    if one.token:
        kinds |= {NoToken, Forbidden}
    if one.body is not None:
        kinds |= {TooLarge, WrongType}
    return kinds


def _errors(one: Operation) -> Schema:
    kinds = sorted(_kinds(one), key=lambda kind: kind.status)
    return {str(kind.status): _error(kind) for kind in kinds}


def _error(kind: type[WindedError]) -> Schema:
    first, _, _ = (kind.__doc__ or "").partition("\n")
    described: Schema = {
        "description": first if kind is not WindedError else "A mistake of this server's; nothing has happened.",
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{_error_name(kind)}"}}},
    }
    headers = _HEADERS.get(kind)
    if headers:
        described["headers"] = {
            name: {"description": told, "required": True, "schema": {"type": "string"}}
            for name, told in headers.items()
        }
    if kind is TooMuch:
        described["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    return described


def _error_name(kind: type[WindedError]) -> str:
    return "Error" if kind is WindedError else f"{kind.__name__}Error"


def _error_schema(kind: type[WindedError]) -> Schema:
    properties: Schema = {"error": {"const": kind.kind}, "message": {"type": "string", "minLength": 1}}
    required = ["error", "message"]
    if issubclass(kind, Malformed):
        properties["field"] = {"type": "string", "description": 'The place that is wrong, "" for the whole.'}
        required.append("field")
    if issubclass(kind, Refused):
        figure = {"type": "integer", "minimum": 0}
        properties |= {"rule": {"type": "string", "minLength": 1}, "needs": figure, "has": figure}
        required.append("rule")
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _components(operations: Sequence[Operation]) -> Schema:
    made = [answers.made for one in operations for answers in one.answers.values()]
    made = [one() if isinstance(one, FunctionType) else one for one in made]
    types = [each for one in made if not isinstance(one, dict) for each in (one if isinstance(one, tuple) else (one,))]
    _, found = msgspec.json.schema_components([*filter(None, types), EntrySeen], ref_template=_TEMPLATE)
    # What comes in is stricter than what goes out: a field that may be left out may not be null instead.
    for whole in (schema(AnyCommand), ruleset_schema(), *map(schema, _BODIES), command_schema()):
        found |= _here(whole["$defs"])
    found["Command"] = _here({key: value for key, value in command_schema().items() if key != "$defs"})
    found["CompanyCommand"] = _company_command(found)
    new_character = found["NewCharacter"] = json.loads(json.dumps(found["AddCharacter"]))
    del new_character["properties"]["do"]
    new_character |= {"title": "NewCharacter", "required": [n for n in new_character["required"] if n != "do"]}
    found["NewTable"]["properties"]["characters"]["items"] = {"$ref": "#/components/schemas/NewCharacter"}
    # Only the sample table has a name of its own.
    found["NewTable"]["anyOf"] = [
        {"required": ["name"]},
        {"required": ["sample"], "properties": {"sample": {"const": True}}},
    ]
    found["Joining"]["oneOf"] = [{"required": ["invitation"]}, {"required": ["code"]}]
    found["NewLink"]["not"] = {"required": ["role", "name"], "properties": {"role": {"const": "invitation"}}}
    _add_table_file(found)
    found |= OF_DAYS
    kinds = {kind for one in operations for kind in _kinds(one)}
    return dict(sorted({**found, **{_error_name(kind): _error_schema(kind) for kind in kinds}}.items()))


def _here(schemas: Schema) -> Schema:
    """The same schemas, with their references pointing into the components."""
    here: Schema = json.loads(json.dumps(schemas).replace('"#/$defs/', '"#/components/schemas/'))
    return here


def _company_command(found: Schema) -> Schema:
    for made in COMPANY_COMMANDS.values():
        found[made.__name__]["additionalProperties"] = False
    for name in ("Claim", "Release"):
        found[name]["required"] = [field for field in found[name]["required"] if field != "member"]
    references = {word: f"#/components/schemas/{made.__name__}" for word, made in COMPANY_COMMANDS.items()}
    return {
        "anyOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "do", "mapping": references},
    }


def _add_table_file(found: Schema) -> None:
    whole = table_file.schema()
    defs = whole["$defs"]
    names = {name: name.partition("_")[0] for name in defs if name.startswith("Carried")}
    names = {name: "TableFile" if short == "CarriedTable" else short for name, short in names.items()}
    text = json.dumps({names[name]: defs[name] for name in names})
    for name, short in names.items():
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{short}"')
    files = _here(json.loads(text))
    # As it was stored, which is not quite as it would be sent.
    files["TableFile"]["properties"]["ruleset"] = {"type": "object"}
    for one in files.values():
        one["title"] = one["title"].partition("[")[0].replace("CarriedTable", "TableFile")
    found |= files
