"""Publish rows steadily for an hour, copy them by a query that is killed, count the copies, and draw the latency.

    python -m tests.streams.steady [--minutes 60] [--rows 20000] [--kills 3] [--seed 7]

The rows are messages of a NATS server on this machine. A program (``tests.streams.steady_program``) copies them to
files by a streaming query. It is killed with its JVM at random times, and started again at once. At the end, the copies
are compared with the messages that the server has stored. The latency of a row is the time from its storage in the
server until the file with its copy was written; the drawing has a line for each minute.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs

from tableapi import TableEnvironment
from tests.streams.nats_server import NatsServer, why_missing
from tests.streams.steady_program import STREAM

PROGRAM = Path(__file__).with_name("steady_program.py")
_TICK = 0.05
_WIDTH = 50
_LATENCIES = (
    "SELECT CAST(FLOOR((UNIX_MICROS(stored) - {began}) / 60e6) AS INT) AS minute, COUNT(*) AS n, "
    "APPROX_PERCENTILE(late, 0.5) AS middle, APPROX_PERCENTILE(late, 0.99) AS most FROM (SELECT stored, "
    "(UNIX_MICROS(_metadata.file_modification_time) - UNIX_MICROS(stored)) / 1e6 AS late FROM copies) "
    "GROUP BY 1 ORDER BY 1"
)


async def publish(server: NatsServer, rows: int, seconds: float) -> int:
    """Publish a number of rows in each second, and return how many there were."""
    import nats

    connection = await nats.connect(server.url)
    began, sent = time.monotonic(), 0
    try:
        while (passed := time.monotonic() - began) < seconds:
            due = int(passed * rows)
            for number in range(sent, due):
                await connection.publish("events", b'{"id": %d}' % number)
            sent = due
            await connection.flush(60)
            await asyncio.sleep(_TICK)
    finally:
        await connection.close()
    return sent


@attrs.define
class Copying:
    """The program that copies, started again after each kill."""

    server: NatsServer
    folder: Path
    process: subprocess.Popen[str] | None = None

    def start(self, trigger: str) -> subprocess.Popen[str]:
        """Start the program in a group of its own, and wait until its query runs."""
        home, path = str(self.folder / "home"), os.pathsep.join(sys.path)
        environment = {**os.environ, "TABLEAPI_HOME": home, "PYTHONPATH": path}
        with open(self.folder / "errors", "a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, str(PROGRAM), self.server.url, str(self.folder / "copies"), trigger],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        if self.process.stdout.readline().strip() != "running":
            raise AssertionError(f"the program did not start:\n{(self.folder / 'errors').read_text()}")
        return self.process

    def kill(self) -> None:
        """Kill the program and its JVM.

        Raises:
            AssertionError: it had ended by itself.
        """
        if not self.end():
            raise AssertionError(f"the query ended:\n{(self.folder / 'errors').read_text()}")

    def end(self) -> bool:
        """Kill the program and its JVM if it runs; return whether it did."""
        if self.process is None or self.process.poll() is not None:
            return False
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        return True


def copy_through_kills(copying: Copying, kills: Sequence[float], publish_all: Callable[[], int]) -> int:
    """Run the program while all rows are published, kill it at some seconds, and have it copy the rest.

    Returns:
        How many rows were published.
    """
    copying.start("1 second")
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        publishing = pool.submit(publish_all)
        for number, moment in enumerate(kills):
            time.sleep(max(0.0, began + moment - time.monotonic()))
            copying.kill()
            print(f"kill {number + 1} after {time.monotonic() - began:.0f} s", flush=True)
            copying.start("1 second")
        published = publishing.result()
    copying.kill()
    if copying.start("available-now").wait():
        raise AssertionError(f"the program failed:\n{(copying.folder / 'errors').read_text()}")
    return published


def draw(latencies: Sequence[tuple[int, int, float, float]]) -> str:
    """Return a line for each minute: its rows, the median and the 99th percentile of the latency, and bars of both."""
    longest = max(most for _, _, _, most in latencies)
    lines = ["minute       rows  median, s  99 %, s"]
    for minute, rows, middle, most in latencies:
        first, second = (round(_WIDTH * seconds / longest) for seconds in (middle, most))
        lines.append(f"{minute:6} {rows:10,} {middle:10.2f} {most:8.2f}  {'#' * first}{'-' * (second - first)}")
    return "\n".join(lines)


def compare(folder: Path, stored: int, began: float) -> bool:
    """Print how many rows were lost and doubled, and the latency; return whether each row was copied once."""
    env = TableEnvironment.create(warehouse=str(folder / "warehouse"))
    copies = env.spark.read.parquet(str(folder / "copies"))
    copies.createOrReplaceTempView("copies")
    total, distinct = env.spark.sql("SELECT COUNT(*), COUNT(DISTINCT id) FROM copies").first() or (0, 0)
    print(f"{stored} rows stored and {total} copied: {stored - distinct} lost, {total - distinct} doubled", flush=True)
    copies.select("*", "_metadata").createOrReplaceTempView("copies")
    print(draw([tuple(row) for row in env.spark.sql(_LATENCIES.format(began=int(began * 1e6))).collect()]))
    env.close()
    return bool(stored == distinct == total)


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rows", type=int, default=20_000, help="rows in each second")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    reason = why_missing()
    if reason is not None:
        raise SystemExit(f"It cannot run: {reason}.")
    folder, chosen = Path(tempfile.mkdtemp(prefix="tableapi_steady_")), random.Random(given.seed)
    seconds = given.minutes * 60
    server = NatsServer(folder / "server")
    copying = Copying(server, folder)
    server.start()
    try:
        server.create(STREAM, "events")
        # A kill needs a query that runs, and rows after it.
        kills = sorted(chosen.uniform(0.1, 0.9) * seconds for _ in range(given.kills))
        began = time.time()
        published = copy_through_kills(copying, kills, lambda: asyncio.run(publish(server, given.rows, seconds)))
        stored = server.ask(lambda context: context.stream_info(STREAM)).state.messages
        print(f"{published} rows published in {seconds:.0f} s", flush=True)
    finally:
        copying.end()
        server.kill()
    is_same = compare(folder, stored, began)
    if is_same:
        shutil.rmtree(folder)
    return 0 if is_same else 1


if __name__ == "__main__":
    raise SystemExit(main())
