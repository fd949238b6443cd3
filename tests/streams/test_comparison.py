"""The rules of streams against Spark's verdicts, both ways; the verdicts against Spark."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ir.lineage.operation_rules import RULES
from ir.operations.engine import EngineFunction
from ir.operations.join import Pairing
from ir.operations.no_columns import NoColumns
from ir.operations.process import ProcessTable
from ir.operations.source import InlineSource
from tests.streams.comparison import KNOWN, compare
from tests.streams.oracle import Judge, Verdict, create_inputs, list_asked, read_measured
from tests.streams.queries import FIRST_ROWS, INPUTS, everyday, pairs, singles, text_of
from tests.streams.streams import read

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MEASURED = read_measured()
# Two pairs that are known to differ.
PAIRS = (
    ("late", "right-join-late-bounds", "right-join-swapped-late-bounds"),
    ("late", "union-all-late", "correlated-table"),
)
# One pair in ten; ``python -m tests.streams.comparison`` compares all.
SAMPLE = random.Random(7).sample(pairs(), len(pairs()) // 10)


@pytest.mark.slow
def test_operations_alone() -> None:
    assert [str(found) for found in compare([*singles(), *everyday()], MEASURED) if found.known is None] == []


@pytest.mark.slow
def test_pairs_of_operations() -> None:
    assert [str(found) for found in compare(SAMPLE, MEASURED) if found.known is None] == []


def test_known_differences_are_there() -> None:
    paths = [path for path in list_asked() if any(holds(path) for holds in KNOWN.values())]
    assert {
        found.known for found in compare([path for path in paths if len(path) == 2 or path in PAIRS], MEASURED)
    } == set(KNOWN)


def test_verdicts_on_the_text_of_the_tree() -> None:
    """Spark accepts the text of a tree where it accepts the query, and a subquery as a semi join, and first rows."""

    def accepted(verdict: Verdict) -> list[bool]:
        return [reason is None for reason in verdict.values()]

    other = {path for path, found in MEASURED.written.items() if accepted(found) != accepted(MEASURED.checked[path])}
    names = ("exists-late-bounds", "exists-filtered-late-bounds", "exists-late-twice", "exists-groups")
    names += ("in-late-bounds", "in-late-time", "in-late-converted")
    first_rows = {path for path in other if not FIRST_ROWS.isdisjoint(path)}
    assert {(given, name) for given in INPUTS for name in FIRST_ROWS} <= first_rows
    assert other - first_rows == set(itertools.product(INPUTS, names))


def test_all_queries_are_measured() -> None:
    assert set(MEASURED.checked) == set(list_asked())


@pytest.mark.slow
def test_all_operations_are_measured() -> None:
    seen = {type(operation) for path in singles() for operation in read(text_of(path)).walk_with_subqueries()}
    measured = {kind for kind in RULES if any(issubclass(one, kind) for one in seen)}
    # What has no SQL of its own, and process table functions, which take no streams yet.
    assert set(RULES) - measured == {EngineFunction, InlineSource, NoColumns, ProcessTable}
    assert seen >= set(Pairing.__subclasses__())


@pytest.fixture(scope="module")
def judge(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    session = spark.newSession()
    create_inputs(session, tmp_path_factory.mktemp("streams"))
    return Judge(session)


def test_verdicts_are_those_of_this_spark(judge: Judge, tmp_path: Path) -> None:
    chosen = random.Random(11).sample(list_asked(), 150)
    assert {path: judge.check(text_of(path)) for path in chosen} == {path: MEASURED.checked[path] for path in chosen}
