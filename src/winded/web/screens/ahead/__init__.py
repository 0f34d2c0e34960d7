"""What is ahead, and what it will leave."""
