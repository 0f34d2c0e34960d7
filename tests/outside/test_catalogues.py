"""What gettext's own tools say of the catalogues."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted(ROOT.glob("src/winded/web/locales/*/LC_MESSAGES/winded.po"))


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="there is no msgfmt here (Debian's gettext)")
@pytest.mark.parametrize("catalogue", CATALOGUES, ids=[path.parts[-3] for path in CATALOGUES])
def test_msgfmt_takes_every_catalogue(catalogue: Path) -> None:
    done = subprocess.run(
        ["msgfmt", "--check", "--output-file=/dev/null", catalogue], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
