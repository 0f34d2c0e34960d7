"""An evening at one table, set up without a browser: its characters, its links, and a Referee who acts over HTTP."""

import http.client
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import APIResponse, BrowserContext, Page, Route, expect

from tests.waiting import PATIENCE, until
from winded.journal import SqliteJournal
from winded.roles import PRESETS, CompanyCommand, Role, SetPermissions
from winded.rules import AddCharacter, Character, Command
from winded.service import Desk
from winded.service.links import Given
from winded.service.opening import begin_table
from winded.tables import Snapshot

PARTY = (
    AddCharacter("Ash", con="d12"),
    AddCharacter("Bryn", con="d8"),
    AddCharacter("Corin", con="d10"),
    AddCharacter("Della", con="d6"),
)

UNHEARD = "the server never heard of what was done beside it"


class Evening:
    """A table of its own in a server's database, which the test process and the server share.

    Set up beside the server, so that no rate limit is in the way; played at through it, so that every screen sees it at
    once.
    """

    def __init__(
        self, address: str, database: Path, commands: Sequence[Command] = PARTY, *, permissions: str = "trust"
    ) -> None:
        self.address = address
        self._journal = SqliteJournal(database)
        self._desk = Desk(self._journal)
        self._tables, self._links = self._desk.tables, self._desk.links
        self.referee = begin_table(self._desk, "Thursday night", commands)
        self.id = self.referee.link.table
        if permissions != "trust":
            self.decide(SetPermissions.to(PRESETS[permissions][1]))
        self.invitation = self._links.invite(self.id)

    def close(self) -> None:
        self._tables.close()
        self._journal.close()

    def decide(self, command: CompanyCommand) -> None:
        """The Referee decides something about the table, before anyone looks."""
        self._tables.do(self.id, command, who=self.referee.link.id)

    def player(self, name: str, *characters: str) -> Given:
        """A player's own link, with these characters claimed."""
        given = self._links.join(self.invitation.link, name)
        for character in characters:
            self._links.claim(given, character)
        self._heard_of(given)
        return given

    def spectator(self) -> Given:
        given = self._links.give_member(self.id, Role.SPECTATOR, "Spectators")
        self._heard_of(given)
        return given

    def _heard_of(self, given: Given) -> None:
        """Wait until the server knows who joined beside it: it looks once a second."""
        until(lambda: self._answer("GET", "", given.token).status == 200, UNHEARD)

    def invite_anew(self) -> None:
        """A new invitation; the one before it no longer holds."""
        self.invitation = self._links.invite(self.id)

    def revoke(self, given: Given) -> None:
        """Revoke a link, and wait until the server has noticed what happened beside it."""
        self._links.revoke(self.id, given.link.id)
        until(lambda: self._answer("GET", "", given.token).status == 403, UNHEARD)

    def open(self, context: BrowserContext, given: Given) -> Page:
        """The page that a link leads to, live."""
        page = context.new_page()
        page.goto(f"/l/{given.token}")
        expect(page.locator("#status")).to_have_text("live")
        return page

    def do(self, do: str, **fields: Any) -> int:
        """The Referee does something; the number of its entry."""
        return self.send("do", do=do, **fields)

    def company(self, do: str, **fields: Any) -> int:
        return self.send("company", do=do, **fields)

    def send(self, where: str, sender: Given | None = None, **fields: Any) -> int:
        """Send a form as a page would, the Referee's unless it is said whose; the number of its entry."""
        answer = self._answer("POST", f"/{where}", (sender or self.referee).token, urlencode(fields, doseq=True))
        assert answer.status in (204, 202), answer.reason
        # What has to be asked for is answered in words.
        return int(answer.headers["winded-number"]) if answer.status == 204 else self.now.number

    def _answer(self, method: str, where: str, token: str, form: str = "") -> http.client.HTTPResponse:
        there = urlsplit(self.address)
        connection = http.client.HTTPConnection(there.hostname or "", there.port, timeout=PATIENCE)
        try:
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-www-form-urlencoded"}
            connection.request(method, f"/tables/{self.id}{where}", form or None, headers)
            answer = connection.getresponse()
            answer.reason = answer.read().decode()
            return answer
        finally:
            connection.close()

    @property
    def now(self) -> Snapshot:
        """The table as it is kept, read anew."""
        self._tables.refresh()
        return self._tables.snapshot(self.id)

    def copy(self) -> Callable[[], int]:
        """Takes a copy of the table as it is; what comes back puts it back, beside the server, and says its number."""
        record, entries = self._journal.record(self.id), [*self._journal.read(self.id)]

        def put_back() -> int:
            self._tables.take_in(record, entries, replacing=True)
            return entries[-1].number

        return put_back

    def character(self, name: str) -> Character:
        return self.now.table.character(name)


def hide(page: Page) -> None:
    """Put a page into the background, as a phone in a pocket is; a headless page never is by itself."""
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )


def wake(page: Page) -> None:
    """Bring a page back from the background."""
    page.evaluate(
        """() => {
            delete document.hidden;
            delete document.visibilityState;
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )


def fetched(route: Route) -> APIResponse:
    """The server's answer to a request that was caught on its way: Playwright itself knows no name of the browser's."""
    host = urlsplit(route.request.url).netloc
    address = route.request.url.replace(host, f"127.0.0.1:{urlsplit(route.request.url).port}", 1)
    return route.fetch(url=address, headers={**route.request.all_headers(), "host": host})


def answered(page: Page) -> AbstractContextManager[object]:
    """`with answered(page): tap`: an act is sent and answered. Until then the same tap again is not sent."""
    return page.expect_event("requestfinished", lambda sent: sent.url.endswith("/do"))


def a_moment_later(page: Page) -> None:
    """A second passes on a page whose clock was installed: the next tap is no double tap of the one before."""
    page.clock.run_for(1000)


def stamina(page: Page, seat: str = "1") -> str:
    """The Stamina a phone shows for one of its characters, by the number of its seat."""
    return page.locator(f"#have-{seat} .fig b").inner_text()
