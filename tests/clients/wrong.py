"""Commands that are none: mypy must refuse each, and says so of one that it does not."""

from winded_client.models import AddCharacter, DeclareCheck, NewCharacter, NewTable, React

React(do="react", character="Ash")
AddCharacter(do="add_character", name="Ash", con="d12")
React(do="dance", character="Ash")  # type: ignore[arg-type]
React(do="react")  # type: ignore[call-arg]
React(do="react", character="Ash", push=2)  # type: ignore[call-arg]
DeclareCheck(do="declare_check", character="Ash", push="2")  # type: ignore[arg-type]
AddCharacter(do="add_character", name=7)  # type: ignore[arg-type]
AddCharacter(do="add_character", name="Ash", side="third")  # type: ignore[arg-type]
NewTable(name="The Gate", characters=[NewCharacter(con="d12")])  # type: ignore[call-arg]
