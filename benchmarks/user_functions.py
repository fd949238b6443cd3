"""User-defined functions against the same functions in plain PySpark: ``make bench-functions``.

Each kind of function runs over the same rows in one Spark session, once as this library sends it and once as a PySpark
user would write it, in turns, so that a busy machine slows both alike. A run computes all rows and reduces them to a
few numbers, so that fetching costs nothing. Figures are medians of the ratios of pairs of runs, with the 95 % interval
of the median (order statistics of the pairs). They are given for elapsed time and, where the system reports it, for the
processor time of the Python workers, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import functools
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchmarks import processor_time
from tableapi import AggregateFunction, Table, TableAggregateFunction, TableEnvironment, udaf, udf, udtaf, udtf
from tableapi.expressions import CURRENT_ROW, UNBOUNDED_ROW, col, row_interval
from tableapi.window import Over

PAIRS = 11
FEWEST = 9
Run = Callable[[], list[Any]]
_NESTED = "ROW<id BIGINT, inner ROW<text STRING, several ARRAY<BIGINT>>>"
_SPARK_NESTED = "id bigint, inner struct<text string, several array<bigint>>"


def interval(values: list[float]) -> tuple[float, float]:
    """Return the interval that contains the median with a probability of at least 95 %, for six values or more.

    >>> interval([float(i) for i in range(1, 12)])
    (2.0, 10.0)
    """
    ordered, count = sorted(values), len(values)
    outside, below = 0.0, 0
    while outside + math.comb(count, below) / 2**count <= 0.025:
        outside += math.comb(count, below) / 2**count
        below += 1
    first = max(below - 1, 0)
    return ordered[first], ordered[count - 1 - first]


# --- the functions, once for both -------------------------------------------------------------------------------------


def plus_one(number: int) -> int:
    """Return a number plus one."""
    return number + 1


def shout(text: str) -> str:
    """Return a text in capital letters."""
    return text.upper() + "!"


def labelled(number: int, text: str) -> tuple[int, str]:
    """Return a row."""
    return number, text


def pieces(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words of a text, and their lengths."""
    for word in text.split():
        yield word, len(word)


def numbers(number: int) -> list[int]:
    """Return a short list."""
    return [number, number + 1]


