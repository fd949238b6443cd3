"""Column names of queries whose rows are values, as in ``= (SELECT …)`` and ``IN (SELECT …)``.

The input of TRANSFORM is such a query, too. Nothing refers to these names, so the layout MERGED omits them, and the
normal form replaces them by fixed names.
"""

from __future__ import annotations

from ir.call_expressions import Call
from ir.contents import QUERY
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.comparison import IN
from ir.functions.subquery import SCALAR
from ir.identifiers import fold
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.rewriting import transform, transform_operations


def find_value_names(operation: QueryOperation) -> tuple[str, ...] | None:
    """Return the column names that such a query has without aliases, None if it needs the names that it has.

    The names can be replaced only if the topmost operation computes the columns; an operation above that one refers to
    them.
    """
    if isinstance(operation, Project):
        columns = operation.expressions
    elif isinstance(operation, Aggregate):
        columns = operation.group_keys + operation.aggregates
    else:
        return None
    names = [c.name if isinstance(c, FieldReference) else f"EXPR${number}" for number, c in enumerate(columns)]
    return tuple(names) if len({fold(name) for name in names}) == len(names) else None


def standardize_value_names(root: QueryOperation, *, by_position: bool = False) -> QueryOperation:
    """Return a query in which every query whose rows are values has standard column names.

    ``by_position`` numbers the columns, for the normal form. A derived name would depend on the name of the column
    below, which the text does not show for a group key.
    """
    from ir.operations.script import Script

    if not any(operation.subqueries or isinstance(operation, Script) for operation in root.walk()):
        return root

    def in_expression(expression: ResolvedExpression) -> ResolvedExpression:
        return transform(expression, in_call) if expression.contents & QUERY else expression

    def in_call(part: ResolvedExpression) -> ResolvedExpression:
        if not isinstance(part, Call) or part.function not in (SCALAR, IN):
            return part
        arguments = tuple([_standardize_argument(argument, by_position) for argument in part.arguments])
        return part if arguments == part.arguments else part.with_children(arguments)

    def in_operation(operation: QueryOperation) -> QueryOperation:
        if not isinstance(operation, Script):
            return operation
        given = _standardize(operation.input, by_position)
        return operation if given is operation.input else operation.evolve(input=given)

    return transform_operations(root, in_operation, in_expression)


def _standardize_argument(argument: ResolvedExpression, by_position: bool) -> ResolvedExpression:
    if not isinstance(argument, TableReference):
        return argument
    operation = _standardize(argument.operation, by_position)
    return argument if operation is argument.operation else TableReference(operation)


def _standardize(operation: QueryOperation, by_position: bool) -> QueryOperation:
    names = find_value_names(operation)
    if names is not None and by_position:
        if isinstance(operation, Project) and operation.is_renaming():
            return operation.input
        names = tuple([f"EXPR${number}" for number in range(len(names))])
    if names is None or names == operation.schema.names:
        return operation
    assert isinstance(operation, (Project, Aggregate))
    return operation.evolve(names=names).canonical()
