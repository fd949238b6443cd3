"""The functions on the page for PySpark users, on both sides, including user-defined ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from tableapi import Expression, Row, Table, udf, udtf
from tableapi.process_functions import ProcessTableFunction, State, TableAsRow, TableAsSet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def clean(table: Table) -> Table:
    return table.distinct()


def trimmed(text: Expression[str]) -> Expression[str]:
    return text.trim()


@udf(result_type="INT")
def size(text: str | None) -> int | None:
    return None if text is None else len(text)


@udtf(result_types=["STRING"])
def words(text: str | None) -> Iterator[str]:
    yield from (text or "").split()


class Lengths(ProcessTableFunction):
    def eval(self, input: TableAsRow[Row]) -> Iterator[int | None]:
        yield None if input.b is None else len(input.b)


@dataclass
class Number:
    n: int = 0


@dataclass
class Numbers:
    n: int = 0
    m: int = 0


class Count(ProcessTableFunction):
    def eval(self, count: State[Number], input: TableAsSet[Row]) -> Iterator[Number]:
        count.n += 1
        yield from ()

    def finish(self, count: Number) -> Iterator[Number]:
        yield count


class CountBoth(ProcessTableFunction):
    def eval(
        self, count: State[Numbers], left: TableAsSet[Row | None], right: TableAsSet[Row | None]
    ) -> Iterator[Numbers]:
        count.n += left is not None
        count.m += right is not None
        yield from ()

    def finish(self, count: Numbers) -> Iterator[Numbers]:
        yield count


def functions_of_pyspark() -> dict[str, Any]:
    """Return the functions that the PySpark calls use, by name; local functions are pickled to the workers by value."""

    def clean_frame(frame: DataFrame) -> DataFrame:
        return frame.distinct()

    def length_of(text: str | None) -> int | None:
        return None if text is None else len(text)

    def lengths_of_series(texts: pd.Series) -> pd.Series:
        return texts.map(length_of, na_action="ignore").astype("Int32")

    def lengths_of_array(texts: pa.Array) -> pa.Array:
        return pa.array([length_of(text) for text in texts.to_pylist()], pa.int32())

    def lengths_of_frames(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            yield pd.DataFrame({"length": lengths_of_series(frame["b"])})

    def lengths_of_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.record_batch([lengths_of_array(batch.column(0))], names=["length"])

    def count_of_frame(key: tuple[Any, ...], frame: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"a": pd.array(key, "Int32"), "n": [len(frame)]})

    def count_of_table(key: tuple[pa.Scalar, ...], table: pa.Table) -> pa.Table:
        return pa.table({"a": pa.array([key[0].as_py()], pa.int32()), "n": [table.num_rows]})

    def count_of_both(key: tuple[Any, ...], left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        keys = {"a": pd.array(key, "Int32"), "ua": pd.array(key, "Int32")}
        return pd.DataFrame({**keys, "n": [len(left)], "m": [len(right)]})

    class LengthOfRow:
        def eval(self, row: Any) -> Iterator[tuple[int | None]]:
            yield (length_of(row["b"]),)

    class Split:
        def eval(self, text: str | None) -> Iterator[tuple[str]]:
            for word in (text or "").split():
                yield (word,)

    lengths = F.udtf(LengthOfRow, returnType="length int")
    return {**locals(), "StructType": StructType}
