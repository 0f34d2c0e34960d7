"""Every page of Winded as it is served: to strangers, and at several moments of a game to each role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
from msgspec import Struct

from tests.waiting import PATIENCE

NAMES = ("Ξάνθος", "Ωρίων", "Ψυχή", "Φάλαξ")
"""Two who are played, one who is not and an enemy: in no letters of any language that Winded speaks."""
_WOUND, _STRAIN, _NOTE, _TABLE = "Πληγή", "Κόπος", "Σημείωση", "Θύρα"

_SHEET = re.compile(r"""data-sheet=["']([^"']+)["']""")


class Served(Struct, frozen=True):
    """A page or a piece of one as HTML. `where` says at which moment it was asked for, by whom and at which address."""

    where: str
    address: str
    html: str

    @property
    def document(self) -> str:
        """It alone, or where it is a piece, in the least of a page around it."""
        if self.html.lstrip().lower().startswith("<!doctype"):
            return self.html
        head = "<!DOCTYPE html><html lang='en'><head><title>A piece</title></head>"
        return f"{head}<body><h1>A piece</h1>{self.html}</body></html>"


class _Visitor:
    """Someone with a browser of their own, in one language, and at most one link."""

    def __init__(self, client: httpx.Client, language: str, link: str = "") -> None:
        self._client = client
        self._headers = {"Cookie": f"winded-language={language}{link}"}

    def get(self, address: str) -> httpx.Response:
        return self._led_on(self._client.get(address, headers=self._headers))

    def post(self, address: str, **form: Any) -> httpx.Response:
        return self._led_on(self._client.post(address, data=form, headers=self._headers))

    def _led_on(self, answer: httpx.Response) -> httpx.Response:
        return self.get(answer.headers["Location"]) if answer.is_redirect else answer


class _Game:
    """A table that is set up and played through the API, and those who look at it."""

    def __init__(self, client: httpx.Client, language: str) -> None:
        self._client, self._language = client, language
        begun = client.post("/api/tables", json={"name": _TABLE}).json()
        self.id, self.token = begun["id"], begun["token"]
        self.at = f"/tables/{self.id}"
        invited = self._link("invitation")
        self.invitation, self.code = invited["token"], invited["code"]
        self.watches = self._link("spectator")["token"]

    def _ask(self, path: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token or self.token}"}
        answer = self._client.post(f"/api{self.at}{path}", json=body, headers=headers)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def _link(self, role: str) -> dict[str, Any]:
        return self._ask("/links", {"role": role})

    def do(self, do: str, token: str = "", **fields: Any) -> dict[str, Any]:
        return self._ask("/commands", {"do": do, **fields}, token)

    def company(self, do: str, **fields: Any) -> dict[str, Any]:
        return self._ask("/company", {"do": do, **fields})

    def join(self, name: str, character: str | None = None) -> str:
        asked = {"invitation": self.invitation, "name": name} | ({"character": character} if character else {})
        answer = self._client.post("/api/join", json=asked)
        assert answer.is_success, answer.text
        return str(answer.json()["token"])

    def by(self, token: str) -> _Visitor:
        return _Visitor(self._client, self._language, f"; winded-{self.id}={token}")


def every_page(address: str, language: str = "en") -> Iterator[Served]:
    """Sets up and plays a table on a server, and asks for everything that has a face, in one language."""
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield from _every_page(client, language)


def _every_page(client: httpx.Client, language: str) -> Iterator[Served]:
    stranger = _Visitor(client, language)
    yield from _around(stranger)
    game = _Game(client, language)
    referee, watches = game.by(game.token), game.by(game.watches)
    yield from _of_strangers(stranger, game)
    yield from _of_the_table("before anyone sits down", game, {"Referee": referee, "spectator": watches})
    for name, con in zip(NAMES[:3], ("d12", "d10", "d8"), strict=True):
        game.do("add_character", name=name, con=con, note=_NOTE)
    game.do("add_character", name=NAMES[3], con="d8", side="enemy", hidden=True)
    mia, tom = game.join("Μία", NAMES[0]), game.join("Τόμ")
    everyone = {"Referee": referee, "player": game.by(mia), "player of nobody": game.by(tom), "spectator": watches}
    yield from _of_strangers(stranger, game)
    yield from _of_the_table("between fights", game, everyone)
    game.do("add_ability", character=NAMES[0], ability=_STRAIN, cost=2)
    game.do("take_wound", character=NAMES[0], wound=_WOUND)
    game.company("set_check_dice", dice="1d20+con")
    game.company(
        "share_sketch", sketch=f'fight "{NAMES[3]}" rounds=2 early=1 reactions=1; check "{NAMES[1]}" target=15'
    )
    game.do("start_combat")
    game.do("act_early", character=NAMES[1])
    yield from _of_the_table("as everyone declares", game, everyone)
    game.do("begin_turns")
    game.do("react", character=NAMES[0])
    game.company("set_permissions", permissions={"reactions": "ask"})
    game.do("react", token=mia, character=NAMES[0])
    game.do("declare_check", character=NAMES[1], push=1, strain=_STRAIN, target=15)
    game.do("next_turn")
    yield from _of_the_table("in a turn, with a request and a Check", game, everyone)


def _around(stranger: _Visitor) -> Iterator[Served]:
    """What strangers may look at."""
    for address in (
        "/",
        "/join",
        "/l/nothing",
        "/join/nothing",
        "/nowhere",
        "/tables/nothing1",
        "/odds",
        "/odds?dice=1d20%2Bcon&con=d8&target=15&push=9",
        "/odds?dice=4d6kh3&target=12",
        "/odds?dice=wrong&target=x",
        "/forecast",
    ):
        yield Served(f"strangers: {address}", address, stranger.get(address).text)
    day = "[[characters]]\nname = 'Ω'\ncon = 'd8'\n\n[[steps]]\nfight = 'Ψ'\nrounds = 2\n\n[[steps]]\nrest = 'short'\n"
    for what, address, form in (
        ("a wrong code", "/join", {"code": "AAAA-AAAA"}),
        ("a code that is none", "/join", {"code": "?"}),
        ("a forecast", "/forecast", {"text": day}),
        ("a day that is wrong", "/forecast", {"text": "[[steps]]\nfight = 3\n"}),
        ("a table without a name", "/tables", {"name": ""}),
    ):
        yield Served(f"strangers: {what}", address, stranger.post(address, **form).text)


def _of_strangers(stranger: _Visitor, game: _Game) -> Iterator[Served]:
    """What those see of a table who are not at it."""
    for what, address in (
        ("someone invited", f"/join/{game.invitation}"),
        ("someone without a link", game.at),
    ):
        yield Served(what, address, stranger.get(address).text)
    yield Served("someone with the code", "/join", stranger.post("/join", code=game.code).text)
    address = f"/join/{game.invitation}"
    yield Served("someone invited who gives no name", address, stranger.post(address, name="").text)


def _of_the_table(moment: str, game: _Game, everyone: dict[str, _Visitor]) -> Iterator[Served]:
    at = game.at
    for role, one in everyone.items():
        shown = one.get(at).text
        yield Served(f"{moment}: {role}", at, shown)
        addresses = {f"{at}/sheet/{unescape(sheet)}" for sheet in _SHEET.findall(shown)}
        addresses |= {f"{at}/words", f"{at}/standing"}
        if role == "Referee":
            addresses |= {f"{at}/arrivals", f"{at}/invitation", f"{at}/ahead", f"{at}/sheet/keys"}
            characters = re.findall(r"sheet/who\?of=(\d+)", " ".join(addresses))
            addresses |= {f"{at}/sheet/who?of={one}&chosen=1" for one in characters[:1]}
            yield from _put_right(moment, game, one)
            addresses |= {f"{at}/chances?character={one}&dice=1d20%2Bcon&target=15" for one in characters[:1]}
        advised = re.search(r"advice\?as=sentence&amp;(character=[^'\"&]+)", shown)
        if advised:
            asked = f"advice?{advised[1]}"
            addresses |= {f"{at}/{asked}", f"{at}/sheet/{asked}", f"{at}/{asked}&as=sentence&target=15"}
        if role == "spectator":
            addresses |= {f"{at}/overlay", f"{at}/overlay?party=1"}
        for address in sorted(addresses):
            yield Served(f"{moment}: {role}: {address.removeprefix(at)}", address, one.get(address).text)


def _put_right(moment: str, game: _Game, referee: _Visitor) -> Iterator[Served]:
    """The sheet that puts the past right, step by step."""
    at = game.at
    found = re.findall(r"correct\?entry=(\d+)", referee.get(f"{at}/sheet/history").text)
    if not found:
        return
    newest, first = found[0], found[-1]
    sheet = f"{at}/sheet/correct?entry={newest}"
    yield Served(f"{moment}: Referee: putting the past right", sheet, referee.get(sheet).text)
    wound = {"entry": newest, "place": "before", "do": "take_wound", "character": "#1"}
    for what, form in (
        ("to fill in", wound),
        ("reviewed", {**wound, "filled": "1", "wound": "Κάταγμα"}),
        ("with much no longer possible", {"entry": first, "place": "left_out"}),
        (
            "something else",
            {"entry": newest, "place": "instead", "correction": f'{{"do":"correct","after":{newest},"without":[]}}'},
        ),
    ):
        address = f"{at}/correction"
        yield Served(f"{moment}: Referee: the past put right, {what}", address, referee.post(address, **form).text)
