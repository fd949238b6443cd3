"""Reads the forms specific to Flink's SQL, and recovers the operations that were lowered to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from grammar import syntax as s
from grammar.builder.scopes import Relation
from grammar.flink.window_table_functions import with_windows_of_rows
from ir.calls import call
from ir.errors import ValidationException
from ir.expressions import Call, Expression, ResolvedExpression, UnresolvedCall, ValueLiteral
from ir.flink.lateral import row_of_fields, row_with_position
from ir.flink.rewritten import CAST_ALIAS, SORT_ALIAS, raised_operation, sorted_first
from ir.functions.arithmetic import MINUS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.flink import BY_NAME, MILLISECOND_OF
from ir.functions.table import EXPLODE, INLINE
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.source import Values
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup, FunctionName
from ir.resolution.operations import field
from ir.schema import ResolvedSchema
from ir.types import ArrayType, RowType

# The element type decides between EXPLODE and INLINE for UNNEST, and is known only later.
_FUNCTIONS = {"unnest": EXPLODE, **{fold(name): definition for name, definition in BY_NAME.items()}}


def flink_lateral(node: Any) -> Any:
    """Wrap UNNEST in FROM as lateral: in Flink it is lateral without the keyword."""
    if type(node) is s.TableFunction and fold(node.call.function.parts[-1]) == "unnest":
        return s.Lateral(node.position, node)
    return node


def unnested(function: Expression, input: QueryOperation, lookup: FunctionLookup) -> Expression:
    """Replace UNNEST of rows with INLINE, which makes a column of each field; return other calls unchanged."""
    if (
        not isinstance(lookup, FlinkLookup)
        or not isinstance(function, UnresolvedCall)
        or function.function is not EXPLODE
    ):
        return function
    collection = ExpressionResolver(Scope((input.schema,)), lookup).resolve(function.arguments[0])
    element = collection.data_type.element if isinstance(collection.data_type, ArrayType) else None
    return attrs.evolve(function, function=INLINE) if isinstance(element, RowType) else function


def select_of_flink(made: Relation, node: s.Select, source: s.From, modifiers: Sequence[Any]) -> Relation:
    """Recover the operation that a SELECT was lowered from, which the alias in its FROM marks."""
    nothing = _no_rows(made, node, source)
    if nothing is not None:
        return Relation.of(nothing, made.names)
    for raised in (with_windows_of_rows, _with_positions):
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
        return Relation.of(sorted_first(made.operation), made.names)
    operation = raised_operation(made.operation, alias.name.text)
    return made if operation is made.operation else Relation.of(operation, made.names)


def _with_positions(made: QueryOperation, source: s.From) -> QueryOperation:
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


def _no_rows(made: Relation, node: s.Select, source: s.From) -> QueryOperation | None:
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


def _not_in_flink(function: FunctionDefinition) -> str:
    reason = function.documentation.difference or "Flink has no such function, or means something else by the name."
    return (
        f"{function.sql_name} has no meaning in Flink's SQL that a query here has: {reason} If the text is in SPARK, "
        "pass Dialect.SPARK."
    )


class FlinkLookup:
    """A function lookup that adds Flink's functions, and recovers canonical expressions of one text."""

    def __init__(self, lookup: FunctionLookup) -> None:
        self._lookup = lookup
        from ir.flink.raising import Raiser

        self._raiser = Raiser()

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the function of a name.

        Raises:
            ValidationException: the function is unknown, or Flink lacks it.
        """
        found = _FUNCTIONS.get(fold(name)) if isinstance(name, str) else None
        if found is not None:
            return found
        found = self._lookup.find(name)
        if found.is_built_in and (not found.emission.in_flink or found.kind is FunctionKind.TABLE):
            raise ValidationException(_not_in_flink(found))
        return found

    def finished(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return the canonical expression for an expression of Flink's SQL."""
        raised = self._raiser.raised(expression)
        if any(isinstance(part, Call) and part.function is MILLISECOND_OF for part in raised.walk()):
            raise ValidationException(
                "EXTRACT(MILLISECOND …) is the fraction of a second in Flink, less than 0 before 1970, so that only a "
                "TIME can have it here. Write EXTRACT(SECOND …), which has the fraction, or FLOOR(… TO MILLISECOND)."
            )
        return raised
