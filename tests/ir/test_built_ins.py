"""The registry of built-in functions: each SQL name belongs to one function."""

from __future__ import annotations

from collections import defaultdict

from ir.functions.builtins import BUILT_INS, FAMILIES, definitions_in, family
from ir.functions.definition import FunctionDefinition
from ir.functions.index import FUNCTIONS

# The parser reads a subtraction of times as one of numbers, and a subquery is not called by name.
SHARED = {"-", "exists"}


def test_no_name_in_sql_has_two_functions() -> None:
    found: defaultdict[str, set[FunctionDefinition]] = defaultdict(set)
    for name in FAMILIES:
        for definition in definitions_in(family(name)).values():
            for sql_name in definition.sql_names:
                found[sql_name.lower()].add(definition)
    assert {name for name, definitions in found.items() if len(definitions) > 1} <= SHARED


def test_every_definition_is_found_by_its_name() -> None:
    assert [d for d in BUILT_INS if BUILT_INS.by_name(d.name) is not d] == []


def test_every_definition_is_in_the_index() -> None:
    listed = {constant for constants in FUNCTIONS.values() for constant in constants.items()}
    made = {
        (constant, (found.name, *found.sql_names))
        for name in FAMILIES
        for constant, found in definitions_in(family(name)).items()
    }
    assert made == listed
