"""Odds: what a push is worth, how drained a party will be, when it is best to spend. Exact, from the rules in force.

What needs NumPy is imported when it is first asked for, so that the odds of a Check stay quick to start.
"""

from winded.odds.check import CheckData, CheckOdds, Push, PushData, check
from winded.odds.dice import BadExpression, Dice, roll

__all__ = ["BadExpression", "CheckData", "CheckOdds", "Dice", "Push", "PushData", "check", "roll"]
