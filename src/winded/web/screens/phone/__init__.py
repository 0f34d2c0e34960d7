"""A player's phone."""
