"""Pictures as SVG text and figures as tables, for pages, files and terminals alike."""

from winded.odds.pictures.check import check_grid, check_picture, check_text, check_title, check_words, totals_picture
from winded.odds.pictures.svg import STYLE

__all__ = ["STYLE", "check_grid", "check_picture", "check_text", "check_title", "check_words", "totals_picture"]
