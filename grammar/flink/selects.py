"""Recovers the operations that Flink's SQL expresses by others, from the SELECTs of their Flink forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.from_clause.window_functions import is_window_function
from grammar.builder.scopes import Relation
from ir.calls import call
from ir.expressions import ValueLiteral
from ir.flink.lateral import row_of_fields, row_with_position
from ir.flink.operation_raising import CAST_ALIAS, SORT_ALIAS, raise_operation, remove_final_sort
from ir.functions.arithmetic import MINUS
from ir.functions.collection import GET, ROW
from ir.functions.time_window import END, START
from ir.literals import literal
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.source import Values
from ir.resolution.operations import field
from ir.schema import ResolvedSchema


def recover_select(made: Relation, node: s.Select, source: s.From, modifiers: Sequence[Any]) -> Relation:
    """Recover the operation that a SELECT was lowered from, which the alias in its FROM marks."""
    nothing = _recover_no_rows(made, node, source)
    if nothing is not None:
        return Relation.of(nothing, made.names)
    for raised in (_recover_windows_of_rows, _recover_positions):
        operation = raised(made.operation, source)
        if operation is not made.operation:
            return Relation.of(operation, made.names)
    first = source.relations[0]
    while type(first) is s.Join:
        first = first.left
    alias = getattr(first, "alias", None)
    if alias is None or alias.columns is not None or not alias.name.quoted:
        return made
    if alias.name.text == CAST_ALIAS:
        return Relation(made.operation, made.columns, is_cast=True)
    if alias.name.text == SORT_ALIAS and modifiers:
        return Relation.of(remove_final_sort(made.operation), made.names)
    operation = raise_operation(made.operation, alias.name.text)
    return made if operation is made.operation else Relation.of(operation, made.names)


def _recover_windows_of_rows(made: QueryOperation, source: s.From) -> QueryOperation:
    """Recover a lateral join from a SELECT over a window function: the columns of the input, and the window."""
    (first, *others) = source.relations
    is_function = type(first) is s.TableFunction and not others and is_window_function(first.call)
    if not is_function or not isinstance(made, Project) or not isinstance(made.input, LateralJoin):
        return made
    join = made.input
    *columns, window = [field(join, index) for index in range(len(join.schema))]
    bounds = [part for bound in (START, END) for part in (literal(bound), call(GET, (window, literal(bound))))]
    if list(made.projections) != [*columns, call(ROW, bounds)] or made.names[:-1] != join.input.schema.names:
        return made
    return LateralJoin(join.input, join.right, made.names[-1:], join.join_type)


def _recover_positions(made: QueryOperation, source: s.From) -> QueryOperation:
    """Recover a lateral join with positions from 0 from a SELECT over UNNEST WITH ORDINALITY."""
    relation = source.relations[0]
    if type(relation) is s.Join:
        relation = relation.right
    function = relation.relation if type(relation) is s.Lateral else relation
    if len(source.relations) != 1 or type(function) is not s.TableFunction or function.ordinality is None:
        return made
    if not isinstance(made, Project) or not isinstance(made.input, Project):
        return made
    join = made.input.input
    if not isinstance(join, LateralJoin):
        return made
    if row_with_position(join) is not None:
        # The SELECT that builds the row from its fields gives the row its name.
        join = join.evolve(names=(join.names[0], made.names[-1]))
    if made.names != join.schema.names:
        return made
    *columns, ordinality = [field(made.input, index) for index in range(len(made.input.schema))]
    width = len(join.input.schema)
    own, elements = columns[:width], columns[width:]
    row = row_with_position(join)
    if row is not None and len(row.fields) != len(elements):
        return made
    given = elements if row is None else [row_of_fields(join, row, elements, ordinality)]
    position = call(MINUS, (ordinality, literal(1)))
    return join if list(made.projections) == [*own, position, *given] else made


def _recover_no_rows(made: Relation, node: s.Select, source: s.From) -> QueryOperation | None:
    """Recover a table without rows from a SELECT of typed NULLs with WHERE FALSE; return None for other SELECTs."""
    (first, *others) = source.relations
    where = next((clause for clause in node.clauses if not isinstance(clause, s.From)), None)
    is_one = type(first) is s.Derived and type(first.inner) is s.InlineValues and not others
    if (
        not is_one
        or len(node.clauses) != 2
        or where is None
        or where.kind != "where"
        or type(where.items[0]) is not s.Boolean
    ):
        return None
    operation = made.operation
    if where.items[0].value or not isinstance(operation, Project):
        return None
    if not all(isinstance(e, ValueLiteral) and e.is_null for e in operation.projections):
        return None
    return Values(ResolvedSchema.of(operation.names, [e.data_type for e in operation.projections]), ())
