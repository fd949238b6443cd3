"""Time from a fluent query to SQL, against Ibis and SQLFrame: ``make bench``.

Each library builds the same TPC-H queries in the same steps, over tables whose schemas are declared, and writes them as
SQL for Spark: Ibis with ``to_sql``, SQLFrame with ``sql`` and its defaults, this library in each of its layouts. Then
each library builds longer and longer chains, until it fails or takes too long for one of them.

``benchmarks.analyse_queries`` runs the queries of all three on Spark and compares their rows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.pairs import compare, seconds
from benchmarks.read_sql import DATABASE, environment
from benchmarks.tpch_dataframes import DATAFRAMES, WITHOUT_SUBQUERIES
from examples.tpch.data import COLUMNS
from examples.tpch.queries import QUERIES
from tableapi import Layout, Table, TableEnvironment
from tableapi.expressions import col

PAIRS = 15
# How often one query is written for one timing of a pair, and the number of pairs. Garbage collection empties the
# processor's caches before each timing. For a query that takes less than a millisecond, this many repetitions make that
# cost small.
REPEATED = 12
PAIRS_OF_ONE = 9
# The series of a library ends with the first chain that takes this many seconds.
LIMIT = 4.0
SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000)
ROOT = Path(__file__).resolve().parent.parent

Compile = Callable[[str], str]
Grow = Callable[[int], str]

# --- TPC-H -----------------------------------------------------------------------------------------------------------


def ours(env: TableEnvironment, layout: Layout) -> Compile:
    """Return a function that builds a TPC-H query with this library and writes its SQL."""
    return lambda name: QUERIES[name](lambda table: env.from_path(f"{DATABASE}.{table}")).as_serializable_string(
        layout=layout
    )


def ibis_tables() -> dict[str, Any]:
    """Return the TPC-H tables as Ibis tables."""
    import ibis

    names = {"BIGINT": "int64", "INT": "int32"}
    return {
        table: ibis.table({c: names.get(t, t.lower().replace(" ", "")) for c, t in columns.items()}, name=table)
        for table, columns in COLUMNS.items()
    }


def of_ibis() -> Compile:
    """Return a function that builds a TPC-H query with Ibis and writes its SQL."""
    import ibis

    from benchmarks.tpch_ibis import IBIS

    # Ibis registers its Spark options only when its Spark backend loads; it reads them for columns of DOUBLE.
    assert ibis.pyspark
    tables = ibis_tables()
    return lambda name: str(ibis.to_sql(IBIS[name](tables.__getitem__), dialect="pyspark"))


def sqlframe_session() -> Any:
    """Return a SQLFrame session with the schemas of the TPC-H tables."""
    from sqlframe.standalone import StandaloneSession

    session = StandaloneSession()
    for table, columns in COLUMNS.items():
        session.catalog.add_table(table, column_mapping=columns)
    return session


def of_sqlframe() -> Compile:
    """Return a function that builds a TPC-H query with SQLFrame and writes its SQL."""
    from sqlframe.standalone import functions

    session = sqlframe_session()
    return lambda name: str(DATAFRAMES[name](session.read.table, functions).sql(dialect="spark"))


def _each(work: Callable[[str], object], names: Sequence[str]) -> Callable[[], object]:
    return lambda: [work(name) for name in names]


def compare_queries(env: TableEnvironment) -> None:
    """Print how long the queries take, and the ratios."""
    peers = {
        "Ibis": ("ibis-framework", of_ibis(), tuple(QUERIES)),
        "SQLFrame": ("sqlframe", of_sqlframe(), WITHOUT_SUBQUERIES),
    }
    print(f"Queries of TPC-H, fluent to SQL; median of {PAIRS} pairs; times are per query")
    print("| layout | peer | queries | tableapi | peer | how many times faster | middle half |")
    print("|---|---|---|---|---|---|---|")
    for layout in Layout:
        mine = ours(env, layout)
        for peer, (package, other, names) in peers.items():
            found = compare(_each(mine, names), _each(other, names), PAIRS)
            a, b = (side / len(names) * 1e3 for side in (found.ours, found.theirs))
            high, middle, low = (1 / ratio for ratio in found.ratios)
            print(
                f"| {layout.name} | {peer} {version(package)} | {len(names)} | {a:.2f} ms | {b:.2f} ms | "
                f"{middle:.1f} | {low:.1f} to {high:.1f} |",
                flush=True,
            )


def compare_each_query(env: TableEnvironment) -> None:
    """Print the time of each query separately, and its ratio to Ibis."""
    theirs = of_ibis()
    print(f"\nEach query, fluent to SQL, {REPEATED} times in a row, against Ibis; median of {PAIRS_OF_ONE} pairs")
    print("| query | Ibis | " + " | ".join(f"{layout.name} | how many times faster" for layout in Layout) + " |")
    print("|---|---|" + "---|---|" * len(Layout))
    for name in QUERIES:
        names = [name] * REPEATED
        found = [compare(_each(ours(env, layout), names), _each(theirs, names), PAIRS_OF_ONE) for layout in Layout]
        shown = (f"{side.ours / REPEATED * 1e3:.2f} ms | {1 / side.ratios[1]:.1f}" for side in found)
        print(f"| {name} | {found[0].theirs / REPEATED * 1e3:.1f} ms | {' | '.join(shown)} |", flush=True)


# --- growth ----------------------------------------------------------------------------------------------------------


def _growth_of_ours(env: TableEnvironment) -> dict[str, Grow]:
    lines = env.from_path(f"{DATABASE}.lineitem").select(col("l_linenumber").alias("n"), col("l_comment").alias("s"))

    def filters(size: int) -> Table:
        table = lines
        for i in range(size):
            table = table.filter(col("n") > i)
        return table

    def columns(size: int) -> Table:
        table = lines
        for _ in range(size):
            table = table.add_or_replace_columns((col("n") + 1).alias("n"))
        return table

    def unions(size: int) -> Table:
        table = lines
        for _ in range(size):
            table = table.union_all(lines)
        return table

    def sums(size: int) -> Table:
        value = col("n")
        for _ in range(size):
            value = value + 1
        return lines.select(value.alias("n"))

    shapes = {"filters": filters, "replaced columns": columns, "unions": unions, "sums": sums}
    return {name: lambda size, build=build: build(size).as_serializable_string() for name, build in shapes.items()}  # type: ignore[misc]


def _growth_of_ibis() -> dict[str, Grow]:
    import ibis

    lines = ibis_tables()["lineitem"]
    lines = lines.select(n=lines.l_linenumber, s=lines.l_comment)

    def filters(size: int) -> Any:
        table = lines
        for i in range(size):
            table = table.filter(table.n > i)
        return table

    def columns(size: int) -> Any:
        table = lines
        for _ in range(size):
            table = table.mutate(n=table.n + 1)
        return table

    def unions(size: int) -> Any:
        table = lines
        for _ in range(size):
            table = table.union(lines)
        return table

    def sums(size: int) -> Any:
        value = lines.n
        for _ in range(size):
            value = value + 1
        return lines.select(n=value)

    shapes = {"filters": filters, "replaced columns": columns, "unions": unions, "sums": sums}
    return {
        name: lambda size, build=build: str(ibis.to_sql(build(size), dialect="pyspark"))  # type: ignore[misc]
        for name, build in shapes.items()
    }


def _growth_of_sqlframe() -> dict[str, Grow]:
    from sqlframe.standalone import functions as f

    table = sqlframe_session().read.table("lineitem")
    lines = table.select(f.col("l_linenumber").alias("n"), f.col("l_comment").alias("s"))

    def filters(size: int) -> Any:
        table = lines
        for i in range(size):
            table = table.filter(f.col("n") > i)
        return table

    def columns(size: int) -> Any:
        table = lines
        for _ in range(size):
            table = table.withColumn("n", f.col("n") + 1)
        return table

    def unions(size: int) -> Any:
        table = lines
        for _ in range(size):
            table = table.unionAll(lines)
        return table

    def sums(size: int) -> Any:
        value = f.col("n")
        for _ in range(size):
            value = value + 1
        return lines.select(value.alias("n"))

    shapes = {"filters": filters, "replaced columns": columns, "unions": unions, "sums": sums}
    return {name: lambda size, build=build: str(build(size).sql(dialect="spark")) for name, build in shapes.items()}  # type: ignore[misc]


def curve(grow: Grow) -> Iterator[tuple[int, float | str]]:
    """Yield the seconds for each size; if the series ends early, yield the reason last."""
    for size in SIZES:
        try:
            taken = seconds(lambda size=size: grow(size))  # type: ignore[misc]
        except RecursionError:
            yield size, "RecursionError"
            return
        yield size, taken
        if taken > LIMIT:
            return


def show_growth(env: TableEnvironment, directory: Path) -> None:
    """Print the curves, and save them as data and as a picture."""
    libraries = {
        "tableapi": _growth_of_ours(env),
        f"Ibis {version('ibis-framework')}": _growth_of_ibis(),
        f"SQLFrame {version('sqlframe')}": _growth_of_sqlframe(),
    }
    curves: dict[str, dict[str, list[tuple[int, float | str]]]] = {}
    print(f"\nSeconds for a chain of so many steps, until one takes more than {LIMIT:.0f} s")
    print("| chain | library | " + " | ".join(f"{size:,}" for size in SIZES) + " |")
    print("|---|---|" + "---|" * len(SIZES))
    for shape in _growth_of_ours(env):
        for library, shapes in libraries.items():
            points = curves.setdefault(shape, {})[library] = list(curve(shapes[shape]))
            shown = [f"{value:.3f}" if isinstance(value, float) else value for _, value in points]
            print(f"| {shape} | {library} | " + " | ".join([*shown, *[""] * (len(SIZES) - len(shown))]) + " |")
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "growth.json").write_text(json.dumps(curves, indent=1) + "\n", encoding="utf-8")
    _draw(curves, directory / "growth.svg")


def _draw(curves: dict[str, dict[str, list[tuple[int, float | str]]]], file: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(curves), figsize=(4 * len(curves), 3.5), sharey=True)
    for panel, (shape, libraries) in zip(panels, curves.items(), strict=True):
        for library, points in libraries.items():
            measured = [(size, value) for size, value in points if isinstance(value, float)]
            (line,) = panel.plot(*zip(*measured, strict=True), marker="o", label=library)
            if isinstance(points[-1][1], str):
                panel.annotate(points[-1][1], measured[-1], color=line.get_color(), fontsize=7)
        panel.set(title=shape, xlabel="steps", xscale="log", yscale="log")
        panel.grid(visible=True, alpha=0.3)
    panels[0].set_ylabel("seconds to build and write")
    panels[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    """Run the benchmarks that the arguments select."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--curves", type=Path, default=ROOT / "docs" / "benchmarks", help="where curves are saved")
    parser.add_argument("--no-growth", action="store_true", help="only the queries")
    arguments = parser.parse_args()
    env = environment()
    compare_queries(env)
    compare_each_query(env)
    if not arguments.no_growth:
        show_growth(env, arguments.curves)


if __name__ == "__main__":
    main()
