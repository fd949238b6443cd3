"""Builds calls of process table functions in FROM, with their table arguments, partitions and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.expressions import calls
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Relation, Scope, column_of
from grammar.errors import Misread
from ir.errors import FunctionNotExistException, TableException
from ir.expressions import DescriptorLiteral, Expression
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import fold
from ir.operations.source import Source
from ir.resolution.lookup import FunctionLookup
from ir.resolution.process.inputs import LeftOut, TableInput
from ir.unresolved import Ordering, UnresolvedNamedArgument, UnresolvedReference

if TYPE_CHECKING:
    from ir.functions.process import ProcessArgument


def process_function(lookup: FunctionLookup, node: s.Call) -> FunctionDefinition | None:
    """Return the process table function of a call, None for any other or unknown function."""
    if node.form:
        return None
    try:
        found = lookup.find(calls.function_name(node))
    except (FunctionNotExistException, TableException):
        # The reader of other calls reports the error.
        return None
    return found if found.kind is FunctionKind.PROCESS_TABLE else None


def process_relation(builder: QueryParts, node: s.Call, function: FunctionDefinition, tables: Tables) -> Steps:
    """Build the relation of a process table function call."""
    if node.quantifier is not None or node.filter is not None or node.within_group is not None or node.clauses:
        raise Misread(node.position, f"{function.sql_name} is a process table function, and has no such clause.")
    copartitions = [argument for argument in node.arguments if isinstance(argument, s.Clause)]
    copartitions += [
        t.copartition for t in map(_value, node.arguments) if isinstance(t, s.TableArgument) and t.copartition
    ]
    arguments = [argument for argument in node.arguments if not isinstance(argument, s.Clause)]
    given: list[Expression] = []
    for number, argument in enumerate(arguments):
        is_named = isinstance(argument, s.NamedArgument)
        declared = _find_declared(function, argument.name.text if is_named else number)
        if number and (declared is None or not declared.is_table):
            _refuse_further_key(_value(arguments[number - 1]), argument)
        takes_table = declared is not None and declared.is_table
        expression = yield build_argument(builder, _value(argument), tables, takes_table=takes_table)
        given.append(UnresolvedNamedArgument(argument.name.text, expression) if is_named else expression)
    groups = [[name.text for name in clause.items] for clause in copartitions]
    from ir.resolution.process.call import build_process_table

    try:
        made = build_process_table(function, given, builder.lookup, groups)
    except TableException as error:
        position = node.position
        if error.written is None and error.argument is not None and error.argument < len(arguments):
            position = arguments[error.argument].position
        return builder.call_resolver(position, raise_again, error)
    # The builder learns the position of the call, for what streams refuse.
    return Relation.of(builder.call_resolver(node.position, lambda: made))


def _refuse_further_key(table: Any, argument: Any) -> None:
    """Reject a column after the keys of a table argument: several keys need parentheses.

    A scalar argument is never a column, except for DEFAULT. A direction after the column is parsed as an alias.

    Raises:
        Misread: the argument is such a column.
    """
    column = argument.expression if isinstance(argument, s.Aliased) else argument
    if not isinstance(table, s.TableArgument) or not isinstance(column, s.Path) or _is_default(column):
        return
    keys = [item.expression for item in table.order_by or []] or table.partition_by
    if keys:
        clause = "ORDER BY" if table.order_by else "PARTITION BY"
        shown = [".".join(key.parts) if isinstance(key, s.Path) else "…" for key in (*keys, column)]
        raise Misread(argument.position, f"Several keys stand in parentheses: {clause} ({', '.join(shown)}).")


def _is_default(node: s.Path) -> bool:
    return len(node.names) == 1 and not node.names[0].quoted and fold(node.names[0].text) == "default"


def _value(argument: Any) -> Any:
    return argument.value if isinstance(argument, s.NamedArgument) else argument


def raise_again(error: TableException) -> NoReturn:
    """Raise the error of a call, for a caller that locates it."""
    raise error


def _find_declared(function: FunctionDefinition, place: str | int) -> ProcessArgument | None:
    """Return the declared argument at a position or with a name, None for a system argument or an unknown one."""
    assert function.process is not None
    every = function.process.arguments
    if isinstance(place, int):
        return every[place] if place < len(every) else None
    return next((argument for argument in every if fold(argument.name) == fold(place)), None)


def build_argument(builder: QueryParts, node: Any, tables: Tables, *, takes_table: bool) -> Steps:
    """Build an argument of a function that takes tables; a plain name is a table if the argument takes one."""
    if isinstance(node, s.TableArgument):
        return (yield _table(builder, node, tables))
    if isinstance(node, s.Path):
        if _is_default(node):
            return LeftOut()
        if takes_table:
            source = s.Table(node.position, node, None, None, None)
            return (yield _table(builder, s.TableArgument(node.position, source, None), tables))
        return UnresolvedReference(".".join(node.parts))
    if isinstance(node, s.ScalarSubquery) and takes_table:
        query = s.Derived(node.position, node.query, None, None)
        return (yield _table(builder, s.TableArgument(node.position, query, None), tables))
    if isinstance(node, s.Call) and is_descriptor(node):
        return descriptor_of(node)
    return (yield builder.expression(node, ClauseNames(Scope([])), tables))


def descriptor_of(node: s.Call) -> DescriptorLiteral:
    """Build the column list of a DESCRIPTOR call."""
    return DescriptorLiteral(tuple([_column(argument) for argument in node.arguments]))


def is_descriptor(node: s.Call) -> bool:
    """Whether a call is DESCRIPTOR, which names columns."""
    return len(node.function.names) == 1 and fold(node.function.names[0].text) == "descriptor"


def _column(node: Any) -> str:
    if not isinstance(node, s.Path) or len(node.names) != 1:
        from ir.functions.process import ON_TIME

        raise Misread(node.position, f"{ON_TIME.upper()} and the like take names of columns: DESCRIPTOR(a, b).")
    return node.names[0].text


def _table(builder: QueryParts, node: s.TableArgument, tables: Tables) -> Steps:
    if node.single and node.partition_by:
        raise Misread(node.position, "A table has either PARTITION BY or WITH SINGLE PARTITION.")
    relation = yield builder.primary(node.source, None, tables, {})
    labels: list[str] = []
    if node.alias is not None:
        relation = builder.apply_alias(relation, node.alias)
        labels.append(node.alias.name.text)
    elif isinstance(node.source, s.Table):
        parts = node.source.path.parts
        labels += [parts[-1], ".".join(parts)]
    if isinstance(relation.operation, Source) and node.alias is None:
        labels += [part for part in relation.operation.identifier.parts[-1:] if part]
    relation = builder.visible(relation)
    relation = _project_visible_names(builder, relation)
    # Refer to columns by name only, because a column of a typed table may still be cast to another type.
    named = [column_of(c.name, c.qualifier, UnresolvedReference(c.field.name)) for c in relation.columns]
    scope = Scope(named)
    keys = []
    for key in node.partition_by or []:
        keys.append((yield builder.expression(key, ClauseNames(scope), tables)))
    orders = []
    for item in node.order_by or []:
        key = yield builder.expression(item.expression, ClauseNames(scope), tables)
        orders.append(Ordering(key, item.ascending is not False, item.nulls_first))
    return TableInput(relation.operation, tuple(keys), tuple(orders), labels=tuple(dict.fromkeys(labels)))


def _project_visible_names(builder: QueryParts, relation: Relation) -> Relation:
    """Project a relation so that its operation has the visible column names, because the function sees them."""
    if relation.names == [column.field.name for column in relation.columns]:
        return relation
    qualifier = relation.columns[0].qualifier if relation.columns else ()
    return builder.build_projection(relation.operation, [c.field for c in relation.columns], relation.names).renamed(
        qualifier
    )
