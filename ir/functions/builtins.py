"""The registry of built-in functions, which finds definitions by name.

A family of functions is a module of this package. It is loaded when one of its functions is first looked up;
``ir.functions.index`` lists the names in each family.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from types import ModuleType

from ir.errors import ValidationException, did_you_mean
from ir.functions.definition import FunctionDefinition

# If two families have a function of the same name, the first family wins.
FAMILIES = (
    "comparison",
    "logic",
    "arithmetic",
    "mathematics",
    "real_numbers",
    "numerals",
    "bitwise",
    "hashing",
    "string",
    "text_search",
    "regexp",
    "collations",
    "text_encoding",
    "formatting",
    "xml_path",
    "temporal",
    "dates",
    "times",
    "timestamps",
    "intervals",
    "time_units",
    "calendar_fields",
    "time_window",
    "arrays",
    "maps",
    "higher_order",
    "collection",
    "structured",
    "flink_collections",
    "vectors",
    "json",
    "text_formats",
    "variant",
    "geospatial",
    "json_aggregates",
    "conversion",
    "context",
    "random",
    "aggregate",
    "multisets",
    "bitmaps",
    "statistics",
    "sketches",
    "tuple_sketches",
    "window",
    "subquery",
    "table",
    "json_table",
)


def family(name: str) -> ModuleType:
    """Load the module of a family and return it."""
    from importlib import import_module

    return import_module(f"ir.functions.{name}")


def definition(place: tuple[str, str]) -> FunctionDefinition:
    """Return the definition at a place: a family and a constant in it."""
    found: FunctionDefinition = getattr(family(place[0]), place[1])
    return found


def definitions_in(module: ModuleType) -> dict[str, FunctionDefinition]:
    """Return the public definitions in a module by constant, without those of the fluent API."""
    return {
        constant: found
        for constant, found in vars(module).items()
        if isinstance(found, FunctionDefinition) and not constant.startswith(("_", "FLUENT"))
    }


class _Names:
    """The places of functions by folded name of one kind; the first place of a name wins."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, str]] = {}
        self._found: dict[str, FunctionDefinition] = {}

    def add(self, name: str, place: tuple[str, str]) -> None:
        self._places.setdefault(name.lower(), place)

    def get(self, name: str) -> FunctionDefinition | None:
        """Return the function with a folded name, and load its family if needed."""
        found = self._found.get(name)
        if found is None and name in self._places:
            found = self._found[name] = definition(self._places[name])
        return found

    def places(self) -> list[tuple[str, str]]:
        return list(self._places.values())


class BuiltIns:
    """The built-in functions by definition name and by SQL name, case-insensitively."""

    @cached_property
    def _by_name(self) -> _Names:
        return self._by_names[0]

    @cached_property
    def _by_sql_name(self) -> _Names:
        return self._by_names[1]

    @cached_property
    def _by_names(self) -> tuple[_Names, _Names]:
        """The functions by definition name and by SQL name, with the first look-up: many a query makes none."""
        from ir.functions.index import FUNCTIONS

        by_name, by_sql_name = _Names(), _Names()
        for family_name in FAMILIES:
            for constant, (name, *sql_names) in FUNCTIONS.get(family_name, {}).items():
                place = (family_name, constant)
                by_name.add(name, place)
                for sql_name in sql_names:
                    by_sql_name.add(sql_name, place)
        return by_name, by_sql_name

    def __iter__(self) -> Iterator[FunctionDefinition]:
        return (definition(place) for place in self._by_name.places())

    def by_name(self, name: str) -> FunctionDefinition:
        """Return the function with a definition name.

        Raises:
            ValidationException: no function has the name; the message suggests the nearest name.
        """
        found = self._by_name.get(name.lower())
        if found is None:
            raise ValidationException(f"There is no function {name!r}." + did_you_mean(name, self.names()))
        return found

    def find(self, name: str) -> FunctionDefinition | None:
        """Return the function with a SQL name, an operator or a definition name, or None."""
        from ir.dialects.operators import FUNCTIONS

        folded = FUNCTIONS.get(name, name).lower()
        return self._by_sql_name.get(folded) or self._by_name.get(folded)

    def find_in_sql(self, name: str) -> FunctionDefinition | None:
        """Return the function with a SQL name, or None."""
        return self._by_sql_name.get(name.lower())

    def names(self) -> list[str]:
        """Return the SQL names of all functions in alphabetical order, without operators."""
        return sorted({name for d in self for name in d.sql_names if name.replace("_", "").isalnum()})


BUILT_INS = BuiltIns()


def find_by_name(name: str) -> FunctionDefinition:
    """Return the built-in function with a definition name.

    Raises:
        ValidationException: no function has the name.
    """
    return BUILT_INS.by_name(name)
