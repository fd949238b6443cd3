"""For which queries the changes of one key are rows of one partition of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import pytest

from tableapi import Row, Table, TableEnvironment
from tableapi.expressions import col
from tableapi.process_functions import ArgumentTrait, ChangelogMode, ProcessTableFunction, TableAsRow, TableAsSet
from tableapi.spark.streaming.change_order import find_call_order


class Passed(ProcessTableFunction):
    """Yield a number for each change."""

    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def eval(self, row: TableAsSet[Row]) -> Iterator[int]:
        yield 1


Together = Annotated[Row, ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY]


class PassedTogether(ProcessTableFunction):
    """Yield a number for each change of one partition."""

    def eval(self, row: Together) -> Iterator[int]:
        yield 1


class PassedAlone(ProcessTableFunction):
    """Yield a number for each change, which it sees by itself."""

    def eval(self, row: TableAsRow[Row]) -> Iterator[tuple[str, int]]:
        yield "a", 1


CASES: list[tuple[str, Callable[[Table], Table], list[str], bool]] = [
    ("the key of the call", lambda t: t.partition_by(col("k")).process(Passed), ["k"], True),
    ("more than the key of the call", lambda t: t.partition_by(col("k")).process(Passed), ["k", "EXPR$0"], True),
    ("less than the key of the call", lambda t: t.partition_by(col("k"), col("n")).process(Passed), ["k"], False),
    (
        "a renamed and filtered key",
        lambda t: t.partition_by(col("k")).process(Passed).filter(col("k") != "x").select(col("k").alias("id")),
        ["id"],
        True,
    ),
    (
        "a computed key",
        lambda t: t.partition_by(col("k")).process(Passed).select(col("k").upper_case.alias("id")),
        ["id"],
        False,
    ),
    ("one partition", lambda t: t.process(PassedTogether), ["EXPR$0"], True),
    ("single rows", lambda t: t.process(PassedAlone).select(col("f0").alias("k")), ["k"], False),
    ("no call", lambda t: t, ["k"], False),
]


@pytest.mark.parametrize(("build", "key", "is_known"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_order_of_a_call(build: Callable[[Table], Table], key: list[str], is_known: bool) -> None:
    te = TableEnvironment.create()
    te.declare("feed", {"op": "STRING", "k": "STRING", "n": "BIGINT"})
    query = build(te.from_path("feed", stream=True))
    assert find_call_order(query.query_operation, key, lambda source: None) is is_known
    # The same through a name.
    te.create_temporary_view("changes", query)
    read = te.from_path("changes").query_operation
    assert find_call_order(read, key, lambda source: query.query_operation if source is read else None) is is_known
