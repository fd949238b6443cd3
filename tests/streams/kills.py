"""Kill the process of a stream, or its Python workers, at random points, and compare its rows with an undisturbed run.

    python -m tests.streams.kills [--kills 30] [--workers 30] [--commits 10] [--seed 7]

Each run reads the same twelve files of events, and writes them to files, to a table of the catalog, and to two tables
of PostgreSQL, if it is installed (``tests.streams.killed_program``).

- ``--kills``: it is killed with its JVM (``kill -9`` of the process group) after a random time, and started again until
  all files are read. After every second kill, the last entry of a log of commits is deleted, too. The longest time is
  a quarter of what the undisturbed run takes, so that a busy machine does not kill all runs before their first batch.
- ``--workers``: one of its Python workers is killed after a random time, while the driver and the JVM go on.
- ``--commits``: after the end, the last entry of the log of commits of each query is deleted, and the program is run
  again: it writes the last batch of each query once more.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import attrs

from tests.formats import databases

FILES = 12
ROWS_OF_FILE = 25
PROGRAM = Path(__file__).with_name("killed_program.py")
Rows = dict[str, list[str]]


@attrs.frozen
class Database:
    """A PostgreSQL that all runs write to, each in a schema of its own."""

    url: str
    programs: Path
    port: int

    def arguments(self, schema: str) -> list[str]:
        """Create the tables of a run, and return the arguments of the program."""
        for text in (
            f"CREATE SCHEMA IF NOT EXISTS {schema}",
            f"CREATE TABLE IF NOT EXISTS {schema}.log (id BIGINT, k VARCHAR(10))",
            f"CREATE TABLE IF NOT EXISTS {schema}.totals (k VARCHAR(10) PRIMARY KEY, n BIGINT)",
        ):
            databases.run_in_postgres(self.programs, self.port, text)
        return [self.url, schema, str(databases.POSTGRES_JAR)]


@contextmanager
def some_database() -> Iterator[Database | None]:
    """Start a PostgreSQL; None if it is not installed."""
    if databases.postgres_programs() is None:
        print("PostgreSQL is not installed: the runs write to files and a table alone.", flush=True)
        yield None
        return
    with databases.postgres_alone() as (url, programs, port):
        yield Database(url, programs, port)


class Program:
    """The program of a stream over a home directory of its own.

    Args:
        folder: the folder of its files, its checkpoints and its sinks.
        drops: the folder of the events.
        database: a database that it writes to, too.
        program: the file of the program.
    """

    def __init__(self, folder: Path, drops: Path, database: Database | None = None, program: Path = PROGRAM) -> None:
        self.folder = folder
        self._program = program
        self._arguments = [str(drops), str(folder / "out")]
        folder.mkdir(parents=True)
        if database is not None:
            self._arguments += database.arguments(folder.name)

    def start(self) -> subprocess.Popen[str]:
        """Start the program and its JVM in a group of their own."""
        environment = {
            **os.environ,
            "TABLEAPI_HOME": str(self.folder / "home"),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        # A pipe that nobody reads would stop the program.
        with open(self.folder / "errors", "a") as errors:
            return subprocess.Popen(
                [sys.executable, str(self._program), *self._arguments],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )

    def kill(self, after: float) -> bool:
        """Run the program, and kill it some seconds after its queries run; return whether it was still running."""
        process = self._start_queries()
        _read_lines(process)
        time.sleep(after)
        return _kill_group(process)

    def kill_after_batches(self, batches: int) -> None:
        """Run the program, and kill it when all queries have finished some batches."""
        process = self._start_queries()
        _read_lines(process)
        logs = self._logs()
        while process.poll() is None and any(_count_batches(log) < batches for log in logs):
            time.sleep(0.01)
        _kill_group(process)

    def kill_worker(self, after: float) -> bool:
        """Run the program, kill one of its Python workers some seconds after the first one started, and await its end.

        Returns:
            Whether a worker was killed before the program ended.
        """
        process = self._start_queries()
        _read_lines(process)
        # On a busy machine, the queries are planned for many seconds before a worker starts.
        while process.poll() is None and not list_workers(process.pid):
            time.sleep(0.05)
        time.sleep(after)
        is_killed = False
        while process.poll() is None and not is_killed:
            for worker in list_workers(process.pid)[-1:]:
                # It may have ended meanwhile.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
                    is_killed = True
            time.sleep(0.05)
        process.wait(600)
        return is_killed

    def kill_workers(self, kills: int, chosen: random.Random, longest: float) -> tuple[int, int, Rows]:
        """Run the program to its end, and kill one of its Python workers after random times.

        Returns:
            How many workers were killed, how often queries failed of it, and the rows of the sinks.
        """
        process = self._start_queries()
        lines, reader = _read_lines(process)
        done = 0
        while process.poll() is None and done < kills:
            time.sleep(chosen.uniform(0, longest))
            workers = list_workers(process.pid)
            if workers:
                try:
                    os.kill(chosen.choice(workers), signal.SIGKILL)
                    done += 1
                except ProcessLookupError:
                    continue
        process.wait(600)
        reader.join(60)
        found = list(lines.queue)
        return done, found.count("failed\n"), self._read_rows(found)

    def forget_commits(self, *, one_of: random.Random | None = None) -> int:
        """Delete the last entry of the log of commits of each query, or of one of them; return how many there were."""
        logs = [log for log in self._logs() if _count_batches(log)]
        if one_of is not None and logs:
            logs = [one_of.choice(logs)]
        for log in logs:
            last = max(int(path.name) for path in log.iterdir() if path.name.isdigit())
            (log / str(last)).unlink()
            (log / f".{last}.crc").unlink(missing_ok=True)
        return len(logs)

    def count_batches(self) -> int:
        """Return how many batches of all queries are finished."""
        return sum(map(_count_batches, self._logs()))

    def time_queries(self) -> float:
        """Run the program to its end, and return how many seconds its queries took."""
        process = self._start_queries()
        began = time.monotonic()
        process.communicate(timeout=600)
        return time.monotonic() - began

    def finish(self) -> Rows:
        """Run the program to its end, and return the rows of its sinks."""
        output, _ = self.start().communicate(timeout=600)
        return self._read_rows(output.splitlines())

    def _logs(self) -> list[Path]:
        home = self.folder / "home" / "streams"
        return [folder / "commits" for folder in sorted(home.iterdir())] if home.is_dir() else []

    def _read_rows(self, lines: list[str]) -> Rows:
        if not lines or not lines[-1].startswith("{"):
            raise AssertionError(f"the program failed:\n{(self.folder / 'errors').read_text()}")
        return json.loads(lines[-1])  # type: ignore[no-any-return]  # the program writes Rows

    def _start_queries(self) -> subprocess.Popen[str]:
        process = self.start()
        assert process.stdout is not None
        if process.stdout.readline().strip() != "running":
            process.wait()
            raise AssertionError(f"the program did not start:\n{(self.folder / 'errors').read_text()}")
        return process


def _kill_group(process: subprocess.Popen[str]) -> bool:
    """Kill a process and all of its group; return whether it was still running."""
    is_running = process.poll() is None
    # The program and all that it started may have ended by themselves.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return is_running


def _read_lines(process: subprocess.Popen[str]) -> tuple[queue.Queue[str], threading.Thread]:
    """Read the output of a program in a thread; a program whose pipe is full would wait and never end."""
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=_copy_lines, args=(process.stdout, lines), daemon=True)
    reader.start()
    return lines, reader


def _copy_lines(source: IO[str], lines: queue.Queue[str]) -> None:
    for line in source:
        lines.put(line)


def list_workers(ancestor: int) -> list[int]:
    """Return the Python workers below a process, among them the daemon that starts the others."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        # A process that has ended stays a zombie until its parent asks for it.
        if fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, waiting = [], [ancestor]
    while waiting:
        for pid in children.get(waiting.pop(), []):
            waiting.append(pid)
            try:
                command = (Path("/proc") / str(pid) / "cmdline").read_bytes()
            except OSError:
                continue
            # The JVM has the name of the module in its arguments, too.
            if command.split(b"\0")[1:2] == [b"-m"] and b"daemon" in command.split(b"\0")[2]:
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


