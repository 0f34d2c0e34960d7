"""What is committed names no registry's address, and what is built carries all that it needs."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "winded"

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DEV_LOCK = (ROOT / "requirements/dev.lock").read_text(encoding="utf-8")
NPM_LOCK = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))

LOCKED = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<rest>(?:.*\\\n)*.*)$", re.MULTILINE)


@pytest.mark.parametrize(
    "name",
    [
        "pyproject.toml", "requirements/dev.lock", "web/package.json", "web/package-lock.json", "web/.npmrc",
        "tests/clients/package.json", "tests/clients/.npmrc", "tests/clients/requirements.lock",
        "Makefile", "hatch_build.py", ".ci/run", ".gitignore",
    ],
)  # fmt: skip
def test_no_lock_or_setting_names_an_address(name: str) -> None:
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_what_makes_clients_is_locked_to_its_hashes_and_to_no_registry() -> None:
    lock = json.loads((ROOT / "tests/clients/package-lock.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert len(packages) > 10
    assert [name for name, one in packages.items() if "resolved" in one or "integrity" not in one] == []


def test_every_locked_python_package_is_held_to_its_hashes() -> None:
    locked = {found["name"]: found["rest"] for found in LOCKED.finditer(DEV_LOCK)}
    assert len(locked) > 30
    assert [name for name, rest in locked.items() if "--hash=sha256:" not in rest] == []


def test_the_lock_holds_all_that_the_project_asks_for() -> None:
    asked = PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]
    names = {re.split(r"[^A-Za-z0-9._-]", each, maxsplit=1)[0] for each in asked}
    assert names - {found["name"] for found in LOCKED.finditer(DEV_LOCK)} == set()


def test_every_locked_npm_package_is_held_to_its_hash_and_names_no_place() -> None:
    packages = {name: entry for name, entry in NPM_LOCK["packages"].items() if name}
    assert set(packages) == {"node_modules/idiomorph"}
    for entry in packages.values():
        assert entry["integrity"].startswith("sha512-")
        assert "resolved" not in entry


def test_the_builder_is_pinned() -> None:
    assert all("==" in each for each in PROJECT["build-system"]["requires"])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist, and the wheel that is made from it."""
    folder = tmp_path_factory.mktemp("built")
    done = subprocess.run(
        [sys.executable, "-m", "uv", "build", "--no-config", "--out-dir", folder, ROOT],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package_and_no_other(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    with ZipFile(wheel) as archive:
        held = {name.removeprefix("winded/") for name in archive.namelist() if name.startswith("winded/")}
    files = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if path.is_file()}
    assert held == {name for name in files if "__pycache__" not in name and not name.endswith(".stamp")}
    assert {"py.typed", "web/static/vendor/idiomorph.min.js", "web/static/vendor/idiomorph.LICENSE.txt"} <= held
    assert any(name.startswith("web/screens/") and name.endswith(".html") for name in held)


@pytest.mark.slow
def test_the_browser_library_in_the_wheel_is_the_core_and_whole(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    with ZipFile(wheel) as archive:
        script = archive.read("winded/web/static/vendor/idiomorph.min.js")
    assert script == (SOURCE / "web/static/vendor/idiomorph.min.js").read_bytes()
    assert b"morphStyle" in script
    assert len(script) < 12_000


@pytest.mark.slow
def test_the_sdist_carries_what_was_brought_and_its_stamp(built: Path) -> None:
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    vendor = "src/winded/web/static/vendor"
    assert {
        f"{vendor}/idiomorph.min.js",
        f"{vendor}/idiomorph.LICENSE.txt",
        f"{vendor}/.stamp",
        "hatch_build.py",
    } <= held


def test_make_has_nothing_to_do_twice() -> None:
    # Without what a make around these tests was told.
    outside = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}}
    done = subprocess.run(
        ["make", "--question", "setup"], cwd=ROOT, env=outside, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"make setup would do this again:\n{done.stdout}{done.stderr}"
