"""The methods of tables about changelogs: from_changelog, to_changelog and apply_changelog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ir.errors import ValidationException
from ir.expressions import DescriptorLiteral
from ir.functions.collection import MAP
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.resolution.changelogs import CHANGELOG_FUNCTIONS, apply_changes, changelog_table
from ir.resolution.process.inputs import TableInput
from ir.unresolved import Ordering, UnresolvedCall, UnresolvedNamedArgument
from tableapi.expression import Expression, unwrap
from tableapi.queries.query import Query
from tableapi.steps.step_arguments import unwrap_arguments


def call_changelog_function(
    query: Query, method: str, arguments: Sequence[Any], op: Any, op_mapping: Any
) -> QueryOperation:
    """Return the result of ``from_changelog`` or ``to_changelog`` for a table.

    Raises:
        ValidationException: an argument is invalid.
    """
    given = [TableInput(query.operation), *unwrap_arguments(arguments, method)]
    if op is not None:
        if not isinstance(op, (str, Expression)):
            raise ValidationException(f"op of {method} is the name of a column, but was given {op!r}.")
        name = DescriptorLiteral((op,)) if isinstance(op, str) else unwrap(op)
        given.append(UnresolvedNamedArgument("op", name))
    if op_mapping is not None:
        given.append(UnresolvedNamedArgument("op_mapping", _write_map(method, op_mapping)))
    return changelog_table(CHANGELOG_FUNCTIONS[method], given, query.lookup)


def _write_map(method: str, given: Any) -> Any:
    if isinstance(given, Expression):
        return unwrap(given)
    if not isinstance(given, Mapping) or not all(isinstance(one, str) for pair in given.items() for one in pair):
        raise ValidationException(
            f"op_mapping of {method} is a dictionary of strings, such as {{'c, r': 'INSERT'}}, but was given {given!r}."
        )
    return UnresolvedCall(MAP, tuple([literal(one) for pair in given.items() for one in pair]))


def apply_changelog(query: Query, keys: Sequence[Any], order_by: Any) -> QueryOperation:
    """Return the current rows of a changelog.

    Raises:
        ValidationException: there is no key or no order, one of them is invalid, or the table is not a changelog.
    """
    if not keys:
        raise ValidationException("apply_changelog needs the columns that identify a row.")
    several = order_by if isinstance(order_by, (list, tuple)) else [order_by]
    orders = unwrap_arguments(several, "order_by of apply_changelog")
    if not orders:
        raise ValidationException("apply_changelog needs order_by, the order of the changes of a row.")
    written = [one if isinstance(one, Ordering) else Ordering(one) for one in orders]
    return apply_changes(query.operation, unwrap_arguments(keys, "apply_changelog"), written, query.lookup)
