"""A table as one file."""
