"""`winded serve`: it stops at once however many streams are open, answers when it says so, and logs no secret."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.serving import WINDED, Server
from tests.waiting import PATIENCE
from tests.web.api.callers import Caller
from winded.errors import Unavailable

NewServer = Callable[..., Server]


def referee_at(client: httpx.Client) -> Caller:
    made = client.post("/api/tables", json={"sample": True}).json()
    return Caller(client, made["id"], made["token"], "Referee")


@pytest.mark.parametrize("signalled", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_at_once_with_streams_of_both_kinds_open(tmp_path: Path, signalled: signal.Signals) -> None:
    server = Server(tmp_path / "winded.sqlite").start()
    try:
        with httpx.Client(base_url=server.address, timeout=PATIENCE) as client, ExitStack() as open_ones:
            referee = referee_at(client)
            streams = [open_ones.enter_context(referee.follow()) for _ in range(4)]
            pages = Caller(client, referee.table, referee.token, "Page")
            pages.base = f"/tables/{referee.table}"
            streams += [open_ones.enter_context(pages.follow("/live")) for _ in range(4)]
            assert [stream.status for stream in streams] == [200] * 8
            os.kill(server.pid, signalled)
            for stream in streams:
                stream.until_end()
            server.stop()
    finally:
        server.__exit__(None, None, None)
    said = server.output
    assert "Traceback" not in said
    assert "Error" not in said
    # Nor did it have to give up on a stream that it waited for.
    assert "timeout graceful shutdown exceeded" not in said


def test_what_was_acknowledged_before_it_was_killed_is_there(serve: NewServer) -> None:
    server = serve()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        referee = referee_at(client)
        for _ in range(20):
            referee.done("adjust", character="Ash", by=-1, reason="down")
            number = referee.done("adjust", character="Ash", by=1, reason="up")["number"]
        state = referee.state()
        server.kill()
    server.start()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        referee = Caller(client, referee.table, referee.token, "Referee")
        assert referee.number() == number
        assert referee.state() == state


def test_no_token_stands_in_anything_it_prints(serve: NewServer) -> None:
    server = serve()
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        referee = referee_at(client)
        player = referee.let_in("Pip", "Ash")
        invitation = referee.post("/links", {"role": "invitation"}).json()
        secrets = [referee.token, player.token, invitation["token"], invitation["code"]]
        for secret in secrets:
            client.get(f"/l/{secret}")
            client.get(f"/join/{secret}")
            client.get(f"/tables/{referee.table}?key={secret}")
            client.get(f"/tables/{referee.table}/overlay?key={secret}")
            client.get(f"/api/tables/{secret}", headers={"Authorization": f"Bearer {secret}"})
            client.post("/api/join", json={"name": "Quin", "invitation": secret})
            client.post("/api/tables", content=secret.encode(), headers={"Content-Type": "application/json"})
    server.stop()
    said = server.output
    assert said
    for secret in secrets:
        assert secret not in said
    assert "GET /" not in said


def test_it_answers_as_soon_as_it_names_its_address(serve: NewServer) -> None:
    assert httpx.get(serve().address + "/api/rules", timeout=PATIENCE).status_code == 200


def test_a_database_that_cannot_be_used_is_an_error_in_words(tmp_path: Path) -> None:
    done = subprocess.run(
        [WINDED, "serve", "--host", "127.0.0.1", "--port", "0", "--database", tmp_path],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == Unavailable.exit_status
    assert "is a folder, not a database" in done.stderr
    assert "Traceback" not in done.stderr


def test_two_servers_on_one_database_serve_one_table(serve: NewServer) -> None:
    one, two = serve(), serve()
    with (
        httpx.Client(base_url=one.address, timeout=PATIENCE) as here,
        httpx.Client(base_url=two.address, timeout=PATIENCE) as there,
    ):
        referee = referee_at(here)
        other = Caller(there, referee.table, referee.token, "Referee")
        with referee.follow() as stream:
            number = other.done("start_combat")["number"]
            assert stream.next().number == number
        assert referee.state() == other.state()


def test_it_has_room_for_more_screens_than_a_process_may_usually_have_files(tmp_path: Path) -> None:
    command = [WINDED, "serve", "--host", "127.0.0.1", "--port", "0", "--database", tmp_path / "winded.sqlite"]
    few = ["sh", "-c", 'ulimit -Sn 128 && exec "$@"', "sh", *command]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "HOME": str(tmp_path)}
    with (
        subprocess.Popen(few, stdout=subprocess.PIPE, text=True, env=environment) as process,
        ExitStack() as open_ones,
    ):
        try:
            assert process.stdout is not None
            address = next(line.split()[-1] for line in process.stdout if "http://127" in line)
            there = httpx.URL(address)
            for _ in range(200):
                open_ones.enter_context(socket.create_connection((there.host, there.port or 80), timeout=PATIENCE))
            assert httpx.get(f"{address}manifest.webmanifest", timeout=PATIENCE).status_code == 200
        finally:
            process.terminate()
