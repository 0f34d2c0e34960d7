"""Simulated days in words: each figure with its standard error."""

from __future__ import annotations

from winded.charts.tables import Cell, FigureTable, Say
from winded.odds.figures import Number, Percent
from winded.odds.forecasts.simulation import CharacterSimulation, Simulation
from winded.sentence import Sentence, sentence


def simulation_table(one: CharacterSimulation, days: int) -> FigureTable:
    """Step by step: expected Stamina and the chance of having none, each with its standard error.

    What may happen and never did in so many days has no error of its own: the chance says below what it is.
    """
    rows: list[tuple[Cell, ...]] = []
    for at, title in enumerate(one.titles):
        seen, error = float(one.stamina[at, 0]), 100 * float(one.stamina_error[at, 0])
        chance = Percent.seen(seen, days, may=bool(one.may_be_empty[at]), must=bool(one.must_be_empty[at]))
        told: Cell = Sentence("±{error}%", {"error": Number(error, 2 if error >= 0.01 or not error else 5)})
        rows.append(
            (
                title,
                Number(float(one.expected[at]), 3),
                Sentence("±{error}", {"error": Number(float(one.expected_error[at]), 3)}),
                chance,
                "" if chance.share != seen else told,
            )
        )
    return FigureTable(
        sentence("{name}, simulated", name=one.name),
        (sentence("After"), sentence("Expected"), sentence("Error"), sentence("At 0"), sentence("Error")),
        tuple(rows),
    )


def party_table(simulation: Simulation) -> FigureTable:
    """Step by step: on which share of the days someone, and everyone, is at 0."""
    people, days = simulation.characters, simulation.days
    rows: list[tuple[Cell, ...]] = []
    for at, title in enumerate(people[0].titles):
        may, must = [bool(one.may_be_empty[at]) for one in people], [bool(one.must_be_empty[at]) for one in people]
        someone = Percent.seen(float(simulation.someone_empty[at]), days, may=any(may), must=any(must))
        rows.append((title, someone, Percent.seen(float(simulation.all_empty[at]), days, may=all(may), must=all(must))))
    return FigureTable(
        sentence("The whole party"),
        (sentence("After"), sentence("Someone at 0"), sentence("Everyone at 0")),
        tuple(rows),
    )


def simulation_text(simulation: Simulation, *, say: Say = str) -> str:
    """Tables for a terminal."""
    tables = [simulation_table(one, simulation.days) for one in simulation.characters]
    if len(tables) > 1:
        tables.append(party_table(simulation))
    told = sentence("{days} days, seed {seed}.", days=simulation.days, seed=simulation.seed)
    return "\n\n".join([*(f"{say(table.caption)}\n\n{table.text(say)}" for table in tables), say(told)])
