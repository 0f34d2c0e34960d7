"""One model of a day: what is ahead and who goes through it, and every way in which it is written down."""
