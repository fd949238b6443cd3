"""Mistakes in grouping sets, pivot, unpivot, aggregate filters, column selection, samples and partitions."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from ir.errors import ValidationException
from tableapi import EnvironmentSettings, Table, TableEnvironment
from tableapi.expressions import (
    call,
    col,
    exists,
    grouping_id,
    lit,
    range_,
    row,
    row_number,
    with_columns,
    without_columns,
)
from tableapi.window import Over


@pytest.fixture(scope="module")
def table() -> Table:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    rows = [(1, "a", 1.5), (2, "b", None)]
    return TableEnvironment.create(settings).from_elements(rows, ["id", "name", "ratio"])


MISTAKES: list[tuple[Callable[[Table], object], str]] = [
    (lambda t: t.select(col("id").sum.where(col("name"))), r"where of SUM requires a condition of type BOOLEAN"),
    (lambda t: t.select(col("name").upper_case.where(col("id") > 1)), r"where is for aggregates.*UPPER is none"),
    (lambda t: t.select(col("id").sum.where(col("id").max > 1)), r"cannot hold the aggregate max\(id\)"),
    (lambda t: col("id").where(col("id") > 1), r"where is for aggregates, as in"),
    (lambda t: col("id").sum.where(col("id") > 1).where(col("id") > 2), r"has a condition already"),
    (lambda t: t.select(col("*").count.distinct), r"star in count means rows"),
    (lambda t: t.rollup(), r"Grouping sets need at least one key"),
    (lambda t: t.grouping_sets([]), r"Grouping sets need at least one key"),
    (lambda t: t.grouping_sets(col("id")), r"grouping_sets takes sequences such as"),
    (lambda t: t.cube(*[col("id") + n for n in range(13)]), r"cube of 13 keys would group the rows 8,192 times"),
    (lambda t: t.cube(col("idd")), r"Cannot resolve field \[idd\].*Did you mean 'id'"),
    (lambda t: t.group_by(col("id")).select(col("id").grouping), r"GROUPING says by which keys"),
    (lambda t: t.select(grouping_id()), r"GROUPING_ID says by which keys"),
    (lambda t: t.rollup(col("id")).select(col("name").grouping), r"GROUPING is of a key, but name is none of \[id\]"),
    (
        lambda t: t.rollup(col("id"), col("name")).select(call("grouping_id", col("id"))),
        r"takes all keys, \[id, name\]",
    ),
    (lambda t: t.rollup(col("id")).select(col("name")), r"neither a key of group_by nor inside of an aggregate"),
    (lambda t: t.group_by(col("id")).pivot("name", ["a"]), r"was given the text 'name'. Write col\('name'\)"),
    (lambda t: t.group_by(col("id")).pivot(col("name"), []), r"pivot needs the values that become columns"),
    (lambda t: t.group_by(col("id")).pivot(col("name"), ["a", "a"]), r"two values named 'a'"),
    (lambda t: t.group_by(col("id")).pivot(col("name"), ["a"]).select(), r"pivot needs at least one aggregate"),
    (
        lambda t: t.group_by(col("id")).pivot(col("name"), ["a"]).select(lit(1)),
        r"pivot takes aggregates, but 1 holds none",
    ),
    (
        lambda t: t.group_by(col("id")).pivot(col("name"), ["a"]).select(col("ratio").sum + col("id")),
        r"the column id is outside of one",
    ),
    (
        lambda t: t.group_by(col("name").alias("A")).pivot(col("name"), ["a"]).select(col("ratio").sum),
        r"Ambiguous column name: A, a",
    ),
    (
        lambda t: t.group_by().pivot([col("id"), col("name")], {"x": (1,)}).select(col("ratio").sum),
        r"pivot over 2 columns takes values of as many parts",
    ),
    (lambda t: t.group_by().pivot(col("id"), ["x"]).select(col("ratio").sum), r"'x'.*INT|INT.*'x'"),
    (lambda t: t.unpivot([col("id")], [col("id")], "n", "v"), r"unpivot uses the column 'id' more than once"),
    (lambda t: t.unpivot([], [col("id"), col("name")], "n", "v"), r"a type that all of them have in common: id INT"),
    (lambda t: t.unpivot([col("id")], [col("ratio") + 1], "n", "v"), r"unpivot takes columns: col\('name'\)"),
    (lambda t: t.unpivot([col("id")], [col("rati")], "n", "v"), r"Did you mean 'ratio'"),
    (lambda t: t.unpivot([col("id")], [col("ratio")], "n", ["v", "w"]), r"makes 2 value columns, but 'ratio' is of 1"),
    (lambda t: t.unpivot([col("id")], [col("ratio")], "ID", "v"), r"Ambiguous column name"),
    (lambda t: t.unpivot([], [("a", col("id"), col("ratio"))], "n", "v"), r"takes pairs of a name and its columns"),
    (lambda t: t.unpivot(None, None, "n", "v"), r"a type that all of them have in common"),
    (lambda t: t.unpivot([col("id"), col("name"), col("ratio")], None, "n", "v"), r"unpivot needs at least one column"),
    (lambda t: t.sample(1.5), r"fraction from 0 to 1, but 1.5 was given"),
    (lambda t: t.sample(float("nan")), r"fraction from 0 to 1, but was given nan"),
    (lambda t: t.sample(0.5, -1), r"seed of sample is from 0"),
    (lambda t: t.sample(True), r"fraction from 0 to 1, but was given True"),
    (lambda t: t.hint("brodcast"), r"There is no hint 'brodcast'.*Did you mean 'BROADCAST'"),
    (lambda t: t.hint("broadcast", 3), r"BROADCAST takes neither a number of partitions nor columns"),
    (lambda t: t.hint("coalesce"), r"COALESCE takes a number of partitions"),
    (lambda t: t.hint("repartition", 0), r"from 1 to 2147483647, but 0 was given"),
    (lambda t: t.hint("repartition", col("x")), r"Cannot resolve field \[x\]"),
    (lambda t: t.distribute_by(), r"distribute_by needs at least one expression"),
    (lambda t: t.distribute_by(col("idd")), r"Cannot resolve field \[idd\].*Did you mean 'id'"),
    (lambda t: t.distribute_by(col("id").sum), r"distribute_by holds the aggregate sum\(id\)"),
    (
        lambda t: t.distribute_by(row_number().over(Over.order_by(col("id")))),
        r"distribute_by holds over\(.*Make it a column with add_columns first",
    ),
    (lambda t: t.distribute_by(col("id").in_(t.select(col("id")))), r"distribute_by cannot distribute by in\("),
    (lambda t: t.distribute_by(col("id").desc), r"asc and desc are for order_by"),
    (lambda t: t.sort_within_partitions(), r"sort_within_partitions needs at least one expression"),
    (lambda t: t.sort_within_partitions(col("id").sum), r"sort_within_partitions holds the aggregate sum\(id\)"),
    (
        lambda t: t.sort_within_partitions(exists(t)),
        r"sort_within_partitions cannot sort by exists\(query\).*and use that column",
    ),
    (lambda t: t.hint("repartition", col("id") + 1), r"hint takes columns"),
    (lambda t: t.select(range_("ratio", "id")), r"goes backwards: the first is column 3"),
    (
        lambda t: t.select(range_(0, 2)),
        r"no column at position 0; the columns, counted from 1, are \[id, name, ratio\]",
    ),
    (lambda t: t.select(with_columns("nme")), r"Cannot resolve field \[nme\].*Did you mean 'name'"),
    (lambda t: t.select(without_columns(col("*"))), r"without_columns leaves no column of \[id, name, ratio\]"),
    (lambda t: t.select(with_columns("id").alias("x")), r"stands for several columns"),
    (lambda t: with_columns(1.5), r"with_columns and without_columns take columns"),
    (lambda t: range_(1.5, 2), r"range_ takes names or positions of columns, but was given 1.5"),  # type: ignore[arg-type]
    (lambda t: t.map(col("id")), r"map takes a value of type ROW.*For a single column use select"),
    (lambda t: t.map(row(col("id").sum)), r"map holds the aggregate"),
    (lambda t: t.aggregate(col("id")), r"aggregate takes an aggregate, but id holds none"),
    (
        lambda t: t.aggregate(col("id").sum.alias("s")).select(col("s").sum),
        r"select after aggregate holds the aggregate",
    ),
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_mistakes_are_refused_when_they_are_made(
    mistake: Callable[[Table], object], message: str, table: Table
) -> None:
    with pytest.raises(ValidationException, match=message):
        mistake(table)


def test_one_grouping_set_equals_group_by(table: Table) -> None:
    by_sets = table.grouping_sets([col("id"), col("NAME")]).select(col("id"), col("ratio").sum)
    assert (
        by_sets.query_operation
        is table.group_by(col("id"), col("name")).select(col("id"), col("ratio").sum).query_operation
    )


def test_sets_written_out_are_the_rollup(table: Table) -> None:
    written = table.grouping_sets([col("id"), col("name")], [col("id")], []).select(col("ratio").max)
    assert written.query_operation is table.rollup(col("id"), col("name")).select(col("ratio").max).query_operation


def test_a_fraction_is_exact(table: Table) -> None:
    assert "TABLESAMPLE (33.3 PERCENT)" in table.sample(0.333).as_serializable_string()
    assert table.sample(0.5).query_operation is table.sample(Decimal("0.50")).query_operation


def test_synonyms_of_a_hint_are_equal(table: Table) -> None:
    assert table.hint("MapJoin").query_operation is table.hint("broadcast").query_operation
