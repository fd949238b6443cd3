"""Notations: what each refuses and writes in its own way, and notations that are made from another one."""

from __future__ import annotations

import attrs
import pytest

from ir.identifiers import ObjectIdentifier
from ir.operations.filter import Distinct
from ir.operations.operation import QueryOperation
from ir.operations.sort import Sort
from ir.operations.source import Source
from ir.schema import ResolvedSchema
from ir.types import INT
from serializer.flink.notation import FLINK
from serializer.merged import merged_text
from serializer.names import name_text
from serializer.nested import nested_text
from serializer.notation import Feature, Notation
from serializer.spark_notation import SPARK
from tableapi import TableException
from tests.ir.test_operations import OPERATIONS

_FEATURES = {value for name, value in vars(Feature).items() if name.isupper()}
_TABLE = Source(ObjectIdentifier("t"), ResolvedSchema.of(["a"], [INT]))
_FIRST_ROWS = Sort(_TABLE, (), offset=None, fetch=3)


def _rows_only(offset: int | None, fetch: int | None) -> list[str]:
    return [f"FETCH FIRST {fetch} ROWS ONLY"]


@pytest.mark.parametrize("notation", [SPARK, FLINK], ids=["spark", "flink"])
def test_what_a_notation_refuses_or_writes_in_its_own_way_exists(notation: Notation) -> None:
    operations = {operation.__name__ for operation in OPERATIONS}
    assert notation.refusals.keys() <= operations | _FEATURES
    assert notation.own_operations.keys() <= operations
    assert not notation.refusals.keys() & notation.own_operations.keys()


def test_flink_lacks_each_feature() -> None:
    assert FLINK.refusals.keys() >= _FEATURES


def test_a_notation_is_made_from_another() -> None:
    older = attrs.evolve(SPARK, limit_clauses=_rows_only)
    assert nested_text(_FIRST_ROWS, older).endswith("\nFETCH FIRST 3 ROWS ONLY")
    assert merged_text(_FIRST_ROWS, older) == "SELECT `a`\nFROM `t`\nFETCH FIRST 3 ROWS ONLY"
    assert nested_text(_FIRST_ROWS, SPARK).endswith("\nLIMIT 3")


def test_names_without_the_identifier_clause() -> None:
    assert name_text("${x}", SPARK).startswith("IDENTIFIER(")
    assert name_text("${x}", attrs.evolve(SPARK, has_identifier_clause=False)) == "`${x}`"


def test_an_operation_that_another_version_lacks_is_refused_in_each_query() -> None:
    # Spark has written the operation before, and writes it again afterwards.
    distinct: QueryOperation = Distinct(_TABLE)
    before = nested_text(distinct, SPARK)
    older = attrs.evolve(SPARK, refusals={"Distinct": "{0.title} needs a newer version.".format})
    for _ in range(2):
        with pytest.raises(TableException, match=r"^Distinct needs a newer version\.$"):
            nested_text(Sort(distinct, (), offset=None, fetch=1), older)
        with pytest.raises(TableException, match=r"^Distinct needs a newer version\.$"):
            merged_text(Sort(distinct, (), offset=None, fetch=1), older)
    assert nested_text(distinct, SPARK) == before


def test_a_layout_that_another_version_lacks_is_refused() -> None:
    with pytest.raises(TableException, match=r"^no MERGED$"):
        merged_text(_TABLE, attrs.evolve(SPARK, refusals={Feature.MERGED: "no MERGED".format}))


def test_string_literals_are_those_of_the_notation() -> None:
    assert (SPARK.string_text("it's"), FLINK.string_text("it's")) == (r"'it\'s'", "'it''s'")


def test_a_notation_shows_its_name() -> None:
    assert (repr(SPARK), repr(FLINK)) == ("<notation SPARK>", "<notation FLINK>")
