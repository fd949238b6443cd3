"""Expands stars to their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.column_names.display_parts import type_of_fields
from grammar.builder.scopes import Column, Scope, column_of, display_path
from grammar.errors import Misread
from ir.errors import did_you_mean, listing
from ir.expressions import Expression
from ir.functions.collection import GET, ROW
from ir.identifiers import fold
from ir.literals import literal
from ir.types import LogicalType, RowType
from ir.unresolved import UnresolvedCall

if TYPE_CHECKING:
    from grammar.builder.clause_names import ClauseNames


def star_of(star: s.Star, names: ClauseNames) -> list[Any]:
    """Return the columns of a scope that a star selects."""
    names.stars.append(star)
    qualifier = star.qualifier
    if qualifier is not None and not isinstance(qualifier, s.Path):
        raise Misread(star.position, "Before .* stands the name of a relation or of a column with fields.")
    columns = names.scope.star(qualifier)
    if not columns:
        fields = names.scope.fields(qualifier)
        columns = names.scope.star_around(qualifier) if fields is None else fields
        if fields == []:
            return []
    if not columns:
        if qualifier is not None:
            path = s.Path(qualifier.position, [*qualifier.names, s.Name(star.position, "*", False)])
            error = names.scope.unknown(path)
            error.condition = "CANNOT_RESOLVE_STAR_EXPAND"
            raise error
        return []
    if star.left_out is None:
        return columns
    known = Scope(columns)
    left_out: dict[int, list[list[s.Name]]] = {}
    for path in star.left_out:
        found = known.column(path)
        if found is None:
            raise names.scope.unknown(path)
        others = left_out.setdefault(_identity(found[0]), [])
        _refuse_twice(path, found[1], others)
        others.append(list(found[1]))
    kept = []
    for column in columns:
        paths = left_out.get(_identity(column))
        if paths is None:
            kept.append(column)
        elif all(paths):
            row = _row_without(column.field, type_of_fields(column.field), paths)
            kept.append(column_of(column.name, column.qualifier, row))
    return kept


def _identity(column: Column) -> int:
    """Return a key that identical columns share."""
    return id(column if column.origin is None else column.origin)


def _refuse_twice(path: s.Path, fields: Sequence[s.Name], others: Sequence[Sequence[s.Name]]) -> None:
    """Reject a column or field that EXCEPT excludes twice, by itself or within an excluded row.

    Raises:
        Misread: the path, or a part of it, is already excluded.
    """
    wanted = [fold(name.text) for name in fields]
    for other in others:
        shared = min(len(other), len(fields))
        if [fold(name.text) for name in other[:shared]] == wanted[:shared]:
            message = f"EXCEPT leaves {display_path(path)} out twice: by itself, or within a row that it leaves out."
            raise Misread(path.position, message, "EXCEPT_OVERLAPPING_COLUMNS")


def _row_without(row: Expression, data_type: LogicalType | None, paths: Sequence[Sequence[s.Name]]) -> Expression:
    """Rebuild a row without some of its fields. The recursion is as deep as the type."""
    first = paths[0][0]
    if not isinstance(data_type, RowType):
        raise Misread(first.position, f"EXCEPT leaves {first.text!r} out of a row alone; build one without the field.")
    kept: list[Expression] = []
    names = [field.name for field in data_type.fields]
    for path in paths:
        if all(fold(name) != fold(path[0].text) for name in names):
            message = f"EXCEPT leaves out the field {path[0].text!r}, which the row does not have; its fields are "
            message += f"[{listing(names)}]." + did_you_mean(path[0].text, names)
            raise Misread(path[0].position, message, "FIELD_NOT_FOUND")
    for field in data_type.fields:
        inner = [path[1:] for path in paths if fold(path[0].text) == fold(field.name)]
        value: Expression = UnresolvedCall(GET, (row, literal(field.name)))
        if inner and not all(inner):
            continue
        kept += [literal(field.name), _row_without(value, field.data_type, inner) if inner else value]
    return UnresolvedCall(ROW, tuple(kept))
