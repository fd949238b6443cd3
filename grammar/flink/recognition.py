"""Recognition of Flink's forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from grammar import syntax as s
from grammar.builder.expressions.operands import Make
from grammar.builder.recognition import Recognition
from grammar.builder.scopes import Relation
from grammar.flink import group_windows, selects
from grammar.flink.calls import READERS
from grammar.flink.lookup import FlinkLookup, choose_unnest, wrap_lateral
from ir.expressions import Expression
from ir.flink.operation_raising import drop_casts_of_sides
from ir.flink.time_windows import recover_window_input
from ir.functions.flink import DATE_DIFFERENCE, MARK, TIME_DIFFERENCE
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperation
from ir.resolution.lookup import FunctionLookup


class FlinkRecognition(Recognition):
    """Recognises Flink's forms."""

    readers = READERS
    differences: ClassVar = {("DAY", ""): DATE_DIFFERENCE, ("HOUR", "SECOND"): TIME_DIFFERENCE}
    mark = MARK

    def wrap_lookup(self, lookup: FunctionLookup) -> FunctionLookup:
        return FlinkLookup(lookup)

    def read_group_window(self, node: s.Call) -> Make | None:
        return group_windows.read_group_window(node)

    def wrap_lateral(self, relation: Any) -> Any:
        return wrap_lateral(relation)

    def choose_unnest(self, function: Expression, input: QueryOperation, lookup: FunctionLookup) -> Expression:
        return choose_unnest(function, input, lookup)

    def recover_window_input(self, input: QueryOperation) -> tuple[QueryOperation, Sequence[Expression]]:
        return recover_window_input(input)

    def recover_select(self, made: Relation, node: s.Select, source: s.From, modifiers: Sequence[Any]) -> Relation:
        return selects.recover_select(made, node, source, modifiers)

    def recover_set_operation(self, made: SetOperation, casts: tuple[bool, bool]) -> QueryOperation:
        return (any(casts) and drop_casts_of_sides(made, casts)) or made


RECOGNITION = FlinkRecognition()
"""The recognition of Flink's forms, which has no state."""
