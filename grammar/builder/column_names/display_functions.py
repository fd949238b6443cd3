"""The facts about built-in functions by the names in calls, for the names of columns."""

from __future__ import annotations

from functools import lru_cache

from ir.dialects.syntax import OwnSyntax
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, Shown

_USUAL = Shown()


@lru_cache(4096)
def find_built_in(name: str) -> FunctionDefinition | None:
    """Return the built-in function that has a folded name in SQL, or None."""
    return BUILT_INS.find_in_sql(name)


def find_display_rules(name: str) -> Shown:
    """Return how Spark shows calls of the built-in function that has a folded name, the usual way if there is none."""
    found = find_built_in(name)
    return _USUAL if found is None else found.shown


def display_function_name(name: str) -> str:
    """Return the name of a function that Spark shows for a folded one."""
    return find_display_rules(name).names.get(name, name)


def is_cast_function(name: str) -> bool:
    """Whether a folded name is that of a function that casts to the type of its name."""
    found = find_built_in(name)
    return found is not None and found.casts_to is not None


# Of words that are functions in this syntax alone.
_MORE_SYNTAXES = {"row": OwnSyntax.ROW, "timediff": OwnSyntax.TIMESTAMP_DIFF, "week": OwnSyntax.WEEK}


def find_own_syntax(name: str) -> str | None:
    """Return the syntax of ``OwnSyntax`` in which calls of a folded name are read, None for the usual one."""
    found = find_built_in(name)
    return _MORE_SYNTAXES.get(name) if found is None else found.emission.read_as
