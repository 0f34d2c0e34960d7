"""Sentences for people: a template and its figures, kept apart so that the sentence can be translated later.

`sentence("{name} has {has} Stamina.", name="Ash", has=2)` reads "Ash has 2 Stamina." in English; a catalogue translates
the template, and the same facts are filled in. A fact may itself be a Sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

Fact = object


class Sentence(Struct, frozen=True):
    """A template with named places, and the facts that fill them.

    `plural` is the template for any number `n` but one. A fact that is a tuple is a list of names, each shown on its
    own, so that one written from right to left does not reverse the others.
    """

    text: str
    facts: Mapping[str, Fact] = {}
    plural: str | None = None
    n: int = 1

    def said(
        self,
        translate: Callable[[str], str],
        translate_plural: Callable[[str, str, int], str],
        show: Callable[[Fact], str] = str,
    ) -> str:
        """The sentence in the language of the two gettext functions; `show` turns each fact into text."""
        template = translate(self.text) if self.plural is None else translate_plural(self.text, self.plural, self.n)

        def shown(fact: Fact) -> str:
            match fact:
                case Sentence():
                    return fact.said(translate, translate_plural, show)
                case tuple():
                    return ", ".join(map(shown, fact))
            return show(fact)

        return template.format_map({name: shown(fact) for name, fact in self.facts.items()})

    def __str__(self) -> str:
        return self.said(_as_written, _plural_as_written)


def _as_written(text: str) -> str:
    return text


def _plural_as_written(one: str, many: str, n: int) -> str:
    return one if n == 1 else many


def sentence(text: str, /, **facts: Fact) -> Sentence:
    """A sentence to translate and fill in later. Catalogues are extracted from these calls."""
    return Sentence(text, facts)


def sentences(one: str, many: str, n: int, /, **facts: Fact) -> Sentence:
    """A sentence whose wording depends on the number `n`, which the templates name `{n}`."""
    return Sentence(one, {**facts, "n": n}, many, n)
