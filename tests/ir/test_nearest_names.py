"""Suggestions for misspelt names: near enough for the length of the name, or none."""

from __future__ import annotations

import pytest

from ir.nearest_names import nearest_name

COLUMNS = ["id", "customer_id", "amount", "placed", "status"]
METHODS = ["add_columns", "filter", "group_by", "rename_columns", "asc", "desc", "sec", "upper_case", "is_null", "user"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("amuont", "amount"),
        ("amout", "amount"),
        ("AMOUNT", "amount"),
        ("customerId", "customer_id"),
        ("customer", "customer_id"),
        ("statu", "status"),
        ("status_code", "status"),
        ("amt", "amount"),
        ("ids", "id"),
        ("i", "id"),
        # Names other than those.
        ("count", None),
        ("total", None),
        ("x", None),
        ("price", None),
        ("at", None),
        ("", None),
    ],
)
def test_column(given: str, meant: str | None) -> None:
    assert nearest_name(given, COLUMNS) == meant


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("fliter", "filter"),
        ("groupBy", "group_by"),
        ("dsc", "desc"),
        ("acs", "asc"),
        ("uper", None),
        ("upper_cas", "upper_case"),
        ("upper", "upper_case"),
        ("null_is", "is_null"),
        ("columns", None),
        ("value_counts", None),
        ("mutate", None),
    ],
)
def test_method(given: str, meant: str | None) -> None:
    assert nearest_name(given, [m for m in METHODS if m != "user"]) == meant


def test_left_out_letters_come_before_replaced_ones() -> None:
    assert nearest_name("uper", ["user", "upper"]) == "upper"


def test_a_typo_is_one_edit() -> None:
    assert nearest_name("withColum", ["withColumn"], is_typo=True) == "withColumn"
    assert nearest_name("mergeInto", ["merge", "mergeInts"], is_typo=True) == "mergeInts"
    assert nearest_name("mergeInto", ["merge"], is_typo=True) is None


def test_the_first_of_names_that_differ_in_case_is_meant() -> None:
    assert nearest_name("Ab_c", ["ABC", "abc"]) == "ABC"


def test_a_long_name_far_from_all_ends_soon() -> None:
    assert nearest_name("x" * 10_000, ["y" * 9_999, "z" * 10_001] * 50) is None
