"""What happened, what it spent, and taking it back."""
