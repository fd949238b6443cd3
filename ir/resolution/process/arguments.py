"""Arguments of a process table function: match given arguments to declared ones, and resolve their values."""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import Over
from ir.calls import call, is_aggregate
from ir.determinism import nondeterministic_call
from ir.errors import TableException, ValidationException, did_you_mean, shorten
from ir.expressions import (
    DescriptorLiteral,
    Expression,
    FieldReference,
    Lambda,
    OuterReference,
    ResolvedExpression,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.process import ON_TIME, SYSTEM_ARGUMENTS, UID, ArgumentKind, ProcessArgument, ProcessSignature
from ir.identifiers import fold
from ir.inference.arguments import Explicit
from ir.inference.call_context import CallContext
from ir.inference.intervals import is_exact, is_same_family
from ir.literals import literal
from ir.messages import Message, Term, message
from ir.operations.operation import TableReference
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.process.inputs import LeftOut, TableInput, strip_alias
from ir.types import NULL, DescriptorType, IntegralType, IntervalType, LogicalType, NumericType, StringType
from ir.unresolved import UnresolvedNamedArgument, UnresolvedReference, walk_written_parts

_SYSTEM = (
    ProcessArgument(ON_TIME, ArgumentKind.DESCRIPTOR, DescriptorType(), is_optional=True),
    ProcessArgument(UID, ArgumentKind.SCALAR, StringType(), is_optional=True),
)


class Given:
    """A given argument: its expression, and its number among all given arguments, from 0."""

    def __init__(self, expression: Expression, number: int) -> None:
        self.expression = expression
        self.number = number


def order_arguments(
    function: FunctionDefinition, signature: ProcessSignature, given: Sequence[Expression]
) -> dict[str, Given]:
    """Return the given arguments of a call under the names in the signature; omitted arguments are absent.

    Raises:
        ValidationException: a name or a position matches no argument, an argument is given twice, or a required
            argument is missing; the exception's ``argument`` is the number of the invalid argument.
    """
    declared = (*signature.arguments, *_SYSTEM)
    names = [argument.name for argument in declared]
    by_name = {fold(name): name for name in names}
    invalid = f"Invalid call to function {function.sql_name!r}."
    found: dict[str, Given] = {}
    is_named = False
    for number, written in enumerate(given):
        if not isinstance(written, UnresolvedNamedArgument):
            if is_named:
                raise _make_unnamed_error(invalid, names, given, number)
            if number >= len(names):
                raise ValidationException(
                    f"{invalid} It takes {len(names)} arguments, of which the last two are "
                    f"{' and '.join(SYSTEM_ARGUMENTS)}"
                    f", but {len(given)} were given. Supported: {signature.describe(function.sql_name)}.",
                    condition="WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
                    argument=number,
                )
            found[names[number]] = Given(written, number)
            continue
        is_named = True
        name = by_name.get(fold(written.name))
        if name is None:
            raise ValidationException(
                f"{invalid} If the call uses named arguments, a valid name has to be provided for all passed "
                "arguments. "
                f"Unknown argument names: [{shorten(written.name)}].{did_you_mean(written.name, names)} Supported: "
                f"{signature.describe(function.sql_name)}.",
                condition="UNRECOGNIZED_PARAMETER_NAME",
                argument=number,
            )
        if name in found:
            raise _make_given_twice_error(invalid, name, names, given, found[name].number, number)
        found[name] = Given(written.expression, number)
    found = {name: one for name, one in found.items() if not isinstance(one.expression, LeftOut)}
    missing = [a.describe() for a in declared if not a.is_optional and a.name not in found]
    if missing:
        raise ValidationException(
            f"{invalid} Missing required arguments: [{', '.join(missing)}]. Supported: "
            f"{signature.describe(function.sql_name)}.",
            condition="REQUIRED_PARAMETER_NOT_FOUND",
        )
    return found


def _make_given_twice_error(
    invalid: str, name: str, names: Sequence[str], given: Sequence[Expression], first: int, second: int
) -> ValidationException:
    """Return the error for an argument that is given by name and, before that, by position or by the same name."""
    problem = f"{invalid} Duplicate named argument found: {name}"
    kind = "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT"
    if isinstance(given[first], UnresolvedNamedArgument):
        return ValidationException(problem, condition=f"{kind}.DOUBLE_NAMED_ARGUMENT_REFERENCE", argument=second)
    taken = {fold(one.name) for one in given if isinstance(one, UnresolvedNamedArgument)}
    free = next((other for other in names if fold(other) not in taken), None)
    reason = f"{problem}. Argument {first + 1} has no name, and its place is that of {name!r}."
    condition = f"{kind}.BOTH_POSITIONAL_AND_NAMED"
    return ValidationException(_advise_naming(reason, free), condition=condition, argument=second)


def _make_unnamed_error(
    invalid: str, names: Sequence[str], given: Sequence[Expression], number: int
) -> ValidationException:
    """Return the error for an unnamed argument after a named one, with a suggestion for its name."""
    named = [one.name for one in given[:number] if isinstance(one, UnresolvedNamedArgument)]
    taken = {fold(one.name) for one in given if isinstance(one, UnresolvedNamedArgument)}
    free = [name for name in names if fold(name) not in taken]
    own = names[number] if number < len(names) and names[number] in free else free[0] if free else None
    reason = (
        f"{invalid} Argument {number + 1} has no name, but stands after {named[0]!r}, which has one. The place of an "
        "argument counts only before the first name."
    )
    return ValidationException(_advise_naming(reason, own), condition="UNEXPECTED_POSITIONAL_ARGUMENT", argument=number)


def _advise_naming(reason: str, free: str | None) -> Message:
    """Return the message that advises to name an argument like a parameter, if one is free."""
    if free is None:
        return message("{reason}", reason=reason)
    named = Term(f"as_argument({free!r})", f"{free} => …")
    return message("{reason} Name it too, {named}, or leave out all names.", reason=reason, named=named)


def scalar_value(
    function: FunctionDefinition, argument: ProcessArgument, given: Given | None, lookup: FunctionLookup
) -> ResolvedExpression:
    """Return the value of an argument that is not a table.

    Raises:
        ValidationException: the value is a table, depends on the row, or does not have the argument's type.
    """
    if given is None:
        return argument.default or _null_of(argument)
    written = strip_alias(given.expression)
    where = f"Invalid argument value. Argument {argument.name!r}"
    if isinstance(written, TableInput):
        wanted = "a list of columns" if argument.kind is ArgumentKind.DESCRIPTOR else "a value"
        raise ValidationException(
            f"{where} expects {wanted} to be passed, but was given a table.", argument=given.number
        )
    try:
        return _check_value(function, argument, written, lookup, where)
    except TableException as error:
        if error.argument is None and error.written is None:
            error.argument = given.number
        raise


def _check_value(
    function: FunctionDefinition, argument: ProcessArgument, written: Expression, lookup: FunctionLookup, where: str
) -> ResolvedExpression:
    if argument.kind is ArgumentKind.DESCRIPTOR:
        if isinstance(written, DescriptorLiteral):
            return written
        resolved = None if _columns(written) else _resolve(written, lookup)
        if isinstance(resolved, ValueLiteral) and resolved.is_null:
            if argument.data_type is not None and argument.data_type.nullable:
                return _null_of(argument)
            raise ValidationException(f"{where} expects a list of columns and no NULL: DESCRIPTOR(…).")
        raise ValidationException(f"{where} expects a list of columns to be passed: DESCRIPTOR(a, b).")
    if isinstance(written, DescriptorLiteral):
        raise ValidationException(
            f"{where} expects a value of type {argument.describe().partition(' => ')[2]} to be passed, but was given "
            "DESCRIPTOR(…)."
        )
    columns = _columns(written)
    if columns:
        raise ValidationException(
            f"{where} expects one value for all rows to be passed, but {columns[0]} is a column. What depends on the "
            "row is a column of a table."
        )
    resolved = _resolve(written, lookup)
    for part in resolved.walk():
        if is_aggregate(part) or isinstance(part, (TableReference, OuterReference, Over, FieldReference)):
            kind = (
                "an aggregate" if is_aggregate(part) else "a query" if isinstance(part, TableReference) else "a column"
            )
            raise ValidationException(f"{where} expects one value for all rows to be passed, but was given {kind}.")
        if isinstance(part, Lambda):
            raise ValidationException(f"{where} expects a value to be passed, but was given one with a lambda.")
    volatile = nondeterministic_call(resolved)
    if volatile is not None:
        raise ValidationException(
            f"{where} expects one value for all rows to be passed, but {volatile.as_summary_string()} has another "
            "value "
            "each time. Make it a column of the table."
        )
    return convert_to_type(function, argument, resolved, where)


def _columns(written: Expression) -> list[str]:
    return [
        part.name for part in walk_written_parts([written]) if isinstance(part, (UnresolvedReference, FieldReference))
    ]


def _resolve(written: Expression, lookup: FunctionLookup) -> ResolvedExpression:
    return ExpressionResolver(Scope(()), lookup).resolve(written)


def convert_to_type(
    function: FunctionDefinition, argument: ProcessArgument, value: ResolvedExpression, where: str
) -> ResolvedExpression:
    """Return a value converted to the type of its argument; convert constants without a cast if that is exact.

    Raises:
        ValidationException: there is no implicit cast to the type, or the value is NULL and the argument rejects NULL.
    """
    wanted = argument.data_type
    is_null = isinstance(value, ValueLiteral) and value.is_null
    if wanted is None:
        return value
    if is_null and not wanted.nullable:
        raise ValidationException(f"{where} is of type {wanted.as_summary_string()}, for which NULL is no value.")
    if isinstance(value, ValueLiteral):
        try:
            constant = _exact(value, wanted)
        except ValidationException as error:
            raise ValidationException(f"{where}: {error}") from None
        if constant is not None:
            return constant
    if value.data_type.same_type(wanted):
        return value
    context = CallContext.of(function.name, (value,))
    if (
        not is_same_family(value.data_type, wanted)
        and Explicit(wanted.as_nullable()).infer_argument(context, 0) is None
    ):
        raise ValidationException(
            f"{where} expects a value of type {wanted.as_summary_string()} to be passed, but "
            f"{value.as_summary_string()} is of type {value.data_type.as_summary_string()}."
        )
    return call(CAST, (value, TypeLiteral(wanted.as_nullable())))


def _exact(value: ValueLiteral, wanted: LogicalType) -> ValueLiteral | None:
    if value.is_null:
        return ValueLiteral(None, wanted.as_nullable())
    if value.type_.same_type(wanted):
        return value
    if isinstance(wanted, IntervalType) and is_same_family(value.type_, wanted):
        if not is_exact(value, wanted):
            raise ValidationException(
                f"{value.as_summary_string()} has parts that are finer than {wanted.end.name}, which the type "
                f"{wanted.as_nullable().as_summary_string()} cuts off."
            )
        return ValueLiteral(value.value, wanted.not_null())
    widens = isinstance(value.type_, NumericType) and isinstance(wanted, NumericType)
    if not widens or (isinstance(wanted, IntegralType) and not isinstance(value.type_, IntegralType)):
        return None
    try:
        return literal(value.value, wanted.not_null())
    except ValidationException:
        if isinstance(wanted, IntegralType):
            raise
        return None


def _null_of(argument: ProcessArgument) -> ValueLiteral:
    return ValueLiteral(None, NULL if argument.data_type is None else argument.data_type.as_nullable())


def is_default(argument: ProcessArgument, value: ResolvedExpression) -> bool:
    """Whether a value equals the NULL of an omitted optional argument, so that its text may omit the argument."""
    return argument.is_optional and argument.default is None and value is _null_of(argument)
