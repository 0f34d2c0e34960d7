"""Winded's doors with one vocabulary: what may be asked of a table by the pages' forms, the API and the command line.

A door has a method for each operation that it knows, and none for others: `test_every_door.py` asks the same of all
that have it. A new door is one more class here, with the same words, and its line in `DOORS`.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct

from tests.serving import WINDED
from tests.waiting import PATIENCE
from winded import errors
from winded.errors import WindedError
from winded.roles import Role
from winded.rules import AddCharacter, Side
from winded.service import Desk, Given, linking, opening, visiting
from winded.service.joining import invitation, join

_TAG = re.compile(r"<[^>]+>")
_MESSAGE = re.compile(r'<p class="message" data-(?:error="([a-z-]+)"|asked)>(.*?)</p>', re.DOTALL)
_TROUBLE = re.compile(r'<p class="trouble"[^>]*>(.*?)</p>', re.DOTALL)
_KINDS = {
    one.status: one.kind for one in vars(errors).values() if isinstance(one, type) and issubclass(one, WindedError)
}
_BY_EXIT = {
    one.exit_status: one.kind
    for one in (errors.Refused, errors.Malformed, errors.Forbidden, errors.Unknown, errors.Stale, errors.TooMuch)
}

HIDDEN = "Zzyzx the Unseen"
"""An enemy that only the Referee sees."""


class Said(Struct, frozen=True):
    """What a door answered: "done", "asked" (of the Referee), or the kind of an error and its sentence.

    `brought` is whatever came with it: a token, a file, a text.
    """

    what: str
    sentence: str = ""
    brought: Any = None

    @property
    def no(self) -> tuple[str, str]:
        """Why it was not done."""
        return self.what, self.sentence


class Laid(Struct, frozen=True):
    """A table with a link for each role: two players, who play Ash and Bryn."""

    id: str
    name: str
    referee: Given
    second_referee: Given
    player: Given
    other: Given
    spectator: Given


def lay(desk: Desk, name: str) -> Laid:
    """A table with its people, an enemy and one that is hidden."""
    referee = opening.begin_table(
        desk,
        name,
        [
            AddCharacter("Ash", con="d12"),
            AddCharacter("Bryn", con="d8"),
            AddCharacter("Wolf", con="d8", side=Side.ENEMY),
            AddCharacter(HIDDEN, con="d10", side=Side.ENEMY, hidden=True),
        ],
    )
    table = referee.link.table
    who = visiting.follow(desk, referee.token)
    asked = invitation(desk, linking.give_link(desk, who, "invitation").token)
    return Laid(
        table,
        name,
        referee,
        linking.give_link(desk, who, Role.REFEREE),
        join(desk, asked, "Mia", characters=["Ash"]),
        join(desk, asked, "Tom", characters=["Bryn"]),
        linking.give_link(desk, who, Role.SPECTATOR),
    )


class Pages:
    """The pages, by the forms they send, as a browser that holds one link sends them."""

    by_link = True

    def __init__(self, address: str, database: Path) -> None:
        self._client = httpx.Client(base_url=address, timeout=PATIENCE)

    def close(self) -> None:
        self._client.close()

    def _ask(self, who: Given | None, path: str, table: str = "", **form: Any) -> tuple[Said, httpx.Response]:
        cookies = {} if who is None else {f"winded-{table or who.link.table}": who.token}
        headers = {"Winded-Script": "1", "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        if key := form.pop("request", None):
            headers["Idempotency-Key"] = key
        file = form.pop("file", None)
        files = None if file is None else {"file": ("table.json", file, "application/json")}
        data = {name: value for name, value in form.items() if value is not None}
        answer = self._client.post(path, data=data, files=files, headers=headers)
        return _page_said(answer), answer

    def begin(self, name: str) -> Said:
        return self.begin_with(name, [])

    def begin_with(self, name: str, characters: list[tuple[str, str]]) -> Said:
        rows = {"character": [one for one, _ in characters], "con": [con for _, con in characters]}
        said, answer = self._ask(None, "/tables", name=name, **rows)
        return _with_token(said, answer)

    def see(self, who: Given, table: str = "") -> Said:
        table = table or who.link.table
        answer = self._client.get(f"/tables/{table}", headers={"Cookie": f"winded-{table}={who.token}"})
        return (
            Said(_KINDS[answer.status_code], _sentence(answer))
            if answer.status_code >= 400
            else Said("done", brought=html.unescape(answer.text))
        )

    def act(self, who: Given, do: str, table: str = "", **fields: Any) -> Said:
        return self._ask(who, f"/tables/{table or who.link.table}/do", table, do=do, **fields)[0]

    def company(self, who: Given, do: str, table: str = "", **fields: Any) -> Said:
        permissions = fields.pop("permissions", {})
        return self._ask(who, f"/tables/{table or who.link.table}/company", table, do=do, **fields, **permissions)[0]

    def add_many(self, who: Given, name: str, count: int, **fields: Any) -> Said:
        return self._ask(who, f"/tables/{who.link.table}/add", name=name, side="enemy", count=str(count), **fields)[0]

    def give(self, who: Given, role: str, table: str = "") -> Said:
        do = "invite" if role == "invitation" else role
        said, answer = self._ask(who, f"/tables/{table or who.link.table}/links", table, do=do)
        return Said(said.what, said.sentence, _given(answer.text))

    def new_referee(self, who: Given) -> Said:
        return self.give(who, "referee")

    def renew(self, who: Given, link: str, table: str = "") -> Said:
        said, answer = self._ask(who, f"/tables/{table or who.link.table}/links", table, do="renew", link=link)
        return Said(said.what, said.sentence, _given(answer.text))

    def revoke(self, who: Given, link: str, table: str = "") -> Said:
        return self._ask(who, f"/tables/{table or who.link.table}/links", table, do="revoke", link=link)[0]

    def join(self, invited: str, name: str, character: str | None = None) -> Said:
        said, answer = self._ask(None, f"/join/{invited}", name=name, character=character)
        return _with_token(said, answer)

    def join_by_code(self, code: str, name: str) -> Said:
        said, answer = self._ask(None, "/join/code", name=name, code=code)
        return _with_token(said, answer)

    def rename(self, who: Given, name: str, table: str = "") -> Said:
        return self._ask(who, f"/tables/{table or who.link.table}/name", table, name=name)[0]

    def delete(self, who: Given, table: str = "") -> Said:
        return self._ask(who, f"/tables/{table or who.link.table}/delete", table, sure="on")[0]

    def carry_out(self, who: Given, table: str = "") -> Said:
        table = table or who.link.table
        headers = {"Cookie": f"winded-{table}={who.token}", "Winded-Script": "1"}
        answer = self._client.get(f"/tables/{table}/export", headers=headers)
        said = _page_said(answer)
        return said if answer.status_code >= 400 else Said("done", brought=answer.content)

    def bring_in(self, file: bytes, how: str = "", who: Given | None = None) -> Said:
        said, answer = self._ask(who, "/tables/import", how=how, file=file)
        return _with_token(said, answer)

    def streams(self, who: Given) -> str:
        """The address of the live stream of one who watches by this door."""
        return f"/tables/{who.link.table}/live"


class Api:
    """The HTTP API, by bearer tokens."""

    by_link = True

    def __init__(self, address: str, database: Path) -> None:
        self._client = httpx.Client(base_url=f"{address}/api", timeout=PATIENCE)

    def close(self) -> None:
        self._client.close()

    def _ask(self, who: Given | None, method: str, path: str, body: Any = None, **headers: str) -> Said:
        if who is not None:
            headers["Authorization"] = f"Bearer {who.token}"
        content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        return _api_said(self._client.request(method, path, content=content, headers=headers))

    def begin(self, name: str) -> Said:
        return self.begin_with(name, [])

    def begin_with(self, name: str, characters: list[tuple[str, str]]) -> Said:
        sitting = [{"name": one, "con": con} for one, con in characters]
        return self._ask(None, "POST", "/tables", {"name": name, "characters": sitting})

    def see(self, who: Given, table: str = "") -> Said:
        return self._ask(who, "GET", f"/tables/{table or who.link.table}")

    def act(self, who: Given, do: str, table: str = "", request: str | None = None, **fields: Any) -> Said:
        keyed = {} if request is None else {"Idempotency-Key": request}
        return self._ask(who, "POST", f"/tables/{table or who.link.table}/commands", {"do": do, **fields}, **keyed)

    def check(self, who: Given, do: str, **fields: Any) -> Said:
        return self._ask(who, "POST", f"/tables/{who.link.table}/check", {"do": do, **fields})

    def company(self, who: Given, do: str, table: str = "", **fields: Any) -> Said:
        return self._ask(who, "POST", f"/tables/{table or who.link.table}/company", {"do": do, **fields})

    def give(self, who: Given, role: str, table: str = "") -> Said:
        return self._ask(who, "POST", f"/tables/{table or who.link.table}/links", {"role": role})

    def new_referee(self, who: Given) -> Said:
        return self.give(who, "referee")

    def renew(self, who: Given, link: str, table: str = "") -> Said:
        return self._ask(who, "POST", f"/tables/{table or who.link.table}/links/{link}/renew")

    def revoke(self, who: Given, link: str, table: str = "") -> Said:
        return self._ask(who, "DELETE", f"/tables/{table or who.link.table}/links/{link}")

    def join(self, invited: str, name: str, character: str | None = None) -> Said:
        claimed = {} if character is None else {"character": character}
        return self._ask(None, "POST", "/join", {"invitation": invited, "name": name, **claimed})

    def join_by_code(self, code: str, name: str) -> Said:
        return self._ask(None, "POST", "/join", {"code": code, "name": name})

    def rename(self, who: Given, name: str, table: str = "") -> Said:
        return self._ask(who, "PATCH", f"/tables/{table or who.link.table}", {"name": name})

    def delete(self, who: Given, table: str = "") -> Said:
        return self._ask(who, "DELETE", f"/tables/{table or who.link.table}")

    def carry_out(self, who: Given, table: str = "") -> Said:
        return self._ask(who, "GET", f"/tables/{table or who.link.table}/export")

    def bring_in(self, file: bytes, how: str = "refuse", who: Given | None = None) -> Said:
        return self._ask(who, "POST", f"/import?here={how}", file)

    def streams(self, who: Given) -> str:
        """The address of the live stream of one who watches by this door."""
        return f"/api/tables/{who.link.table}/live"


class CommandLine:
    """The command line, in a process of its own, over a database that a server may have open too."""

    by_link = False

    def __init__(self, address: str, database: Path) -> None:
        self._database = database

    def close(self) -> None:
        """Nothing is held open."""

    def _run(self, *arguments: str, given: bytes = b"") -> Said:
        home = self._database.parent / "home"
        home.mkdir(exist_ok=True)
        ran = subprocess.run(
            [WINDED, *arguments, "--database", self._database] if arguments[0] != "run" else [WINDED, *arguments],
            input=given,
            capture_output=True,
            env={"HOME": str(home), "XDG_DATA_HOME": str(home), "PYTHONUTF8": "1", "COLUMNS": "200"},
            timeout=PATIENCE,
            check=False,
        )
        if ran.returncode and ran.stderr:
            return Said(_BY_EXIT[ran.returncode], ran.stderr.decode().strip())
        return Said("done", brought=ran.stdout)

    def begin(self, name: str) -> Said:
        return self._linked(self._run("tables", "new", name))

    def new_referee(self, who: Given) -> Said:
        return self._linked(self._run("tables", "recover", who.link.table))

    def play(self, commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What `winded run` prints for these commands at a fresh table."""
        given = "\n".join(map(json.dumps, commands)).encode()
        return [json.loads(line) for line in self._run("run", "--state", "each", given=given).brought.splitlines()]

    def delete(self, who: Given, table: str = "") -> Said:
        return self._run("delete", table or who.link.table, "--yes")

    def carry_out(self, who: Given, table: str = "") -> Said:
        return self._run("export", table or who.link.table)

    def bring_in(self, file: bytes, how: str = "refuse", who: Given | None = None) -> Said:
        return self._linked(self._run("import", "-", *([] if how == "refuse" else [f"--{how}"]), given=file))

    def _linked(self, said: Said) -> Said:
        if said.what != "done":
            return said
        text = said.brought.decode()
        token = re.search(r"/l/(\S+)", text)
        return Said("done", brought={"token": token and token[1], "text": text})


