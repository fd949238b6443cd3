"""Steps that group rows: aggregates, grouping sets, pivot and unpivot."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from ir.identifiers import fold
from tableapi import Table
from tableapi.expressions import col, grouping_id, lit
from tests.programs.tables import Frames, Tables
from tests.random_queries.expressions import NUMBER, TEXT, Pair, condition, names_of, number, text, value
from tests.random_queries.step import Situation, Step, c, fluent, native


def aggregate_of(at: Situation) -> Pair:
    """Choose an aggregate; for its filter, PySpark gets a CASE that is NULL where the condition does not hold."""
    kind = at.one(["count", "sum", "min", "max", "avg", "distinct count", "distinct sum", "rows", "least text"])
    pair = text(at.draw, at.schema, 1) if kind == "least text" else number(at.draw, at.schema, 1)
    filtered = condition(at.draw, at.schema, 1) if not at.one([0, 1, 2]) else None
    given = pair.theirs if kind != "rows" else f.lit(1)
    if filtered is not None:
        given = f.when(filtered.theirs, given)
    ours = {
        "count": pair.ours.count,
        "sum": pair.ours.sum,
        "min": pair.ours.min,
        "max": pair.ours.max,
        "avg": pair.ours.avg,
        "distinct count": pair.ours.count.distinct,
        "distinct sum": pair.ours.sum.distinct,
        "rows": lit(1).count,
        "least text": pair.ours.min,
    }[kind]
    theirs = {
        "count": f.count,
        "sum": f.sum,
        "min": f.min,
        "max": f.max,
        "avg": f.avg,
        "distinct count": f.count_distinct,
        "distinct sum": f.sum_distinct,
        "rows": f.count,
        "least text": f.min,
    }[kind](given)
    return Pair(ours if filtered is None else ours.where(filtered.ours), theirs)


def aggregates(at: Situation) -> list[tuple[str, Pair]]:
    """Choose one to three aggregates with names."""
    return [(at.new_name(), aggregate_of(at)) for _ in range(at.one([1, 2, 3]))]


def aggregate(at: Situation) -> Step:
    made = aggregates(at)
    return Step(
        f"select({made})",
        lambda table, _: table.select(*fluent(made)),
        lambda frame, _: frame.agg(*native(made)),
    )


def group(at: Situation) -> Step | None:
    if not at.sortable:
        return None
    keys = at.some(at.sortable, 1, 2)
    computed = [(at.new_name(), value(at.draw, at.schema))] if at.flag() else []
    made = aggregates(at)
    if at.flag():
        made.append((at.new_name(), Pair(col(keys[0]).is_null, c(keys[0]).isNull())))
    selected = [*keys, *[name for name, _ in computed]]
    return Step(
        f"group_by({keys}, {computed}).select({made})",
        lambda table, _: table.group_by(*map(col, keys), *fluent(computed)).select(*map(col, selected), *fluent(made)),
        lambda frame, _: frame.groupBy(*map(c, keys), *native(computed)).agg(*native(made)),
    )


def grouping_sets(at: Situation) -> Step | None:
    if not at.sortable:
        return None
    keys = at.some(at.sortable, 1, 2)
    kind = at.one(["rollup", "cube", "grouping_sets"])
    made, level = aggregates(at), at.new_name()
    sets = [keys, keys[1:], []]

    def ours(table: Table, _: Tables) -> Table:
        if kind == "grouping_sets":
            grouped = table.grouping_sets(*[list(map(col, chosen)) for chosen in sets])
        else:
            grouped = getattr(table, kind)(*map(col, keys))
        return grouped.select(*map(col, keys), *fluent(made), grouping_id().alias(level))

    def theirs(frame: DataFrame, _: Frames) -> DataFrame:
        if kind == "grouping_sets":
            grouped = frame.groupingSets([list(map(c, chosen)) for chosen in sets], *map(c, keys))
        else:
            grouped = getattr(frame, kind)(*map(c, keys))
        return grouped.agg(*native(made), f.grouping_id().alias(level))

    return Step(f"{kind}({keys}).select({made})", ours, theirs)


def pivot(at: Situation) -> Step | None:
    names = ["first", "it's"]
    # A key keeps its name beside the columns of the pivoted values.
    texts, keys = names_of(at.schema, TEXT), [name for name in at.sortable if not name.startswith(tuple(names))]
    if not texts or len(keys) < 2:
        return None
    spread = at.one(texts)
    made = [aggregate_of(at) for _ in range(at.one([1, 2]))]
    aliases = [f"m {number}" for number in range(len(made))]
    cells = [f"{name}_{alias}" for name in names for alias in aliases] if len(made) > 1 else names
    # A column may have the name of a pivoted column, from an earlier pivot or by chance.
    free = [name for name in keys if name != spread and fold(name) not in cells]
    if not free:
        return None
    key = at.one(free)
    named = list(zip(aliases, made, strict=True))
    return Step(
        f"group_by({key!r}).pivot({spread!r}).select({made})",
        lambda table, _: (
            table.group_by(col(key)).pivot(col(spread), {"first": "a", "it's": "Berlin"}).select(*fluent(named))
        ),
        lambda frame, _: (
            frame.groupBy(c(key)).pivot(f"`{spread.replace('`', '``')}`", ["a", "Berlin"]).agg(*native(named))
        ).toDF(key, *cells),
    )


def unpivot(at: Situation) -> Step | None:
    chosen = at.some(names_of(at.schema, at.one([TEXT, NUMBER])) or [""], 1, 3)
    if chosen == [""]:
        return None
    kept = [name for name in at.schema.names if name not in chosen][:3]
    label, found, nulls = at.new_name(), at.new_name(), at.flag()
    return Step(
        f"unpivot({kept}, {chosen}, {nulls})",
        lambda table, _: table.unpivot([*map(col, kept)], [*map(col, chosen)], label, found, nulls),
        lambda frame, _: frame.unpivot([*map(c, kept)], [*map(c, chosen)], label, found).filter(
            f.lit(nulls) | c(found).isNotNull()
        ),
    )


def unpivot_pairs(at: Situation) -> Step | None:
    """Unpivot several value columns at once; a DataFrame cannot, so it explodes an array of rows."""
    texts, numbers = names_of(at.schema, TEXT), names_of(at.schema, NUMBER)
    size = min(len(texts), len(numbers), 2)
    if not size:
        return None
    groups = list(zip(at.some(texts, size, size), at.some(numbers, size, size), strict=True))
    used = {name for pair in groups for name in pair}
    kept = [name for name in at.schema.names if name not in used][:3]
    labels = ["one", "t'wo"][:size]
    label, words, amounts = at.new_name(), at.new_name(), at.new_name()

    def theirs(frame: DataFrame, _: Frames) -> DataFrame:
        rows = [
            f.struct(f.lit(name).alias("l"), c(a).alias("a"), c(b).alias("b"))
            for name, (a, b) in zip(labels, groups, strict=True)
        ]
        exploded = frame.select(*map(c, kept), f.explode(f.array(*rows)).alias("exploded row"))
        row = c("exploded row")
        return exploded.select(
            *map(c, kept),
            *[row.getField(field).alias(name) for field, name in zip("lab", [label, words, amounts], strict=True)],
        )

    return Step(
        f"unpivot({kept}, {groups})",
        lambda table, _: table.unpivot(
            [*map(col, kept)],
            {name: [col(a), col(b)] for name, (a, b) in zip(labels, groups, strict=True)},
            label,
            [words, amounts],
        ),
        theirs,
    )


STEPS = (aggregate, group, group, grouping_sets, pivot, unpivot, unpivot_pairs)
