"""Kill the process of a stream at random points, start it again, and compare its rows with an undisturbed run.

    python -m tests.streams.kills [--kills 30] [--seed 7]

Each run writes the same twelve files of events to files, and, through a window, to a table of the catalog. It is killed
with its JVM (``kill -9`` of the process group) after a random time, and started again until all files are read.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES = 12
ROWS_OF_FILE = 25
# The program that is killed. It writes a line when its queries run, and one with the rows when they have ended.
PROGRAM = """
import json, sys
from pathlib import Path
from tableapi import Schema, StreamOptions, TableDescriptor, TableEnvironment

drops, out = sys.argv[1:3]
env = TableEnvironment.create()
reader = env.spark.readStream.schema("id BIGINT, k STRING, ts TIMESTAMP").option("maxFilesPerTrigger", 1)
env.create_temporary_view("events", env.from_spark(reader.json(drops).withWatermark("ts", "5 seconds")))
schema = Schema.new_builder().column("id", "BIGINT").column("k", "STRING").build()
files = TableDescriptor.for_connector("filesystem").schema(schema).format("json").option("path", out).build()
env.create_temporary_table("copies", files)
env.execute_sql("CREATE TABLE IF NOT EXISTS windows (at TIMESTAMP, k STRING, n BIGINT) USING parquet")
statements = env.create_statement_set()
statements.add_insert_sql("INSERT INTO copies SELECT id, k FROM events")
statements.add_insert_sql(
    "INSERT INTO windows SELECT w.start, k, n FROM (SELECT w, k, COUNT(*) AS n "
    "FROM (SELECT window(ts, '10 seconds') AS w, k FROM events) GROUP BY w, k)"
)
result = statements.execute(options=StreamOptions(trigger="available-now"))
print("running", flush=True)
result.wait()
rows = [sorted(map(str, env.from_path(name).execute().collect())) for name in ("copies", "windows")]
print(json.dumps(rows), flush=True)
"""


class Program:
    """The program of a stream over a home directory of its own.

    Args:
        folder: the folder of its files, its checkpoints and its sinks.
        drops: the folder of the events.
        text: the program.
    """

    def __init__(self, folder: Path, drops: Path, text: str = PROGRAM) -> None:
        self.folder = folder
        self.drops = drops
        folder.mkdir(parents=True)
        (folder / "program.py").write_text(text)

    def start(self) -> subprocess.Popen[str]:
        """Start the program and its JVM in a group of their own."""
        command = [sys.executable, str(self.folder / "program.py"), str(self.drops), str(self.folder / "out")]
        environment = {
            **os.environ,
            "TABLEAPI_HOME": str(self.folder / "home"),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def kill(self, after: float) -> bool:
        """Run the program, and kill it some seconds after its queries run; return whether it was still running."""
        process = self._start_queries()
        time.sleep(after)
        return self._kill(process)

    def kill_worker(self, after: float) -> bool:
        """Run the program, kill one of its Python workers after some seconds, and await its end.

        Returns:
            Whether a worker was killed; without any, the program is killed.
        """
        process = self._start_queries()
        time.sleep(after)
        workers = _list_workers(process.pid)
        for worker in workers[-1:]:
            os.kill(worker, signal.SIGKILL)
        if not workers:
            self._kill(process)
        process.communicate(timeout=600)
        return bool(workers)

    def kill_after_batches(self, batches: int) -> None:
        """Run the program, and kill it when both queries have finished some batches."""
        process = self._start_queries()
        logs = [folder / "commits" for folder in (self.folder / "home" / "streams").iterdir()]
        while process.poll() is None and any(_count_batches(log) < batches for log in logs):
            time.sleep(0.01)
        self._kill(process)

    def _start_queries(self) -> subprocess.Popen[str]:
        process = self.start()
        assert process.stdout is not None
        line = process.stdout.readline()
        if line.strip() != "running":
            _, errors = process.communicate()
            raise AssertionError(f"the program did not start:\n{errors}")
        return process

    @staticmethod
    def _kill(process: subprocess.Popen[str]) -> bool:
        is_running = process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return is_running

    def finish(self) -> list[list[str]]:
        """Run the program to its end, and return the rows of its sinks."""
        output, errors = self.start().communicate(timeout=600)
        if len(output.splitlines()) != 2:
            raise AssertionError(f"the program failed:\n{errors}")
        return json.loads(output.splitlines()[1])  # type: ignore[no-any-return]


def _list_workers(ancestor: int) -> list[int]:
    """Return the Python workers that a process has started, itself or by its children."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    children: dict[int, list[tuple[int, str]]] = {}
    for pid, parent, command in (row for row in rows if len(row) == 3):
        children.setdefault(int(parent), []).append((int(pid), command))
    found, waiting = [], [ancestor]
    while waiting:
        for pid, command in children.get(waiting.pop(), []):
            waiting.append(pid)
            if "pyspark" in command and ("daemon" in command or "worker" in command):
                found.append(pid)
    return found


def _count_batches(log: Path) -> int:
    return len([path for path in log.iterdir() if path.name.isdigit()]) if log.is_dir() else 0


def list_events(files: int) -> list[list[tuple[int, str, int]]]:
    """Return the events of each file, in order of time: an id, a key and a second."""
    return [
        [(number * ROWS_OF_FILE + row, "abc"[row % 3], number * 5 + row % 5) for row in range(ROWS_OF_FILE)]
        for number in range(files)
    ]


def expect_counts(files: int) -> list[int]:
    """Return how many rows the sinks get: one for each event, and one for each key and window that has ended."""
    events = [event for file in list_events(files) for event in file]
    watermark = max(second for _, _, second in events) - 5
    windows = {(second // 10, k) for _, k, second in events if (second // 10 + 1) * 10 <= watermark}
    return [len(events), len(windows)]


def drop_files(folder: Path, files: int) -> None:
    """Write the files of events."""
    folder.mkdir()
    for number, events in enumerate(list_events(files)):
        lines = []
        for i, k, second in events:
            moment = f"2024-05-01T10:{second // 60:02}:{second % 60:02}Z"
            lines.append(json.dumps({"id": i, "k": k, "ts": moment}))
        path = folder / f"{number:03}.json"
        path.write_text("\n".join(lines) + "\n")
        os.utime(path, (number + 1, number + 1))


def run(
    folder: Path, kills: int, seed: int, longest: float = 6.0, files: int = FILES
) -> tuple[int, list[list[str]], list[list[str]]]:
    """Kill programs until there were some kills of running ones.

    Returns:
        the number of kills, the rows of the undisturbed run, and those of the killed run that differ, or of the last.
    """
    chosen = random.Random(seed)
    drop_files(folder / "drops", files)
    expected = Program(folder / "undisturbed", folder / "drops").finish()
    done, attempt = 0, 0
    found = expected
    while done < kills:
        attempt += 1
        program = Program(folder / f"run{attempt}", folder / "drops")
        while done < kills and program.kill(chosen.uniform(0, longest)):
            done += 1
            print(f"kill {done}", flush=True)
        found = program.finish()
        if found != expected:
            break
        shutil.rmtree(program.folder)
    return done, expected, found


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tableapi_kills_"))
    done, expected, found = run(folder, given.kills, given.seed)
    same = expected == found
    print(
        f"{done} kills; rows {[len(rows) for rows in found]}, undisturbed {[len(rows) for rows in expected]}: ", end=""
    )
    print("equal" if same else f"different; see {folder}")
    if same:
        shutil.rmtree(folder)
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
