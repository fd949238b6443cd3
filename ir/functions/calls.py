"""Making a call: its types are inferred, its canonical form is chosen, a wrong one is refused with what it may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from ir.casts import (
    equal_but_for_nullability,
    is_groupable,
)
from ir.collations import BINARY_COLLATION
from ir.contents import AGGREGATE, CHANGING
from ir.errors import TableException, ValidationException
from ir.expressions import (
    Call,
    DescriptorLiteral,
    FieldReference,
    Lambda,
    Over,
    ResolvedExpression,
    SortOrder,
    SymbolLiteral,
    TableReference,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.index import RAISED
from ir.functions.within_group import within_group
from ir.inference import CallContext
from ir.inference.collations import reads_collated_text, united
from ir.inference.usage import ALONE, Usage
from ir.messages import message
from ir.types import BooleanType, CharacterType, LogicalType, StringType

if TYPE_CHECKING:
    from ir.implicit_notices import ImplicitCast


class SchemaUnknown(TableException):
    """The schema of a constant is an argument, and what Spark finds is not known here; who has a session can ask it."""

    expression: ResolvedExpression

    @staticmethod
    def of(expression: ResolvedExpression) -> SchemaUnknown:
        """Return the error about an argument."""
        error = SchemaUnknown(
            f"What schema {expression.as_summary_string()} finds is known to Spark alone: here it is, without options, "
            "that of JSON with fields, and that of a CSV line of plain numbers and words. Select it once, and write "
            "the text that it is."
        )
        error.expression = expression
        return error

    @staticmethod
    def refuse(expression: ResolvedExpression) -> ResolvedExpression:
        """Refuse an argument.

        Raises:
            SchemaUnknown: always.
        """
        raise SchemaUnknown.of(expression)


def call(
    definition: FunctionDefinition,
    arguments: Sequence[ResolvedExpression],
    *,
    distinct: bool = False,
    filter: ResolvedExpression | None = None,
    ignore_nulls: bool = False,
    order_by: Sequence[SortOrder] = (),
    respect_nulls: bool = False,
    usage: Usage = ALONE,
    expected_output: LogicalType | None = None,
) -> ResolvedExpression:
    """Return the call of a function on resolved arguments, in canonical form.

    ``usage`` says how it stands in the query, and ``expected_output`` which type its surroundings take; the types of
    few functions follow from these.

    Raises:
        ValidationException: the function does not accept the arguments; the message says what was given, which
            argument is wrong where one alone is, and every accepted signature.
    """
    given = tuple(arguments)
    if distinct and not definition.aggregation.supports_distinct:
        raise ValidationException(
            f"{definition.sql_name} does not support DISTINCT. It is for aggregate functions whose result depends on "
            "how often a value occurs.",
            condition="INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
        )
    if filter is not None:
        _check_filter(definition, filter, len(given))
        if distinct and order_by:
            raise TableException(
                f"{definition.sql_name} cannot have DISTINCT, an order and a condition at once: Spark fails as it "
                "runs. Leave the other rows out first, with a filter."
            )
    if ignore_nulls and not definition.aggregation.supports_ignore_nulls:
        raise ValidationException(
            f"{definition.sql_name} does not support IGNORE NULLS. It is for functions that pick the value of one row: "
            "FIRST_VALUE, LAST_VALUE, ANY_VALUE, NTH_VALUE, LAG and LEAD.",
            condition="INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
        )
    if not definition.emission.in_spark and definition.user_code.implementation is None:
        # What takes the place of such a call may put casts around its arguments.
        given = _settled(given)
    orders: tuple[SortOrder, ...] = ()
    order_types: tuple[LogicalType, ...] = ()
    if order_by or definition.aggregation.within_group is not None:
        orders, order_types = within_group(definition, given, tuple(order_by), distinct)
    types: tuple[LogicalType, ...] | None = None
    implicit: Sequence[ImplicitCast] = ()
    key = _key(definition, given, distinct, order_types, respect_nulls)
    output = None if key is None else _known.get(key)
    if output is None:
        inputs = definition.inference.inputs
        if not inputs.accepts_count(len(given)):
            from ir.functions.other_databases import call_with
            from ir.functions.wrong_calls import invalid, supported

            raise ValidationException(
                f"{invalid(definition, given)}: it takes {inputs.describe_counts()}, but {len(given)} "
                f"{'was' if len(given) == 1 else 'were'} given. "
                f"{call_with(definition.sql_name, len(given)) or supported(definition)}",
                condition="WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
            )
        if not definition.emission.in_spark:
            _require_plain_text(definition, given)
        context = CallContext.of(
            definition.name,
            given,
            distinct=distinct,
            order_types=order_types,
            respect_nulls=respect_nulls,
            is_filtered=filter is not None,
            usage=usage,
            expected_output=expected_output,
        )
        context, types = _inferred_inputs(definition, context)
        if types is not None and any(isinstance(given_type, CharacterType) for given_type in context.argument_types):
            implicit = _implicit_casts(definition, given, types)
        if distinct and types is not None and not all(map(is_groupable, types)):
            types = None
        output = None if types is None else definition.inference.output.infer(context.with_types(types))
        # What is noticed of a call is noticed each time that it is made.
        if output is not None and key is not None and not implicit and not context.depends_on_arguments:
            _remember(key, given, output)
    if output is None:
        from ir.functions.folding import check_schema_is_known, folded

        constants = tuple([folded(argument) for argument in given])
        if constants != given:
            return call(
                definition,
                constants,
                distinct=distinct,
                filter=filter,
                ignore_nulls=ignore_nulls,
                order_by=order_by,
                respect_nulls=respect_nulls,
                usage=usage,
                expected_output=expected_output,
            )
        for argument in given:
            check_schema_is_known(argument)
        from ir.functions.mismatches import condition_of
        from ir.functions.wrong_calls import invalid, supported, wrong_argument

        reason, wrong, mismatch = wrong_argument(definition, context)
        raise ValidationException(
            f"{invalid(definition, given)}{reason}. {supported(definition)}",
            condition=condition_of(mismatch),
            argument=wrong,
        )
    if definition.user_code.expansion is not None:
        return definition.user_code.expansion(given, filter, usage)
    if definition.canonical is not None:
        replaced = definition.canonical(given)
        if isinstance(replaced, Call) and replaced.function is definition:
            given = replaced.arguments
        elif replaced is not None:
            return replaced
    if definition.user_code.implementation is not None and definition.user_code.casts_arguments and types is not None:
        given = tuple([_cast_to(argument, wanted) for argument, wanted in zip(given, types, strict=True)])
    flag = definition.aggregation.nulls_flag
    if flag is not None and flag < len(given):
        written = given[flag]
        ignore_nulls = ignore_nulls or (isinstance(written, ValueLiteral) and bool(written.value))
        given = (*given[:flag], *given[flag + 1 :])
    skips = definition.aggregation.skips_nulls
    made = Call(
        definition, given, output, distinct, filter, ignore_nulls and not skips, orders, respect_nulls and skips
    )
    if definition.name in RAISED:
        for raise_ in _raisings_of(definition):
            raised = raise_(made)
            if raised is not None:
                return _noticed(raised, implicit) if implicit else raised
    return _noticed(made, implicit) if implicit else made


def _implicit_casts(
    definition: FunctionDefinition, given: tuple[ResolvedExpression, ...], types: tuple[LogicalType, ...]
) -> Sequence[ImplicitCast]:
    from ir.functions.implicit_casts import implicit_casts

    return implicit_casts(definition, given, types)


def _noticed(made: ResolvedExpression, implicit: Sequence[ImplicitCast]) -> ResolvedExpression:
    from ir.implicit_notices import Notice, add_notice

    for one in implicit:
        add_notice(Notice(made, one))
    return made


_Key = tuple[object, ...]
# The types that calls returned, by what these follow from. Inferring them takes longer than all else of a call.
_known: dict[_Key, LogicalType] = {}
_MOST_KNOWN = 4096
# A list of so many values is hardly there twice.
_MOST_ARGUMENTS = 8


def _key(
    definition: FunctionDefinition,
    arguments: tuple[ResolvedExpression, ...],
    distinct: bool,
    order_types: tuple[LogicalType, ...],
    respect_nulls: bool,
) -> _Key | None:
    """Return the types and constants from which the type of a call follows, where it follows from nothing else.

    More matters of lambdas and of queries; and of text with a collation, how it came to that, so that the type of a
    call of such is not remembered.
    """
    if len(arguments) > _MOST_ARGUMENTS or not definition.is_built_in:
        return None
    key: list[object] = [definition, distinct, order_types, respect_nulls]
    for argument in arguments:
        # Nearly all are columns and calls; of nodes, isinstance takes several times as long where it says no.
        if type(argument) is FieldReference or type(argument) is Call:
            key.append(argument.type_)
        elif isinstance(argument, _CONSTANTS):
            key.append(argument)
        elif isinstance(argument, _OF_MORE_THAN_TYPES):
            return None
        else:
            key.append(argument.data_type)
    return tuple(key)


_CONSTANTS = (ValueLiteral, TypeLiteral, SymbolLiteral)
_OF_MORE_THAN_TYPES = (Lambda, TableReference, DescriptorLiteral)


def _remember(key: _Key, arguments: tuple[ResolvedExpression, ...], output: LogicalType) -> None:
    if any(argument.data_type.has_collation for argument in arguments):
        return
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[key] = output


def _inferred_inputs(
    definition: FunctionDefinition, context: CallContext
) -> tuple[CallContext, tuple[LogicalType, ...] | None]:
    """Return the call with the collation that its texts get, and the types to which Spark casts its arguments."""
    inputs = definition.inference.inputs
    is_collated = False
    for data_type in context.argument_types:
        is_collated = is_collated or data_type.has_collation
    if not is_collated or not definition.is_built_in:
        return context, inputs.infer_inputs(context)
    given, written = context.arguments, context.argument_types
    context = context.with_types(united(definition, given, written))
    types = inputs.infer_inputs(context)
    # A text that has got its collation from others alone is no obstacle.
    if types is not None and reads_collated_text(definition, written, types):
        return context, None
    # What Spark casts to text gets the collation, too.
    again = None if types is None else united(definition, given, types)
    if types is None or again is None or again == types:
        return context, types
    context = context.with_types(again)
    return context, inputs.infer_inputs(context)


_BY_KEY = ("at", "item")


def collations_of_constants(root: ResolvedExpression) -> dict[str, set[str]]:
    """Return the collations that the plain texts among the constants in an expression get, by the texts."""
    found: dict[str, set[str]] = {}
    for part in root.walk():
        made = part.call if isinstance(part, Over) else part
        if not isinstance(made, Call) or made.function.name == "row":
            continue
        _, types = _inferred_inputs(made.function, CallContext.of(made.function.name, made.arguments))
        for argument, given in zip(made.arguments, types or (), strict=False):
            is_text = isinstance(argument, ValueLiteral) and isinstance(argument.type_, StringType)
            if (
                isinstance(argument, ValueLiteral)
                and is_text
                and not argument.is_null
                and not argument.type_.has_collation
            ):
                collation = given.collation if isinstance(given, StringType) else BINARY_COLLATION
                if made.function.name in _BY_KEY:
                    # Of a key in brackets Spark does not show that it is cast.
                    collation = BINARY_COLLATION
                found.setdefault(argument.value, set()).add(collation)
    return found


def _require_plain_text(definition: FunctionDefinition, arguments: Sequence[ResolvedExpression]) -> None:
    """Refuse text with a collation of a function that Spark lacks: what takes its place may lose the collation."""
    for position, argument in enumerate(arguments):
        if isinstance(argument.data_type, StringType) and argument.data_type.has_collation:
            raise ValidationException(
                f"{definition.sql_name} takes no {argument.data_type.as_nullable()!r}: Spark lacks the function, and "
                "what takes its place is for plain text. Cast the text to STRING.",
                condition="DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
                argument=position,
            )


def _settled(arguments: tuple[ResolvedExpression, ...]) -> tuple[ResolvedExpression, ...]:
    if not any(isinstance(a, Call) and a.function.inference.of_expected_output for a in arguments):
        return arguments
    from ir.functions.conversion import settled

    return tuple(map(settled, arguments))


def _cast_to(argument: ResolvedExpression, wanted: LogicalType) -> ResolvedExpression:
    """Return an argument of a function that people wrote: Spark does not cast it, so that the tree has to."""
    if equal_but_for_nullability(argument.data_type, wanted):
        return argument
    from ir.functions.conversion import CAST

    return call(CAST, (argument, TypeLiteral(wanted.as_nullable())))


def as_written(definition: FunctionDefinition, arguments: Sequence[ResolvedExpression]) -> Call:
    """Return the call that the text of a lowered call has: with its type, and not raised to what was lowered."""
    given = tuple(arguments)
    context = CallContext.of(definition.name, given)
    context, types = _inferred_inputs(definition, context)
    output = None if types is None else definition.inference.output.infer(context.with_types(types))
    assert output is not None, f"{definition} is lowered to with arguments that it accepts"
    return Call(definition, given, output)


Raise = Callable[[Call], ResolvedExpression | None]

_is_raising: ContextVar[bool] = ContextVar("_is_raising", default=True)


@contextmanager
def without_raising() -> Iterator[None]:
    """Within the block, calls stay as they are made even where they are the lowered form of something."""
    token = _is_raising.set(False)
    try:
        yield
    finally:
        _is_raising.reset(token)


def _raisings_of(definition: FunctionDefinition) -> tuple[Raise, ...]:
    """Return what may recognise a call, as it is made, as the form that a function which Spark lacks has on Spark."""
    return _found_raisings(definition) if _is_raising.get() and definition.is_built_in else ()


@cache
def _found_raisings(definition: FunctionDefinition) -> tuple[Raise, ...]:
    # What is made while the lowerings are loaded is of the forms that they recognise.
    with without_raising():
        from ir.lowerings import raisings_of

        return raisings_of(definition)


def _check_filter(definition: FunctionDefinition, condition: ResolvedExpression, arguments: int) -> None:
    if definition.kind is not FunctionKind.AGGREGATE:
        raise ValidationException(
            message(
                "{FILTER} is for aggregates, but {function} is none. Leave rows out with {WHERE}.",
                function=definition.sql_name,
            ),
            condition="INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
        )
    if not isinstance(condition.data_type, BooleanType):
        raise ValidationException(
            message(
                "{FILTER} of {function} requires a condition of type BOOLEAN, but {condition} is of type {type}.",
                function=definition.sql_name,
                condition=condition.as_summary_string(),
                type=condition.data_type.as_summary_string(),
            ),
            condition="INVALID_AGGREGATE_FILTER.NOT_BOOLEAN",
            argument=arguments,
        )
    if not condition.contents & (AGGREGATE | CHANGING):
        return
    for part in condition.walk():
        if isinstance(part, Call) and not part.function.is_deterministic and not is_aggregate(part):
            raise ValidationException(
                message(
                    "{FILTER} of {function} holds {part}, which has another value each time that it is evaluated. "
                    "{COMPUTE_FIRST}.",
                    function=definition.sql_name,
                    part=part.as_summary_string(),
                ),
                condition="INVALID_AGGREGATE_FILTER.NON_DETERMINISTIC",
                part=part,
            )
        if is_aggregate(part):
            raise ValidationException(
                message(
                    "{FILTER} of {function} is evaluated for each row, and cannot hold the aggregate {part}. "
                    "{SELECT_FIRST}.",
                    function=definition.sql_name,
                    part=part.as_summary_string(),
                ),
                condition="INVALID_AGGREGATE_FILTER.CONTAINS_AGGREGATE",
                part=part,
            )


def is_aggregate(expression: ResolvedExpression) -> bool:
    """Whether the expression is a call of an aggregate function."""
    return type(expression) is Call and expression.function.kind is FunctionKind.AGGREGATE


def is_window_function(expression: ResolvedExpression) -> bool:
    """Whether the expression is a call of a function that needs a window."""
    return isinstance(expression, Call) and expression.function.kind is FunctionKind.WINDOW
