"""The languages people read Winded in, and the templates that speak them.

English is the language of the sources; every other one is a catalogue, `locales/<code>/LC_MESSAGES/winded.po`, which
set-up compiles. A catalogue translates the texts and also says how its language writes numbers and dates, so that a new
language is one file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from winded.errors import WindedError
from winded.odds.figures import Number, Percent
from winded.rules import explained, title_of
from winded.sentence import Fact, Sentence, sentence
from winded.web.assets import asset

ENGLISH = "en"
COOKIE = "winded-language"
"""The cookie that keeps the language a person has chosen; without it, the browser's own wish counts."""

_UNNAMED = {
    one.text
    for one in (
        # Translators: whoever stands for enemies that were not named.
        sentence("Enemy"),
        # Translators: what the holder of a link is called who gave no name.
        sentence("Referee"),
        sentence("Spectators"),
    )
}
"""What Winded itself calls those who have no name of their own."""

_HERE = Path(__file__).parent
_ASKED = re.compile(r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")


class Language:
    """One language: what is said in it, and how it writes numbers and dates. `code` is as in HTML's `lang`."""

    def __init__(self, code: str, texts: NullTranslations) -> None:
        self.code = code
        self._texts = texts
        self.gettext: Callable[[str], str] = texts.gettext
        self.ngettext: Callable[[str, str, int], str] = texts.ngettext
        self.pgettext: Callable[[str, str], str] = texts.pgettext
        # Translators: this language's name in this language, as the switch on every page shows it.
        self.name: str = texts.pgettext("this language", "English")
        # Translators: "ltr" if this language is written from left to right, "rtl" if from right to left.
        self.direction: str = texts.pgettext("direction of writing", "ltr")
        # Translators: the mark between whole and fraction, as in 1.5.
        self._decimal = texts.pgettext("decimal mark", ".")
        # Translators: what stands between each three figures of a large number, as in 12,345.
        self._thousands = texts.pgettext("thousands mark", ",")
        # Translators: how a share in per cent is written.
        self._percent = texts.pgettext("per cent", "{number}%")
        # Translators: how a date is written; month and day have two figures each, the year four.
        self._date = texts.pgettext("date", "{year}-{month}-{day}")
        # Translators: how a time of day is written; hour (0 to 23) and minute have two figures each.
        self._time = texts.pgettext("time", "{hour}:{minute}")

    def __reduce__(self) -> tuple[object, ...]:
        # It is known by its code, in another process too.
        return language, (self.code,)

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    def say(self, what: Sentence | WindedError) -> Markup:
        """A sentence, or an error's, as HTML: everything escaped, what people wrote kept apart from the text around it.

        A name may run from right to left; `<bdi>` keeps it from turning the figures beside it around.
        """
        said = what.sentence if isinstance(what, WindedError) else what
        return Markup(said.said(self._escaped, self._escaped_plural, self._shown))

    def say_plain(self, what: Sentence | WindedError) -> str:
        """A sentence, or an error's, as plain text, for attributes and everything that is no HTML."""
        said = what.sentence if isinstance(what, WindedError) else what
        return said.said(self.gettext, self.ngettext, self._shown_plain)

    def number(self, value: float, places: int = 0) -> str:
        """A number as this language writes it, with so many places after the decimal mark."""
        written = f"{abs(value):,.{places}f}".translate({ord(","): self._thousands, ord("."): self._decimal})
        return f"−{written}" if round(value, places) < 0 else written

    def percent(self, share: float, places: int = 0) -> str:
        """A share (0 to 1) in per cent as this language writes it."""
        return self._percent.format(number=self.number(share * 100, places))

    def called(self, name: str) -> str:
        """Someone's name; those who have none of their own are called by this language's word."""
        return self.gettext(name) if name in _UNNAMED else name

    def listed(self, names: Iterable[str]) -> str:
        """Names one after another, each in its own direction."""
        return ", ".join(_isolated(self.called(name)) for name in names)

    def when(self, moment: datetime) -> Markup:
        """A moment, with its time zone, as a `<time>`: in UTC until a script tells it in the reader's zone."""
        utc = moment.astimezone(UTC)
        pattern = f"{self._date} {self._time}"
        parts = {name: f"{getattr(utc, name):02d}" for name in ("year", "month", "day", "hour", "minute")}
        exact = utc.isoformat(timespec="seconds")
        return Markup('<time datetime="{}" data-as="{}">{} UTC</time>').format(exact, pattern, pattern.format(**parts))

    def render(self, template: str, /, **facts: object) -> str:
        """A page or a piece of one, from the template of this name."""
        return environment(self.code).get_template(template).render(facts)

    def macro(self, template: str, name: str) -> Any:
        """A template's macro, to be called from Python; it answers with Markup."""
        return getattr(environment(self.code).get_template(template).module, name)

    def _escaped(self, text: str) -> str:
        return str(escape(self.gettext(text)))

    def _escaped_plural(self, one: str, many: str, n: int) -> str:
        return str(escape(self.ngettext(one, many, n)))

    def _shown(self, fact: Fact) -> str:
        if isinstance(fact, str) and fact not in _UNNAMED:
            return f"<bdi>{escape(fact)}</bdi>"
        return str(escape(self._shown_plain(fact)))

    def _shown_plain(self, fact: Fact) -> str:
        if isinstance(fact, int) and not isinstance(fact, bool):
            return self.number(fact)
        if isinstance(fact, Number):
            return self.number(fact.rounded, fact.places)
        if isinstance(fact, Percent):
            return f"{fact.sign}{self.percent(fact.rounded, fact.places)}"
        return "" if fact is None else _isolated(self.called(str(fact)))


def _apart(translate: Callable[..., str]) -> Callable[..., str]:
    """The same with every text that it is given isolated, so that a name cannot turn the sentence around it."""

    @pass_context
    def translated(context: Context, /, *texts: str | int, **facts: object) -> str:
        apart = {name: _isolated(fact) if type(fact) is str else fact for name, fact in facts.items()}
        return translate(context, *texts, **apart)

    return translated


def _isolated(text: str) -> str:
    """A text kept apart, where it holds anything that runs from right to left, by Unicode's own isolates."""
    runs_left = not text.isascii() and any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in text)
    return f"\u2068{text}\u2069" if runs_left else text


