"""The words of the page and the rules in force, for everyone at a table."""
