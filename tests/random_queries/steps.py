"""Random steps of a query: what each does to a table of this library and to a DataFrame of PySpark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from hypothesis import strategies as st
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

from ir import types as t
from ir.casts import is_orderable
from ir.identifiers import quote
from ir.schema import ResolvedSchema
from tableapi import Table, Tumble
from tableapi.expressions import (
    UNBOUNDED_ROW,
    call,
    col,
    dense_rank,
    exists,
    grouping_id,
    lit,
    rank,
    row_number,
    scalar,
)
from tableapi.window import Over
from tests.programs.tables import Frames, Tables
from tests.random_queries.expressions import (
    NUMBER,
    SORTABLE,
    TEXT,
    Draw,
    Pair,
    column,
    condition,
    names_of,
    number,
    value,
)

BASES = ("customers", "orders", "lines", "products", "left_bag", "right_bag", "nothing")


@attrs.frozen
class Step:
    """One step, with a text that says what it is when an example fails."""

    text: str
    ours: Callable[[Table, Tables], Table]
    theirs: Callable[[DataFrame, Frames], DataFrame]

    def __repr__(self) -> str:
        return self.text


class Names:
    """New names, some of them hostile."""

    def __init__(self) -> None:
        self._number = 0

    def new(self, draw: Draw) -> str:
        """Return a name that no column has."""
        self._number += 1
        return f"{draw(st.sampled_from(['c', 'a b', 'select', 'x`y', 'Ünï', 'p.q', '_c', 'EXPR$']))}{self._number}"


def _c(name: str) -> Column:
    return f.col(quote(name))


def _sortable(schema: ResolvedSchema) -> list[str]:
    return names_of(schema, SORTABLE)


def _all_comparable(schema: ResolvedSchema) -> bool:
    return all(is_orderable(c.data_type) for c in schema.columns)


def select(draw: Draw, schema: ResolvedSchema, names: Names) -> Step:
    made = [(names.new(draw), value(draw, schema)) for _ in range(draw(st.integers(1, 2)))]
    kept = draw(st.lists(st.sampled_from(schema.names), min_size=1, max_size=4, unique=True))
    return Step(
        f"select({kept}, {made})",
        lambda table, _: table.select(*map(col, kept), *[pair.ours.alias(name) for name, pair in made]),
        lambda frame, _: frame.select(*map(_c, kept), *[pair.theirs.alias(name) for name, pair in made]),
    )


def keep(draw: Draw, schema: ResolvedSchema, names: Names) -> Step:
    pair = condition(draw, schema)
    return Step(
        f"filter({pair.ours})", lambda table, _: table.filter(pair.ours), lambda frame, _: frame.filter(pair.theirs)
    )


def add(draw: Draw, schema: ResolvedSchema, names: Names) -> Step:
    name = draw(st.sampled_from([names.new(draw), *schema.names]))
    pair = value(draw, schema)
    return Step(
        f"add_or_replace({name!r}, {pair.ours})",
        lambda table, _: table.add_or_replace_columns(pair.ours.alias(name)),
        lambda frame, _: frame.withColumn(name, pair.theirs),
    )


def rename(draw: Draw, schema: ResolvedSchema, names: Names) -> Step:
    old, new = draw(st.sampled_from(schema.names)), names.new(draw)
    return Step(
        f"rename({old!r}, {new!r})",
        lambda table, _: table.rename_columns(col(old).alias(new)),
        lambda frame, _: frame.withColumnRenamed(old, new),
    )


def drop(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    if len(schema) < 2:
        return None
    name = draw(st.sampled_from(schema.names))
    return Step(
        f"drop({name!r})", lambda table, _: table.drop_columns(col(name)), lambda frame, _: frame.drop(_c(name))
    )


def distinct(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    if not _all_comparable(schema):
        return None
    return Step("distinct()", lambda table, _: table.distinct(), lambda frame, _: frame.distinct())


def _aggregates(draw: Draw, schema: ResolvedSchema, names: Names) -> list[tuple[str, Pair]]:
    chosen = []
    for _ in range(draw(st.integers(1, 3))):
        pair = number(draw, schema, 1)
        kind = draw(st.sampled_from(["count", "sum", "min", "max", "avg", "distinct", "rows"]))
        ours = {
            "count": pair.ours.count,
            "sum": pair.ours.sum,
            "min": pair.ours.min,
            "max": pair.ours.max,
            "avg": pair.ours.avg,
            "distinct": pair.ours.count.distinct,
            "rows": lit(1).count,
        }[kind]
        theirs = {
            "count": f.count(pair.theirs),
            "sum": f.sum(pair.theirs),
            "min": f.min(pair.theirs),
            "max": f.max(pair.theirs),
            "avg": f.avg(pair.theirs),
            "distinct": f.countDistinct(pair.theirs),
            "rows": f.count(f.lit(1)),
        }[kind]
        chosen.append((names.new(draw), Pair(ours, theirs)))
    return chosen


def aggregate(draw: Draw, schema: ResolvedSchema, names: Names) -> Step:
    made = _aggregates(draw, schema, names)
    return Step(
        f"select({made})",
        lambda table, _: table.select(*[pair.ours.alias(name) for name, pair in made]),
        lambda frame, _: frame.agg(*[pair.theirs.alias(name) for name, pair in made]),
    )


def group(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    if not _sortable(schema):
        return None
    keys = draw(st.lists(st.sampled_from(_sortable(schema)), min_size=1, max_size=2, unique=True))
    computed = [(names.new(draw), value(draw, schema))] if draw(st.booleans()) else []
    made = _aggregates(draw, schema, names)
    selected = [*keys, *[name for name, _ in computed]]
    return Step(
        f"group_by({keys}, {computed}).select({made})",
        lambda table, _: table.group_by(*map(col, keys), *[pair.ours.alias(name) for name, pair in computed]).select(
            *map(col, selected), *[pair.ours.alias(name) for name, pair in made]
        ),
        lambda frame, _: frame.groupBy(*map(_c, keys), *[pair.theirs.alias(name) for name, pair in computed]).agg(
            *[pair.theirs.alias(name) for name, pair in made]
        ),
    )


def grouping_sets(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    if not _sortable(schema):
        return None
    keys = draw(st.lists(st.sampled_from(_sortable(schema)), min_size=1, max_size=2, unique=True))
    kind = draw(st.sampled_from(["rollup", "cube"]))
    made, level = _aggregates(draw, schema, names), names.new(draw)
    return Step(
        f"{kind}({keys}).select({made})",
        lambda table, _: getattr(table, kind)(*map(col, keys)).select(
            *map(col, keys), *[pair.ours.alias(name) for name, pair in made], grouping_id().alias(level)
        ),
        lambda frame, _: getattr(frame, kind)(*map(_c, keys)).agg(
            *[pair.theirs.alias(name) for name, pair in made], f.grouping_id().alias(level)
        ),
    )


def _renamed_base(
    draw: Draw, tables: Tables, names: Names
) -> tuple[str, dict[str, str], ResolvedSchema, Callable[[Tables], Table], Callable[[Frames], DataFrame]]:
    """Return a table whose columns have new names: its name, the new names, its schema and how it is made twice."""
    base = draw(st.sampled_from(BASES))
    new = {name: names.new(draw) for name in getattr(tables, base).get_resolved_schema().names}

    def ours(given: Tables) -> Table:
        table: Table = getattr(given, base)
        return table.alias(*new.values())

    return base, new, ours(tables).get_resolved_schema(), ours, lambda given: getattr(given, base).toDF(*new.values())


def join(draw: Draw, schema: ResolvedSchema, names: Names, tables: Tables) -> Step:
    base, _, right, ours, theirs = _renamed_base(draw, tables, names)
    both = ResolvedSchema(schema.columns + right.columns)
    kind = draw(st.sampled_from(["inner", "left", "right", "full"]))
    equal = _common_column(draw, schema, right)
    pair = condition(draw, both, 1)
    if equal is not None:
        pair = Pair(equal.ours & pair.ours, equal.theirs & pair.theirs) if draw(st.booleans()) else equal
    method = {"inner": "join", "left": "left_outer_join", "right": "right_outer_join", "full": "full_outer_join"}[kind]
    return Step(
        f"{method}({base}, {pair.ours})",
        lambda table, given: getattr(table, method)(ours(given), pair.ours),
        lambda frame, given: frame.join(theirs(given), pair.theirs, kind),
    )


def _common_column(draw: Draw, left: ResolvedSchema, right: ResolvedSchema) -> Pair | None:
    """Return the comparison of a column of either side, of the same kind."""
    for kind in draw(st.permutations([NUMBER, TEXT])):
        if names_of(left, kind) and names_of(right, kind):
            a = column(draw(st.sampled_from(names_of(left, kind))))
            b = column(draw(st.sampled_from(names_of(right, kind))))
            return Pair(a.ours == b.ours, a.theirs == b.theirs)
    return None


def semi_join(draw: Draw, schema: ResolvedSchema, names: Names, tables: Tables) -> Step | None:
    base, _, right, ours, theirs = _renamed_base(draw, tables, names)
    kind = draw(st.sampled_from([NUMBER, TEXT]))
    if not names_of(schema, kind) or not names_of(right, kind):
        return None
    mine, other = draw(st.sampled_from(names_of(schema, kind))), draw(st.sampled_from(names_of(right, kind)))
    negated = draw(st.booleans())
    form = draw(st.sampled_from(["in", "exists", "scalar"]))
    if form == "in":

        def condition_of(table: Table, given: Tables) -> Any:
            return col(mine).in_(ours(given).select(col(other)))

        def native(given: Frames) -> Column:
            return _c(mine).isin(theirs(given).select(_c(other)))
    elif form == "exists":

        def condition_of(table: Table, given: Tables) -> Any:
            return exists(ours(given).filter(col(other) == table.outer(mine)))

        def native(given: Frames) -> Column:
            return theirs(given).where(_c(other) == _c(mine).outer()).exists()
    else:

        def condition_of(table: Table, given: Tables) -> Any:
            return col(mine) >= scalar(ours(given).select(col(other).max))

        def native(given: Frames) -> Column:
            return _c(mine) >= theirs(given).select(f.max(_c(other))).scalar()

    def filtered(table: Table, given: Tables) -> Table:
        found = condition_of(table, given)
        return table.filter(~found if negated else found)

    return Step(
        f"filter({'not ' * negated}{mine!r} {form} {base}.{other!r})",
        filtered,
        lambda frame, given: frame.filter(~native(given) if negated else native(given)),
    )


def combine(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    method, native = draw(
        st.sampled_from(
            [
                ("union_all", "unionAll"),
                ("union", "union"),
                ("intersect", "intersect"),
                ("intersect_all", "intersectAll"),
                ("minus", "subtract"),
                ("minus_all", "exceptAll"),
            ]
        )
    )
    if method != "union_all" and not _all_comparable(schema):
        return None
    pair = condition(draw, schema, 1)

    def theirs(frame: DataFrame, _: Frames) -> DataFrame:
        made: DataFrame = getattr(frame, native)(frame.filter(pair.theirs))
        return made.distinct() if method == "union" else made

    return Step(
        f"{method}(filter({pair.ours}))", lambda table, _: getattr(table, method)(table.filter(pair.ours)), theirs
    )


def top(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    if not all(isinstance(c.data_type, SORTABLE) for c in schema.columns):
        return None
    ascending = draw(st.booleans())
    offset, fetch = draw(st.integers(0, 2)), draw(st.integers(1, 4))
    keys = schema.names
    return Step(
        f"order_by(all, {ascending}).limit({fetch}, {offset})",
        lambda table, _: table.order_by(*[col(k).asc if ascending else col(k).desc for k in keys]).limit(fetch, offset),
        lambda frame, _: (
            frame.orderBy(*[_c(k).asc() if ascending else _c(k).desc() for k in keys]).offset(offset).limit(fetch)
        ),
    )


def over(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    keys = _sortable(schema)
    if not keys:
        return None
    partition = draw(st.lists(st.sampled_from(keys), max_size=2, unique=True))
    name, kind = names.new(draw), draw(st.sampled_from(["row_number", "rank", "dense_rank", "sum", "lag"]))
    pair = number(draw, schema, 1)
    ours = Over.partition_by(*map(col, partition)).order_by(*map(col, keys))
    theirs = Window.partitionBy(*map(_c, partition)).orderBy(*map(_c, keys))
    made = {
        "row_number": (row_number().over(ours), f.row_number().over(theirs)),
        "rank": (rank().over(ours), f.rank().over(theirs)),
        "dense_rank": (dense_rank().over(ours), f.dense_rank().over(theirs)),
        "sum": (
            pair.ours.sum.over(ours.preceding(UNBOUNDED_ROW)),
            f.sum(pair.theirs).over(theirs.rowsBetween(Window.unboundedPreceding, 0)),
        ),
        "lag": (pair.ours.lag(1), f.lag(pair.theirs, 1).over(theirs)),
    }[kind]
    fluent = made[0].over(ours) if kind == "lag" else made[0]
    return Step(
        f"add({name!r}, {kind}({pair.ours}) over ({partition}))",
        lambda table, _: table.add_columns(fluent.alias(name)),
        lambda frame, _: frame.withColumn(name, made[1]),
    )


def tumble(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    times = [c.name for c in schema.columns if isinstance(c.data_type, t.TimestampType)]
    if not times:
        return None
    time, start, made = draw(st.sampled_from(times)), names.new(draw), _aggregates(draw, schema, names)
    return Step(
        f"tumble({time!r}).select({made})",
        lambda table, _: (
            table.window(Tumble.over(lit(3).days).on(col(time)).alias("w"))
            .group_by(col("w"))
            .select(col("w").start.alias(start), *[pair.ours.alias(name) for name, pair in made])
        ),
        lambda frame, _: (
            frame.groupBy(f.window(_c(time), "3 days").alias("w"))
            .agg(*[pair.theirs.alias(name) for name, pair in made])
            .select(f.col("w.start").alias(start), *[_c(name) for name, _ in made])
        ),
    )


def lateral(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    arrays = names_of(schema, (t.ArrayType,))
    if not arrays:
        return None
    array, name, outer = draw(st.sampled_from(arrays)), names.new(draw), draw(st.booleans())
    method = "left_outer_join_lateral" if outer else "join_lateral"
    explode = f.explode_outer if outer else f.explode
    return Step(
        f"{method}(explode({array!r}))",
        lambda table, _: getattr(table, method)(call("explode", col(array)).alias(name)),
        lambda frame, _: frame.select("*", explode(_c(array)).alias(name)),
    )


def pivot(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    if not names_of(schema, TEXT) or not names_of(schema, NUMBER):
        return None
    spread, key = draw(st.sampled_from(names_of(schema, TEXT))), draw(st.sampled_from(names_of(schema, NUMBER)))
    pair = number(draw, schema, 1)
    if key == spread:
        return None
    return Step(
        f"group_by({key!r}).pivot({spread!r}).select(sum({pair.ours}))",
        lambda table, _: (
            table.group_by(col(key)).pivot(col(spread), {"v 1": "a", "v 2": "Berlin"}).select(pair.ours.sum)
        ),
        lambda frame, _: (
            frame.groupBy(_c(key)).pivot(quote(spread), ["a", "Berlin"]).agg(f.sum(pair.theirs)).toDF(key, "v 1", "v 2")
        ),
    )


def unpivot(draw: Draw, schema: ResolvedSchema, names: Names) -> Step | None:
    texts = names_of(schema, TEXT)
    if not texts:
        return None
    chosen = draw(st.lists(st.sampled_from(texts), min_size=1, max_size=3, unique=True))
    kept = [name for name in schema.names if name not in chosen][:3]
    label, found = names.new(draw), names.new(draw)
    return Step(
        f"unpivot({kept}, {chosen})",
        lambda table, _: table.unpivot([*map(col, kept)], [*map(col, chosen)], label, found),
        lambda frame, _: frame.unpivot([*map(_c, kept)], [*map(_c, chosen)], label, found),
    )


ALONE = (
    select,
    keep,
    add,
    rename,
    drop,
    distinct,
    aggregate,
    group,
    grouping_sets,
    combine,
    top,
    over,
    tumble,
    lateral,
    pivot,
    unpivot,
)
WITH_ANOTHER = (join, semi_join)
