"""What random MERGE statements do by the model in Python is what Spark computes by a join with CASE.

``test_merges`` compares the rows of real tables with both.
"""

from __future__ import annotations

from hypothesis import Phase, given, settings
from pyspark.sql import SparkSession

from tests.commands.merges import Clause, Row, clauses, expected, joined, rows, values_of

_CASES = 60
_IN_ONE_QUERY = 30


def test_the_model_is_a_join_with_case(spark: SparkSession) -> None:
    drawn: list[tuple[list[Row], list[Row], list[Clause]]] = []

    @given(target=rows(), source=rows(), given_clauses=clauses())
    @settings(max_examples=_CASES, deadline=None, database=None, phases=[Phase.generate])
    def draw(target: list[Row], source: list[Row], given_clauses: list[Clause]) -> None:
        drawn.append((target, source, given_clauses))

    draw()
    parts = [
        f"SELECT {number} AS case_number, j.* FROM ({joined(values_of(target), values_of(source), made)}) AS j"
        for number, (target, source, made) in enumerate(drawn)
    ]
    found: dict[int, list[Row]] = {}
    for first in range(0, len(parts), _IN_ONE_QUERY):
        for number, *row in spark.sql(" UNION ALL ".join(parts[first : first + _IN_ONE_QUERY])).collect():
            found.setdefault(number, []).append(tuple(row))
    for number, case in enumerate(drawn):
        assert sorted(found.get(number, []), key=lambda row: row[0]) == expected(*case), case
