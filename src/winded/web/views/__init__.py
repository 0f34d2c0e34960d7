"""What each kind of screen shows of a table, made of fragments."""
