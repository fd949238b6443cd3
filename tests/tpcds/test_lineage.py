"""A sample of ``python -m tests.tpcds.lineage``: lineage against what Spark computes over changed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tpcds.lineage import Perturbation, declare_tables, influences, lineage_of_view
from tests.tpcds.queries import STANDARD, queries

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_every_query_as_a_view_has_a_lineage_of_every_column() -> None:
    env = declare_tables()
    for name in STANDARD:
        found = influences(lineage_of_view(env, queries()[name]))
        assert all(found.values()), name


# With a correlated subquery, with conditions of several tables, and with groups over CASE.
@pytest.mark.parametrize("name", ["q1", "q3", "q27"])
def test_nothing_changes_that_lineage_does_not_name(name: str, spark: SparkSession) -> None:
    checked = Perturbation(spark.newSession(), declare_tables(), queries()[name]).check()
    assert checked.missing == ()
    assert checked.rows
    assert checked.exercised


def test_a_missing_influence_is_found(spark: SparkSession) -> None:
    checked = Perturbation(spark.newSession(), declare_tables(), queries()["q3"])
    column = "date_dim", "d_moy"
    assert all(column in columns for columns in checked.allowed.values())
    checked.allowed = {name: columns - {column} for name, columns in checked.allowed.items()}
    assert checked.check().missing