@attrs.define
class Runs:
    """Runs over the same files, whose rows are compared with those of the first, undisturbed one."""

    folder: Path
    database: Database | None
    chosen: random.Random
    longest: float = 0.0
    number: int = 0
    expected: Rows = attrs.field(factory=dict)

    def start(self, files: int) -> None:
        """Write the files, and run the program undisturbed."""
        drop_files(self.folder / "drops", files)
        program = self._make_program()
        self.longest = program.time_queries() / 4
        self.expected = program.finish()
        print(f"undisturbed: {program.count_batches()} batches in {4 * self.longest:.1f} s", flush=True)
        shutil.rmtree(program.folder)

    def _make_program(self) -> Program:
        self.number += 1
        return Program(self.folder / f"run{self.number}", self.folder / "drops", self.database)

    def kill_drivers(self, kills: int) -> bool:
        """Kill drivers; return whether all runs have the rows of the undisturbed one."""
        done = forgotten = batches = 0
        is_equal = True
        while done < kills and is_equal:
            program = self._make_program()
            while done < kills and program.kill(self.chosen.uniform(0, self.longest)):
                done += 1
                finished = program.count_batches()
                if done % 2 == 0:
                    forgotten += program.forget_commits(one_of=self.chosen)
                print(f"kill {done}, after {finished} batches", flush=True)
            batches += program.count_batches()
            is_equal = self._compare(program, program.finish())
        what = f"{done} kills of the driver in {self.number - 1} runs, which had finished {batches} batches by the last"
        return self._report(f"{what}, and {forgotten} deletions of the last commit", is_equal)

    def kill_workers(self, kills: int) -> bool:
        """Kill Python workers alone; return whether all runs have the rows of the undisturbed one."""
        done = failures = 0
        is_equal = True
        while done < kills and is_equal:
            program = self._make_program()
            # More than the library repeats in one start, and few enough for the program to end.
            killed, failed, found = program.kill_workers(min(6, kills - done), self.chosen, self.longest)
            done += killed
            failures += failed
            print(f"kill {done} of a worker", flush=True)
            is_equal = self._compare(program, found)
        return self._report(f"{done} kills of Python workers, of which queries failed {failures} times", is_equal)

    def forget_commits(self, deletions: int) -> bool:
        """Delete last entries of logs of commits; return whether all runs have the rows of the undisturbed one."""
        program = self._make_program()
        is_equal = program.finish() == self.expected
        done = 0
        while done < deletions and is_equal:
            done += program.forget_commits()
            print(f"deletion {done}", flush=True)
            is_equal = program.finish() == self.expected
        return self._report(f"{done} deletions of the last commit after the end", is_equal)

    def _compare(self, program: Program, found: Rows) -> bool:
        if found != self.expected:
            for name, rows in found.items():
                print(f"{program.folder}: {name} has {len(rows)} rows, undisturbed {len(self.expected[name])}")
            return False
        shutil.rmtree(program.folder)
        return True

    def _report(self, what: str, is_equal: bool) -> bool:
        rows = {name: len(found) for name, found in self.expected.items()}
        print(f"{what}; rows {rows}: {'equal' if is_equal else f'different, see {self.folder}'}", flush=True)
        return is_equal


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30, help="kills of the driver")
    parser.add_argument("--workers", type=int, default=30, help="kills of Python workers")
    parser.add_argument("--commits", type=int, default=10, help="deletions of the last commit after the end")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tableapi_kills_"))
    with some_database() as database:
        runs = Runs(folder, database, random.Random(given.seed))
        runs.start(FILES)
        is_equal = (
            runs.kill_drivers(given.kills) and runs.kill_workers(given.workers) and runs.forget_commits(given.commits)
        )
    if is_equal:
        shutil.rmtree(folder)
    return 0 if is_equal else 1


if __name__ == "__main__":
    raise SystemExit(main())
