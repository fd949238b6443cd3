"""Rewriting of a query to what a target has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from weakref import WeakSet

from ir.call_expressions import Call, Over
from ir.calls import construct, is_aggregate, is_window_function
from ir.commands.command import Command
from ir.contents import OVER
from ir.errors import TableException
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral, children_of
from ir.functions.collection import ROW
from ir.functions.conversion import CAST
from ir.identifiers import SUBSTITUTED
from ir.lowerings import lower_for_spark, move_window_inside
from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import replace_children, transform, transform_operations
from ir.targets.clauses import EMPTY_STRUCT, SPECIAL_NAME, features_of
from ir.targets.forms import FORMS
from ir.targets.gaps import GAPS, INTERVAL_OVER_DATES, needs_interval_over_dates, over_times
from ir.targets.target import Target, first_with
from ir.types import LogicalType

C = TypeVar("C", bound=Command)
FindView = Callable[[Source], QueryOperation | None]
"""Returns the query of the view that a source reads; None for any other source."""


class Preparation:
    """Rewrites queries for one target, and refuses what the target has no equivalent for.

    Args:
        target: the target.
        origin: where the target comes from, for messages: ``the session``, ``with_target``.
        find_view: returns the query of the view that a source reads, None for any other source; ``check`` checks it.
    """

    def __init__(self, target: Target, origin: str = "", find_view: FindView | None = None) -> None:
        self.target = target
        self._origin = origin
        self._find_view = find_view
        # A view that is replaced later is refused when the query runs.
        self._checked: WeakSet[QueryOperation] = WeakSet()

    @classmethod
    def of(cls, target: Target | str, origin: str = "", find_view: FindView | None = None) -> Preparation | None:
        """Return the preparation for a target, None for the newest, which needs none; for the parameters see above.

        Raises:
            ValidationException: there is no such target.
        """
        chosen = Target.of(target)
        return None if chosen.is_newest else cls(chosen, origin, find_view)

    def prepare(self, operation: QueryOperation) -> QueryOperation:
        """Return an equivalent query of what the target has; for the newest target, the query itself.

        Raises:
            TableException: the target lacks something that has no equivalent; the message says what, and which version
                has it.
        """
        if self.target.is_newest:
            return operation
        for column in operation.schema.columns:
            self.require_type(column.data_type)
        return transform_operations(operation, self._operation, self.expression)

    def check(self, operation: QueryOperation) -> None:
        """Raise an error if the query, or the query of a view that it reads, cannot be prepared.

        Operations that were checked before are not checked again, so that checking each step of a query costs as much
        as checking the whole query once.

        Raises:
            TableException: see ``prepare``; the error has the part of the query, an operation if that is refused.
        """
        if self.target.is_newest or operation in self._checked:
            return
        checked: list[QueryOperation] = []
        views: set[Source] = set()
        # A query that is checked, the view that it belongs to, and the source of the checked query that leads there.
        waiting: list[tuple[QueryOperation, Source | None, Source | None]] = [(operation, None, None)]
        while waiting:
            query, view, part = waiting.pop()
            for new in post_order(query, self._unchecked):
                try:
                    self._check_operation(new)
                except TableException as error:
                    if view is None:
                        raise
                    shown = view.identifier.as_summary_string()
                    raise TableException(f"The view {shown} cannot be read: {error}", part=part) from None
                checked.append(new)
                if isinstance(new, Source) and self._find_view is not None and new not in views:
                    views.add(new)
                    behind = self._find_view(new)
                    waiting += [] if behind is None else [(behind, new, part or new)]
        self._checked.update(checked)

    def _check_operation(self, operation: QueryOperation) -> None:
        try:
            self._operation(operation)
        except TableException as error:
            error.part = operation
            raise
        for expression in operation.expressions:
            self.expression(expression)

    def _unchecked(self, operation: QueryOperation) -> tuple[QueryOperation, ...]:
        return tuple([read for read in (*operation.inputs, *operation.subqueries) if read not in self._checked])

    def prepare_command(self, command: C) -> C:
        """Return an equivalent command with features of the target only; for the newest target, the command itself.

        Raises:
            TableException: see ``prepare``.
        """
        if self.target.is_newest:
            return command
        if command.feature is not None:
            self._require_feature(command.feature, command.called.capitalize())
        return command.map_parts(
            lambda part: self.prepare(part) if isinstance(part, QueryOperation) else self.expression(part)
        )

    def expression(self, root: ResolvedExpression) -> ResolvedExpression:
        """Return an equivalent expression of what the target has.

        Raises:
            TableException: see ``prepare``.
        """
        return transform(root, self._part)

    def check_expression(self, root: ResolvedExpression) -> None:
        """Raise an error if an expression cannot be prepared; the error has the part of the expression.

        Raises:
            TableException: see ``prepare``.
        """
        windowed = {part.call for part in root.walk() if isinstance(part, Over)} if root.contents & OVER else ()
        for part in root.walk():
            if part not in windowed:
                try:
                    self._part(part)
                except TableException as error:
                    # A type has no place in a text of its own.
                    around = (whole for whole in root.walk() if part in children_of(whole))
                    error.part = error.part or (next(around, part) if isinstance(part, TypeLiteral) else part)
                    raise

    def require_type(self, data_type: LogicalType, place: str = "") -> None:
        """Raise an error if the target lacks a type, or a type in it, of a column or constant.

        Args:
            data_type: the type.
            place: where the type is, for the message.

        Raises:
            TableException: the target lacks it; the message says which version has it.
        """
        for kind in data_type.walk():
            if kind.feature is not None:
                self._require_feature(kind.feature, f"The type {kind.as_nullable().as_summary_string()}{place}")

    def _operation(self, operation: QueryOperation) -> QueryOperation:
        """Return an operation whose inputs and expressions are prepared, or refuse it."""
        for feature in features_of(operation):
            instead = operation.replacement if feature == operation.feature else ""
            self._require_feature(feature, f"The {operation.label} ({feature})", instead)
        for name in operation.schema.names:
            if SUBSTITUTED in name:
                self._require_feature(SPECIAL_NAME, f"The column name {name!r}")
        for column in operation.schema.columns if not operation.inputs else ():
            place = (
                f" of {operation.identifier.as_summary_string()}.{column.name}" if isinstance(operation, Source) else ""
            )
            self.require_type(column.data_type, place)
        return operation

    def _part(self, part: ResolvedExpression, over: Over | None = None) -> ResolvedExpression:
        """Return the equivalent of a part whose children are prepared.

        Args:
            part: the part.
            over: the window of the aggregates and window functions in it, which is added to them later.
        """
        if isinstance(part, Over):
            if needs_interval_over_dates(part) and self.target.lacks_feature(INTERVAL_OVER_DATES):
                part = over_times(part)
            return move_window_inside(part, self._function(part.call, part))
        if isinstance(part, (TypeLiteral, ValueLiteral)):
            self.require_type(part.type_)
        if not isinstance(part, Call) or not part.function.is_built_in:
            return part
        return self._function(part, over if is_aggregate(part) or is_window_function(part) else None)

    def _function(self, call: Call, over: Over | None) -> ResolvedExpression:
        """Return the equivalent of a call of a built-in function, which may have a window."""
        if not call.function.emission.in_spark:
            lowered = lower_for_spark(call)
            changed = lowered if lowered is call else self._prepare_form(lowered, call, over)
            # An unchanged call stays, because it is written in its best form.
            return call if changed is lowered else changed
        # Gaps are those of functions that the target has.
        is_replaced = call.function in FORMS and self.target.lacks_call(call, has_window=over is not None)
        for gap in () if is_replaced else GAPS:
            if gap.applies(call, over) and self.target.lacks_feature(gap.feature):
                form = gap.form(call)
                if form is None:
                    self._require_feature(gap.feature, f"{call.as_summary_string()} ({gap.feature})")
                else:
                    return self._in_type_of(call, form, over)
        if call.function is ROW and not call.arguments:
            # It stands for a row without columns. PySpark 3.5 cannot fetch it, but every Spark has it.
            if self.target.engine != Target.NEWEST.engine:
                self._require_feature(EMPTY_STRUCT, "A row without fields")
            return call
        if not self.target.lacks_call(call, has_window=over is not None):
            return call
        write = FORMS.get(call.function)
        form = None if write is None else write(call)
        if form is None:
            others = "" if write is None else " with these arguments or this order"
            raise self._refusal(
                _shown(call) + others, lambda target: target.lacks_call(call, has_window=over is not None)
            )
        return self._in_type_of(call, form, over)

    def _prepare_form(self, form: ResolvedExpression, call: Call, over: Over | None) -> ResolvedExpression:
        """Return the equivalent of a form of a call, whose arguments are prepared and not visited again."""
        done: dict[ResolvedExpression, ResolvedExpression] = {part: part for part in call.children}
        for current in post_order(form, lambda part: () if part in done else children_of(part)):
            if current not in done:
                children = tuple([done[child] for child in children_of(current)])
                done[current] = self._part(replace_children(current, children), over)
        return done[form]

    def _in_type_of(self, call: Call, form: ResolvedExpression, over: Over | None) -> ResolvedExpression:
        made = self._prepare_form(form, call, over)
        same = made.data_type.same_type(call.data_type)
        return made if same else construct(CAST, (made, TypeLiteral(call.data_type.as_nullable())))

    def _require_feature(self, feature: str, shown: str, instead: str = "") -> None:
        if self.target.lacks_feature(feature):
            raise self._refusal(shown, lambda target: target.lacks_feature(feature), instead)

    def _refusal(self, shown: str, lacks: Callable[[Target], bool], instead: str = "") -> TableException:
        engine = self.target.engine
        # An older version may lack the types of a call, and is not asked about the call then.
        since = first_with(engine, lambda target: target > self.target and not lacks(target))
        needs = f"needs {since.title}" if since is not None else f"does not exist in {engine.capitalize()}"
        origin = f" (from {self._origin})" if self._origin else ""
        text = f"{shown} {needs}; the target is {self.target.title}{origin}."
        return TableException(f"{text} {instead}" if instead else text)


def _shown(call: Call) -> str:
    """Return a call for a message; of a syntax of its own, such as that of JSON_TABLE, the name alone."""
    has_words = any(isinstance(argument, SymbolLiteral) for argument in call.arguments)
    return f"{call.function.sql_name}(…)" if has_words else call.as_summary_string()