@cache
def languages() -> Mapping[str, Language]:
    """Every language there is, by code: English, and each for which there is a compiled catalogue."""
    found: dict[str, NullTranslations] = {ENGLISH: NullTranslations()}
    for compiled in sorted(_HERE.glob("locales/*/LC_MESSAGES/winded.mo")):
        with compiled.open("rb") as catalogue:
            found[compiled.parent.parent.name.replace("_", "-")] = GNUTranslations(catalogue)
    return {code: Language(code, texts) for code, texts in found.items()}


def language(code: str) -> Language:
    """The language of this code, English where there is none."""
    known = languages()
    return known.get(code) or known[ENGLISH]


def choose(accept_language: str | None, cookie: str | None) -> Language:
    """The language for a request: the one chosen before, else the first of the browser's wishes that there is."""
    known = languages()
    if cookie is not None and cookie in known:
        return known[cookie]
    wishes: list[tuple[float, str]] = []
    for wish in (accept_language or "")[:500].split(","):
        asked = _ASKED.fullmatch(wish)
        if asked is not None:
            wishes.append((float(asked[2] or 1), asked[1].lower()))
    by_code = {code.lower(): one for code, one in known.items()}
    for weight, code in sorted(wishes, key=lambda wish: -wish[0]):
        found = by_code.get(code) or by_code.get(code.partition("-")[0])
        if found is not None and weight > 0:
            return found
    return known[ENGLISH]


@cache
def environment(code: str) -> Environment:
    """The templates in one language, each compiled once. An undefined name is an error, and all text is escaped."""
    speaking = language(code)
    made = Environment(
        loader=FileSystemLoader(_HERE / "screens"),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.install_gettext_callables(  # type: ignore[attr-defined]
        speaking.gettext, speaking.ngettext, newstyle=True, pgettext=speaking.pgettext
    )
    named: dict[str, Any] = made.globals
    for name in ("gettext", "ngettext", "pgettext"):
        named[name] = _apart(named[name])
    made.filters.update(called=speaking.called, listed=speaking.listed)
    made.globals.update(
        asset=asset,
        explained=explained,
        language=speaking,
        languages=languages,
        number=speaking.number,
        percent=speaking.percent,
        say=speaking.say,
        say_plain=speaking.say_plain,
        title_of=title_of,
        when=speaking.when,
    )
    return made
