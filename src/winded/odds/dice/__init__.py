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
    Fall,
    dice_for,
    die_faces,
    roll,
    spelled,
    throw,
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
    "Fall",
    "dice_for",
    "die_faces",
    "roll",
    "spelled",
    "throw",
    "work_of",
]
