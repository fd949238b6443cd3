"""Decides whether ``a.b`` or ``a[i]`` in a clause denotes a column of the SELECT or of FROM.

In ORDER BY, Spark reads the column of FROM if the column of the SELECT lacks the field; in HAVING, it reads the column
of the SELECT if the group key lacks the field.
"""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.clause_names import AMBIGUOUS, ClauseNames
from grammar.builder.scopes import fields_of
from grammar.errors import Misread
from ir.errors import TableException, ValidationException
from ir.expressions import Expression
from ir.identifiers import fold
from ir.inference.usage import GROUPED
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.types import ArrayType, LogicalType, MapType, RowType, VariantType


def comes_first(found: Expression, path: s.Path, names: ClauseNames, lookup: FunctionLookup) -> bool:
    """Whether a path denotes a column of the SELECT or a field of it, rather than its meaning in FROM."""
    if len(path.names) == 1:
        return True
    try:
        if names.selected and _is_passed_on(path, names):
            return False
        if not names.scope.has_fields(path):
            return True
    except Misread:
        # Several columns of FROM have the name. The SELECT outputs one of them, or another column.
        return found is not AMBIGUOUS
    return found is not AMBIGUOUS and _type_of(fields_of(found, path.names[1:]), lookup) is not None


def _is_passed_on(path: s.Path, names: ClauseNames) -> bool:
    """Whether a path is a relation and its column, which the SELECT outputs without an alias."""
    column = names.scope.column(path)
    if column is None or len(column[1]) == len(path.names) - 1:
        return False
    return any(item.expression is column[0].field and not item.aliased for item in names.selected)


def is_key_with_field(path: s.Path, names: ClauseNames, lookup: FunctionLookup) -> bool:
    """Whether a path denotes a group key or a field of it, so that the SELECT's column of that name is ignored."""
    if len(path.names) == 1:
        return True
    own = names.scope.own(path)
    return own is not None and _type_of(own, lookup) is not None


def hides_elements(path: s.Path, names: ClauseNames, lookup: FunctionLookup) -> bool:
    """Whether a column of the SELECT without elements hides a column of FROM with elements."""
    found = names.outputs.get(fold(path.names[0].text)) if len(path.names) == 1 else None
    if found is None or found is AMBIGUOUS or not names.scope.has_elements(path):
        return False
    return not isinstance(_type_of(found, lookup), (ArrayType, MapType, RowType, VariantType))


def _type_of(expression: Expression, lookup: FunctionLookup) -> LogicalType | None:
    try:
        return ExpressionResolver(Scope(()), lookup, usage=GROUPED).resolve(expression).data_type
    except (ValidationException, TableException):
        return None
