"""Names of the columns of queries whose rows are taken as values, as those of ``= (SELECT …)`` and ``IN (SELECT …)``.

What a program is given by TRANSFORM is such a query, too. Nobody sees the names, so the layout MERGED does not write
them, and in the normal form they are always the same.
"""

from __future__ import annotations

from ir.contents import QUERY
from ir.expressions import Call, FieldReference, ResolvedExpression, TableReference
from ir.functions.comparison import IN
from ir.functions.subquery import SCALAR
from ir.identifiers import fold
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.rewriting import transform, transform_operations


def names_as_values(operation: QueryOperation) -> tuple[str, ...] | None:
    """Return the names that the columns of such a query have without aliases, None where it needs the ones it has.

    Its own operation alone may refer to them: where another comes after the columns, that one does.
    """
    if isinstance(operation, Project):
        columns = operation.expressions
    elif isinstance(operation, Aggregate):
        columns = operation.group_keys + operation.aggregates
    else:
        return None
    names = [c.name if isinstance(c, FieldReference) else f"EXPR${number}" for number, c in enumerate(columns)]
    return tuple(names) if len({fold(name) for name in names}) == len(names) else None


def without_names_of_values(root: QueryOperation, *, by_position: bool = False) -> QueryOperation:
    """Return a query with the same names in all those whose rows are values in it, whatever names these had.

    ``by_position`` says that they are numbered: a column is called as that below it, and in the text that of a group is
    the key itself, whatever it is called.
    """
    from ir.operations.script import Script

    if not any(operation.subqueries or isinstance(operation, Script) for operation in root.walk()):
        return root

    def in_expression(expression: ResolvedExpression) -> ResolvedExpression:
        return transform(expression, in_call) if expression.contents & QUERY else expression

    def in_call(part: ResolvedExpression) -> ResolvedExpression:
        if not isinstance(part, Call) or part.function not in (SCALAR, IN):
            return part
        arguments = tuple([_unnamed_argument(argument, by_position) for argument in part.arguments])
        return part if arguments == part.arguments else part.with_children(arguments)

    def in_operation(operation: QueryOperation) -> QueryOperation:
        if not isinstance(operation, Script):
            return operation
        given = _unnamed(operation.input, by_position)
        return operation if given is operation.input else operation.evolve(input=given)

    return transform_operations(root, in_operation, in_expression)


def _unnamed_argument(argument: ResolvedExpression, by_position: bool) -> ResolvedExpression:
    if not isinstance(argument, TableReference):
        return argument
    operation = _unnamed(argument.operation, by_position)
    return argument if operation is argument.operation else TableReference(operation)


def _unnamed(operation: QueryOperation, by_position: bool) -> QueryOperation:
    names = names_as_values(operation)
    if names is not None and by_position:
        if isinstance(operation, Project) and operation.is_renaming():
            return operation.input
        names = tuple([f"EXPR${number}" for number in range(len(names))])
    if names is None or names == operation.schema.names:
        return operation
    assert isinstance(operation, (Project, Aggregate))
    return operation.evolve(names=names).canonical()
