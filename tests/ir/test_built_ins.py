"""The registry of built-in functions: every name in SQL is that of one function."""

from __future__ import annotations

from collections import defaultdict

from ir.functions.builtins import BUILT_INS, FAMILIES
from ir.functions.definition import FunctionDefinition

# A subtraction of times is one of numbers to the reader, and a subquery is not called by name.
SHARED = {"-", "exists"}


def test_no_name_in_sql_has_two_functions() -> None:
    found: defaultdict[str, set[FunctionDefinition]] = defaultdict(set)
    for family in FAMILIES:
        for constant, definition in vars(family).items():
            if isinstance(definition, FunctionDefinition) and not constant.startswith(("_", "FLUENT")):
                for name in definition.sql_names:
                    found[name.lower()].add(definition)
    assert {name for name, definitions in found.items() if len(definitions) > 1} <= SHARED


def test_every_definition_is_found_by_its_name() -> None:
    assert [d for d in BUILT_INS if BUILT_INS.by_name(d.name) is not d] == []
