"""What may stand in a field: whole numbers in a range, texts of a length, one of a few words.

The annotations on commands and rulesets are the only account of this; the checks, the forms and the JSON Schemas are
all made from them.
"""

from winded.rules.fields.checks import Check, Checked, FieldKind, check_fields, malformed, read, shown
from winded.rules.fields.figures import Amount, Count, Die, Figure, Total, several, whole_number
from winded.rules.fields.schema import Field, fields, named, naming, schema
from winded.rules.fields.seen import bare
from winded.rules.fields.texts import LONGEST_LINE, Line, Name, Text, Who

__all__ = [
    "LONGEST_LINE",
    "Amount",
    "Check",
    "Checked",
    "Count",
    "Die",
    "Field",
    "FieldKind",
    "Figure",
    "Line",
    "Name",
    "Text",
    "Total",
    "Who",
    "bare",
    "check_fields",
    "fields",
    "malformed",
    "named",
    "naming",
    "read",
    "schema",
    "several",
    "shown",
    "whole_number",
]
