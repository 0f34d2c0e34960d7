"""Dice as people write them, and how often each total comes up."""

from winded.odds.dice.counting import Dice
from winded.odds.dice.grammar import (
    LONGEST,
    MOST_DICE,
    MOST_EXPLOSIONS,
    MOST_FACES,
    MOST_KEPT_FACES,
    MOST_KEPT_FROM,
    MOST_NUMBER,
    MOST_TOTALS,
    BadExpression,
    die_faces,
    roll,
    spelled,
    work_of,
)

__all__ = [
    "LONGEST",
    "MOST_DICE",
    "MOST_EXPLOSIONS",
    "MOST_FACES",
    "MOST_KEPT_FACES",
    "MOST_KEPT_FROM",
    "MOST_NUMBER",
    "MOST_TOTALS",
    "BadExpression",
    "Dice",
    "die_faces",
    "roll",
    "spelled",
    "work_of",
]
