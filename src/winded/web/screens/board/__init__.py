"""The Referee's board and the sheets it opens."""
