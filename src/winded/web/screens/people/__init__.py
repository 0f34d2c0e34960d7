"""Who is at the table and by which links."""
