"""Table aggregates: functions that compute several rows from the rows of a group.

The query of a table aggregate is a GROUP BY that collects the rows of each group, and a lateral join with the rows
computed from these.
"""

from __future__ import annotations

from ir.call_expressions import Call
from ir.calls import call
from ir.errors import ValidationException
from ir.expressions import Expression, FieldReference, ResolvedExpression
from ir.functions.collected import collect_rows
from ir.names import Names
from ir.operations.join import JoinType
from ir.operations.lateral import lateral_join, right_columns
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.resolution.aggregation import GroupKeys, select_aggregated
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.grouping import Grouping
from ir.resolution.lookup import FunctionLookup
from ir.unresolved import UnresolvedAlias, UnresolvedCall


def flat_aggregate(
    input: QueryOperation, grouping: Grouping, function: Expression, lookup: FunctionLookup
) -> QueryOperation:
    """Return the keys of each group with the rows that a table aggregate computes from it.

    Raises:
        ValidationException: ``function`` does not call a table aggregate, its arguments are not accepted, or a result
            column has the name of a key.
    """
    written, names = _split_alias(function)
    definition = lookup.find(written.function) if isinstance(written.function, (str, tuple)) else written.function
    if definition.aggregation.of_rows is None:
        raise ValidationException(
            f"flat_aggregate takes a call of a table aggregate, as udtaf makes them, but {definition.name} is none."
        )
    keys, key_names = grouping.resolved_keys(input, lookup)
    of_row = UnresolvedCall(definition.aggregation.of_rows, written.arguments, written.distinct, written.filter)
    given = ExpressionResolver(Scope((input.schema,)), lookup).resolve(of_row)
    assert isinstance(given, Call)
    every: tuple[ResolvedExpression, ...] = (*keys, collect_rows(given))
    grouped = select_aggregated(input, GroupKeys(keys, key_names, grouping.sets), every, (*key_names, None))
    rows = grouped.schema.columns[-1]
    made = call(definition, (FieldReference(rows.name, rows.data_type, 0, len(keys)),))
    own = tuple([column.name for column in right_columns(made)])
    if names is not None and len(names) != len(own):
        raise ValidationException(
            f"alias gives {len(names)} names to the {len(own)} columns [{', '.join(own)}] of {definition.name}."
        )
    wanted = names or own
    unique = Names(grouped.schema.names[:-1])
    for name in wanted:
        if not unique.is_free(name):
            raise ValidationException(
                f"{definition.name} gives a column {name!r}, which is there already. Name its columns with alias."
            )
        unique.take(name)
    # The collected rows have a generated name; a result column with the same name needs another one inside the join.
    taken = Names(grouped.schema.names)
    inner = tuple([name if taken.is_free(name) else taken.generate(f"{name}_", 0) for name in wanted])
    joined = lateral_join(grouped, made, inner, JoinType.INNER, None)
    kept = [i for i in range(len(joined.schema)) if i != len(keys)]
    columns = joined.schema.columns
    references = tuple([FieldReference(columns[i].name, columns[i].data_type, 0, i) for i in kept])
    return project(joined, references, (*grouped.schema.names[:-1], *wanted))


def _split_alias(function: Expression) -> tuple[UnresolvedCall, tuple[str, ...] | None]:
    names = None
    while isinstance(function, UnresolvedAlias):
        names = (function.name, *function.extra_names) if names is None else names
        function = function.expression
    if not isinstance(function, UnresolvedCall):
        raise ValidationException("flat_aggregate takes a call of a table aggregate, as udtaf makes them.")
    return function, names
