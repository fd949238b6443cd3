"""Which types may be group and sort keys, and which rows can be checked for duplicates."""

from __future__ import annotations

import pytest

from ir.errors import ValidationException
from ir.identifiers import ObjectIdentifier
from ir.operations.filter import Distinct
from ir.operations.set_operation import SetOperationType
from ir.operations.source import Source
from ir.resolution.grouping import resolve_group_keys
from ir.resolution.lookup import BuiltInLookup
from ir.resolution.set_operations import combine_sets
from ir.resolution.sorting import order_rows
from ir.schema import ResolvedSchema
from ir.types import INT, STRING, VARIANT, ArrayType, MapType
from ir.unresolved import UnresolvedReference

COUNTS = MapType(STRING, INT)
MAPS = Source(ObjectIdentifier("maps"), ResolvedSchema.of(["id", "counts"], [INT, COUNTS]))
VARIANTS = Source(ObjectIdentifier("variants"), ResolvedSchema.of(["id", "found"], [INT, ArrayType(VARIANT)]))


def test_maps_can_be_grouped() -> None:
    (key,), _ = resolve_group_keys(MAPS, [UnresolvedReference("counts")], BuiltInLookup())
    assert key.data_type is COUNTS


def test_variants_cannot_be_grouped() -> None:
    with pytest.raises(ValidationException) as refused:
        resolve_group_keys(VARIANTS, [UnresolvedReference("found")], BuiltInLookup())
    assert str(refused.value) == (
        "group_by cannot group by found of type ARRAY<VARIANT>: values of type VARIANT cannot be grouped."
    )


def test_maps_have_no_order() -> None:
    with pytest.raises(ValidationException) as refused:
        order_rows(MAPS, [UnresolvedReference("counts")], BuiltInLookup())
    assert str(refused.value) == (
        "order_by cannot sort by counts of type MAP<STRING, INT>: values of type MAP have no order."
    )


def test_duplicates_of_maps_cannot_be_found() -> None:
    with pytest.raises(ValidationException) as refused:
        Distinct(MAPS)
    assert str(refused.value) == (
        "DISTINCT compares whole rows, and values of type MAP cannot be compared: `counts` MAP<STRING, "
        "INT>. Leave such columns out before."
    )


@pytest.mark.parametrize("kind", list(SetOperationType))
@pytest.mark.parametrize("keep_duplicates", [False, True])
def test_only_union_all_takes_maps(kind: SetOperationType, keep_duplicates: bool) -> None:
    if kind is SetOperationType.UNION and keep_duplicates:
        assert combine_sets(MAPS, MAPS, kind, keep_duplicates).schema.types == (INT, COUNTS)
    else:
        with pytest.raises(ValidationException, match=r"values of type MAP cannot be compared: `counts`"):
            combine_sets(MAPS, MAPS, kind, keep_duplicates)
