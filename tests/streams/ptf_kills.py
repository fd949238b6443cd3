"""Kill the process or a worker of process table functions over streams, and compare their rows with an undisturbed run.

    python -m tests.streams.ptf_kills [--kills 20] [--seed 7]

Each run counts the events of twelve files by key, with a timeout. One query processes rows as they come and writes
files; the other processes them in the order of time and writes a table of the catalog. A kill is ``kill -9`` of the
driver with its JVM, or of one Python worker, after a random time. The program is started again until all files are
read.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from tests.streams.kills import Program, drop_files

FILES = 12
PROGRAM = Path(__file__).with_name("killed_calls.py")


def run(folder: Path, kills: int, seed: int, longest: float, files: int = FILES) -> tuple[Counter[str], bool]:
    """Kill programs until there were some kills of running ones.

    Returns:
        the number of kills by what was killed, and whether each program wrote the rows of the undisturbed run.
    """
    chosen = random.Random(seed)
    drop_files(folder / "drops", files)
    expected = Program(folder / "undisturbed", folder / "drops", program=PROGRAM).finish()
    print(f"undisturbed: {[len(rows) for rows in expected.values()]} rows", flush=True)
    done: Counter[str] = Counter()
    attempt = 0
    while done.total() < kills:
        attempt += 1
        program = Program(folder / f"run{attempt}", folder / "drops", program=PROGRAM)
        is_running = True
        while done.total() < kills and is_running:
            what, after = chosen.choice(["driver", "worker"]), chosen.uniform(0, longest)
            is_running = program.kill(after) if what == "driver" else program.kill_worker(after)
            done[what] += is_running
            print(f"{what} after {after:.1f} s: {'killed' if is_running else 'had ended'}", flush=True)
        if program.finish() != expected:
            return done, False
        print("equal", flush=True)
        shutil.rmtree(program.folder)
    return done, True


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--longest", type=float, default=20.0, help="the latest kill, in seconds after the start")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tableapi_kills_"))
    done, is_equal = run(folder, given.kills, given.seed, given.longest, given.files)
    print(f"{done.total()} kills ({dict(done)}): {'equal' if is_equal else f'different; see {folder}'}")
    if is_equal:
        shutil.rmtree(folder)
    return 0 if is_equal else 1


if __name__ == "__main__":
    raise SystemExit(main())
