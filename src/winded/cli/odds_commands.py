"""`winded odds`, `forecast`, `advise` and `compare`: chances on the command line, as tables, pictures, JSON or CSV."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec
from cyclopts import Parameter

from winded.cli.house_rules import HouseRules, ruleset_at
from winded.cli.printing import print_json
from winded.cli.reading import no_option, read_from
from winded.errors import Malformed
from winded.rules import PAGE

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from fractions import Fraction

    from winded.charts.tables import FigureTable
    from winded.odds import Day, Forecast

DayFile: TypeAlias = Annotated[
    Path,
    Parameter(
        name="DAY.toml",
        allow_leading_hyphen=True,
        validator=no_option,
        help="What is ahead and who goes through it; “-” reads it from standard input.",
    ),
]
AsJson: TypeAlias = Annotated[bool, Parameter(name="--json", negative=(), help="Print it as JSON.")]
AsCsv: TypeAlias = Annotated[bool, Parameter(name="--csv", negative=(), help="Print it as comma-separated values.")]
Svg: TypeAlias = Annotated[
    Path | None, Parameter(name="--svg", metavar="FILE", help="Draw it into this SVG file as well.")
]


def odds(
    expression: Annotated[str, Parameter(name="EXPRESSION")],
    /,
    *,
    target: Annotated[int | None, Parameter(allow_leading_hyphen=True)] = None,
    con: Annotated[str | None, Parameter(metavar="DIE")] = None,
    push: Annotated[int | None, Parameter(metavar="MOST")] = None,
    want: Annotated[str | None, Parameter(metavar="CHANCE")] = None,
    under: Annotated[bool, Parameter(negative=())] = False,
    rules: HouseRules = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    svg: Svg = None,
    totals: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """The exact chances of a Check, and what each push adds; without a target, those of every total.

    Dice are written as 1d20+con, 4d6dl1, d6!, d20ro1, 6d10>=8 or max(1d20,2d10); con is the character's own CON
    Ability Die.

    Parameters
    ----------
    expression
        What is rolled.
    target
        The total at which it succeeds.
    con
        The CON Ability Die, such as d8.
    push
        The most Stamina to push; 5 unless given.
    want
        A chance, such as 0.6 or 2/3: also say the least push that gives it.
    under
        Roll-under: the target or less succeeds, and what is pushed comes off the total.
    totals
        Show every total of the dice instead of the pushes.
    """
    from winded.charts import check_picture, check_table, check_text, totals_picture
    from winded.odds import check

    _only_one(("--json", as_json), ("--csv", as_csv))
    wanted = None if want is None else _chance(want)
    if target is None:
        _needs("--target", ("--push", push), ("--want", want), ("--under", under), ("--rules", rules))
        return _every_total(expression, con, as_json=as_json, as_csv=as_csv, svg=svg)
    if totals:
        _not_with("--totals", ("--want", want))
    if as_csv:
        _not_with("--csv", ("--want", want))
    bonus = PAGE.push.bonus if rules is None else ruleset_at(rules).push.bonus
    found = check(expression, target, 5 if push is None else push, con=con, push_bonus=bonus, under=under)
    if svg is not None:
        _draw(svg, (totals_picture if totals else check_picture)(found, standalone=True))
    if totals and svg is None:
        return _every_total(expression, con, as_json=as_json, as_csv=as_csv, svg=None)
    if as_json:
        data = msgspec.to_builtins(found.data())
        print_json(data if wanted is None else {**data, "least_push": found.least_push(wanted)})
    elif as_csv:
        sys.stdout.write(check_table(found).csv())
    else:
        print(check_text(found))
        if wanted is not None:
            least = found.least_push(wanted)
            print()
            print(
                f"No push up to {found.pushes[-1].stamina} gives a chance of {want}."
                if least is None
                else f"The least push for a chance of {want}: {least}."
            )
    return 0


def _every_total(expression: str, con: str | None, *, as_json: bool, as_csv: bool, svg: Path | None) -> int:
    """Every total of the dice: how likely it is, and how likely it or more is."""
    from winded.charts import distribution_picture, distribution_table
    from winded.odds import roll

    rolled = roll(expression, con)
    if svg is not None:
        _draw(svg, distribution_picture([rolled], standalone=True))
    table = distribution_table([rolled])
    if as_json:
        print_json(rolled.data())
    elif as_csv:
        sys.stdout.write(table.csv())
    else:
        print(f"{table.caption}\n\n{table.text()}")
        if rolled.explosions:
            print(f"\nAn exploding die is rolled again at most {rolled.explosions} times.")
    return 0


def _only_one(*asked: tuple[str, bool]) -> None:
    """Refuse two ways of printing at once. Raises Malformed."""
    given = [name for name, value in asked if value]
    if len(given) > 1:
        raise Malformed(given[1], "{option} does not go with {other}: choose one.", option=given[1], other=given[0])


def _not_with(option: str, *others: tuple[str, object]) -> None:
    """Refuse what would be asked for in vain. Raises Malformed that names the option."""
    for name, value in others:
        if value:
            raise Malformed(name, "{option} does nothing together with {other}.", option=name, other=option)


def _needs(option: str, *others: tuple[str, object]) -> None:
    """Refuse what means nothing without another option. Raises Malformed that names the option."""
    for name, value in others:
        if value not in (None, False):
            raise Malformed(name, "{option} needs {other}.", option=name, other=option)


def forecast(
    day: DayFile,
    /,
    *,
    rules: HouseRules = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    svg: Svg = None,
    days: Annotated[int | None, Parameter(name="--simulate", metavar="DAYS")] = None,
    seed: int | None = None,
    cores: int | None = None,
) -> int:
    """How much Stamina a day leaves everyone, exactly; or simulated, with standard errors.

    Parameters
    ----------
    days
        Play so many days by chance instead: for shared attention, which no exact forecast can follow.
    seed
        Of the simulated days: the same seed gives the same days; 0 unless given.
    cores
        How many cores the simulation may take; all of them unless given.
    """
    from winded import charts, odds

    _only_one(("--json", as_json), ("--csv", as_csv))
    if days is None:
        _needs("--simulate", ("--seed", seed), ("--cores", cores))
    else:
        _not_with("--simulate", ("--svg", svg))
    ahead, ruleset = _day_at(day), ruleset_at(rules)
    if days is not None:
        with _progress(days) as tell:
            drawn = odds.simulate(ahead, ruleset, days=days, seed=seed or 0, cores=cores, progress=tell)
        tables = [(one.name, charts.simulation_table(one, drawn.days)) for one in drawn.characters]
        _answer(drawn.data, tables, lambda: charts.simulation_text(drawn), as_json=as_json, as_csv=as_csv)
        return 0
    found = odds.forecast(ahead, ruleset)
    if svg is not None:
        _draw(svg, charts.forecast_picture(found, standalone=True))
    if as_csv:
        sys.stdout.write(_chances(found))
    else:
        _answer(found.data, [], lambda: charts.forecast_text(found), as_json=as_json, as_csv=False)
    return 0


def advise(
    day: DayFile, /, *, rules: HouseRules = None, as_json: AsJson = False, as_csv: AsCsv = False, svg: Svg = None
) -> int:
    """When it is best to spend, given what the day file holds things worth."""
    from winded import charts, odds

    _only_one(("--json", as_json), ("--csv", as_csv))
    found = odds.advise(_day_at(day), ruleset_at(rules))
    if svg is not None:
        _draw(svg, charts.advice_picture(found, standalone=True))
    tables = [(one.name, charts.advice_table(one)) for one in found.characters]
    _answer(found.data, tables, lambda: charts.advice_text(found), as_json=as_json, as_csv=as_csv)
    return 0


def compare(
    day: DayFile,
    /,
    *,
    rules: Annotated[tuple[str, ...], Parameter(negative=(), metavar="RULES")] = ("page",),
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    svg: Svg = None,
) -> int:
    """What house rules change: the same day under each of them, side by side.

    Parameters
    ----------
    rules
        “page” for the page's rules, or a TOML file of house rules; once for each ruleset.
    """
    from winded import charts, odds

    _only_one(("--json", as_json), ("--csv", as_csv))
    rulesets = [PAGE if one == "page" else ruleset_at(Path(one)) for one in rules]
    found = odds.compare(_day_at(day), rulesets)
    if svg is not None:
        _draw(svg, charts.comparison_picture(found, standalone=True))
    tables = [("", charts.ends_table(found))]
    _answer(found.data, tables, lambda: charts.comparison_text(found), as_json=as_json, as_csv=as_csv)
    return 0


def _answer(
    data: Callable[[], object],
    tables: list[tuple[str, FigureTable]],
    text: Callable[[], str],
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    if as_json:
        print_json(data())
    elif as_csv:
        from winded.charts import comma_separated

        for at, (name, table) in enumerate(tables):
            if name:
                sys.stdout.write(("\n" if at else "") + comma_separated([[name]]))
            sys.stdout.write(table.csv())
    else:
        print(text())


def _chances(found: Forecast) -> str:
    """The chance of each Stamina after each step, a line a step and character."""
    from winded.charts import comma_separated

    most = max(one.stamina.shape[1] for one in found.characters)
    lines: list[list[str | int | float]] = [["Character", "Step", "After", "Expected", *range(most)]]
    for one in found.characters:
        rows = zip(one.titles, one.expected.tolist(), one.stamina.tolist(), strict=True)
        for at, (title, expected, stamina) in enumerate(rows):
            lines.append([one.name, at, str(title), expected, *stamina, *[0.0] * (most - len(stamina))])
    return comma_separated(lines)


def _chance(written: str) -> Fraction:
    from winded.odds.check import fraction_from

    chance = fraction_from(written)
    if chance is None or chance > 1:
        raise Malformed(
            "want", "A chance is a number from 0 to 1, such as 0.6 or 2/3, not {value}.", value=written[:40]
        )
    return chance


def _day_at(path: Path) -> Day:
    from winded.odds import day_from_toml

    return read_from(path, "DAY.toml", day_from_toml)


def _draw(path: Path, picture: str) -> None:
    path.write_text(picture + "\n", encoding="utf-8")


def _progress(days: int) -> AbstractContextManager[Callable[[int, int], None] | None]:
    """A bar on standard error while days are drawn, where someone is looking."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.progress import Progress

    class Bar(Progress):
        def __enter__(self) -> Callable[[int, int], None]:  # type: ignore[override]
            super().__enter__()
            task = self.add_task("Days", total=days)
            return lambda done, _: self.update(task, completed=done)

    return Bar(console=Console(stderr=True), transient=True)
