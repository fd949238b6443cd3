"""What only the engine has: functions over tables that a session has for the time of a query."""

from __future__ import annotations

from typing import ClassVar

from ir.expressions import ResolvedExpression
from ir.nodes import node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import ResolvedSchema


@node
class EngineFunction(QueryOperation):
    """What a function over tables gives for the rows of ``input``, by the name that the session has for it.

    Plans for the engine have it in the place of a process table function; queries never do.
    """

    name: str
    input: QueryOperation
    arguments: tuple[ResolvedExpression, ...]
    schema: ResolvedSchema
    inputs: tuple[QueryOperation, ...] = only_input()

    title: ClassVar[str] = "EngineFunction"
    noun: ClassVar[str] = "call of a function of the engine"

    def describe(self) -> str:
        arguments = "".join(f", {argument.as_summary_string()}" for argument in self.arguments)
        return f"(name: [{self.name}]{arguments})"
