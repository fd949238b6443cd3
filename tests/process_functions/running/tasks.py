"""Run plans over local data, without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.process.declarations import ProcessTableFunction
from tableapi.spark.runtime.process.plan import Given, Parameter, Plan, StatePlan, TablePlan
from tableapi.spark.runtime.process.running import Running

CONTEXT = Parameter(Given.CONTEXT)
INPUT = Parameter(Given.TABLE, 0, name="input")
TIME = pa.timestamp("us")


def state(number: int = 0, name: str = "state") -> Parameter:
    """Return a parameter that receives a state."""
    return Parameter(Given.STATE, number, name=name)


def plan_of(
    function: ProcessTableFunction,
    parameters: Sequence[Parameter],
    output: Sequence[tuple[str, pa.DataType]],
    *,
    columns: Sequence[str] = ("k", "ts", "v"),
    states: Sequence[tuple[str, Callable[[], Any]] | StatePlan] = (),
    timed: bool = True,
    **more: Any,
) -> Plan:
    """Return the plan of a call over one table with the columns k, ts and v, partitioned by k."""
    fields = [("k", pa.int64()), *output, *([("rowtime", TIME)] if timed else [])]
    given: dict[str, Any] = {
        "tables": (TablePlan("input", tuple(columns), tuple(range(len(columns)))),),
        "states": tuple([s if isinstance(s, StatePlan) else StatePlan(*s) for s in states]),
        "keys": (0,),
        "forwarded": (0,),
        "time": 1 if timed else None,
        "has_rowtime": timed,
        "uid": "f",
    }
    return Plan("f", function=function, parameters=tuple(parameters), output=pa.schema(fields), **{**given, **more})


def batch_of(rows: Sequence[Sequence[Any]], types: Sequence[pa.DataType] = (pa.int64(), TIME, pa.int64())) -> Any:
    """Return rows as a batch, with times in seconds."""
    columns = []
    for position, data_type in enumerate(types):
        values = [row[position] for row in rows]
        if data_type == TIME:
            values = [None if value is None else int(value * 1_000_000) for value in values]
            columns.append(pa.array(values, pa.int64()).cast(TIME))
        else:
            columns.append(pa.array(values, data_type))
    return pa.RecordBatch.from_arrays(columns, [f"c{position}" for position in range(len(types))])


def run(plan: Plan, *batches: Any, scalars: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    """Return the output of a plan for batches of rows, with times in seconds."""
    running = Running(plan)
    found: list[pa.RecordBatch] = []
    try:
        for batch in batches:
            found += running.rows(batch, [pa.array([value] * batch.num_rows) for value in scalars])
        found += running.end()
    finally:
        running.close()
    rows: list[tuple[Any, ...]] = []
    for batch in found:
        columns = [
            [None if t is None else t / 1_000_000 for t in column.view(pa.int64()).to_pylist()]
            if pa.types.is_timestamp(column.type)
            else column.to_pylist()
            for column in batch.columns
        ]
        rows += zip(*columns, strict=True)
    return rows


def split(rows: Sequence[Sequence[Any]], size: int) -> list[Any]:
    """Split rows into batches of a size."""
    return [batch_of(rows[start : start + size]) for start in range(0, len(rows), size)]
