"""What one may ask of Winded, whichever door one comes by."""
