"""Subqueries in the expressions of an operation: outer references, and where Spark supports subqueries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ir.call_expressions import Call
from ir.casts import is_orderable, name_unordered_type
from ir.contents import CHANGES, OUTER, QUERY, SQL_FUNCTION
from ir.determinism import nondeterministic_call
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.functions.collection import AT, ITEM
from ir.functions.subquery import EXISTS, SCALAR
from ir.messages import Term, message
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.schema import ResolvedSchema
from ir.summaries import Summary


def subqueries(expression: ResolvedExpression) -> Iterator[tuple[Call, TableReference]]:
    """Yield the calls in an expression that take a query, each with its query."""
    if not expression.contents & QUERY:
        return
    for part in expression.walk():
        if isinstance(part, Call):
            for argument in part.arguments:
                if isinstance(argument, TableReference):
                    yield part, argument


def require_outer_columns(expression: ResolvedExpression, enclosing: Sequence[ResolvedSchema]) -> None:
    """Refuse a subquery whose outer references are not columns of the enclosing query.

    Raises:
        ValidationException: no input has the column, the column has another type, or Spark does not support a reference
            at that place.
    """
    for call, table in subqueries(expression):
        if table.contents & CHANGES:
            from ir.resolution.retractions import refuse_retractions_in_subquery

            refuse_retractions_in_subquery(call, table.operation)
        references = outer_references(table.operation)
        for reference, holders in references.items():
            _require_column(call.function.name, reference, holders, enclosing)
        if references:
            # Few queries have correlated subqueries, and the module imports every operation.
            from ir.operations.correlation import require_correlation

            function = call.function
            searched, exists = function is not SCALAR, function is EXISTS
            require_correlation(table.operation, function.name, searched=searched, exists=exists)


def require_lateral_query(table: TableReference, enclosing: ResolvedSchema, where: str) -> None:
    """Refuse a lateral query whose outer references are not columns of the input.

    Raises:
        ValidationException: the input has no such column, or Spark does not support a reference at that place.
    """
    from ir.operations.correlation import require_correlation

    for reference, holders in outer_references(table.operation).items():
        _require_column(where, reference, holders, (enclosing,))
    require_correlation(table.operation, where)


def _require_column(
    where: str, reference: OuterReference, holders: Sequence[QueryOperation], enclosing: Sequence[ResolvedSchema]
) -> None:
    columns = [column for schema in enclosing for column in schema.columns]
    same = [column for column in columns if column.name == reference.name]
    if not same:
        names = [column.name for column in columns]
        raise ValidationException(
            f"The subquery of {where} refers to the column {reference.name!r} of the query around it, "
            f"whose columns are [{listing(names)}]. A subquery may refer to the operation that it is part of, and to "
            "nothing further out. Spark has it so as well, also for a parameter of a function: make it a column of "
            "that operation first, with add_columns." + did_you_mean(reference.name, names)
        )
    if all(column.data_type is not reference.type_ for column in same):
        raise ValidationException(
            f"The subquery of {where} refers to the column {reference.name!r} of the query around it as "
            f"{reference.type_.as_summary_string()}, but there it is {same[0].data_type.as_summary_string()}. Take the "
            f"reference from the table that the subquery becomes part of: that_table.outer({reference.name!r})."
        )
    if not is_orderable(reference.type_) and not all(_takes_values(holder, reference) for holder in holders):
        kind = name_unordered_type(reference.type_)
        but = ", but to the value of a key: m['k']. Make what else" if "MAP" in kind else ". Make what"
        raise ValidationException(
            f"The subquery of {where} refers to the column {reference.name!r} of the query around it, whose type is "
            f"{reference.type_.as_summary_string()}. Spark does not support references to {kind}{but} you need of it a "
            "column with add_columns before."
        )


def _takes_values(operation: QueryOperation, reference: OuterReference) -> bool:
    """Whether an operation uses an outer MAP only to look up keys that contain no column of its own."""
    stack = [expression for expression in operation.expressions if expression.contents & OUTER]
    while stack:
        part = stack.pop()
        if part is reference:
            return False
        is_value = (
            isinstance(part, Call)
            and part.function in (AT, ITEM)
            and part.arguments[0] is reference
            and is_orderable(part.data_type)
            and not any(isinstance(inner, FieldReference) for inner in part.arguments[1].walk())
        )
        if not is_value:
            stack += [child for child in part.children if child.contents & OUTER]
    return True


def refuse_sql_functions_as_keys(expression: ResolvedExpression, method: str, clause: str, verb: str) -> None:
    """Refuse a key with a SQL function that Spark cannot call in a ``sort`` or ``distribute`` key.

    Raises:
        ValidationException: the key calls a stored SQL function, or one that becomes a correlated query.
    """
    if isinstance(expression, FieldReference):
        return
    for part in expression.walk():
        if isinstance(part, Call) and (part.function.is_sql_of_spark or is_query_of_row(part)):
            raise ValidationException(
                message(
                    "{clause} cannot {verb} by {expression}: {function} is a function of SQL, which Spark does not "
                    "call in a {verb} key. {COMPUTE_FIRST}.",
                    clause=Term(method, clause),
                    verb=verb,
                    expression=Summary(expression),
                    function=part.function.sql_name,
                ),
                condition="UNSUPPORTED_SQL_UDF_USAGE",
                part=part,
            )


def refuse_subqueries_as_keys(expression: ResolvedExpression, method: str, clause: str, verb: str) -> None:
    """Refuse a key with a subquery by which Spark cannot ``sort`` or ``distribute`` rows.

    Raises:
        ValidationException: the key contains EXISTS, IN, or a correlated or nondeterministic subquery.
    """
    for call, table in subqueries(expression):
        random = nondeterministic_call(table)
        if random is not None:
            raise ValidationException(
                message(
                    "{ORDER_BY} cannot sort by a subquery with {random}, which has another value each time that it is "
                    "evaluated. {COMPUTE_FIRST}.",
                    random=Summary(random),
                ),
                condition="INVALID_NON_DETERMINISTIC_EXPRESSIONS",
                part=call,
            )
        if call.function is not SCALAR or outer_references(table.operation):
            kind = "a correlated subquery" if call.function is SCALAR else f"a subquery of {call.function.name}"
            raise ValidationException(
                message(
                    "{clause} cannot {verb} by {expression}: Spark does not support {kind} as a {verb} key. "
                    "{COMPUTE_FIRST}.",
                    clause=Term(method, clause),
                    verb=verb,
                    expression=Summary(expression),
                    kind=kind,
                ),
                part=call,
            )


def is_query_of_row(part: Call) -> bool:
    """Whether a call of a SQL function becomes a query over columns of the row, that is, a correlated query."""
    has_query = part.function.user_code.has_query
    if has_query is None or not any(isinstance(inner, (FieldReference, OuterReference)) for inner in part.walk()):
        return False
    return has_query()


def refuse_sql_functions_in_join(condition: ResolvedExpression) -> None:
    """Refuse a join condition with a SQL function whose body is a query over columns of the inputs.

    Raises:
        ValidationException: the condition contains such a call.
    """
    for part in condition.walk() if condition.contents & SQL_FUNCTION else ():
        if isinstance(part, Call) and is_query_of_row(part):
            raise ValidationException(
                message(
                    "The join condition calls {function}, a function of SQL whose body is a query, with columns: Spark "
                    "computes no such query in the condition of a join. {COMPUTE_FIRST}.",
                    function=part.function.sql_name,
                ),
                condition="UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.UNSUPPORTED_CORRELATED_SCALAR_SUBQUERY",
                part=part,
            )


def refuse_subqueries_in_join(condition: ResolvedExpression, left: ResolvedSchema, right: ResolvedSchema) -> None:
    """Refuse a join condition with a subquery by which Spark cannot join.

    Raises:
        ValidationException: the condition contains a correlated scalar subquery, or EXISTS or IN over columns of both
            inputs.
    """
    for call, table in subqueries(condition):
        references = outer_references(table.operation)
        sides = {1 if any(c.name == r.name for c in right.columns) else 0 for r in references}
        sides |= {part.input_index for part in call.walk() if isinstance(part, FieldReference)}
        if call.function is SCALAR and references:
            raise ValidationException(
                message(
                    "The join condition {condition} holds a correlated scalar subquery, which Spark does not support "
                    "there. {COMPUTE_FIRST}, or filter after the join.",
                    condition=Summary(condition),
                )
            )
        if call.function is not SCALAR and len(sides) > 1:
            raise ValidationException(
                message(
                    "The join condition {condition} holds a subquery of {function} over columns of both inputs, which "
                    "Spark does not support there. Filter by it after the join, or make it a column of one input "
                    "before.",
                    condition=Summary(condition),
                    function=call.function.name,
                )
            )
