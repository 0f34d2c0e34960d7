"""The start page: a new table, the sample table, the tables this browser holds links for."""
