"""Simulated days in words: each figure with its standard error."""

from __future__ import annotations

from winded.charts.tables import Cell, FigureTable, Say
from winded.odds.figures import Number, Percent
from winded.odds.forecasts.simulation import CharacterSimulation, Simulation
from winded.sentence import Sentence, sentence


def simulation_table(one: CharacterSimulation) -> FigureTable:
    """Step by step: expected Stamina and the chance of having none, each with its standard error."""
    rows: list[tuple[Cell, ...]] = []
    for title, mean, error, seen, seen_error in zip(
        one.titles, one.expected, one.expected_error, one.stamina[:, 0], one.stamina_error[:, 0], strict=True
    ):
        rows.append(
            (
                title,
                Number(float(mean), 3),
                Sentence("±{error}", {"error": Number(float(error), 3)}),
                Percent(float(seen)),
                Sentence("±{error}%", {"error": Number(100 * float(seen_error), 2)}),
            )
        )
    return FigureTable(
        sentence("{name}, simulated", name=one.name),
        (sentence("After"), sentence("Expected"), sentence("Error"), sentence("At 0"), sentence("Error")),
        tuple(rows),
    )


def party_table(simulation: Simulation) -> FigureTable:
    """Step by step: on which share of the days someone, and everyone, is at 0."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (title, Percent(float(someone)), Percent(float(everyone)))
        for title, someone, everyone in zip(
            simulation.characters[0].titles, simulation.someone_empty, simulation.all_empty, strict=True
        )
    )
    return FigureTable(
        sentence("The whole party"), (sentence("After"), sentence("Someone at 0"), sentence("Everyone at 0")), rows
    )


def simulation_text(simulation: Simulation, *, say: Say = str) -> str:
    """Tables for a terminal."""
    grids = [simulation_table(one) for one in simulation.characters]
    if len(grids) > 1:
        grids.append(party_table(simulation))
    told = sentence("{days} days, seed {seed}.", days=simulation.days, seed=simulation.seed)
    return "\n\n".join([*(f"{say(grid.caption)}\n\n{grid.text(say)}" for grid in grids), say(told)])
