"""Functions made of expressions: stored as SQL that any Spark tool can call, typed here as Spark types their body.

Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-sql-function.html
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import attrs

from grammar.builder.context import Surroundings
from grammar.reading import parse_expression
from ir.casts import can_cast, cast_is_nullable
from ir.errors import TableException, ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import FieldReference, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.calls import call, is_aggregate
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import FunctionIdentifier
from ir.inference import CallContext
from ir.inference.arguments import Positional
from ir.inference.results import Computed
from ir.inference.type_inference import StaticArgument, TypeInference
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.rewriting import replace
from ir.schema import ResolvedSchema
from ir.types import LogicalType, RowType
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, FunctionParameter
from tableapi.expression import Expression, unwrap
from tableapi.expressions import col
from tableapi.user_functions.declaration import TypeLike, type_named


@attrs.frozen
class CastTo:
    """A value of a type, or one that can be cast to it: so does Spark with the arguments of its SQL functions."""

    data_type: LogicalType

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.argument_types[position]
        if not can_cast(given, self.data_type):
            return None
        return self.data_type.with_nullability(cast_is_nullable(given, self.data_type))

    def describe(self) -> str:
        return f"<{self.data_type.as_nullable().as_summary_string()}>"


# The functions whose bodies are being resolved, of which none may be called again.
_being_resolved: ContextVar[frozenset[SqlFunction]] = ContextVar("_being_resolved", default=frozenset())


@attrs.frozen(eq=False)
class SqlFunction:
    """What runs a function of SQL: Spark itself where it has it stored, otherwise its body in the place of the call.

    ``find_functions`` finds the functions that the body calls.
    """

    stored: CatalogFunction
    find_functions: FunctionLookup
    is_temporary: bool = False

    def definition(self, identifier: FunctionIdentifier) -> FunctionDefinition:
        """Return the definition by which queries call the function."""
        stored = self.stored
        inputs = Positional(
            tuple([CastTo(parameter.data_type) for parameter in stored.parameters]),
            sum(parameter.default is not None for parameter in stored.parameters),
            None,
            tuple([parameter.name for parameter in stored.parameters]),
        )
        return FunctionDefinition(
            identifier.name,
            FunctionKind.TABLE if stored.is_table else FunctionKind.SCALAR,
            TypeInference(inputs, Computed(lambda context: self._type(context.argument_types)), self._named()),
            identifier.name,
            is_deterministic=stored.is_deterministic,
            in_spark=False,
            identifier=identifier,
            implementation=self,
            casts_arguments=False,
            doc=stored.comment or "",
        )

    def expanded(self, arguments: Sequence[ResolvedExpression]) -> ResolvedExpression:
        """Return the body in the place of a call.

        Raises:
            TableException: an argument that is not deterministic would be computed more than once; it gives a table.
        """
        if self.stored.is_table:
            raise TableException(
                "A table function of SQL runs where Spark has it stored. Store it in the Spark session's catalog."
            )
        values = [_as(argument, p.data_type) for argument, p in zip(arguments, self.stored.parameters, strict=False)]
        values += self._defaults(len(values))
        body = self._body([value.data_type for value in values])
        _refuse_repeated(body, values)

        def value_of(part: ResolvedExpression) -> ResolvedExpression | None:
            return values[part.index] if isinstance(part, FieldReference) else None

        assert self.stored.returns is not None
        return _as(replace(body, value_of), self.stored.returns)

    def _named(self) -> tuple[StaticArgument, ...]:
        found = []
        for p in self.stored.parameters:
            default = None if p.default is None else self._resolved(p.default, ())
            constant = default if isinstance(default, ValueLiteral) else None
            found.append(StaticArgument(p.name, p.data_type, p.default is not None, default=constant))
        return tuple(found)

    def _defaults(self, given: int) -> list[ResolvedExpression]:
        """Return the values of the parameters after those that a call gives."""
        left = self.stored.parameters[given:]
        return [_as(self._resolved(str(parameter.default), ()), parameter.data_type) for parameter in left]

    def _type(self, arguments: Sequence[LogicalType]) -> LogicalType:
        returns = self.stored.returns
        assert returns is not None
        if self.stored.is_table:
            assert isinstance(returns, RowType)
            return RowType(
                tuple([f.evolve(data_type=f.data_type.as_nullable()) for f in returns.fields]), nullable=False
            )
        given = [*arguments, *[value.data_type for value in self._defaults(len(arguments))]]
        return returns.with_nullability(cast_is_nullable(self._body(given).data_type, returns))

    def _body(self, types: Sequence[LogicalType]) -> ResolvedExpression:
        names = [parameter.name for parameter in self.stored.parameters]
        return self._resolved(self.stored.body, tuple(zip(names, types, strict=True)))

    def _resolved(self, text: str, columns: tuple[tuple[str, LogicalType], ...]) -> ResolvedExpression:
        if self in _being_resolved.get():
            raise ValidationException("A function of SQL calls itself, directly or by way of another one.")
        token = _being_resolved.set(_being_resolved.get() | {self})
        try:
            return self._of_text(text, columns)
        finally:
            _being_resolved.reset(token)

    def _of_text(self, text: str, columns: tuple[tuple[str, LogicalType], ...]) -> ResolvedExpression:
        schema = ResolvedSchema.of([name for name, _ in columns], [data_type for _, data_type in columns])
        zone = self.stored.settings.get("spark.sql.session.timeZone")
        written = parse_expression(text, Surroundings(lookup=self.find_functions, time_zone=zone))
        return ExpressionResolver(Scope((schema,)), self.find_functions).resolve(written)


def _as(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    if value.data_type.same_type(data_type):
        return value
    return call(CAST, (value, TypeLiteral(data_type.as_nullable())))


def _refuse_repeated(body: ResolvedExpression, values: Sequence[ResolvedExpression]) -> None:
    from ir.expressions import Call

    for index, value in enumerate(values):
        volatile = any(isinstance(part, Call) and not part.function.is_deterministic for part in value.walk())
        if volatile and _uses(body, index) > 1:
            raise TableException(
                f"The argument {value.as_summary_string()} gives another value each time, and the function uses it "
                "more than once. Make it a column with add_columns first, and pass that."
            )


def _uses(body: ResolvedExpression, index: int) -> int:
    waiting, found = [body], 0
    while waiting:
        part = waiting.pop()
        found += isinstance(part, FieldReference) and part.index == index
        waiting += part.children
    return found


# --- making them -----------------------------------------------------------------------------------------------------


def declare_expression(
    function: Callable[..., Any],
    input_types: Sequence[TypeLike],
    lookup: FunctionLookup,
    *,
    defaults: Mapping[str, Any] | None = None,
    result_type: TypeLike | None = None,
    comment: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> CatalogFunction:
    """Return the function that a Python function makes of expressions: it is called once, with a column each.

    Args:
        function: takes as many expressions as there are types, and returns one.
        input_types: the types of its parameters, which have the names that they have in Python.
        lookup: finds the functions that it calls.
        defaults: constants for the last parameters, by name; further ones are Python's own defaults.
        result_type: the type of its value; by default that of the expression.
        comment: what it does; by default its docstring.
        settings: the session settings under which its text is read.

    Raises:
        ValidationException: it takes another number of arguments, or returns no expression, or an aggregate.
    """
    listed = list(inspect.signature(function).parameters.values())
    types = [type_named(given, "input_types") for given in input_types]
    if len(listed) != len(types) or any(p.kind is p.VAR_POSITIONAL for p in listed):
        raise ValidationException(
            f"The function takes {len(listed)} arguments, but input_types has {len(types)}; each has to have a type."
        )
    names = [parameter.name for parameter in listed]
    schema = ResolvedSchema.of(names, [data_type.as_nullable() for data_type in types])
    made = function(*[col(name) for name in names])
    if not isinstance(made, Expression):
        raise ValidationException(
            f"A function made of expressions returns an expression, but {made!r} was returned. To run Python code for "
            "each row, decorate the function with udf."
        )
    body = ExpressionResolver(Scope((schema,)), lookup).resolve(unwrap(made))
    for part in body.walk():
        if is_aggregate(part):
            raise ValidationException(
                f"A function made of expressions is one of values, and {part.as_summary_string()} aggregates rows."
            )
    given = {p.name: p.default for p in listed if p.default is not p.empty} | dict(defaults or {})
    parameters = []
    for name, data_type in zip(names, types, strict=True):
        default = (
            _text(ExpressionResolver(Scope(()), lookup).resolve(_constant(given[name]))) if name in given else None
        )
        parameters.append(FunctionParameter(name, data_type.as_nullable(), default))
    returns = body.data_type if result_type is None else type_named(result_type, "result_type")
    return CatalogFunction(
        FunctionLanguage.SQL,
        _text(body),
        tuple(parameters),
        returns.as_nullable(),
        comment=comment or inspect.getdoc(function),
        settings=dict(settings or {}),
    )


def _constant(given: Any) -> Unresolved:
    from tableapi.expressions import lit

    return unwrap(given if isinstance(given, Expression) else lit(given))


def _text(expression: ResolvedExpression) -> str:
    return expression.as_serializable_string()
