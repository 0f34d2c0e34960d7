"""Everything you can ask of Winded, through whichever door. No door decides, hides or limits anything by itself.

A door holds a `Desk`, finds out who is asking (`visiting`), and calls a function of the subject: `acting`, `seeing`,
`watching`, `joining`, `linking`, `opening`, `carrying`. It gets what that visitor may see, and no more.
"""

from winded.journal import AnyCommand, AnyEvent, Commands, Link
from winded.service.desk import Desk, desk_in_memory, open_desk
from winded.service.links import INVITATION, Given, a_secret
from winded.service.sights import LINES, HistorySentence, Seen, SeenEntry, SeenLine
from winded.service.visiting import Visitor
from winded.tables import ENEMY_LIMIT, PARTY_LIMIT, Revision, SomeCommand, is_table_id, revision_from, table_name
from winded.tables.revision import A_REVISION
from winded.tables.revision import PATTERN as REVISION_PATTERN

__all__ = [
    "A_REVISION",
    "ENEMY_LIMIT",
    "INVITATION",
    "LINES",
    "PARTY_LIMIT",
    "REVISION_PATTERN",
    "AnyCommand",
    "AnyEvent",
    "Commands",
    "Desk",
    "Given",
    "HistorySentence",
    "Link",
    "Revision",
    "Seen",
    "SeenEntry",
    "SeenLine",
    "SomeCommand",
    "Visitor",
    "a_secret",
    "desk_in_memory",
    "is_table_id",
    "open_desk",
    "revision_from",
    "table_name",
]
