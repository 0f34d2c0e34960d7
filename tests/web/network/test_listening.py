"""Ports that are the server's own, and https with a certificate of the host's own."""

import socket
import ssl
from pathlib import Path

import httpx
import pytest
import trustme

from tests.serving import Server
from tests.waiting import PATIENCE
from winded.errors import Malformed, Unavailable
from winded.web.network import listening
from winded.web.network.listening import listen, secured_by


def test_another_port_is_taken_where_the_usual_one_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        taken = busy.getsockname()[1]
        monkeypatch.setattr(listening, "PORT", taken)
        with listen("127.0.0.1", None) as found:
            assert found.getsockname()[1] != taken
        with pytest.raises(Unavailable) as no:
            listen("127.0.0.1", taken)
    assert str(taken) in str(no.value)


@pytest.mark.parametrize("host", ["198.51.100.7", "a..b", "x" * 300])
@pytest.mark.parametrize("port", [0, None])
def test_where_it_cannot_listen_is_said_in_words(host: str, port: int | None) -> None:
    with pytest.raises(Unavailable) as no:
        listen(host, port)
    assert host in str(no.value)


def test_a_port_is_free_again_as_soon_as_a_server_has_ended() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            first.accept()[0].close()
            client.recv(1)
    with listen("127.0.0.1", port) as again:
        assert again.getsockname()[1] == port


def test_on_windows_nobody_else_may_listen_at_the_same_port() -> None:
    """Read, not run there: what its sockets are told."""

    class Watcher:
        def __init__(self) -> None:
            self.options: list[tuple[int, int, int]] = []

        def setsockopt(self, *option: int) -> None:
            self.options.append(option)  # type: ignore[arg-type]

    told = Watcher()
    listening._make_it_ours(told, "win32")  # type: ignore[arg-type]
    assert told.options == [(socket.SOL_SOCKET, -5, 1)]  # SO_EXCLUSIVEADDRUSE is ~SO_REUSEADDR, which is 4 there
    told = Watcher()
    listening._make_it_ours(told, "linux")  # type: ignore[arg-type]
    assert told.options == [(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)]


def test_at_every_address_means_those_of_both_kinds() -> None:
    try:
        both = listen("::", 0)
    except Unavailable:
        pytest.skip("this machine has no IPv6")
    with both, socket.create_connection(("127.0.0.1", both.getsockname()[1])) as older:
        assert older.getpeername()[0] == "127.0.0.1"


# -- https


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def files(authority: trustme.CA, tmp_path: Path) -> tuple[Path, Path]:
    """A certificate and its key, in a folder whose name has a space and letters of three scripts."""
    folder = tmp_path / "Zwölf Bücher ножи 剣"
    folder.mkdir()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    issued.cert_chain_pems[0].write_to_path(certificate)
    issued.private_key_pem.write_to_path(key)
    return certificate, key


def test_tables_are_served_over_https_with_a_certificate_of_ones_own(
    authority: trustme.CA, files: tuple[Path, Path], tmp_path: Path
) -> None:
    certificate, key = files
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    with Server(tmp_path / "winded.sqlite", "--certificate", str(certificate), "--key", str(key)) as server:
        assert server.address.startswith("https://127.0.0.1:")
        with httpx.Client(base_url=server.address, verify=trusting, timeout=PATIENCE) as client:
            made = client.post("/api/tables", json={"sample": True}).json()
            followed = client.get(f"/l/{made['token']}")
            assert "Secure" in followed.headers["set-cookie"]
            assert client.get(followed.headers["location"]).status_code == 200
            # Whose name it is the certificate says, and the browser has looked.
            assert client.get("/", headers={"Host": "table.example"}).status_code == 200


def test_a_key_may_stand_in_the_certificates_file(files: tuple[Path, Path], tmp_path: Path) -> None:
    together = tmp_path / "together.pem"
    together.write_bytes(b"".join(path.read_bytes() for path in files))
    assert secured_by(together, None).minimum_version >= ssl.TLSVersion.TLSv1_2


def test_what_is_no_certificate_with_its_key_is_refused_in_words(
    authority: trustme.CA, files: tuple[Path, Path], tmp_path: Path
) -> None:
    certificate, key = files
    other = tmp_path / "other.pem"
    authority.issue_cert("localhost").private_key_pem.write_to_path(other)
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("no certificate")
    for given, says in {
        (tmp_path / "none.pem", None): "There is no file",
        (certificate, tmp_path / "none.pem"): "There is no file",
        (certificate, tmp_path): "There is no file",
        (certificate, None): "must hold a certificate and its key",
        (nothing, key): "must hold a certificate and its key",
        (certificate, nothing): "must hold a certificate and its key",
        (certificate, other): "does not belong to the certificate",
    }.items():
        with pytest.raises(Malformed) as no:
            secured_by(*given)
        assert says in str(no.value)


def test_a_key_under_a_password_is_refused_and_nobody_is_asked_for_it(files: tuple[Path, Path], tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
        load_pem_private_key,
    )

    certificate, key = files
    locked = tmp_path / "locked.pem"
    read = load_pem_private_key(key.read_bytes(), None)
    locked.write_bytes(read.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")))
    with pytest.raises(Malformed) as no:
        secured_by(certificate, locked)
    assert "password" in str(no.value)
