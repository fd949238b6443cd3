"""Operations of the engine only: table functions that a session registers for one query."""

from __future__ import annotations

from typing import ClassVar

from ir.expressions import ResolvedExpression
from ir.nodes import node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import ResolvedSchema


@node
class EngineFunction(QueryOperation):
    """The output of a table function for the rows of ``input``; ``name`` is its name in the session.

    Execution plans contain it instead of a process table function; queries never contain it.
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
