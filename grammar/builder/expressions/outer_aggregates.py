"""Resolves aggregates in a subquery that belong to the outer query: ``HAVING EXISTS (… WHERE x = sum(t.a))``.

As in the SQL standard, an aggregate belongs to the query whose columns it names. The outer query computes it as a
column, to which the subquery refers as an outer reference.
"""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.scopes import Scope, fields_of
from ir.call_expressions import Call
from ir.calls import is_aggregate
from ir.contents import OVER, QUERY
from ir.equivalence import Equivalents
from ir.expressions import Expression, FieldReference, OuterReference, ResolvedExpression, ValueLiteral
from ir.identifiers import fold
from ir.inference.usage import usage_of_groups
from ir.operations.operation import TableReference
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.resolution.lookup import FunctionLookup
from ir.rewriting import replace
from ir.unresolved import UnresolvedCall, walk_written_parts


def resolve_outer_aggregate(call: UnresolvedCall, around: Scope, lookup: FunctionLookup) -> Expression:
    """Return the outer reference for an aggregate that belongs to the outer query, else the call itself.

    As in Spark, the aggregate is in the WHERE of a subquery, and the subquery in the HAVING of the outer query.

    Raises:
        TableException: the aggregate belongs to the outer query and is invalid.
    """
    is_outer = False
    for part in walk_written_parts([call]):
        if isinstance(part, (FieldReference, TableReference)):
            return call
        is_outer = is_outer or isinstance(part, OuterReference)
    if not is_outer:
        return call
    fields = {column.field.name: column.field for column in around.columns}

    def field(part: ResolvedExpression) -> ResolvedExpression | None:
        return fields.get(part.name) if isinstance(part, OuterReference) else None

    usage = usage_of_groups(around.keys_of_groups)
    aggregate = replace(ExpressionResolver(ResolverScope(()), lookup, usage=usage).resolve(call), field)
    if not isinstance(aggregate, Call) or not is_aggregate(aggregate):
        return call
    return OuterReference(_name(aggregate, around), aggregate.data_type)


def output_around(path: s.Path, around: Scope, lookup: FunctionLookup) -> Expression | None:
    """Return the outer reference for an alias of the grouped SELECT around a subquery, None for any other name."""
    found = (around.outputs_of_groups or {}).get(fold(path.names[0].text))
    if isinstance(found, ValueLiteral):
        return fields_of(found, path.names[1:])
    if not isinstance(found, (FieldReference, UnresolvedCall)):
        return None
    resolver = ExpressionResolver(ResolverScope(()), lookup, usage=usage_of_groups(around.keys_of_groups))
    keys = [key for key in map(resolver.resolve, around.keys_of_groups) if isinstance(key, Call)]
    same = Equivalents(keys)

    def outer(part: ResolvedExpression) -> ResolvedExpression | None:
        if isinstance(part, FieldReference):
            return OuterReference(part.name, part.data_type)
        named = part if part in keys or is_aggregate(part) else same.find(part)
        return OuterReference(_name(named, around), named.data_type) if isinstance(named, Call) else None

    output = resolver.resolve(found)
    if output.contents & (OVER | QUERY):
        return None
    return fields_of(replace(output, outer), path.names[1:])


def _name(aggregate: Call, around: Scope) -> str:
    """Return the name by which subqueries refer to an aggregate or a computed key; no column has the name."""
    for name, known in around.aggregates.items():
        if known is aggregate:
            return name
    taken = {column.field.name for column in around.columns} | set(around.aggregates)
    name = aggregate.as_summary_string()
    while name in taken:
        name += "'"
    around.aggregates[name] = aggregate
    return name
