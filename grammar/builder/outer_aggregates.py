"""Aggregates in a subquery that are of the rows of the query around it: ``HAVING EXISTS (… WHERE x = sum(t.a))``.

As in the SQL standard, an aggregate is of the query whose columns it names. The query around has it as a column, to
which the subquery refers as to others.
"""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.scopes import Scope, fields_of
from ir.calls import is_aggregate
from ir.contents import OVER, QUERY
from ir.equivalence import Equivalents
from ir.expressions import (
    Call,
    Expression,
    FieldReference,
    OuterReference,
    ResolvedExpression,
    TableReference,
    UnresolvedCall,
    ValueLiteral,
    written_parts,
)
from ir.identifiers import fold
from ir.inference.usage import usage_of_groups
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.resolution.lookup import FunctionLookup
from ir.rewriting import replace


def of_query_around(call: UnresolvedCall, around: Scope, lookup: FunctionLookup) -> Expression:
    """Return what stands for the call of an aggregate: the column of the query around that it is, or the call itself.

    As in Spark, the subquery asks for it in its WHERE and stands in the HAVING of the query around.

    Raises:
        TableException: it is one of the query around, and wrong.
    """
    is_outer = False
    for part in written_parts([call]):
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
    """Return the column of groups around a subquery that an alias of their SELECT means, None for anything else."""
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
    """Return the name by which subqueries ask for an aggregate or a computed key, which is that of no column."""
    for name, known in around.aggregates.items():
        if known is aggregate:
            return name
    taken = {column.field.name for column in around.columns} | set(around.aggregates)
    name = aggregate.as_summary_string()
    while name in taken:
        name += "'"
    around.aggregates[name] = aggregate
    return name
