"""Kill a NATS server and interrupt a query at random points, and compare what was read with what was published.

    python -m tests.streams.nats_kills [--messages 20000] [--kills 6] [--restarts 4] [--seed 7]

A query copies the messages of one stream to another. Meanwhile messages are published in random batches, the server is
killed (``kill -9``) and started again, and the query is stopped and started again from its checkpoint, without the last
entry of its log of commits, so that Spark repeats a batch that it had finished. Each repeated batch comes after the
duplicate window of the stream.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

import attrs

from tableapi import EnvironmentSettings, StreamOptions, TableEnvironment, TableResult
from tests.streams.nats_server import Message, NatsServer, why_missing


@attrs.frozen
class Outcome:
    """What a run found.

    Attributes:
        published: the messages in the first stream.
        copied: those in the second one.
        repeated_batches: how many finished batches were repeated.
    """

    published: list[Message]
    copied: list[Message]
    repeated_batches: int

    @property
    def lost(self) -> int:
        """The number of messages that were not copied."""
        return sum((_contents(self.published) - _contents(self.copied)).values())

    @property
    def doubled(self) -> int:
        """The number of messages that were copied once too often."""
        return sum((_contents(self.copied) - _contents(self.published)).values())


def _contents(messages: list[Message]) -> Counter[tuple[bytes, str]]:
    return Counter([(data, headers.get("from", "")) for _, data, headers in messages])


class Copy:
    """The query that copies, with its checkpoint."""

    def __init__(
        self, env: TableEnvironment, server: NatsServer, folder: Path, chosen: random.Random, window: int
    ) -> None:
        self._env = env
        self._checkpoint = folder / "checkpoint"
        # A message is sent again for as long as the stream recognises it.
        timeout = {"connection.timeout": str(window - 1)}
        options = {
            "scan.messages-per-trigger": str(chosen.randint(100, 4_000)),
            "scan.messages-per-partition": str(chosen.randint(40, 1_000)),
        }
        env.create_temporary_table("incoming", server.descriptor("IN", streaming="true", **options, **timeout).build())
        outgoing = server.descriptor("OUT", subject="out", **timeout)
        env.execute_sql("CREATE TEMPORARY VIEW copied AS SELECT data, 'out' AS subject, headers FROM incoming")
        env.create_temporary_table("outgoing", outgoing.build())

    def start(self, trigger: str | None = None) -> TableResult:
        """Start the query, or continue it."""
        options = StreamOptions(trigger=trigger, checkpoint=self._checkpoint, output_mode="append")
        return self._env.from_path("copied").execute_insert("outgoing", options=options)

    def await_batch(self, running: TableResult) -> None:
        """Wait until the query has finished a batch since it was started, if it does not fail."""
        until = time.monotonic() + 300
        while not running.progress() and running.is_running and time.monotonic() < until:
            time.sleep(0.05)

    def forget_last_commit(self) -> int:
        """Delete the last entry of the log of commits, and return the number of its batch."""
        log = self._checkpoint / "commits"
        last = max(int(path.name) for path in log.iterdir() if path.name.isdecimal())
        for name in (str(last), f".{last}.crc"):
            (log / name).unlink(missing_ok=True)
        return last


def run(
    env: TableEnvironment, folder: Path, messages: int, kills: int, restarts: int, seed: int, window: int = 20
) -> Outcome:
    """Copy messages through kills of the server and restarts of the query.

    Args:
        env: the environment, in which no other query has the names of the tables.
        folder: an empty directory for the server and the checkpoint.
        messages: how many messages are published.
        kills: how often the server is killed while the query runs.
        restarts: how often the query is interrupted, and a batch is repeated.
        seed: chooses the batches and the points in between.
        window: the seconds in which the stream itself recognises a repeated message.
    """
    chosen = random.Random(seed)
    server = NatsServer(folder / "server")
    server.start()
    try:
        server.create("IN", "in.*")
        server.create("OUT", "out", duplicate_window=window)
        copy = Copy(env, server, folder, chosen, window)
        running = copy.start()
        repeated = []
        for step in _plan(chosen, messages, kills, restarts):
            if step == "kill":
                copy.await_batch(running)
                server.restart()
            elif step == "restart":
                copy.await_batch(running)
                running.stop(chosen.choice((0, 20_000)))
                repeated.append(copy.forget_last_commit())
                time.sleep(window + 1)
                running = copy.start()
            else:
                server.publish(step)
                time.sleep(chosen.uniform(0, 0.5))
            failure = running.exception()
            if failure is not None:
                raise failure
        running.stop(60_000)
        copy.start("available-now").wait()
        return Outcome(server.read("IN"), server.read("OUT"), len(repeated))
    finally:
        server.kill()


def _plan(chosen: random.Random, messages: int, kills: int, restarts: int) -> list[list[Message] | str]:
    """Return batches of messages with kills and restarts at random places between them."""
    batches: list[list[Message]] = []
    left = messages
    while left:
        size = min(left, chosen.randint(1, max(messages // 12, 1)))
        first = messages - left
        # A tenth of the messages have the content of another one.
        batches.append(
            [
                (
                    f"in.{chosen.randint(0, 3)}",
                    str(number // 10 * 10 if number % 10 == 1 else number).encode(),
                    _headers(n),
                )
                for n, number in enumerate(range(first, first + size))
            ]
        )
        left -= size
    steps: list[list[Message] | str] = list(batches)
    for step in ["kill"] * kills + ["restart"] * restarts:
        # The first batch comes first, so that there is something to read.
        steps.insert(chosen.randint(1, len(steps)), step)
    return steps


def _headers(number: int) -> dict[str, str]:
    return {"from": "program"} if number % 7 == 0 else {}


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--restarts", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    reason = why_missing()
    if reason is not None:
        raise SystemExit(f"It cannot run: {reason}.")
    folder = Path(tempfile.mkdtemp(prefix="tableapi_nats_"))
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)
    began = time.monotonic()
    found = run(env, folder, given.messages, given.kills, given.restarts, given.seed)
    print(
        f"{len(found.published)} messages published and {len(found.copied)} copied, with {given.kills} kills of the "
        f"server and {found.repeated_batches} repeated batches: {found.lost} lost, {found.doubled} doubled, in "
        f"{time.monotonic() - began:.0f} s"
    )
    same = not found.lost and not found.doubled
    if same:
        shutil.rmtree(folder)
    env.spark.stop()
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
