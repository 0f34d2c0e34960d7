"""Drawing steps by chance: tables from which a whole array of days takes its next states at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from winded.odds.day.fields import Distribution
from winded.odds.forecasts.forward import Kernel
from winded.odds.forecasts.states import Array, Numbers


class AliasTable(Struct, frozen=True):
    """A step of one character as tables for drawing: rows stand for (habit, variant, state), columns for equal slices.

    A draw picks a column and a height in it; below `below[row, column]` it leads to `to[row, column, 0]`, else to
    `to[row, column, 1]` (the alias method). `counted` is what is expected on the way, by row.
    """

    below: Array
    to: Numbers
    slices: int
    counted: Array


def drawn(spread: Distribution, random: np.random.Generator, days: int) -> Numbers:
    """Whole numbers drawn from a spread."""
    if spread[-1] == 1:
        return np.full(days, len(spread) - 1, dtype=np.intp)
    edges = np.cumsum([float(chance) for chance in spread[:-1]])
    return np.searchsorted(edges, random.random(days), side="right")


def step_from(alias_table: AliasTable, row: Numbers, draw: Array, column: Numbers) -> Numbers:
    """The states after a step, from rows and a draw between 0 and 1 for each; `draw` and `column` are overwritten."""
    draw *= alias_table.slices
    np.copyto(column, draw, casting="unsafe")
    draw -= column
    column += row * alias_table.slices
    # Every index is in range; mode="clip" is what lets NumPy look them up without holding up the other threads.
    above = draw >= np.take(alias_table.below, column, mode="clip")
    column *= 2
    column += above
    return np.take(alias_table.to, column, mode="clip")


def alias_table_of(kernels: Sequence[Kernel]) -> AliasTable:
    """The tables for drawing from each row of these kernels, one below the other (Vose's alias method)."""
    many = kernels[0].many
    slices = max(1, *(int(np.bincount(one.row).max(initial=0)) for one in kernels if len(one.row)))
    below = np.ones((len(kernels) * many, slices))
    to = np.zeros((len(kernels) * many, slices, 2), dtype=np.intp)
    for at, one in enumerate(kernels):
        edges = np.searchsorted(one.row, np.arange(many + 1))
        for row in range(many):
            begin, end = edges[row], edges[row + 1]
            if begin < end:
                chances = one.chance[begin:end]
                place = at * many + row
                _alias(chances / chances.sum(), one.to[begin:end], slices, below[place], to[place])
    return AliasTable(below, to, slices, np.concatenate([one.counted for one in kernels], axis=2))


def _alias(chances: Array, ends: Numbers, slices: int, below: Array, to: Numbers) -> None:
    share = np.zeros(slices)
    share[: len(ends)] = chances * slices
    names = np.full(slices, ends[0], dtype=np.intp)
    names[: len(ends)] = ends
    to[:, 0] = to[:, 1] = names
    small = [at for at in range(slices) if share[at] < 1]
    large = [at for at in range(slices) if share[at] >= 1]
    while small and large:
        less, more = small.pop(), large[-1]
        below[less], to[less, 1] = share[less], names[more]
        share[more] -= 1 - share[less]
        if share[more] < 1:
            small.append(large.pop())
