"""The registry of the built-in functions: every definition of the modules beside this one, found by its names.

A family of functions is a module, which is loaded when one of its functions is first looked up: ``ir.functions.index``
says which names its definitions have.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from ir.dialects import operators
from ir.errors import ValidationException, did_you_mean
from ir.functions.definition import FunctionDefinition
from ir.functions.index import FUNCTIONS

# Where two families have a function of the same name, that of the first one is meant.
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
    "shapes",
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
    """Return the module of a family, loaded."""
    return import_module(f"ir.functions.{name}")


def definition(place: tuple[str, str]) -> FunctionDefinition:
    """Return the definition that is a constant of a family."""
    found: FunctionDefinition = getattr(family(place[0]), place[1])
    return found


def definitions_in(module: ModuleType) -> dict[str, FunctionDefinition]:
    """Return the definitions that a module has, by constant: but not what it keeps to itself or the fluent API has."""
    return {
        constant: found
        for constant, found in vars(module).items()
        if isinstance(found, FunctionDefinition) and not constant.startswith(("_", "FLUENT"))
    }


class _Names:
    """The places of functions by names of one kind, folded; of those with the same name, the first."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, str]] = {}
        self._found: dict[str, FunctionDefinition] = {}

    def add(self, name: str, place: tuple[str, str]) -> None:
        self._places.setdefault(name.lower(), place)

    def get(self, name: str) -> FunctionDefinition | None:
        """Return the function of a folded name, whose family is loaded if need be."""
        found = self._found.get(name)
        if found is None and name in self._places:
            found = self._found[name] = definition(self._places[name])
        return found

    def places(self) -> list[tuple[str, str]]:
        return list(self._places.values())


class BuiltIns:
    """The built-in functions by definition name and by SQL name, both whatever their case."""

    def __init__(self) -> None:
        self._by_name = _Names()
        self._by_sql_name = _Names()
        for family_name in FAMILIES:
            for constant, (name, *sql_names) in FUNCTIONS.get(family_name, {}).items():
                place = (family_name, constant)
                self._by_name.add(name, place)
                for sql_name in sql_names:
                    self._by_sql_name.add(sql_name, place)

    def __iter__(self) -> Iterator[FunctionDefinition]:
        return (definition(place) for place in self._by_name.places())

    def by_name(self, name: str) -> FunctionDefinition:
        """Return the function with a definition name.

        Raises:
            ValidationException: there is none; the message suggests the nearest.
        """
        found = self._by_name.get(name.lower())
        if found is None:
            raise ValidationException(f"There is no function {name!r}." + did_you_mean(name, self.names()))
        return found

    def find(self, name: str) -> FunctionDefinition | None:
        """Return the function that SQL or ``call`` means by a name, or None."""
        folded = operators.FUNCTIONS.get(name, name).lower()
        return self._by_sql_name.get(folded) or self._by_name.get(folded)

    def find_in_sql(self, name: str) -> FunctionDefinition | None:
        """Return the function that has a name in SQL, or None."""
        return self._by_sql_name.get(name.lower())

    def names(self) -> list[str]:
        """Return the SQL names of all functions that are called by name, sorted."""
        return sorted({name for d in self for name in d.sql_names if name.replace("_", "").isalnum()})


BUILT_INS = BuiltIns()
