"""A figure as people type it: in any script's digits, with any sign; what is no whole number is none."""

import http.client
import unicodedata
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import PATIENCE
from tests.web.inside import Inside
from winded.web.forms import whole_number
from winded.web.guard import IMPORT_LIMIT


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2", 2),
        ("+2", 2),
        ("-2", -2),
        ("−2", -2),
        ("–2", -2),
        ("－２", -2),
        ("٢١", 21),
        ("−٣", -3),
        ("\u200e-7", -7),
        ("\u061c−\u0667", -7),
        (" 12\u00a0", 12),
        ("- 4", -4),
        ("007", 7),
    ],
)
def test_a_figure_is_read_as_it_was_meant(typed: str, meant: int) -> None:
    assert whole_number(typed) == meant


@pytest.mark.parametrize(
    "typed", ["", " ", "-", "=2", "1,5", "1.5", "2e3", "--2", "2-", "0x10", "²", "½", "1 2", "9" * 10]
)
def test_what_is_no_whole_number_is_none(typed: str) -> None:
    assert whole_number(typed) is None


digits = st.characters(categories=["Nd"])


@given(st.text(digits, min_size=1, max_size=9), st.sampled_from(["", "+", "-", "−"]))
def test_every_script_counts_alike(typed: str, sign: str) -> None:
    meant = int("".join(str(unicodedata.decimal(one)) for one in typed))
    assert whole_number(sign + typed) == (-meant if sign in ("-", "−") and sign else meant)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"])
@pytest.mark.parametrize("path", ["/tables/import", "/join"])
def test_a_long_form_that_brings_no_file_is_refused_before_any_of_it_is_read(
    tmp_path: Path, path: str, kind: str
) -> None:
    with Inside(tmp_path / "winded.sqlite") as inside:
        connection = http.client.HTTPConnection(urlsplit(inside.address).netloc, timeout=PATIENCE)
        connection.putrequest("POST", path)
        connection.putheader("Content-Type", kind)
        connection.putheader("Content-Length", str(IMPORT_LIMIT - 1))
        connection.endheaders()
        answer = connection.getresponse()
        connection.close()
        assert answer.status == 413
