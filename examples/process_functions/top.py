"""The best rows of each group, for any table: ``python -m examples.process_functions.top``.

A call names the column to compare, so the function works for any table. A type strategy gives the result the columns of
the input table and a rank.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any

from examples.process_functions.show import bars, show
from tableapi import DataTypes, Row, Table, TableEnvironment
from tableapi.expressions import col, descriptor
from tableapi.process_functions import (
    ArgumentTrait,
    CallContext,
    ColumnList,
    ListView,
    ProcessTableFunction,
    StaticArgument,
    TypeInference,
)
from tableapi.types import RowType


class Top(ProcessTableFunction):
    """Emit the ``n`` rows of a partition with the largest values of a column, the largest first."""

    def get_type_inference(self) -> TypeInference:
        def ranked(call: CallContext) -> Any:
            rows = call.get_argument_data_type("input")
            assert isinstance(rows, RowType)
            return DataTypes.ROW([DataTypes.FIELD("rank", DataTypes.INT().not_null()), *rows.fields])

        traits = (ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY)
        return TypeInference(
            [
                StaticArgument.table("input", Row, False, *traits),
                StaticArgument.scalar("by", DataTypes.DESCRIPTOR()),
                StaticArgument.scalar("n", DataTypes.INT().not_null()),
            ],
            ranked,
            {"best": lambda call: DataTypes.ARRAY(call.get_argument_data_type("input"))},
        )

    def eval(self, best: ListView[Row], input: Row, by: ColumnList, n: int) -> None:
        (column,) = by
        largest = heapq.nlargest(n, [*best, input], key=lambda row: row[column])
        best.clear()
        best.add_all(largest)

    def finish(self, best: ListView[Row]) -> Iterator[Row]:
        for rank, row in enumerate(best, 1):
            yield Row(rank, *row)


def build(env: TableEnvironment) -> Table:
    """Return the two best results of each game."""
    results = [
        ("chess", "ada", 21),
        ("chess", "bob", 35),
        ("chess", "cleo", 28),
        ("go", "ada", 7),
        ("go", "dan", 9),
        ("go", "eve", 8),
    ]
    env.create_temporary_view("results", env.from_elements(results, ["game", "player", "points"]))
    env.create_temporary_system_function("top", Top)
    best = env.from_path("results").partition_by(col("game")).process("top", descriptor("points"), 2)
    return best.select(col("game"), col("rank"), col("player"), col("points"))


def picture(rows: Sequence[Any]) -> str:
    """Draw the points of the best."""
    return bars({f"{row.game} {row.rank}. {row.player}": row.points for row in rows})


if __name__ == "__main__":
    show(build(TableEnvironment.create()), picture)
