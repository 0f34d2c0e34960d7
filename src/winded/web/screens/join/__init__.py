"""The way to a seat: by an invitation, by its code, by a link."""
