"""A program that is killed by tests.streams.ptf_kills: process table functions over streams, with two sinks."""

import dataclasses
import datetime as dt
import json
import sys
from collections.abc import Iterator

from tableapi import Row, Schema, StreamOptions, TableDescriptor, TableEnvironment
from tableapi.expressions import col, descriptor
from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, State, TableAsSet
from tableapi.spark.streaming import running

# Spark gives a worker ten seconds to connect, which a busy machine often misses.
running._STARTS = 100


@dataclasses.dataclass
class Seen:
    rows: int = 0
    total: int = 0


@dataclasses.dataclass
class Total:
    rows: int
    total: int
    is_timeout: bool


class Totals(ProcessTableFunction):
    def eval(self, ctx: Context, seen: State[Seen], row: TableAsSet[Row]) -> Iterator[Total]:
        seen.rows += 1
        seen.total += row.id
        timers = ctx.timers(dt.datetime)
        timers.register_on_time("timeout", timers.current_time() + dt.timedelta(seconds=7))
        yield Total(seen.rows, seen.total, False)

    def on_timer(self, ctx: OnTimerContext, seen: State[Seen]) -> Iterator[Total]:
        yield Total(seen.rows, seen.total, True)
        ctx.clear_all_state()


drops, out = sys.argv[1:3]
env = TableEnvironment.create()
reader = env.spark.readStream.schema("id BIGINT, k STRING, ts TIMESTAMP").option("maxFilesPerTrigger", 1)
events = env.from_spark(reader.json(drops).withWatermark("ts", "5 seconds"))
schema = Schema.new_builder().column("k", "STRING").column("rows", "BIGINT").column("total", "BIGINT")
schema = schema.column("is_timeout", "BOOLEAN").column("rowtime", "TIMESTAMP_LTZ").build()
files = TableDescriptor.for_connector("filesystem").schema(schema).format("json").option("path", out).build()
env.create_temporary_table("as_they_come", files)
env.execute_sql(
    "CREATE TABLE IF NOT EXISTS in_order (k STRING, rows BIGINT, total BIGINT, is_timeout BOOLEAN, rowtime TIMESTAMP) "
    "USING parquet"
)
keyed = events.partition_by(col("k"))
statements = env.create_statement_set()
statements.add_insert("as_they_come", keyed.process(Totals, on_time=descriptor("ts")))
ordered = keyed.order_by(col("ts"), col("id"))
statements.add_insert("in_order", ordered.process(Totals, on_time=descriptor("ts"), uid="ordered"))
result = statements.execute(options=StreamOptions(trigger="available-now"))
print("running", flush=True)
result.wait()
rows = {name: sorted(map(str, env.from_path(name).execute().collect())) for name in ("as_they_come", "in_order")}
print(json.dumps(rows), flush=True)
