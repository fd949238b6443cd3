"""Time to print the whole lineage of a project of many views: ``python -m benchmarks.lineage_views``.

The project is that of ``benchmarks.check_views``. Each run is a process of its own, as in a terminal.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.check_views import write_tableapi


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lineage_views", description=__doc__)
    parser.add_argument("--views", type=int, default=1000, help="the number of views")
    parser.add_argument("--runs", type=int, default=3, help="how often the command runs")
    given = parser.parse_args()
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        write_tableapi(Path(folder), given.views)
        for _ in range(given.runs):
            started = time.perf_counter()
            command = [sys.executable, "-m", "tableapi", "lineage", "--json", "-C", folder]
            printed = subprocess.run(command, check=True, capture_output=True).stdout
            taken.append(time.perf_counter() - started)
    document = json.loads(printed)
    found = f"{len(document['openlineage'])} views, {len(document['steps'])} steps between columns"
    each = ", ".join(f"{value:.2f}" for value in taken)
    print(f"{found}: median {statistics.median(taken):.2f} s ({each})")


if __name__ == "__main__":
    main()
