"""Plays at one table of a database that another process plays at as well: `python racing.py DATABASE TABLE NAME COUNT`.

Waits for a line on standard input, plays so many commands from four threads, each decided on what Brakka then has, and
prints for each acknowledged one its request id and number.
"""

import os
import sys
import threading
from pathlib import Path

from winded import Adjust, Refused
from winded.journal import SqliteJournal
from winded.tables import Tables


def main(database: Path, table: str, name: str, count: int) -> None:
    with SqliteJournal(database) as journal, Tables(journal) as tables:
        tables.snapshot(table)
        print("ready", flush=True)
        sys.stdin.readline()

        def play(player: int) -> None:
            by = 1
            for at in range(count // 4):
                request = f"{name}/{player}/{at}"
                while True:
                    try:
                        done = tables.do(table, Adjust("Brakka", by=by, reason=name), who=name, request=request)
                    except Refused:
                        # A request is answered once: another try is another request.
                        by = -by
                        request += "'"
                    else:
                        break
                os.write(1, f"{request} {done.entry.number}\n".encode())

        threads = [threading.Thread(target=play, args=(player,)) for player in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
