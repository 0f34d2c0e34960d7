"""A table comes to be whole and with a link to it, or not at all, wherever the process that begins it is killed."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

HERE = Path(__file__).parent


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and fork are not there")
def test_a_table_that_was_begun_or_brought_in_as_its_process_was_killed_is_whole_or_not_there(tmp_path: Path) -> None:
    found = msgspec.json.decode(
        subprocess.check_output([sys.executable, HERE / "killed_opening.py", tmp_path, "60", "20261203"], timeout=240)
    )
    assert found.pop("told") > 20
    assert found.pop("there") > 20
    assert found == {"nobody may enter": [], "not whole": [], "lost": []}
