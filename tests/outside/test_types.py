"""What pyright says of the types that Winded exports: all of them are known, so that who uses it is checked too."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_every_type_that_is_exported_is_known(tmp_path: Path) -> None:
    programs = Path(sys.executable).parent
    done = subprocess.run(
        [programs / "pyright", "--verifytypes", "winded", "--ignoreexternal"],
        cwd=tmp_path,
        # Here it looks at the Python that is first on PATH, whatever it is told.
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "Type completeness score: 100%" in done.stdout, done.stdout
