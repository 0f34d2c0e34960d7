"""Those who speak to the API in tests: each by a token of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from threading import Thread
from typing import Any

import httpx

from tests.waiting import PATIENCE

HIDDEN = "Zzyzx the Unseen"
"""The name of an enemy that only the Referee sees: a text that stands nowhere else."""
SECRETS = (HIDDEN, "Zzyzx", "poisoned blade", "fangs torn out", "Maw of Nine", "a note for the Referee")
"""Everything about it that no player may ever receive, and the notes."""


class Caller:
    """Someone who speaks to the API about one table, by a token."""

    def __init__(self, client: httpx.Client, table: str, token: str, name: str, member: str = "") -> None:
        self.client = client
        self.table = table
        self.token = token
        self.name = name
        self.member = member
        self.base = f"/api/tables/{table}"

    def __repr__(self) -> str:
        return self.name

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str = "", **query: object) -> httpx.Response:
        return self.client.get(self.base + path, params=query, headers=self.headers)  # type: ignore[arg-type]

    def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(self.base + path, json=body, headers=self.headers | named)

    def send(self, method: str, path: str = "", body: object = None) -> httpx.Response:
        return self.client.request(method, self.base + path, json=body, headers=self.headers)

    def do(self, command: str, **fields: object) -> httpx.Response:
        """Play a command, whatever comes of it."""
        return self.post("/commands", {"do": command, **fields})

    def done(self, command: str, **fields: object) -> dict[str, Any]:
        """Play a command that must be accepted."""
        answer = self.do(command, **fields)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def company(self, do: str, **fields: object) -> httpx.Response:
        return self.post("/company", {"do": do, **fields})

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/state").json()
        return found

    def number(self) -> int:
        return int(self.get("/state").headers["winded-number"])

    def revision(self) -> str:
        found: str = self.get().json()["revision"]
        return found

    def give(self, role: str, name: str | None = None) -> Caller:
        """Give out a link; the one who holds it."""
        wanted = {"role": role} if name is None else {"role": role, "name": name}
        given = self.post("/links", wanted)
        assert given.status_code == 201, given.text
        return Caller(self.client, self.table, given.json()["token"], role.title(), given.json()["id"])

    def let_in(self, name: str, character: str | None = None) -> Caller:
        """Invite someone, who joins by this name and claims a character."""
        invitation = self.post("/links", {"role": "invitation"}).json()["token"]
        wanted = {"invitation": invitation, "name": name} | ({} if character is None else {"character": character})
        joined = self.client.post("/api/join", json=wanted)
        assert joined.status_code == 201, joined.text
        return Caller(self.client, self.table, joined.json()["token"], name, joined.json()["member"])

    @contextmanager
    def follow(self, path: str = "/live", last: object = None, **query: object) -> Iterator[Stream]:
        """A live stream, as long as the context lasts."""
        headers = self.headers | ({} if last is None else {"Last-Event-ID": str(last)})
        with self.client.stream("GET", self.base + path, params=query, headers=headers) as answer:  # type: ignore[arg-type]
            stream = Stream(answer)
            yield stream


class Event(dict[str, Any]):
    """One server-sent event: its kind, its id and its data."""

    @property
    def number(self) -> int:
        """The number of the entry that its id names."""
        return int(self["id"].partition("-")[0])


class Stream:
    """What comes on a live stream, read by a thread of its own."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.status = answer.status_code
        self.raw = bytearray()
        self._events: Queue[Event | None] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        event = Event()
        try:
            for line in self.answer.iter_lines():
                self.raw += line.encode() + b"\n"
                if line:
                    field, _, value = line.partition(": ")
                    event[field] = json.loads(value) if field == "data" else value
                elif event:
                    self._events.put(event)
                    event = Event()
        except (httpx.HTTPError, httpx.StreamError):
            pass
        self._events.put(None)

    def next(self, kind: str | None = "entry", within: float = PATIENCE) -> Event:
        """The next event of a kind, or any at all; beats are passed over unless they are asked for."""
        while True:
            try:
                event = self._events.get(timeout=within)
            except Empty:
                raise AssertionError(f"no {kind} came within {within} s") from None
            assert event is not None, "the stream has ended"
            if kind is None or event["event"] == kind:
                return event

    def until_end(self, within: float = PATIENCE) -> list[Event]:
        """All that still comes until the server ends the stream."""
        found = []
        while True:
            try:
                event = self._events.get(timeout=within)
            except Empty:
                raise AssertionError(f"the stream went on for more than {within} s") from None
            if event is None:
                return found
            found.append(event)


class Evening:
    """A table with a Referee, two players, a spectator, and an enemy that only the Referee sees."""

    def __init__(self, referee: Caller) -> None:
        self.referee = referee
        for name in ("Ash", "Bryn", "Cato"):
            referee.done("add_character", name=name, con="d10")
        referee.done("add_character", name="Wolf", con="d8", side="enemy")
        referee.done(
            "add_character", name=HIDDEN, con="d12", side="enemy", hidden=True, stamina=7, note="a note for the Referee"
        )
        referee.done("add_ability", character="Ash", ability="Shield Wall", cost=2)
        referee.done("add_ability", character=HIDDEN, ability="Maw of Nine", cost=2)
        referee.done("edit_character", character="Bryn", note="a note for the Referee")
        self.hidden = referee.state()["characters"][HIDDEN]["id"]
        self.player = referee.let_in("Pip", "Ash")
        self.other = referee.let_in("Quin", "Bryn")
        self.spectator = referee.give("spectator")
        self.all = (self.referee, self.player, self.other, self.spectator)

    def fight(self) -> None:
        """A round in which the hidden enemy does everything one can do."""
        done = self.referee.done
        done("start_combat")
        self.player.done("act_early", character="Ash")
        done("begin_turns")
        done("react", character=HIDDEN, what="poisoned blade")
        done("next_turn")
        done("declare_check", character=HIDDEN, push=1, strain="poisoned blade", target=9)
        done("resolve_check", character=HIDDEN, roll=8)
        done("use_ability", character=HIDDEN, ability="Maw of Nine", what="poisoned blade")
        order = self.referee.state()["combat"]["order"][1:]
        done("reorder", order=order[::-1], reason="an ambush")
        done("next_turn")
        done("take_wound", character=HIDDEN, wound="fangs torn out")
        self.player.done("react", character="Ash")
        done("resist", character=HIDDEN, stamina=1, hardship="pain")
        done("undo")
        done("redo")
