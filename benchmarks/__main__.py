"""Measures Winded's figures and prints each with its floor and goal; `--json FILE` writes them down as well.

python -m benchmarks                 all of them
python -m benchmarks rules.do odds   those whose name begins so
python -m benchmarks --list          their names
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import benchmarks
from benchmarks.harness import Figure, Measured, written


def figures() -> Iterator[tuple[str, ImportError | tuple[Figure, ...]]]:
    """Each module of this folder with its figures, or with the reason why it cannot be loaded."""
    for module in sorted(one.name for one in pkgutil.iter_modules(benchmarks.__path__)):
        if module in {"__main__", "harness"}:
            continue
        try:
            found = importlib.import_module(f"benchmarks.{module}")
        except ImportError as missing:
            yield module, missing
        else:
            yield module, tuple(getattr(found, "FIGURES", ()))


def told(figure: Figure, measured: Measured) -> str:
    """A figure as it is printed."""
    lines = [f"{figure.name}: {figure.what}", f"    {measured.ours} {figure.unit}"]
    if measured.floor is not None:
        lines.append(f"    floor {measured.floor}{f': {figure.floor}' if figure.floor else ''}")
        lines.append(f"    ours / floor {measured.ratio}")
    if measured.more:
        lines.append("    " + ", ".join(f"{name} {written(value)}" for name, value in measured.more.items()))
    reached = figure.reached(measured)
    if reached is not None:
        sign = ">=" if figure.better == "more" else "<="
        goals = [f"{sign} {written(figure.goal)} {figure.unit}"] if figure.goal is not None else []
        goals += [f"{sign} {written(figure.goal_ratio)} of the floor"] if figure.goal_ratio is not None else []
        lines.append(f"    goal {', '.join(goals)}: {'reached' if reached else 'NOT reached'}")
    return "\n".join(lines)


def as_data(figure: Figure, measured: Measured) -> dict[str, Any]:
    """A figure as it is written to the JSON file."""
    return {
        "name": figure.name,
        "what": figure.what,
        "unit": figure.unit,
        "better": figure.better,
        "goal": figure.goal,
        "goal_ratio": figure.goal_ratio,
        "reached": figure.reached(measured),
        **msgspec.to_builtins(measured),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="only figures whose name begins so")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file as well")
    parser.add_argument("--list", action="store_true", help="only print the names")
    asked = parser.parse_args()

    done: list[dict[str, Any]] = []
    matched = failed = 0
    for module, found in figures():
        if not isinstance(found, tuple):
            print(f"benchmarks.{module} cannot be loaded: {found}", file=sys.stderr)
            failed += 1
            continue
        for figure in found:
            if asked.names and not any(
                figure.name == name or figure.name.startswith(f"{name}.") for name in asked.names
            ):
                continue
            matched += 1
            if asked.list:
                print(figure.name)
                continue
            measured = figure.measure()
            print(told(figure, measured), flush=True)
            done.append(as_data(figure, measured))
    if not matched and not failed:
        print(f"No figure is called {' or '.join(asked.names)}; --list prints them all.", file=sys.stderr)
        return 2
    if asked.json is not None:
        machine = {"python": platform.python_version(), "system": platform.platform(), "cores": os.cpu_count()}
        asked.json.write_bytes(msgspec.json.format(msgspec.json.encode({**machine, "figures": done}), indent=2) + b"\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
