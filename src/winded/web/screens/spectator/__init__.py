"""The spectators' view."""
