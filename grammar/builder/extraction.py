"""Whether a column of a SELECT has the field or the element that its ORDER BY asks of a name.

Where it has none, Spark takes the column of FROM that is called so.
"""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.names import AMBIGUOUS, NamesOf
from ir.errors import TableException, ValidationException
from ir.expressions import Expression
from ir.identifiers import fold
from ir.inference.usage import GROUPED
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.types import ArrayType, LogicalType, MapType, RowType, VariantType


def exists(part: Expression, lookup: FunctionLookup) -> bool:
    """Whether a field, taken from what a column of the SELECT is, has a type."""
    return _type_of(part, lookup) is not None


def hides_elements(path: s.Path, names: NamesOf, lookup: FunctionLookup) -> bool:
    """Whether a column of the SELECT, which has no elements, hides one of FROM that has some."""
    found = names.outputs.get(fold(path.names[0].text)) if len(path.names) == 1 else None
    if found is None or found is AMBIGUOUS or not names.scope.has_elements(path):
        return False
    return not isinstance(_type_of(found, lookup), (ArrayType, MapType, RowType, VariantType))


def _type_of(expression: Expression, lookup: FunctionLookup) -> LogicalType | None:
    try:
        return ExpressionResolver(Scope(()), lookup, usage=GROUPED).resolve(expression).data_type
    except (ValidationException, TableException):
        return None
