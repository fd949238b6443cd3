"""The registry of the built-in functions: every definition of the modules beside this one, found by its names."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from ir.dialects.operators import FUNCTIONS
from ir.errors import ValidationException, did_you_mean
from ir.functions import (
    aggregate,
    arithmetic,
    arrays,
    bitmaps,
    bitwise,
    calendar_fields,
    collations,
    collection,
    comparison,
    context,
    conversion,
    dates,
    flink_collections,
    formatting,
    hashing,
    higher_order,
    intervals,
    json,
    json_aggregates,
    logic,
    maps,
    mathematics,
    multisets,
    numerals,
    random,
    real_numbers,
    regexp,
    sketches,
    statistics,
    string,
    subquery,
    table,
    temporal,
    text_encoding,
    text_formats,
    text_search,
    time_units,
    time_window,
    times,
    timestamps,
    tuple_sketches,
    variant,
    vectors,
    window,
    xml_path,
)
from ir.functions.definition import FunctionDefinition

FAMILIES: tuple[ModuleType, ...] = (
    comparison,
    logic,
    arithmetic,
    mathematics,
    real_numbers,
    numerals,
    bitwise,
    hashing,
    string,
    text_search,
    regexp,
    collations,
    text_encoding,
    formatting,
    xml_path,
    temporal,
    dates,
    times,
    timestamps,
    intervals,
    time_units,
    calendar_fields,
    time_window,
    arrays,
    maps,
    higher_order,
    collection,
    flink_collections,
    vectors,
    json,
    text_formats,
    variant,
    json_aggregates,
    conversion,
    context,
    random,
    aggregate,
    multisets,
    bitmaps,
    statistics,
    sketches,
    tuple_sketches,
    window,
    subquery,
    table,
)


class BuiltIns:
    """The built-in functions by definition name and by SQL name, both whatever their case."""

    def __init__(self, families: tuple[ModuleType, ...]) -> None:
        self._by_name: dict[str, FunctionDefinition] = {}
        self._by_sql_name: dict[str, FunctionDefinition] = {}
        for module in families:
            for constant, definition in vars(module).items():
                if isinstance(definition, FunctionDefinition) and not constant.startswith(("_", "FLUENT")):
                    self._by_name.setdefault(definition.name.lower(), definition)
                    for name in definition.sql_names:
                        self._by_sql_name.setdefault(name.lower(), definition)

    def __iter__(self) -> Iterator[FunctionDefinition]:
        return iter(self._by_name.values())

    def by_name(self, name: str) -> FunctionDefinition:
        """Return the function with a definition name.

        Raises:
            ValidationException: there is none; the message suggests the nearest.
        """
        return self._found(name, self._by_name.get(name.lower()))

    def find(self, name: str) -> FunctionDefinition | None:
        """Return the function that SQL or ``call`` means by a name, or None."""
        folded = FUNCTIONS.get(name, name).lower()
        return self._by_sql_name.get(folded) or self._by_name.get(folded)

    def find_in_sql(self, name: str) -> FunctionDefinition | None:
        """Return the function that has a name in SQL, or None."""
        return self._by_sql_name.get(name.lower())

    def names(self) -> list[str]:
        """Return the SQL names of all functions that are called by name, sorted."""
        return sorted({name for d in self for name in d.sql_names if name.replace("_", "").isalnum()})

    def _found(self, name: str, definition: FunctionDefinition | None) -> FunctionDefinition:
        if definition is None:
            raise ValidationException(f"There is no function {name!r}." + did_you_mean(name, self.names()))
        return definition


BUILT_INS = BuiltIns(FAMILIES)
