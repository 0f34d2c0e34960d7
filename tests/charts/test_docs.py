"""The pictures in the documentation are what the program draws of the days that stand beside them."""

from __future__ import annotations

from docs.pictures import drawn


def test_every_picture_in_the_documentation_is_what_the_program_draws() -> None:
    stale = [path.name for path, picture in drawn() if path.read_text("utf-8") != picture + "\n"]
    assert not stale, "run: python -m docs.pictures"