def words_of(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


def longest(words: list[str]) -> int:
    """Return the length of the longest word."""
    return max(map(len, words))


def nested(row: Any) -> tuple[int, tuple[str, list[int]]]:
    """Return a row with a row and an array in it, of such a row."""
    number, (text, several) = row
    return number + 1, (text, [*several, number])


def row_of_row(row: Any) -> tuple[int, str]:
    """Return a row of a whole row."""
    return row[0] + 1, row[2]


def pieces_of_row(row: Any) -> Iterator[tuple[str, int]]:
    """Yield the words of the text in a row, and their lengths."""
    for word in row[2].split():
        yield word, len(word)


class Total(AggregateFunction):
    """The sum of numbers."""

    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        accumulator[0] += args[0]

    def get_value(self, accumulator: list[int]) -> int:
        return accumulator[0]


_TOTAL = Total()


class Two(TableAggregateFunction):
    """The two largest numbers, and their ranks."""

    def create_accumulator(self) -> list[int]:
        return [-1, -1]

    def accumulate(self, accumulator: list[int], *args: int) -> None:
        keep(accumulator, args[0])

    def emit_value(self, accumulator: list[int]) -> Iterator[tuple[int, int]]:
        yield accumulator[0], 1
        yield accumulator[1], 2


def keep(two: list[int], number: int) -> None:
    """Keep a number that is one of the two largest."""
    if number > two[0]:
        two[0], two[1] = number, two[0]
    elif number > two[1]:
        two[1] = number


def cases(env: TableEnvironment, rows: int) -> Iterator[tuple[str, Run, Run]]:
    """Yield the cases: the name of the kind, the peer, and both runs."""
    import pyarrow.compute as pc
    from pyspark.sql import Window as W
    from pyspark.sql import functions as F
    from pyspark.sql.functions import arrow_udf, arrow_udtf, pandas_udf
    from pyspark.sql.functions import udf as spark_udf

    spark = env.spark
    made = spark.range(0, rows, 1, 2).selectExpr(
        "id", "id % 1000 AS k", "concat('word ', id, ' of ', id % 7) AS text", "CAST(id AS DOUBLE) AS x"
    )
    made = made.selectExpr(
        "*",
        "split(text, ' ') AS words",
        "struct(id, struct(text, array(id, k) AS several) AS inner) AS nested",
        "id DIV 2000 AS of_2000",
        "id DIV 20000 AS of_20000",
    )
    frame = made.cache()
    frame.count()
    t = env.from_spark(frame)

    # A DataFrame that has run keeps its shuffled data, so each run makes a new one.
    def ours(table: Table) -> Run:
        column = table.get_resolved_schema().names[0]
        return lambda: table.to_spark().agg(F.max(F.hash(column))).collect()

    def theirs(make: Callable[[], Any]) -> Run:
        def run() -> list[Any]:
            data = make()
            return data.agg(F.max(F.hash(data.columns[0]))).collect()  # type: ignore[no-any-return]

        return run

    plain = spark_udf(plus_one, "bigint", useArrow=False)
    arrow = spark_udf(plus_one, "bigint", useArrow=True)
    added = udf(plus_one, ["BIGINT"], "BIGINT")
    yield "scalar, BIGINT: udf by row", ours(t.select(added(col("id")))), theirs(lambda: frame.select(plain("id")))
    yield "scalar, BIGINT: udf by Arrow", ours(t.select(added(col("id")))), theirs(lambda: frame.select(arrow("id")))
    by_hand = arrow_udf(_array_loop_plus_one, "bigint")
    yield (
        "scalar, BIGINT: arrow_udf by hand with the same loop",
        ours(t.select(added(col("id")))),
        theirs(lambda: frame.select(by_hand("id"))),
    )
    pandas_loop = pandas_udf(_series_loop_plus_one, "bigint")
    yield (
        "scalar, BIGINT: pandas_udf with the same loop",
        ours(t.select(added(col("id")))),
        theirs(lambda: frame.select(pandas_loop("id"))),
    )
    shouted = udf(shout, ["STRING"], "STRING")
    arrow_shout = spark_udf(shout, "string", useArrow=True)
    yield (
        "scalar, STRING: udf by Arrow",
        ours(t.select(shouted(col("text")))),
        theirs(lambda: frame.select(arrow_shout("text"))),
    )
    listed = udf(numbers, ["BIGINT"], "ARRAY<BIGINT>")
    arrow_listed = spark_udf(numbers, "array<bigint>", useArrow=True)
    yield (
        "scalar, ARRAY: udf by Arrow",
        ours(t.select(listed(col("id")))),
        theirs(lambda: frame.select(arrow_listed("id"))),
    )
    rowed = udf(labelled, ["BIGINT", "STRING"], "ROW<a BIGINT, b STRING>")
    arrow_rowed = spark_udf(labelled, "a bigint, b string", useArrow=True)
    yield (
        "scalar, ROW: udf by Arrow",
        ours(t.select(rowed(col("id"), col("text")))),
        theirs(lambda: frame.select(arrow_rowed("id", "text"))),
    )
    split = udf(words_of, ["STRING"], "ARRAY<STRING>")
    arrow_split = spark_udf(words_of, "array<string>", useArrow=True)
    yield (
        "scalar, ARRAY of STRING: udf by Arrow",
        ours(t.select(split(col("text")))),
        theirs(lambda: frame.select(arrow_split("text"))),
    )
    lengths = udf(longest, ["ARRAY<STRING>"], "BIGINT")
    arrow_lengths = spark_udf(longest, "bigint", useArrow=True)
    yield (
        "scalar, argument ARRAY: udf by Arrow",
        ours(t.select(lengths(col("words")))),
        theirs(lambda: frame.select(arrow_lengths("words"))),
    )
    nest = udf(nested, [_NESTED], _NESTED)
    arrow_nest = spark_udf(nested, _SPARK_NESTED, useArrow=True)
    yield (
        "scalar, nested ROW: udf by Arrow",
        ours(t.select(nest(col("nested")))),
        theirs(lambda: frame.select(arrow_nest("nested"))),
    )
    mapped = udf(row_of_row, result_type="ROW<a BIGINT, b STRING>")
    arrow_mapped = spark_udf(row_of_row, "a bigint, b string", useArrow=True)
    flat = t.select(col("id"), col("k"), col("text"))
    yield (
        "map: udf by Arrow of a struct",
        ours(flat.map(mapped).select(col("b"))),
        theirs(lambda: frame.select(arrow_mapped(F.struct("id", "k", "text")).alias("r")).select("r.b")),
    )

    vector = udf(lambda column: column + 1, ["BIGINT"], "BIGINT", func_type="pandas", name="vector")
    pandas = pandas_udf(_series_plus_one, "bigint")
    yield "pandas: pandas_udf", ours(t.select(vector(col("id")))), theirs(lambda: frame.select(pandas("id")))
    of_arrow = udf(lambda column: pc.add(column, 1), ["BIGINT"], "BIGINT", func_type="arrow", name="of_arrow")
    arrows = arrow_udf(_array_plus_one, "bigint")
    yield "arrow: arrow_udf", ours(t.select(of_arrow(col("id")))), theirs(lambda: frame.select(arrows("id")))

    words = udtf(pieces, ["STRING"], ["STRING", "INT"])

    class Pieces:
        def eval(self, text: str) -> Any:
            yield from pieces(text)

    from pyspark.sql.functions import udtf as spark_udtf

    spark.udtf.register("bench_pieces_row", spark_udtf(Pieces, returnType="w string, n int", useArrow=False))
    spark.udtf.register("bench_pieces_arrow", spark_udtf(Pieces, returnType="w string, n int", useArrow=True))
    frame.createOrReplaceTempView("bench_rows")
    ours_of_words = t.join_lateral(words(col("text")).alias("w", "n")).select(col("w"))
    for kind in ("row", "arrow"):
        text = f"SELECT w FROM bench_rows, LATERAL bench_pieces_{kind}(text)"
        lateral = functools.partial(spark.sql, text)
        yield f"table: udtf by {'row' if kind == 'row' else 'Arrow'}", ours(ours_of_words), theirs(lateral)

    spark.udtf.register("bench_pieces_by_hand", arrow_udtf(returnType="w string, n int")(_pieces_by_hand()))
    yield (
        "table: arrow_udtf by hand with the same loop",
        ours(ours_of_words),
        theirs(lambda: spark.sql("SELECT w FROM bench_pieces_by_hand(TABLE(SELECT text FROM bench_rows))")),
    )

    unfolded = arrow_udf(_pieces_as_arrays, "array<struct<w: string, n: int>>")
    yield (
        "table: arrow_udf of arrays by hand with the same loop, unfolded",
        ours(ours_of_words),
        theirs(lambda: frame.select(F.inline(unfolded("text"))).select("w")),
    )

    whole = udtf(pieces_of_row, result_types=["STRING", "INT"])

    class PiecesOfRow:
        def eval(self, row: Any) -> Any:
            yield from pieces_of_row(row)

    spark.udtf.register("bench_flat_map", spark_udtf(PiecesOfRow, returnType="w string, n int", useArrow=True))
    yield (
        "flat_map: udtf by Arrow of a struct",
        ours(flat.flat_map(whole).alias("w", "n").select(col("w"))),
        theirs(lambda: spark.sql("SELECT w FROM bench_rows, LATERAL bench_flat_map(struct(id, k, text))")),
    )

    total = udaf(_TOTAL, input_types=["BIGINT"], result_type="BIGINT")
    grouped = t.group_by(col("k")).select(total(col("id")).alias("s"))
    arrow_sum = arrow_udf(_arrow_python_sum, "bigint")
    pandas_sum = pandas_udf(_pandas_python_sum, "bigint")
    yield (
        "aggregate by row: grouped-agg arrow_udf with the same loop",
        ours(grouped),
        theirs(lambda: frame.groupBy("k").agg(arrow_sum("id").alias("s")).select("s")),
    )
    yield (
        "aggregate by row: grouped-agg pandas_udf with the same loop",
        ours(grouped),
        theirs(lambda: frame.groupBy("k").agg(pandas_sum("id").alias("s")).select("s")),
    )
    two = udtaf(Two(), ["BIGINT"], "ROW<v BIGINT, place INT>")
    largest = t.group_by(col("k")).flat_aggregate(two(col("id"))).select(col("v"))
    yield (
        "table aggregate: applyInArrow with the same loop",
        ours(largest),
        theirs(lambda: frame.select("k", "id").groupBy("k").applyInArrow(_two_by_arrow, "v bigint, place int")),
    )
    yield (
        "table aggregate: applyInPandas with the same loop",
        ours(largest),
        theirs(lambda: frame.select("k", "id").groupBy("k").applyInPandas(_two_by_pandas, "v bigint, place int")),
    )
    mean = udaf(lambda column: column.mean(), ["DOUBLE"], "DOUBLE", func_type="pandas", name="mean_of")
    pandas_mean = pandas_udf(_series_mean, "double")
    yield (
        "pandas aggregate: grouped-agg pandas_udf",
        ours(t.group_by(col("k")).select(mean(col("x")).alias("s"))),
        theirs(lambda: frame.groupBy("k").agg(pandas_mean("x").alias("s")).select("s")),
    )
    arrow_mean = udaf(
        lambda column: pc.mean(column).as_py(), ["DOUBLE"], "DOUBLE", func_type="arrow", name="arrow_mean"
    )
    spark_mean = arrow_udf(_array_mean, "double")
    arrow_total = arrow_udf(_array_sum, "bigint")
    yield (
        "arrow aggregate: grouped-agg arrow_udf",
        ours(t.group_by(col("k")).select(arrow_mean(col("x")).alias("s"))),
        theirs(lambda: frame.groupBy("k").agg(spark_mean("x").alias("s")).select("s")),
    )
    frames = {
        "partitions of 2,000": (2_000, None),
        "partitions of 20,000": (20_000, None),
        "rows up to each of 2,000": (2_000, (W.unboundedPreceding, W.currentRow)),
        "100 rows before each of 2,000": (2_000, (-100, W.currentRow)),
    }
    for shown, (length, bounds) in frames.items():
        part = f"of_{length}"
        spark_window = W.partitionBy(part)
        window: Any = Over.partition_by(col(part))
        if bounds is not None:
            spark_window = spark_window.orderBy("id").rowsBetween(*bounds)
            preceding = UNBOUNDED_ROW if bounds[0] == W.unboundedPreceding else row_interval(-bounds[0])
            window = window.order_by(col("id")).preceding(preceding).following(CURRENT_ROW)
        over = window.alias("w")
        compared = [
            ("pandas aggregate", "pandas_udf", mean(col("x")), pandas_mean("x")),
            ("arrow aggregate", "arrow_udf", arrow_mean(col("x")), spark_mean("x")),
        ]
        if bounds is None or bounds[0] == -100:
            compared.append(("aggregate by row", "arrow_udf with the same loop", total(col("id")), arrow_sum("id")))
        else:
            # The same loop over all rows of a DataFrame would take minutes.
            compared.append(("aggregate by row", "arrow_udf of Arrow's sum", total(col("id")), arrow_total("id")))
        for kind, other, ours_over, theirs_over in compared:
            yield (
                f"{kind} over {shown}: {other}",
                ours(t.over_window(over).select(ours_over.over(col("w")).alias("s"))),
                theirs(functools.partial(frame.select, theirs_over.over(spark_window).alias("s"))),
            )


def _typed() -> None:
    """Annotate the vectorized functions, since PySpark takes their kinds from the annotations."""
    import pandas
    import pyarrow

    one, other = pandas.Series, pyarrow.Array
    for function, taken, given in (
        (_series_plus_one, one, one),
        (_series_loop_plus_one, one, one),
        (_array_plus_one, other, other),
        (_array_loop_plus_one, other, other),
        (_pieces_as_arrays, other, other),
        (_arrow_python_sum, other, int),
        (_pandas_python_sum, one, int),
        (_series_mean, one, float),
        (_array_mean, other, float),
        (_array_sum, other, int),
    ):
        function.__annotations__ = {"column": taken, "return": given}


def _series_plus_one(column: Any) -> Any:
    return column + 1


def _array_plus_one(column: Any) -> Any:
    import pyarrow.compute

    return pyarrow.compute.add(column, 1)


def _array_loop_plus_one(column: Any) -> Any:
    import pyarrow

    return pyarrow.array([plus_one(number) for number in column.to_pylist()], pyarrow.int64())


def _series_loop_plus_one(column: Any) -> Any:
    return column.map(plus_one)


def _pieces_by_hand() -> type:
    """Return an Arrow table function in PySpark's form, with the loop of ``pieces``."""

    class PiecesByHand:
        def eval(self, batch: Any) -> Any:
            import pyarrow

            words, lengths = [], []
            for text in batch.column(0).to_pylist():
                for word, length in pieces(text):
                    words.append(word)
                    lengths.append(length)
            yield pyarrow.table({"w": pyarrow.array(words), "n": pyarrow.array(lengths, pyarrow.int32())})

    return PiecesByHand


def _pieces_as_arrays(column: Any) -> Any:
    import pyarrow

    ends, words, lengths = [0], [], []
    for text in column.to_pylist():
        for word, length in pieces(text):
            words.append(word)
            lengths.append(length)
        ends.append(len(words))
    columns = [pyarrow.array(words, pyarrow.string()), pyarrow.array(lengths, pyarrow.int32())]
    rows = pyarrow.StructArray.from_arrays(columns, names=["w", "n"])
    return pyarrow.ListArray.from_arrays(pyarrow.array(ends, pyarrow.int32()), rows)


def _two_by_arrow(group: Any) -> Any:
    import pyarrow

    two = [-1, -1]
    for number in group.column("id").to_pylist():
        keep(two, number)
    return pyarrow.table({"v": pyarrow.array(two), "place": pyarrow.array([1, 2], pyarrow.int32())})


def _two_by_pandas(group: Any) -> Any:
    import pandas

    two = [-1, -1]
    for number in group["id"].tolist():
        keep(two, number)
    return pandas.DataFrame({"v": two, "place": [1, 2]})


def _arrow_python_sum(column: Any) -> Any:
    accumulator = _TOTAL.create_accumulator()
    for value in column.to_pylist():
        _TOTAL.accumulate(accumulator, value)
    return _TOTAL.get_value(accumulator)


def _pandas_python_sum(column: Any) -> Any:
    accumulator = _TOTAL.create_accumulator()
    for value in column.tolist():
        _TOTAL.accumulate(accumulator, value)
    return _TOTAL.get_value(accumulator)


def _series_mean(column: Any) -> Any:
    return column.mean()


def _array_mean(column: Any) -> Any:
    import pyarrow.compute

    return pyarrow.compute.mean(column).as_py()


def _array_sum(column: Any) -> Any:
    import pyarrow.compute

    return pyarrow.compute.sum(column).as_py()


class Times(NamedTuple):
    """The seconds of each side's runs; the runs at one position are a pair."""

    ours: list[float]
    theirs: list[float]

    def ratio(self) -> str:
        """Return the median of the ratios of the pairs, and its interval."""
        # A run shorter than the clock's resolution has no meaningful ratio.
        ratios = [a / b for a, b in zip(*self, strict=True) if a and b]
        if len(ratios) < FEWEST:
            return f"{'-':>6} {'':>13}"
        low, high = interval(ratios)
        return f"{statistics.median(ratios):>6.2f} {low:>5.2f} – {high:<5.2f}"


def compare(ours: Run, theirs: Run, pairs: int) -> tuple[Times, Times]:
    """Time both sides in pairs, alternating which runs first; return elapsed times and the workers' processor times."""
    if [tuple(row) for row in ours()] != [tuple(row) for row in theirs()]:
        sys.exit("The two functions do not give the same rows.")
    passed, used = Times([], []), Times([], [])
    for number in range(pairs):
        for run, side in ((ours, 0), (theirs, 1))[:: 1 if number % 2 else -1]:
            used_before, start = _used(), time.perf_counter()
            run()
            passed[side].append(time.perf_counter() - start)
            used[side].append(_used() - used_before)
    return passed, used


def _used() -> float:
    return processor_time.of_workers() if processor_time.is_measurable() else 0.0


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rows", type=int, default=400_000)
    options.add_argument("--pairs", type=int, default=PAIRS)
    options.add_argument("--only", default="", help="measure only kinds whose name has this in it")
    given = options.parse_args(arguments)
    if given.pairs < FEWEST:
        options.error(f"at least {FEWEST} pairs make an interval")
    _typed()
    env = TableEnvironment.create()
    print(f"{given.rows} rows, {given.pairs} pairs; a ratio below 1 is in favour of this library")
    print(f"{'':<60} {'time that passes':^37} {'processor time of workers':^37}")
    columns = f"{'ours':>7} {'theirs':>8} {'ratio':>6} {'interval':^13}"
    print(f"{'kind: compared with':<60} {columns} {columns}")
    for name, ours, theirs in cases(env, given.rows):
        if given.only not in name:
            continue
        cells = [
            f"{statistics.median(times.ours):>6.2f}s {statistics.median(times.theirs):>7.2f}s {times.ratio()}"
            for times in compare(ours, theirs, given.pairs)
        ]
        print(f"{name:<60} {' '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
