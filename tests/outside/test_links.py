"""Every link in README and docs leads somewhere, as far as it can be told without a network."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|(?:src|href)=\"([^\"]+)\"", re.MULTILINE)
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def links(page: Path) -> Iterator[str]:
    for found in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
        yield next(part for part in found.groups() if part)


def anchors(page: Path) -> set[str]:
    """The places in a page that a link may lead to: its headings, as they are shown in addresses."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+\s+(.+?)\s*$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings} | {
        *re.findall(r"(?:id|name)=\"([^\"]+)\"", text)
    }


@pytest.mark.parametrize("page", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES])
def test_every_link_leads_to_a_file_and_a_place_in_it(page: Path) -> None:
    broken = []
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, place = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            broken.append(f"{link}: there is no such file")
        elif place and target.suffix == ".md" and place not in anchors(target):
            broken.append(f"{link}: there is no such place")
    assert broken == []


def test_the_links_were_found() -> None:
    assert sum(1 for page in PAGES for _ in links(page)) > 20