DOORS: dict[str, type[Pages | Api | CommandLine]] = {"pages": Pages, "API": Api, "command line": CommandLine}
"""Every door. `by_link`: it asks whose link one comes by."""


def _page_said(answer: httpx.Response) -> Said:
    if answer.status_code >= 400:
        return Said(_KINDS[answer.status_code], _sentence(answer))
    if answer.status_code == 202:
        return Said("asked")
    return Said("done")


def _sentence(answer: httpx.Response) -> str:
    found = _MESSAGE.search(answer.text) or _TROUBLE.search(answer.text)
    text = found.group(found.lastindex or 0) if found else answer.text
    return html.unescape(_TAG.sub("", text)).strip()


def _with_token(said: Said, answer: httpx.Response) -> Said:
    if said.what != "done":
        return said
    to = re.fullmatch(r"/tables/(\w+)", answer.headers.get("location", ""))
    held = answer.cookies.get(f"winded-{to[1]}") if to else None
    return Said("done", brought={"table": to and to[1], "token": held, "text": answer.text})


def _given(text: str) -> dict[str, str | None]:
    token = re.search(r"/(?:l|join)/([A-Za-z0-9_-]{20,})", text)
    code = re.search(r"\b([A-Z2-9]{4}-[A-Z2-9]{4})\b", text)
    return {"token": token and token[1], "code": code and code[1]}


def _api_said(answer: httpx.Response) -> Said:
    if answer.status_code >= 400:
        no = answer.json()
        # A page asks for a link where the API asks for a token: to the one who asks it is one thing.
        return Said("forbidden" if no["error"] == "no-token" else no["error"], no["message"], no)
    if answer.status_code == 202:
        return Said("asked", brought=answer.json())
    if "attachment" in answer.headers.get("content-disposition", ""):
        return Said("done", brought=answer.content)
    return Said("done", brought=answer.json() if answer.content else None)
