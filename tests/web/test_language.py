"""What is said to people in their own language: every text found, every catalogue complete, everything escaped."""

import re
import string
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from jinja2 import UndefinedError
from markupsafe import Markup

from winded.errors import Refused
from winded.rules.combat import TurnsBegun
from winded.sentence import sentence, sentences
from winded.web.language import ENGLISH, Language, choose, environment, language, languages

ROOT = Path(__file__).parents[2]
LOCALES = ROOT / "src/winded/web/locales"
CATALOGUES = sorted(LOCALES.glob("*/LC_MESSAGES/winded.po"))
TEXTS = re.search(r"^TEXTS := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def german() -> Language:
    """A few words of German, from a catalogue of the test's own."""
    catalogue = Catalog(locale="de")
    catalogue.add("{name} has {has} Stamina.", "{name} hat {has} Stamina.")
    catalogue.add(("{n} act is taken back.", "{n} acts are taken back."), ("{n} Akt zurück.", "{n} Akte zurück."))
    catalogue.add("a <b>", "ein <b>")
    catalogue.add(".", ",", context="decimal mark")
    catalogue.add(",", ".", context="thousands mark")
    catalogue.add("{number}%", "{number}\N{NO-BREAK SPACE}%", context="per cent")
    catalogue.add("{year}-{month}-{day}", "{day}.{month}.{year}", context="date")
    written = BytesIO()
    write_mo(written, catalogue)
    written.seek(0)
    return Language("de", GNUTranslations(written))


@pytest.fixture
def english() -> Language:
    return Language(ENGLISH, NullTranslations())


def test_a_sentence_is_said_in_the_language_with_its_facts(german: Language) -> None:
    said = german.say_plain(sentence("{name} has {has} Stamina.", name="Ash", has=2))
    assert said == "Ash hat 2 Stamina."


def test_plurals_follow_the_number(german: Language) -> None:
    one, many = "{n} act is taken back.", "{n} acts are taken back."
    assert [german.say_plain(sentences(one, many, n)) for n in (1, 2)] == ["1 Akt zurück.", "2 Akte zurück."]


def test_an_error_is_said_like_any_sentence(german: Language) -> None:
    error = Refused("reaction.cost", "{name} has {has} Stamina.", needs=2, has=1, name="Ash")
    assert german.say(error) == "<bdi>Ash</bdi> hat 1 Stamina."


def test_what_people_wrote_is_escaped_and_kept_apart(english: Language) -> None:
    said = english.say(sentence("{name}'s turn begins.", name="<script>"))
    assert said == "<bdi>&lt;script&gt;</bdi>&#39;s turn begins."


def test_a_catalogue_writes_no_markup(german: Language) -> None:
    assert german.say(sentence("a <b>")) == "ein &lt;b&gt;"


def test_a_sentence_inside_a_sentence_is_no_name(german: Language) -> None:
    said = german.say(sentence("{what}", what=sentence("a <b>")))
    assert said == "ein &lt;b&gt;"


def test_numbers_are_written_as_the_language_writes_them(english: Language, german: Language) -> None:
    assert [english.number(12345.678, 2), german.number(12345.678, 2)] == ["12,345.68", "12.345,68"]
    assert [english.number(-3), english.number(-0.001, 1), english.number(0)] == ["−3", "0.0", "0"]
    assert [english.percent(0.625, 1), german.percent(0.625, 1)] == ["62.5%", "62,5\N{NO-BREAK SPACE}%"]


def test_a_moment_is_told_in_utc_by_name_and_how_it_is_written_goes_along(english: Language, german: Language) -> None:
    moment = datetime(2026, 3, 9, 21, 5, tzinfo=timezone(timedelta(hours=9)))
    assert english.when(moment) == (
        '<time datetime="2026-03-09T12:05:00+00:00" data-as="{year}-{month}-{day} {hour}:{minute}">'
        "2026-03-09 12:05 UTC</time>"
    )
    assert german.when(moment).endswith(">09.03.2026 12:05 UTC</time>")


@pytest.mark.parametrize(
    ("accepted", "cookie", "chosen"),
    [
        (None, None, "en"),
        ("", "", "en"),
        ("de", None, "de"),
        ("de-AT,de;q=0.9,en;q=0.8", None, "de"),
        ("DE-at", None, "de"),
        ("fr-FR,fr;q=0.9", None, "en"),
        ("fr,de;q=0.5,en;q=0.4", None, "de"),
        ("en-GB,de;q=0.9", None, "en"),
        ("de;q=0", None, "en"),
        ("de;q=0.1, en;q=0.9", None, "en"),
        ("de", "en", "en"),
        ("en", "de", "de"),
        ("en", "xx", "en"),
        ("en", "../../etc", "en"),
        ("*", None, "en"),
        ("de;q=yes,;;,=", None, "en"),
        ("x" * 100_000, None, "en"),
        ("de," * 100_000, None, "de"),
    ],
)
@pytest.mark.skipif("de" not in languages(), reason="the German catalogue is not compiled: make setup")
def test_the_language_is_the_one_chosen_or_the_first_wished_for(
    accepted: str | None, cookie: str | None, chosen: str
) -> None:
    assert choose(accepted, cookie).code == chosen


def test_a_language_says_in_which_direction_it_is_written(english: Language) -> None:
    catalogue = Catalog(locale="he")
    catalogue.add("ltr", "rtl", context="direction of writing")
    written = BytesIO()
    write_mo(written, catalogue)
    written.seek(0)
    assert (english.direction, Language("he", GNUTranslations(written)).direction) == ("ltr", "rtl")


def test_an_unknown_language_is_english() -> None:
    assert language("xx").code == ENGLISH


def test_templates_escape_and_miss_nothing() -> None:
    made = environment(ENGLISH)
    assert made.from_string("{{ name }}").render(name="<b>") == "&lt;b&gt;"
    assert made.from_string("{{ _('%(name)s plays', name=name) }}").render(name="<b>") == "&lt;b&gt; plays"
    with pytest.raises(UndefinedError):
        made.from_string("{{ missing }}").render()


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Every text in the sources, as `make catalogues` finds them."""
    assert TEXTS is not None
    template = tmp_path_factory.mktemp("texts") / "winded.pot"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract", "-F", "pyproject.toml"),
            *("-k", TEXTS[1], "-o", str(template), "."),
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with template.open("rb") as texts:
        return read_po(texts)


def read(path: Path) -> Catalog:
    with path.open("rb") as texts:
        return read_po(texts, locale=path.parent.parent.name)


def key(message: Message) -> tuple[str | None, str]:
    return message.context, message.id if isinstance(message.id, str) else message.id[0]


def texts(catalogue: Catalog) -> dict[tuple[str | None, str], Message]:
    return {key(message): message for message in catalogue if message.id}


def places(text: str) -> set[str]:
    """The named places in a text: {name} in sentences, %(name)s in templates."""
    braces = {name for _, name, _, _ in string.Formatter().parse(text) if name} if "%(" not in text else set()
    return braces | set(re.findall(r"%\((\w+)\)", text))


def pairs(message: Message) -> Iterator[tuple[str, str]]:
    """Each translation of a message beside the text it must agree with; plural forms agree with the plural."""
    if isinstance(message.id, str):
        yield message.id, str(message.string)
    else:
        first, many = message.id[0], message.id[1]
        yield from zip((first, *[many] * (len(message.string) - 1)), message.string, strict=True)


def test_the_sources_hold_texts(found: Catalog) -> None:
    assert len(texts(found)) > 150


def test_there_is_a_german_catalogue() -> None:
    assert LOCALES / "de/LC_MESSAGES/winded.po" in CATALOGUES


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
class TestEveryCatalogue:
    def test_holds_exactly_the_texts_of_the_sources(self, path: Path, found: Catalog) -> None:
        wanted, held = texts(found), texts(read(path))
        assert [where for where in wanted if where not in held] == [], "run make catalogues"
        assert [where for where in held if where not in wanted] == [], "run make catalogues"
        assert [where for where in wanted if isinstance(wanted[where].id, str) != isinstance(held[where].id, str)] == []

    def test_translates_every_text(self, path: Path) -> None:
        untranslated = [
            key(message) for message in read(path) if message.id and not all(said.strip() for _, said in pairs(message))
        ]
        assert untranslated == []
        assert [key(message) for message in read(path) if message.id and message.fuzzy] == []

    def test_has_a_form_for_each_plural_of_the_language(self, path: Path) -> None:
        catalogue = read(path)
        assert [
            key(message)
            for message in catalogue
            if not isinstance(message.id, str) and len(message.string) != catalogue.num_plurals
        ] == []

    def test_names_the_same_places(self, path: Path) -> None:
        differing = [
            (text, said)
            for message in read(path)
            if message.id
            for text, said in pairs(message)
            # "One act" may do without its figure.
            if places(said) - places(text) or places(text) - places(said) - {"n"}
        ]
        assert differing == []

    def test_keeps_the_marks_around_a_text(self, path: Path) -> None:
        """A full stop or an ellipsis at the end, and no stray space at either."""
        differing = [
            (text, said)
            for message in read(path)
            if message.id and message.context is None
            for text, said in pairs(message)
            if (text[-1] in ".?!:…" and said[-1:] != text[-1]) or said != said.strip() != text.strip()
        ]
        assert differing == []

    def test_is_compiled_as_it_stands(self, path: Path) -> None:
        compiled = path.with_suffix(".mo")
        if not compiled.exists():
            pytest.skip("not compiled: make setup")
        with compiled.open("rb") as made:
            texts_made = GNUTranslations(made)
        for message in read(path):
            if message.id and isinstance(message.id, str) and message.context is None:
                assert texts_made.gettext(message.id) == message.string, "make setup compiles it"


@pytest.mark.parametrize("code", languages())
def test_each_name_in_a_list_is_kept_apart(code: str) -> None:
    told = TurnsBegun(("אש", "رماد", "Ash")).tell()
    assert "<bdi>אש</bdi>, <bdi>رماد</bdi>, <bdi>Ash</bdi>" in language(code).say(told)
    assert "\u2068אש\u2069, \u2068رماد\u2069, Ash" in language(code).say_plain(told)


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize(
    "template",
    [
        "{{ _('Play %(name)s', name=name) }}",
        "{{ ngettext('%(num)s act of %(name)s', '%(num)s acts of %(name)s', 2, name=name) }}",
        "{% trans name=name %}Play {{ name }}{% endtrans %}",
    ],
)
def test_a_template_s_sentence_keeps_the_names_in_it_apart(code: str, template: str) -> None:
    speaking = environment(code).from_string(template)
    assert "\u2068אש\u2069" in speaking.render(name="אש")
    assert "\u2068" not in speaking.render(name="Ash")
    assert "&lt;b&gt;" in speaking.render(name="<b>")
    assert "<b>" in speaking.render(name=Markup("<b>"))


@pytest.mark.parametrize("code", languages())
def test_a_template_s_list_keeps_each_name_in_it_apart(code: str) -> None:
    speaking = environment(code).from_string("{{ _('played by %(names)s', names=names|listed) }}, {{ names|listed }}")
    said = speaking.render(names=("אש", "<b>", "Ash"))
    assert said.count("\u2068אש\u2069, &lt;b&gt;, Ash") == 2
