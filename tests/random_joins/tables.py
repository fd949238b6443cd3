"""The tables of the random joins: few rows, with NULL, duplicates, and values that identify their column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

from tableapi import TableEnvironment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_BESIDE_WITH = "_beside_with"


@frozen
class Column:
    """A column: its SQL type, and one value per row."""

    name: str
    sql_type: str
    values: tuple[Any, ...]

    @property
    def declared_type(self) -> str:
        """The type as a table declares it."""
        return self.sql_type if None in self.values else f"{self.sql_type} NOT NULL"


def _family(*columns: Column) -> dict[str, Column]:
    return {column.name: column for column in columns}


# The keys k and s have equal values in several tables, with a different type in each. Each other column has its own
# range of values. The ranges overlap a little, so that a NATURAL JOIN over them finds some rows.
_FAMILIES = {
    "a": _family(
        Column("k", "INT", (1, 2, None, 2)),
        Column("s", "STRING", ("1", "2", "2", None)),
        Column("v", "INT", (11, 14, 12, None)),
    ),
    "b": _family(
        Column("k", "BIGINT", (2, 2, 3, None)),
        Column("s", "STRING", ("2", None, "3", "1")),
        Column("w", "INT", (13, 24, None, 11)),
    ),
    "c": _family(
        Column("k", "SMALLINT", (1, 2, 4, 4)),
        Column("v", "DECIMAL(6, 2)", (14, 12, 36, None)),
        Column("s", "STRING", ("1", "2", "4", None)),
    ),
    "d": _family(
        Column("p", "INT", (1, None, 2, 4)),
        Column("q", "STRING", ("4", "1", None, "2")),
        Column("r", "BIGINT", (12, 41, 14, None)),
    ),
}
# The places of the columns in the tables of a family: the key is the first, in the middle or the last. No two tables
# have the same columns in the same order, which is how a plan shows what it reads.
_PLACES = {"": (0, 1, 2), "_m": (2, 0, 1), "_l": (1, 2, 0)}
# A table whose columns have the names of tables and of aliases.
_NAMESAKE = _family(
    Column("k", "INT", (1, 2, None, 4)),
    Column("a", "STRUCT<k: INT, v: INT>", ((1, 51), (2, 52), None, (None, 54))),
    Column("b", "INT", (61, 12, None, 64)),
    Column("l", "INT", (71, 14, 2, None)),
)

TABLES: dict[str, tuple[Column, ...]] = {
    name + suffix: tuple(list(family.values())[place] for place in places)
    for suffix, places in _PLACES.items()
    for name, family in _FAMILIES.items()
} | {"e": tuple(_NAMESAKE.values())}

# The kinds of columns by name, in all tables.
TEXTS, STRUCTS = frozenset({"s", "q"}), frozenset({"a"})


def columns_of(table: str) -> tuple[str, ...]:
    """Return the names of the columns of a table."""
    return tuple(column.name for column in TABLES[table])


def create_in_spark(spark: SparkSession) -> None:
    """Create the tables as temporary views over rows that Spark caches in one partition.

    One partition needs no exchange below a join, and cached rows leave nothing to optimise. Both make queries several
    times as fast.
    """
    for name, columns in TABLES.items():
        items = ", ".join(f"{_values(column)} AS {column.name}" for column in columns)
        rows = spark.sql(f"SELECT {items} FROM range(0, 4, 1, 1)").localCheckpoint()
        rows.createOrReplaceTempView(name)
        rows.createOrReplaceTempView(name + _BESIDE_WITH)


def _values(column: Column) -> str:
    """Return an expression for the values of a column in the rows with the numbers 0 to 3."""
    cases = " ".join(
        f"WHEN {row} THEN {_literal(value, column)}" for row, value in enumerate(column.values) if value is not None
    )
    values = f"CASE id {cases} END"
    # Spark considers a CASE nullable, whatever its branches return.
    return values if None in column.values else f"coalesce({values}, {_literal(column.values[0], column)})"


def _literal(value: Any, column: Column) -> str:
    if isinstance(value, tuple):
        return f"CAST(named_struct('k', {_or_null(value[0])}, 'v', {_or_null(value[1])}) AS {column.sql_type})"
    if column.sql_type == "STRING":
        return f"'{value}'"
    return f"CAST({value} AS {column.sql_type})"


def _or_null(value: Any) -> str:
    return "CAST(NULL AS INT)" if value is None else str(value)


def declared() -> TableEnvironment:
    """Return an environment in which the tables are declared, without Spark."""
    environment = TableEnvironment.create()
    for name, columns in TABLES.items():
        environment.declare(name, {column.name: column.declared_type for column in columns})
    return environment


def for_temporary_views(text: str) -> str:
    """Replace the names of declared tables in a text by those of the temporary views.

    A query of WITH may have the name of a table; then the table has another one.
    """

    def named(found: re.Match[str]) -> str:
        name, under = found[1], found[2] or ""
        if f"`{name}` AS (\n" not in text:
            return f"`{name}`{under}"
        return f"`{name}{_BESIDE_WITH}`" + (under or f" AS `{name}`")

    return re.sub(r"`spark_catalog`\.`default`\.`(\w+)`( AS)?", named, text)
