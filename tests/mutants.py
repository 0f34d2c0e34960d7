"""Changes Winded one small thing at a time and asks whether a test notices: `make mutants`.

Of some thousand changes that mutmut can make to `service/`, `roles/` and `tables/` a sample is tried, chosen by their
names and a seed: the same on every machine, and still the same of all that was not edited since. Those that no test
noticed are shown; the score is the share of those that one did.

    .venv/bin/python -m tests.mutants                        120 of them
    .venv/bin/python -m tests.mutants --sample 500 --seed 2  500 others
    .venv/bin/python -m tests.mutants 'winded.roles.veil.*'  all of one file, with what an earlier run has learnt
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import shutil
import subprocess
import sys
from collections import Counter
from heapq import nsmallest
from multiprocessing import Pool
from pathlib import Path

from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import get_mutant_name

MUTMUT = Path(sys.executable).with_name("mutmut")
NOTICED = {"killed", "timeout", "segfault", "caught by type check"}


def mutants_of(path: Path) -> list[str]:
    """The names of all changes that can be made to a file."""
    return [get_mutant_name(path, name) for name in mutate_file_contents(str(path), path.read_text()).mutant_names]


def chosen(names: list[str], how_many: int, seed: int) -> list[str]:
    """So many of them, by their names alone: what is added or goes elsewhere changes little of which they are."""
    return nsmallest(how_many, names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())


def verdicts(names: list[str]) -> dict[str, tuple[str, Path]]:
    """What became of each, and the file it changes."""
    wanted, found = set(names), {}
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        found.update(
            (name, (status_by_exit_code[code], path)) for name, code in data.exit_code_by_key.items() if name in wanted
        )
    return found


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("names", nargs="*", help="patterns of names instead of a sample")
    asked.add_argument("--sample", type=int, default=120, help="how many are tried (120)")
    asked.add_argument("--seed", type=int, default=1, help="which ones (1)")
    given = asked.parse_args()
    with Pool() as pool:
        names = [name for some in pool.imap_unordered(mutants_of, sorted(walk_mutatable_files())) for name in some]
    if given.names:
        names = [name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in given.names)]
    else:
        names = chosen(names, given.sample, given.seed)
        # Which tests reach what is learnt anew: a test that was changed since may reach something else.
        shutil.rmtree("mutants", ignore_errors=True)
    if not names:
        print("There is no such change.", file=sys.stderr)
        return 2
    if subprocess.run([MUTMUT, "run", *names], check=False).returncode:
        return 1
    found = verdicts(names)
    for name, (verdict, path) in sorted(found.items()):
        if verdict not in NOTICED:
            print(f"\n{name}: {verdict}\n{get_diff_for_mutant(name, path=path)}")
    counted = Counter(verdict for verdict, _ in found.values())
    noticed = sum(counted[verdict] for verdict in NOTICED)
    print(f"\n{', '.join(f'{count} {verdict}' for verdict, count in counted.most_common())}")
    print(f"Noticed: {noticed} of {len(found)}, {100 * noticed / len(found):.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
