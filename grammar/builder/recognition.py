"""Recognition of what one dialect writes in a form of its own.

A tree has Spark's meaning. Flink's SQL expresses some of it in other forms, and the builder asks the object of the
dialect to find the original again. Spark's SQL has no such forms, so that ``Recognition`` itself changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ir.expressions import Expression, ValueLiteral
from ir.functions.definition import FunctionDefinition

if TYPE_CHECKING:
    from grammar import syntax as s
    from grammar.builder.expressions.operands import Make
    from grammar.builder.scopes import Relation
    from ir.operations.operation import QueryOperation
    from ir.operations.set_operation import SetOperation
    from ir.resolution.lookup import FunctionLookup

Found = tuple[FunctionDefinition, Sequence[Any]] | ValueLiteral | None
"""The function and operands of a call, or its value; None if the call has the usual syntax."""
CallReader = Callable[[Any, "s.Call"], Found]
"""Reads a call in a syntax of its own, given the builder of expressions."""


class Recognition:
    """Recognises the forms of one dialect.

    Attributes:
        readers: Readers of calls in a syntax of their own, by syntax, where the usual ones do not fit.
        differences: The functions of a difference of times in units, by the first and the last unit.
        mark: The function of double parentheses.
    """

    readers: ClassVar[Mapping[str, CallReader]] = {}
    differences: ClassVar[Mapping[tuple[str, str], FunctionDefinition]] = {}
    mark: ClassVar[FunctionDefinition | None] = None

    def wrap_lookup(self, lookup: FunctionLookup) -> FunctionLookup:
        """Return the lookup of functions with the names of the dialect."""
        return lookup

    def read_group_window(self, node: s.Call) -> Make | None:
        """Return the function that builds a group window from the operands of its call, None for any other call."""
        return None

    def wrap_lateral(self, relation: Any) -> Any:
        """Wrap a relation of FROM as lateral if the dialect reads it as lateral without the keyword."""
        return relation

    def choose_unnest(self, function: Expression, input: QueryOperation, lookup: FunctionLookup) -> Expression:
        """Choose the function of an UNNEST by the element type in ``input``; return other calls unchanged."""
        return function

    def recover_window_input(self, input: QueryOperation) -> tuple[QueryOperation, Sequence[Expression]] | None:
        """Return the original input of a window table function and its columns, None if it is ``input`` itself."""
        return None

    def recover_select(self, made: Relation, node: s.Select, source: s.From, modifiers: Sequence[Any]) -> Relation:
        """Recover the operation that a SELECT expresses; return the relation unchanged if it expresses no other."""
        return made

    def recover_set_operation(self, made: SetOperation, casts: tuple[bool, bool]) -> QueryOperation:
        """Recover a set operation; ``casts`` tells which sides only cast the columns of others."""
        return made
