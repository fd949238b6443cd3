"""Resolution of expressions: names become field references, calls get their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType, ModuleType

from ir import light_attrs as attrs
from ir.call_expressions import SchemaUnknown
from ir.calls import NO_CLAUSES, Clauses, call, is_aggregate
from ir.cast_rules import written_type
from ir.column_references import column_references
from ir.contents import QUERY, TIME_WINDOW
from ir.dialects.syntax import OwnSyntax
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.expressions import (
    DescriptorLiteral,
    Expression,
    FieldReference,
    ResolvedExpression,
    SortOrder,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions.definition import FunctionDefinition, FunctionKind, takes_lambdas
from ir.identifiers import fold
from ir.implicit_notices import add_written
from ir.inference.usage import ALONE, Usage
from ir.light_typing import TYPE_CHECKING, cast
from ir.records import record
from ir.resolution.columns import count_rows, expand
from ir.resolution.lookup import FunctionLookup, FunctionName, can_evaluate
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from ir.unresolved import (
    LambdaOf,
    Ordering,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedColumns,
    UnresolvedExpected,
    UnresolvedLambda,
    UnresolvedNamedArgument,
    UnresolvedOver,
    UnresolvedRange,
    UnresolvedReference,
    UnresolvedStar,
    UnresolvedVariable,
    UnresolvedWindow,
    walk_written_parts,
)

if TYPE_CHECKING:
    from ir.resolution.lambdas import Variables

_MADE_OF_OTHERS = (UnresolvedCall, UnresolvedOver, UnresolvedExpected, LambdaOf)
_LEAVES = frozenset((UnresolvedReference, FieldReference, ValueLiteral))
# An expression and whether it is inside an aggregate; once its operands are on the stack, also its function and
# operands.
_Step = tuple[Expression, bool, FunctionDefinition | None, Sequence[Expression]]
_NOT_ONE_ARGUMENT = (UnresolvedStar, UnresolvedColumns, UnresolvedRange, UnresolvedNamedArgument, UnresolvedAlias)


@record(eq=False, repr=False)
class Scope(attrs.Slotted):
    """The columns in scope: those of the inputs and, outside of aggregates, those of ``outer``, which take precedence.

    A reference to ``outer`` has the input index ``len(inputs)``. A name in ``refused`` raises an error with the message
    beside it, unless it is inside an aggregate. Only subqueries may refer to the columns in ``asked``.
    """

    inputs: tuple[ResolvedSchema, ...]
    outer: ResolvedSchema | None = None
    refused: Mapping[str, str] = MappingProxyType({})
    asked: tuple[ResolvedSchema, ...] = ()

    @property
    def enclosing(self) -> tuple[ResolvedSchema, ...]:
        """The columns to which a subquery may refer."""
        return (*self.inputs, *(() if self.outer is None else (self.outer,)), *self.asked)

    def field(self, name: str, inside_aggregate: bool) -> FieldReference:
        """Return the reference to the column called ``name``.

        Raises:
            ValidationException: no column has the name, several inputs have it, or the name is refused.
        """
        if self.refused and not inside_aggregate and fold(name) in self.refused:
            raise ValidationException(self.refused[fold(name)])
        if self.outer is not None and not inside_aggregate:
            index = self.outer.index_of(name)
            if index is not None:
                column = self.outer.columns[index]
                return FieldReference(column.name, column.data_type, len(self.inputs), index)
        found = None
        is_ambiguous = False
        for position, schema in enumerate(self.inputs):
            index = schema.index_of(name)
            if index is not None:
                is_ambiguous = found is not None
                found = position, index
        if found is not None and not is_ambiguous:
            position, index = found
            schema = self.inputs[position]
            if not position:
                return column_references(schema).at(index)
            return FieldReference(schema.names[index], schema.columns[index].data_type, position, index)
        every = [n for schema in self.inputs for n in schema.names]
        if is_ambiguous:
            raise ValidationException(
                f"Ambiguous column name: {name}. Both inputs have it; rename one with alias(…).",
                condition="AMBIGUOUS_REFERENCE",
            )
        raise ValidationException(
            f"Cannot resolve field [{name}], input field list:[{listing(every)}]." + did_you_mean(name, every),
            condition=f"UNRESOLVED_COLUMN.{'WITH' if every else 'WITHOUT'}_SUGGESTION",
        )


class ExpressionResolver:
    """Resolve expressions against the columns of a scope with an explicit stack, so that depth costs no recursion.

    ``windows`` are the named windows to which ``over`` may refer. ``time_windows`` says whether the expressions may
    contain time windows, which only grouping allows. ``table_function`` is the only expression that may call a table
    function. ``usage`` says how aggregates of rows are used.
    """

    def __init__(
        self,
        scope: Scope,
        lookup: FunctionLookup,
        windows: Mapping[str, UnresolvedWindow] | None = None,
        *,
        time_windows: bool = False,
        table_function: Expression | None = None,
        usage: Usage = ALONE,
    ) -> None:
        self._scope = scope
        self._lookup = lookup
        # isinstance with a protocol would take longer than the rest of the constructor.
        self._finished: Callable[[ResolvedExpression], ResolvedExpression] | None = getattr(lookup, "finished", None)
        self._windows = {fold(alias): (alias, window) for alias, window in windows.items()} if windows else {}
        self._time_windows = time_windows
        self._table_function = table_function
        self._usage = usage
        self._done: dict[tuple[int, bool], ResolvedExpression] = {}
        # Keep the resolved expressions alive, so that no id in ``_done`` is reused.
        self._kept: list[Expression] = []
        self._expected: list[UnresolvedExpected] = []
        self._current: Expression | None = None
        # The parameters of the lambdas whose bodies are being resolved, if there was a lambda.
        self._variables: Variables | None = None
        self._has_lambdas = False
        self._takes_lambdas = False

    def resolve(self, root: Expression, expected: LogicalType | None = None) -> ResolvedExpression:
        """Return the resolved form of an expression, which may have an expected type.

        Raises:
            ValidationException: a name is unknown, or a call is not accepted.
        """
        self._kept.append(root)
        if expected is not None and self._asks(root):
            root = self._keeping(UnresolvedExpected(root, expected))
        try:
            resolved = self._lookup_resolved(root)
        except TableException as error:
            self._attribute(error, self._current)
            raise
        add_written(self._find_written)
        return resolved

    def _asks(self, written: Expression) -> bool:
        """Whether an expression is a call whose type may follow from the expected type."""
        return isinstance(written, UnresolvedCall) and self._definition(written.function).inference.of_expected_output

    def _keeping(self, expected: UnresolvedExpected) -> UnresolvedExpected:
        self._expected.append(expected)
        return expected

    def _apply_expected_type(self, current: Expression, stack: list[_Step]) -> Expression:
        """Return a call with the type that the enclosing call expects of it, and update the operands of that call."""
        for index in range(len(stack) - 1, -1, -1):
            around, inside, function, operands = stack[index]
            if function is not None:
                from ir.resolution.expected_types import expect_argument_type

                found = expect_argument_type(current, function, operands)
                if found is None:
                    return current
                operands = [found if operand is current else operand for operand in operands]
                stack[index] = around, inside, function, operands
                return self._keeping(found)
        return current

    def _attribute(self, error: TableException, current: Expression | None = None) -> None:
        """Store in an error the expression as written that caused it: the origin of its part, else the current one."""
        if error.written is not None:
            return
        error.written = current if error.part is None else self._find_written(error.part) or current

    def _find_written(self, part: object) -> Expression | None:
        """Return the written expression of a resolved part, None for a column, whose references are all one object."""
        if isinstance(part, FieldReference):
            return None
        origins = {key[0] for key, made in self._done.items() if made is part}
        every = walk_written_parts(self._kept)
        return next((written for written in every if written is part or id(written) in origins), None)

    def _lookup_resolved(self, root: Expression) -> ResolvedExpression:
        if type(root) is UnresolvedReference:
            self._current = root
            column = self._scope.field(root.name, False)
            return column if self._finished is None else self._finished(column)
        stack: list[_Step] = []
        if isinstance(root, _MADE_OF_OTHERS):
            stack.append((root, False, None, ()))
        else:
            self._current = root
            self._done[id(root), False] = self._leaf(root, False)
        while stack:
            current, inside, function, operands = stack.pop()
            self._current = current
            if function is not None:
                self._leave(current, inside, function, operands)
            elif (id(current), inside) not in self._done:
                self._enter(current, inside, stack)
        resolved = self._done[id(root), False]
        if self._has_lambdas or self._takes_lambdas:
            self._check_lambdas(resolved)
        if self._finished is not None:
            resolved = self._finished(resolved)
        if resolved.contents & QUERY:
            from ir.resolution.subqueries import require_outer_columns

            require_outer_columns(resolved, self._scope.enclosing)
        return resolved

    def _check_lambdas(self, resolved: ResolvedExpression) -> None:
        from ir.resolution.lambdas import refuse_subqueries, require_no_free_variables

        if self._has_lambdas:
            require_no_free_variables(resolved)
        if self._takes_lambdas:
            refuse_subqueries(resolved)

    def _push_operands(self, operands: Sequence[Expression], inside: bool, stack: list[_Step]) -> None:
        """Put operands on the stack, the first on top; resolve names and constants at once."""
        made_of_others: list[_Step] = []
        for operand in operands:
            # For nodes, a negative isinstance takes several times as long.
            if type(operand) not in _LEAVES and isinstance(operand, _MADE_OF_OTHERS):
                made_of_others.append((operand, inside, None, ()))
            else:
                self._current = operand
                self._done[id(operand), inside] = self._leaf(operand, inside)
        stack += reversed(made_of_others)

    def _enter(self, current: Expression, inside: bool, stack: list[_Step]) -> None:
        """Put the parts of an expression on the stack, above the expression itself."""
        step = current
        if type(current) is UnresolvedExpected:
            self._current = current = current.expression
        if isinstance(current, UnresolvedCall):
            function = self._definition(current.function)
            if step is current and self._resolve_simple_call(current, function, inside):
                return
            if step is current and function.inference.of_expected_output:
                step = self._apply_expected_type(current, stack)
            if function.holds & TIME_WINDOW and not self._time_windows:
                raise _load_misplaced().make_misplaced_window_error(function)
            if function.kind is FunctionKind.PROCESS_TABLE:
                raise _load_misplaced().make_misplaced_process_function_error(function)
            if function.kind is FunctionKind.TABLE and current is not self._table_function:
                raise _load_misplaced().make_misplaced_table_function_error(function)
            below = inside or _reads_rows(function)
            operands = self._operands(current, function)
            stack.append((step, inside, function, operands))
            if current.order_by:
                self._push_operands([_ordering(order).expression for order in reversed(current.order_by)], below, stack)
            lambdas = _find_lambdas(current, function, operands)
            if lambdas:
                # The types of lambda parameters follow from the other arguments.
                self._push_operands(lambdas, below, stack)
                operands = [operand for operand in operands if not isinstance(operand, UnresolvedLambda)]
            self._push_operands(operands, below, stack)
            if current.filter is not None:
                self._push_operands([current.filter], below, stack)
        elif isinstance(current, LambdaOf):
            if (id(current.written), inside) not in self._done:
                self._enter_lambda(current, inside, stack)
        else:
            assert isinstance(current, UnresolvedOver)
            written, window = self._restore_call(current), self._window(current.window)
            function = self._definition(written.function)
            operands = self._operands(written, function)
            stack.append((current, inside, function, operands))
            orders = [_ordering(order).expression for order in window.order_by]
            condition = [] if written.filter is None else [written.filter]
            condition += [_ordering(order).expression for order in written.order_by]
            self._push_operands([*operands, *condition, *window.partition_by, *orders], inside, stack)

    def _resolve_simple_call(self, current: UnresolvedCall, function: FunctionDefinition, inside: bool) -> bool:
        """Resolve a call of an ordinary function at once if its arguments are columns and constants; return whether."""
        if current.order_by or current.filter is not None or self._has_lambdas or not function.is_built_in:
            return False
        for argument in current.arguments:
            if type(argument) not in _LEAVES and not isinstance(argument, ResolvedExpression):
                return False
        if not _is_ordinary(function):
            return False
        is_aggregate = function.kind is FunctionKind.AGGREGATE
        operands: list[ResolvedExpression] = []
        for argument in current.arguments:
            if type(argument) is UnresolvedReference:
                self._current = argument
                operands.append(self._scope.field(argument.name, inside or is_aggregate))
            else:
                operands.append(cast("ResolvedExpression", argument))
        self._current = current
        clauses = NO_CLAUSES
        if is_aggregate or current.ignore_nulls or current.respect_nulls or current.distinct:
            usage = self._usage if is_aggregate else ALONE
            clauses = Clauses(
                current.distinct, None, current.ignore_nulls, respect_nulls=current.respect_nulls, usage=usage
            )
        self._done[id(current), inside] = call(function, operands, clauses)
        return True

    def _leave(
        self, current: Expression, inside: bool, function: FunctionDefinition, operands: Sequence[Expression]
    ) -> None:
        """Resolve an expression whose parts are all resolved."""
        if isinstance(current, UnresolvedCall):
            if function.kind is FunctionKind.WINDOW:
                from ir.resolution.windows.over import make_missing_window_error

                raise make_missing_window_error(function)
            below = inside or _reads_rows(function)
            usage = self._usage if function.kind is FunctionKind.AGGREGATE else ALONE
            self._done[id(current), inside] = self._call(current, function, operands, below, usage)
        elif isinstance(current, LambdaOf):
            self._current = current.written
            body = self._done[id(current.written.body), inside]
            self._done[id(current.written), inside] = self._load_variables().leave(current, body)
        elif isinstance(current, UnresolvedExpected):
            self._current = current.expression
            self._done[id(current), inside] = self._build_expected_call(current, inside, function, operands)
        else:
            assert isinstance(current, UnresolvedOver)
            self._done[id(current), inside] = self._resolve_over(current, function, operands, inside)

    def _build_expected_call(
        self, current: UnresolvedExpected, inside: bool, function: FunctionDefinition, operands: Sequence[Expression]
    ) -> ResolvedExpression:
        """Return a call with its expected type, under a cast if its type would be another without the expectation."""
        written = current.expression
        assert isinstance(written, UnresolvedCall)

        def made(expected: LogicalType | None) -> ResolvedExpression:
            return self._call(written, function, operands, inside, ALONE, expected)

        expected = written_type(current.data_type).as_nullable()
        found = made(expected)
        if current.is_cast:
            return found
        try:
            if found is made(None):
                return found
        except ValidationException:
            # The call has no type without an expected one, so the cast has to name the type.
            pass
        from ir.functions.conversion import CAST

        return call(CAST, (found, TypeLiteral(expected)))

    def _enter_lambda(self, one: LambdaOf, inside: bool, stack: list[_Step]) -> None:
        """Begin to resolve the body of a lambda, in which its parameters are in scope."""
        self._has_lambdas = True
        self._current = one.written
        others = [o for o in one.operands if not isinstance(o, UnresolvedLambda)]
        self._load_variables().enter(one, [self._done[id(other), inside] for other in others])
        stack.append((one, inside, one.function, ()))
        self._push_operands([one.written.body], inside, stack)

    def _load_variables(self) -> Variables:
        if self._variables is None:
            from ir.resolution.lambdas import Variables

            self._variables = Variables()
        return self._variables

    def _clauses(self, written: UnresolvedCall, inside: bool, usage: Usage, expected: LogicalType | None) -> Clauses:
        """Return the clauses of a call, of which the parts are resolved."""
        nulls = written.ignore_nulls or written.respect_nulls
        is_plain = not (written.distinct or written.order_by or nulls or written.filter is not None)
        if is_plain and usage is ALONE and expected is None:
            return NO_CLAUSES
        condition = None if written.filter is None else self._done[id(written.filter), inside]
        order = tuple(self._orders(written.order_by, inside))
        return Clauses(written.distinct, condition, written.ignore_nulls, order, written.respect_nulls, usage, expected)

    def _call(
        self,
        written: UnresolvedCall,
        function: FunctionDefinition,
        operands: Sequence[Expression],
        inside: bool,
        usage: Usage,
        expected: LogicalType | None = None,
    ) -> ResolvedExpression:
        is_struct = function.emission.read_as == OwnSyntax.STRUCT
        if is_struct and any(isinstance(argument, UnresolvedAlias) for argument in written.arguments):
            fields = [self._done[id(operand), inside] for operand in operands]
            from ir.functions.collection import row_of_values

            return row_of_values(fields, call, self._list_field_aliases(written))
        try:
            made = call(
                function,
                [self._done[id(operand), inside] for operand in operands],
                self._clauses(written, inside, usage, expected),
            )
        except SchemaUnknown as unknown:
            self._evaluate(unknown, operands, inside)
            return self._call(written, function, operands, inside, usage, expected)
        self._takes_lambdas = self._takes_lambdas or takes_lambdas(function)
        if self._variables:
            from ir.resolution.lambdas import refuse_query_in_lambda

            if function.kind is not FunctionKind.SCALAR or function.is_sql_of_spark or function.is_code:
                self._variables.require_none(made, function)
            refuse_query_in_lambda(function)
        return made

    def _evaluate(self, unknown: SchemaUnknown, operands: Sequence[Expression], inside: bool) -> None:
        """Replace an operand by the constant to which the engine evaluates it.

        Raises:
            SchemaUnknown: no engine is available.
        """
        asked = [operand for operand in operands if self._done[id(operand), inside] is unknown.expression]
        if not asked or not can_evaluate(self._lookup):
            raise unknown
        constant = self._lookup.constant(unknown.expression)
        self._done.update(dict.fromkeys([(id(operand), inside) for operand in asked], constant))

    def _orders(self, written: Sequence[Expression], inside: bool) -> tuple[SortOrder, ...]:
        if not written:
            return ()
        return tuple([sort_order(_ordering(o), self._done[id(_ordering(o).expression), inside]) for o in written])

    def _resolve_over(
        self,
        current: UnresolvedOver,
        function: FunctionDefinition,
        operands: Sequence[Expression],
        inside: bool,
    ) -> ResolvedExpression:
        from ir.resolution.windows.frames import check_frame, frame_of, is_written_in_sql
        from ir.resolution.windows.over import build_over, require_own_frame, usage_over

        window = self._window(current.window)
        orders = self._orders(window.order_by, inside)
        keys = tuple([self._done[id(key), inside] for key in window.partition_by])
        # A bound is a constant, so no column is in scope.
        bounds = ExpressionResolver(Scope(()), self._lookup)
        frame = check_frame(frame_of(window, bounds.resolve, orders), orders)
        is_own = frame is not None and not function.aggregation.takes_frame and is_written_in_sql(window)
        usage = usage_over(function, keys, orders, None if is_own else frame)
        made = self._call(self._restore_call(current), function, operands, inside, usage)
        if is_own and frame is not None:
            require_own_frame(made, frame)
            frame = None
        if function.user_code.expansion is None or function.kind is not FunctionKind.AGGREGATE:
            return build_over(made, keys, orders, frame)
        from ir.rewriting import replace

        return replace(made, lambda part: build_over(part, keys, orders, frame) if is_aggregate(part) else None)

    def _restore_call(self, current: UnresolvedOver) -> UnresolvedCall:
        if not isinstance(current.call, UnresolvedCall):
            from ir.resolution.windows.over import make_not_over_error

            raise make_not_over_error("another expression")
        return current.call

    def _window(self, window: UnresolvedWindow | str) -> UnresolvedWindow:
        if isinstance(window, UnresolvedWindow):
            return window
        found = self._windows.get(fold(window))
        if found is None:
            raise ValidationException(
                _load_misplaced().describe_unknown_window(window, [alias for alias, _ in self._windows.values()])
            )
        return found[1]

    def _definition(self, function: FunctionDefinition | FunctionName) -> FunctionDefinition:
        return function if isinstance(function, FunctionDefinition) else self._lookup.find(function)

    def _operands(self, current: UnresolvedCall, function: FunctionDefinition) -> Sequence[Expression]:
        """Return the arguments with stars expanded; a chain of AND or of OR is one call with all its operands."""
        for argument in current.arguments:
            if type(argument) not in _LEAVES and isinstance(argument, _NOT_ONE_ARGUMENT):
                break
        else:
            return self._flatten(current, function) if function.is_chain else current.arguments
        from ir.functions.aggregate import COUNT
        from ir.functions.collection import STRUCT

        if function is COUNT and any(isinstance(argument, UnresolvedStar) for argument in current.arguments):
            return count_rows(current)
        if function is STRUCT:
            return [_strip_alias(argument) for argument in expand(current.arguments, self._scope.inputs)]
        if any(isinstance(argument, UnresolvedNamedArgument) for argument in current.arguments):
            return _order_arguments(function, expand(current.arguments, self._scope.inputs))
        if function.is_chain:
            return self._flatten(current, function)
        return expand(current.arguments, self._scope.inputs)

    def _list_field_aliases(self, written: UnresolvedCall) -> list[str | None]:
        """Return the alias of each value of a row, None for a value without an alias."""
        every = expand(written.arguments, self._scope.inputs)
        return [value.name if isinstance(value, UnresolvedAlias) else None for value in every]

    def _flatten(self, current: UnresolvedCall, function: FunctionDefinition) -> Sequence[Expression]:
        operands: list[Expression] = []
        stack: list[Expression] = list(reversed(current.arguments))
        while stack:
            argument = stack.pop()
            if isinstance(argument, UnresolvedCall) and argument.function is function:
                stack.extend(reversed(argument.arguments))
            else:
                operands.append(argument)
        return operands

    def _leaf(self, current: Expression, inside: bool) -> ResolvedExpression:
        if type(current) is UnresolvedReference:
            return self._scope.field(current.name, inside)
        if isinstance(current, ResolvedExpression) and type(current) is not DescriptorLiteral:
            return current
        if isinstance(current, UnresolvedVariable):
            return self._load_variables().of(current)
        raise _load_misplaced().make_misplaced_error(current)


@cache
def _is_ordinary(built_in: FunctionDefinition) -> bool:
    """Whether the result of a call depends on its arguments alone, each resolved by itself."""
    return (
        built_in.kind in (FunctionKind.SCALAR, FunctionKind.AGGREGATE)
        and not (built_in.holds & TIME_WINDOW or built_in.aggregation.of_keys or built_in.is_chain)
        and not built_in.inference.of_expected_output
        and not takes_lambdas(built_in)
    )


def _load_misplaced() -> ModuleType:
    """Return the module of rare errors, which is loaded on first use."""
    from ir.resolution import misplaced

    return misplaced


def _order_arguments(function: FunctionDefinition, arguments: Sequence[Expression]) -> Sequence[Expression]:
    from ir.calls.named_arguments import order_arguments

    named = (UnresolvedNamedArgument,)
    return order_arguments(function, [(a.name, a.expression) if isinstance(a, named) else (None, a) for a in arguments])


def _find_lambdas(
    written: UnresolvedCall, function: FunctionDefinition, operands: Sequence[Expression]
) -> Sequence[LambdaOf]:
    for operand in operands:
        if type(operand) is UnresolvedLambda:
            from ir.resolution.lambdas import lambdas_of

            return lambdas_of(written, function, operands)
    return ()


def _strip_alias(value: Expression) -> Expression:
    return value.expression if isinstance(value, UnresolvedAlias) else value


def _reads_rows(function: FunctionDefinition) -> bool:
    """Whether names in the arguments refer to columns of the grouped rows instead of group keys."""
    return function.kind is FunctionKind.AGGREGATE and not function.aggregation.of_keys


def _ordering(expression: Expression) -> Ordering:
    return expression if isinstance(expression, Ordering) else Ordering(expression)


def resolve_order(resolver: ExpressionResolver, expression: Expression) -> SortOrder:
    """Return the resolved sort order of an expression with or without a direction."""
    ordering = _ordering(expression)
    return sort_order(ordering, resolver.resolve(ordering.expression))


def sort_order(ordering: Ordering, resolved: ResolvedExpression) -> SortOrder:
    """Return the sort order; the default is ascending, with NULL as the least value."""
    nulls_first = ordering.ascending if ordering.nulls_first is None else ordering.nulls_first
    return SortOrder(resolved, ordering.ascending, nulls_first)
