"""Steps with a second table: joins, subqueries, set operations."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from ir.casts import is_groupable, set_operation_type
from ir.identifiers import fold
from ir.operations.join import JoinType
from ir.operations.nearest_join import MOST_NEAREST, Measure, Search
from ir.resolution.nearest import join_nearest as resolved_nearest
from ir.schema import ResolvedSchema
from tableapi import Table
from tableapi.expression import unwrap
from tableapi.expressions import col, exists, row, scalar
from tests.programs.tables import Frames, Tables
from tests.random_queries.expressions import NUMBER, TEXT, Draw, Pair, column, condition, names_of, number
from tests.random_queries.step import Situation, Step, another, c


def join(at: Situation) -> Step:
    other = another(at)
    both = ResolvedSchema(at.schema.columns + other.schema.columns)
    kind = at.one(["inner", "left", "right", "full"])
    equal = _common_column(at.draw, at.schema, other.schema)
    pair = condition(at.draw, both, 1)
    if equal is not None:
        pair = Pair(equal.ours & pair.ours, equal.theirs & pair.theirs) if at.flag() else equal
    method = {"inner": "join", "left": "left_outer_join", "right": "right_outer_join", "full": "full_outer_join"}[kind]
    return Step(
        f"{method}({other.text}, {pair.ours})",
        lambda table, tables: getattr(table, method)(other.ours(tables), pair.ours),
        lambda frame, frames: frame.join(other.theirs(frames), pair.theirs, kind),
    )


def join_nearest(at: Situation) -> Step:
    """Join with all nearest rows, since the choice among equally near rows is undefined."""
    other = another(at)
    pair = number(at.draw, ResolvedSchema(at.schema.columns + other.schema.columns), 1)
    join_type, kind = at.one([(JoinType.INNER, "inner"), (JoinType.LEFT_OUTER, "left")])
    measure, search = at.one(list(Measure)), at.one(list(Search))

    def ours(table: Table, tables: Tables) -> Table:
        left, right = table.query_operation, other.ours(tables).query_operation
        lookup = tables.env._parts.runtime.lookup
        made = resolved_nearest(left, right, join_type, unwrap(pair.ours), MOST_NEAREST, measure, search, lookup)
        return tables.env.from_operation(made)

    def theirs(frame: DataFrame, frames: Frames) -> DataFrame:
        mode, direction = search.value.lower(), measure.value.lower()
        return frame.nearestByJoin(other.theirs(frames), pair.theirs, MOST_NEAREST, mode, direction, joinType=kind)

    return Step(f"{kind} join {other.text} {search.value} NEAREST BY {measure.value} {pair.ours}", ours, theirs)


def _common_column(draw: Draw, left: ResolvedSchema, right: ResolvedSchema) -> Pair | None:
    """Return an equality of two columns, one from each side, of the same kind."""
    for kind in draw(st.permutations([NUMBER, TEXT])):
        if names_of(left, kind) and names_of(right, kind):
            a = column(draw(st.sampled_from(names_of(left, kind))))
            b = column(draw(st.sampled_from(names_of(right, kind))))
            return Pair(a.ours == b.ours, a.theirs == b.theirs)
    return None


def filter_by_subquery(at: Situation) -> Step | None:
    other = another(at)
    kind = at.one([NUMBER, TEXT])
    if not names_of(at.schema, kind) or not names_of(other.schema, kind):
        return None
    mine, theirs = at.one(names_of(at.schema, kind)), at.one(names_of(other.schema, kind))
    negated = at.flag()
    forms = ["in", "two columns", "scalar"]
    # A DataFrame resolves a name to a column that the subquery has hidden instead of the outer one.
    form = at.one(forms if fold(mine) in map(fold, other.hidden) else [*forms, "exists", "correlated in"])

    def ours(table: Table, tables: Tables) -> Table:
        right = other.ours(tables)
        found: Any = {
            "in": lambda: col(mine).in_(right.select(col(theirs))),
            "two columns": lambda: row(col(mine), col(mine)).in_(right.select(col(theirs), col(theirs).alias("again"))),
            "scalar": lambda: col(mine) >= scalar(right.select(col(theirs).max)),
            "exists": lambda: exists(right.filter(col(theirs) == table.outer(mine))),
            "correlated in": lambda: col(mine).in_(right.filter(col(theirs) >= table.outer(mine)).select(col(theirs))),
        }[form]()
        return table.filter(~found if negated else found)

    def native(frame: DataFrame, frames: Frames) -> DataFrame:
        right = other.theirs(frames)
        found: Column = {
            "in": lambda: c(mine).isin(right.select(c(theirs))),
            "two columns": lambda: f.struct(c(mine), c(mine).alias("again")).isin(
                right.select(c(theirs), c(theirs).alias("again"))
            ),
            "scalar": lambda: c(mine) >= right.select(f.max(c(theirs))).scalar(),
            "exists": lambda: right.where(c(theirs) == c(mine).outer()).exists(),
            "correlated in": lambda: c(mine).isin(right.where(c(theirs) >= c(mine).outer()).select(c(theirs))),
        }[form]()
        return frame.filter(~found if negated else found)

    return Step(f"filter({'not ' * negated}{mine!r} {form} {other.text}.{theirs!r})", ours, native)


def add_of_subquery(at: Situation) -> Step | None:
    """Add a correlated scalar subquery as a column, or the same query as a lateral join."""
    other = another(at)
    kind = at.one([NUMBER, TEXT])
    mine = [name for name in names_of(at.schema, kind) if fold(name) not in map(fold, other.hidden)]
    if not mine or not names_of(other.schema, kind):
        return None
    key, theirs = at.one(mine), at.one(names_of(other.schema, kind))
    name, form = at.new_name(), at.one(["scalar", "lateral", "left lateral", "rows"])
    aggregate = at.one(["max", "count", "min"])

    def query(table: Table, tables: Tables) -> Table:
        matching = other.ours(tables).filter(col(theirs) == table.outer(key))
        if form == "rows":
            return matching.select(col(theirs).alias(name))
        return matching.select(getattr(col(theirs), aggregate).alias(name))

    def native(frames: Frames) -> DataFrame:
        matching = other.theirs(frames).where(c(theirs) == c(key).outer())
        if form == "rows":
            return matching.select(c(theirs).alias(name))
        return matching.select(getattr(f, aggregate)(c(theirs)).alias(name))

    def ours(table: Table, tables: Tables) -> Table:
        if form == "scalar":
            return table.add_columns(scalar(query(table, tables)).alias(name))
        if form == "lateral":
            return table.join_lateral(query(table, tables))
        return table.left_outer_join_lateral(query(table, tables))

    def joined(frame: DataFrame, frames: Frames) -> DataFrame:
        if form == "scalar":
            return frame.withColumn(name, native(frames).scalar())
        return frame.lateralJoin(native(frames), how="inner" if form == "lateral" else "left")

    return Step(f"{form} {aggregate}({other.text}.{theirs!r}) by {key!r} as {name!r}", ours, joined)


_SET_OPERATIONS = [
    ("union_all", "unionAll"),
    ("union", "union"),
    ("intersect", "intersect"),
    ("intersect_all", "intersectAll"),
    ("minus", "subtract"),
    ("minus_all", "exceptAll"),
]


def _combined(frame: DataFrame, method: str, native: str, other: DataFrame) -> DataFrame:
    made: DataFrame = getattr(frame, native)(other)
    return made.distinct() if method == "union" else made


def combine(at: Situation) -> Step | None:
    method, native = at.one(_SET_OPERATIONS)
    if method != "union_all" and not at.is_comparable:
        return None
    pair = condition(at.draw, at.schema, 1)
    return Step(
        f"{method}(filter({pair.ours}))",
        lambda table, _: getattr(table, method)(table.filter(pair.ours)),
        lambda frame, _: _combined(frame, method, native, frame.filter(pair.theirs)),
    )


def combine_with_another(at: Situation) -> Step | None:
    """Combine with another table whose columns have other names, and other types with a common type."""
    method, native = at.one(_SET_OPERATIONS)
    other, swapped = another(at), at.flag()
    chosen = []
    for mine in at.schema.columns:
        fitting = [
            theirs.name
            for theirs in other.schema.columns
            # A string that is no number would make the query fail or not, depending on the order of evaluation.
            if isinstance(mine.data_type, TEXT) is isinstance(theirs.data_type, TEXT)
            and (common := set_operation_type(mine.data_type, theirs.data_type)) is not None
            and (method == "union_all" or is_groupable(common))
        ]
        if fitting and len(chosen) < 3:
            chosen.append((mine.name, at.one(fitting), at.new_name()))
    if not chosen:
        return None

    def ours(table: Table, tables: Tables) -> Table:
        left = table.select(*[col(mine) for mine, _, _ in chosen])
        right = other.ours(tables).select(*[col(theirs).alias(name) for _, theirs, name in chosen])
        return getattr(right, method)(left) if swapped else getattr(left, method)(right)  # type: ignore[no-any-return]

    def theirs(frame: DataFrame, frames: Frames) -> DataFrame:
        left = frame.select(*[c(mine) for mine, _, _ in chosen])
        right = other.theirs(frames).select(*[c(theirs).alias(name) for _, theirs, name in chosen])
        return _combined(right, method, native, left) if swapped else _combined(left, method, native, right)

    return Step(f"select {chosen} {method} {other.text}{' swapped' * swapped}", ours, theirs)


STEPS = (join, join, join_nearest, filter_by_subquery, add_of_subquery, combine, combine_with_another)
