"""Steps over single rows: projections, filters, order, lateral joins with table functions, hints."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from pyspark.sql import functions as f

from ir import types as t
from ir.casts import is_orderable
from ir.operations.no_columns import drop_columns as rows_without
from tableapi import Table
from tableapi.expressions import call, col, lit
from tests.programs.tables import Tables
from tests.random_queries.expressions import condition, names_of, value
from tests.random_queries.step import Situation, Step, c, fluent, native


def select(at: Situation) -> Step:
    made = [(at.new_name(), value(at.draw, at.schema)) for _ in range(at.one([1, 2]))]
    kept = at.some(at.schema.names, 1, 4)
    return Step(
        f"select({kept}, {made})",
        lambda table, _: table.select(*map(col, kept), *fluent(made)),
        lambda frame, _: frame.select(*map(c, kept), *native(made)),
    )


def keep(at: Situation) -> Step:
    pair = condition(at.draw, at.schema)
    return Step(
        f"filter({pair.ours})", lambda table, _: table.filter(pair.ours), lambda frame, _: frame.filter(pair.theirs)
    )


def add(at: Situation) -> Step:
    name = at.one([at.new_name(), *at.schema.names])
    pair = value(at.draw, at.schema)
    return Step(
        f"add_or_replace({name!r}, {pair.ours})",
        lambda table, _: table.add_or_replace_columns(pair.ours.alias(name)),
        lambda frame, _: frame.withColumn(name, pair.theirs),
    )


def rename(at: Situation) -> Step:
    old, new = at.one(at.schema.names), at.new_name()
    return Step(
        f"rename({old!r}, {new!r})",
        lambda table, _: table.rename_columns(col(old).alias(new)),
        lambda frame, _: frame.withColumnRenamed(old, new),
    )


def drop(at: Situation) -> Step | None:
    if len(at.schema) < 2:
        return None
    name = at.one(at.schema.names)
    return Step(f"drop({name!r})", lambda table, _: table.drop_columns(col(name)), lambda frame, _: frame.drop(c(name)))


def distinct(at: Situation) -> Step | None:
    if not at.is_comparable:
        return None
    return Step("distinct()", lambda table, _: table.distinct(), lambda frame, _: frame.distinct())


def top(at: Situation) -> Step | None:
    """Order by all columns, so that the first rows are always the same ones."""
    if not at.is_comparable:
        return None
    orders = [(name, at.flag(), at.one([None, True, False])) for name in at.draw(st.permutations(at.schema.names))]
    offset, fetch = at.one([0, 1, 2]), at.one([0, 1, 2, 4])

    def ours(name: str, ascending: bool, nulls_first: bool | None) -> Any:
        key = col(name).asc if ascending else col(name).desc
        return key if nulls_first is None else key.nulls_first if nulls_first else key.nulls_last

    def theirs(name: str, ascending: bool, nulls_first: bool | None) -> Any:
        if nulls_first is None:
            return c(name).asc() if ascending else c(name).desc()
        if nulls_first:
            return c(name).asc_nulls_first() if ascending else c(name).desc_nulls_first()
        return c(name).asc_nulls_last() if ascending else c(name).desc_nulls_last()

    return Step(
        f"order_by({orders}).limit({fetch}, {offset})",
        lambda table, _: table.order_by(*[ours(*order) for order in orders]).limit(fetch, offset),
        lambda frame, _: frame.orderBy(*[theirs(*order) for order in orders]).offset(offset).limit(fetch),
    )


def lateral(at: Situation) -> Step | None:
    columns = names_of(at.schema, (t.ArrayType, t.MapType))
    if not columns:
        return None
    name, outer, positions = at.one(columns), at.flag(), at.flag()
    is_map = isinstance(at.schema.column(name).data_type, t.MapType)
    new = [at.new_name() for _ in range(1 + positions + is_map)]
    function = "posexplode" if positions else "explode"
    # A function with the suffix _outer returns a row of NULLs by itself.
    variant = function + "_outer" * (outer and at.flag())
    method = "left_outer_join_lateral" if outer else "join_lateral"
    explode = getattr(f, f"{function}_outer" if outer else function)
    return Step(
        f"{method}({variant}({name!r}).alias({new}))",
        lambda table, _: getattr(table, method)(call(variant, col(name)).alias(*new)),
        lambda frame, _: frame.select("*", explode(c(name)).alias(*new)),
    )


def without_columns(at: Situation) -> Step:
    """Pass through rows without columns: keep a constant for each row, or only the number of rows."""
    name, counted = at.new_name(), at.flag()

    def ours(table: Table, tables: Tables) -> Table:
        rows = tables.env.from_operation(rows_without(table.query_operation))
        return rows.select((col("*").count if counted else lit(5)).alias(name))

    native = f.count(f.lit(1)) if counted else f.lit(5)
    text = f"without columns, {'count' if counted else 5} as {name!r}"
    return Step(text, ours, lambda frame, _: frame.select(native.alias(name)))


def advise(at: Situation) -> Step:
    """Hints, and a sample of all rows, none of which changes the rows."""
    kind, parameters = at.one(
        [
            ("broadcast", ()),
            ("merge", ()),
            ("repartition", (2,)),
            ("coalesce", (1,)),
            ("rebalance", ()),
            ("sample", ()),
            ("key", ()),
        ]
    )
    if kind == "sample":
        return Step("sample(1)", lambda table, _: table.sample(1.0), lambda frame, _: frame.sample(1.0))
    orderable = [column.name for column in at.schema.columns if is_orderable(column.data_type)]
    if kind == "key" and orderable:
        name = at.one(orderable)
        return Step(
            f"hint('repartition', {name!r})",
            lambda table, _: table.hint("repartition", 2, col(name)),
            lambda frame, _: frame.repartition(2, c(name)),
        )
    kind = "rebalance" if kind == "key" else kind
    return Step(
        f"hint({kind!r}, {parameters})",
        lambda table, _: table.hint(kind, *parameters),
        lambda frame, _: frame.hint(kind, *parameters),
    )


STEPS = (select, keep, keep, add, rename, drop, distinct, top, lateral, advise, without_columns)
