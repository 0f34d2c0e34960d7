"""What the Referee has sketched of what is ahead, once players may see it."""

from __future__ import annotations

from msgspec.structs import replace

from winded.roles.command import CompanyCommand, CompanyEvent
from winded.roles.company import Company
from winded.rules import Event, Table
from winded.rules.fields import Line
from winded.sentence import Sentence, sentence


class SketchShared(CompanyEvent, frozen=True, tag="sketch_shared"):
    """Players may see what is ahead, or no longer; `sketch` is the line of words, as the Referee wrote it."""

    shared: bool
    sketch: str | None = None

    def without_secrets(self) -> SketchShared:
        # Its names may be those of enemies that nobody knows of yet, now or once they are hidden.
        return replace(self, sketch=None)

    def evolve(self, company: Company) -> Company:
        return replace(company, sketch=self.sketch if self.shared else None)

    def tell(self) -> Sentence:
        if self.shared:
            return sentence("The Referee shows everyone what is ahead.")
        return sentence("The Referee no longer shows what is ahead.")


class ShareSketch(CompanyCommand, frozen=True, tag="share_sketch"):
    """Let everyone see a sketch of what is ahead, and be advised by it; None takes it back."""

    sketch: Line | None = None

    def decide(self, company: Company, table: Table, who: str, number: int) -> tuple[CompanyEvent | Event, ...]:
        if self.sketch == company.sketch:
            return ()
        return (SketchShared(self.sketch is not None, self.sketch),)
