"""Dice thrown once: over every way in which they can fall, they come to each total as often as it was counted."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from winded.odds import BadExpression, dice_for, roll, throw


def every_way(expression: str, con: str | None) -> Iterator[tuple[int, Fraction]]:
    """What the dice come to in each way they can fall, with the chance of that way."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        faces_shown = waiting.pop()
        asked: list[int] = []

        def fall(faces: int, shown: tuple[int, ...] = faces_shown, asked: list[int] = asked) -> int:
            asked.append(faces)
            return shown[len(asked) - 1] if len(asked) <= len(shown) else 1

        total = throw(expression, con, fall)
        if len(asked) > len(faces_shown):
            waiting += [(*faces_shown, face) for face in range(1, asked[len(faces_shown)] + 1)]
            continue
        chance = Fraction(1)
        for faces in asked:
            chance /= faces
        yield total, chance


@pytest.mark.parametrize(
    "expression",
    [
        "1d20+con", "2conkh1", "3d4dl1-1", "d%", "d6ro<=2", "3d4ro1kl2", "max(2d4,con)-(d3-2)", "min(d6,d8,4)",
        "-d4+7", "3d4>=3", "2d6<=2", "2d3=1+1", "5",
    ],
)  # fmt: skip
def test_each_total_comes_as_often_as_it_was_counted(expression: str) -> None:
    thrown: Counter[int] = Counter()
    for total, chance in every_way(expression, "d8"):
        thrown[total] += chance  # type: ignore[assignment]
    counted = roll(expression, "d8")
    assert dict(thrown) == {
        counted.low + at: Fraction(ways, counted.ways) for at, ways in enumerate(counted.counts) if ways
    }


def test_a_die_that_explodes_is_rolled_on_to_its_bound_and_no_further() -> None:
    assert throw("d6!", None, lambda faces: faces) == roll("d6!").high == 66
    shown = iter((6, 6, 2))
    assert throw("d6!", None, lambda faces: next(shown)) == 14


def test_dice_fall_in_the_order_in_which_they_are_written() -> None:
    asked: list[int] = []
    throw("1d20+2d6+con", "d8", lambda faces: asked.append(faces) or 1)
    assert asked == [20, 6, 6, 8]


def test_dice_are_said_with_the_ability_die_named() -> None:
    assert dice_for("1D20 + CON", "d8") == "1d20+d8"
    assert dice_for("2conkh1", "d12") == "2d12kh1"
    assert dice_for("2d6", None) == "2d6"
    with pytest.raises(BadExpression):
        dice_for("1d20+con", None)
