"""What a push is worth, at a table and without one."""
