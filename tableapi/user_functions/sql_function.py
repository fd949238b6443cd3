"""SQL functions in queries: they are typed like Spark types their bodies, and their calls may expand to the bodies.

Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-sql-function.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TypeVar

from grammar.builder.context import FindTable, Surroundings, raise_without_tables
from grammar.reading import parse_body, parse_value_body
from ir import light_attrs as attrs
from ir.call_expressions import Call, Over
from ir.calls import call, fix_type, is_aggregate
from ir.casts import can_cast, cast_is_nullable
from ir.contents import CODE, NOTHING, QUERY, SQL_FUNCTION
from ir.errors import TableException, ValidationException
from ir.expressions import (
    FieldReference,
    Lambda,
    LambdaVariable,
    OuterReference,
    ResolvedExpression,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions.conversion import CAST
from ir.functions.definition import NOT_IN_SPARK, Documentation, FunctionDefinition, FunctionKind, UserCode
from ir.functions.logic import AND
from ir.identifiers import FunctionIdentifier, fold
from ir.implicit_notices import suppress_notices
from ir.inference import CallContext
from ir.inference.inputs import Positional
from ir.inference.results import Computed
from ir.inference.type_inference import StaticArgument, TypeInference
from ir.inference.usage import ALONE, Usage
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import project
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.rewriting import (
    free_variables,
    rename_parameters,
    replace,
    replace_outer_parts,
    transform,
    transform_operations,
)
from ir.schema import ResolvedSchema
from ir.types import LogicalType, RowField, RowType
from tableapi.catalog.dependency_record import DependencyRecord
from tableapi.catalog.functions import CatalogFunction, FunctionParameter

_T = TypeVar("_T")

# The deepest nesting of calls between SQL functions; each level costs Python stack frames.
_DEEPEST = 40
CALLS_ITSELF = "A function of SQL calls itself, directly or by way of another one."


@attrs.frozen
class CastTo:
    """An argument of a type, or one that can be cast to it, as Spark treats the arguments of SQL functions."""

    data_type: LogicalType

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.argument_types[position]
        if not can_cast(given, self.data_type):
            return None
        return self.data_type.with_nullability(cast_is_nullable(given, self.data_type))

    @property
    def only_type(self) -> LogicalType:
        """The type to which every argument is cast."""
        return self.data_type

    def describe(self) -> str:
        return f"<{self.data_type.as_nullable().as_summary_string()}>"


# The functions whose bodies are being resolved, none of which may be called again.
_being_resolved: ContextVar[frozenset[SqlFunction]] = ContextVar("_being_resolved", default=frozenset())


# The functions whose bodies are being expanded; the calls in a body are expanded afterwards.
_being_expanded: ContextVar[frozenset[SqlFunction]] = ContextVar("_being_expanded", default=frozenset())


@contextmanager
def _enter(function: SqlFunction, inside: ContextVar[frozenset[SqlFunction]]) -> Iterator[None]:
    above = inside.get()
    if function in above:
        raise ValidationException(CALLS_ITSELF)
    if len(above) >= _DEEPEST:
        raise ValidationException(f"Functions of SQL call one another more than {_DEEPEST} deep.")
    token = inside.set(above | {function})
    try:
        yield
    finally:
        inside.reset(token)


def expanding(function: SqlFunction) -> AbstractContextManager[None]:
    """Within the block, reject another expansion of the same function, because it would not end."""
    return _enter(function, _being_expanded)


# In column names, Spark shows functions of this catalog by their full names.
_SPARK_CATALOG = "spark_catalog"


@attrs.frozen(eq=False)
class SqlFunction:
    """The implementation of a SQL function: Spark runs it if it has stored it; otherwise its body replaces the call.

    Attributes:
        stored: the function as catalogs store it.
        name: the name of the function, which its body may use to qualify parameters.
        find_functions: finds the functions that the body calls.
        find_table: finds the tables that the body reads.
        is_temporary: whether the function ends with the process.
        require_programs: checks, before a call is expanded, that the body runs no code that is not allowed.
    """

    stored: CatalogFunction
    name: str
    find_functions: FunctionLookup
    find_table: FindTable = raise_without_tables
    is_temporary: bool = False
    require_programs: Callable[[QueryOperation | ResolvedExpression], None] | None = None
    # Resolved bodies whose meaning cannot change, by argument types.
    _resolved_before: dict[tuple[object, ...], ResolvedExpression] = attrs.field(factory=dict, init=False, repr=False)

    def definition(self, identifier: FunctionIdentifier) -> FunctionDefinition:
        """Return the definition with which queries call the function."""
        stored = self.stored
        inputs = Positional(
            tuple([CastTo(parameter.data_type) for parameter in stored.parameters]),
            sum(parameter.default is not None for parameter in stored.parameters),
            None,
            tuple([parameter.name for parameter in stored.parameters]),
        )
        kind = FunctionKind.AGGREGATE if stored.is_aggregate else FunctionKind.SCALAR
        return FunctionDefinition(
            identifier.name,
            FunctionKind.TABLE if stored.is_table else kind,
            TypeInference(inputs, Computed(self._type), self._name_arguments()),
            identifier.name,
            is_deterministic=stored.is_deterministic,
            emission=NOT_IN_SPARK,
            user_code=UserCode(
                identifier=identifier,
                called=identifier.as_summary_string() if self._is_of_spark(identifier) else None,
                implementation=self,
                has_query=None if stored.is_table else self.has_query,
                casts_arguments=False,
                expansion=self.expanded if stored.is_inline and not stored.is_table else None,
            ),
            documentation=Documentation(stored.comment or ""),
            holds=NOTHING if stored.is_table else SQL_FUNCTION,
        )

    def _is_of_spark(self, identifier: FunctionIdentifier) -> bool:
        return not self.is_temporary and identifier.parts[0] == _SPARK_CATALOG

    def has_query(self) -> bool:
        """Whether the body of a scalar function contains a query.

        Raises:
            ValidationException: the body is invalid.
        """
        return bool(self._body([parameter.data_type for parameter in self.stored.parameters]).contents & QUERY)

    def expanded(
        self,
        arguments: Sequence[ResolvedExpression],
        condition: ResolvedExpression | None = None,
        usage: Usage = ALONE,
    ) -> ResolvedExpression:
        """Return the body that replaces a call; the FILTER of an aggregate applies to each aggregate in the body.

        Each aggregate in the body also has the usage of the call.

        Raises:
            TableException: a non-deterministic argument would be computed more than once.
            ValidationException: the body is invalid.
        """
        values = self._values(arguments)
        if condition is not None:
            usage = usage.evolve(is_filtered=True)
        values = [fix_type(value, call) for value in values]
        body = self._body([value.data_type for value in values], usage)
        self._require_programs_of(body)
        _refuse_repeated(body, values)
        free = {fold(variable.name) for value in values for variable in free_variables(value)}
        body = transform(body, lambda part: _rename_parameters(part, free)) if free else body
        called = dict(zip([p.name for p in self.stored.parameters], values, strict=True))

        def value_around(part: ResolvedExpression) -> ResolvedExpression | None:
            return _refer_to_outer(called[part.name], self.name) if isinstance(part, OuterReference) else None

        def value_of(part: ResolvedExpression) -> ResolvedExpression | None:
            if isinstance(part, TableReference):
                return TableReference(replace_outer_parts(part.operation, value_around))
            return values[part.index] if isinstance(part, FieldReference) else None

        made = _cast(replace(body, value_of), self._returns)
        return made if condition is None else transform(made, lambda part: _add_condition(part, condition))

    def expanded_query(self, arguments: Sequence[ResolvedExpression]) -> QueryOperation:
        """Return the query of a table function, with the declared names and types of its columns.

        Args:
            arguments: constants, and references to columns of an outer query.

        Raises:
            TableException: the body no longer has the declared columns, or a subquery in it shadows a parameter.
        """
        values = dict(zip([p.name for p in self.stored.parameters], self._values(arguments), strict=True))
        returns = self._returns
        assert isinstance(returns, RowType)
        query = self.query()
        self._require_programs_of(query)
        return cast_to_declared(_replace_values(query, values), returns)

    @property
    def _returns(self) -> LogicalType:
        """The type of the value, or of a row of the table: the declared type, or else the type of the body."""
        declared = self.stored.returns
        found = self.checked().returns if declared is None else declared
        assert found is not None, "what is checked has a type"
        return found

    def checked(self) -> CatalogFunction:
        """Return the stored function, completed by the inferred result type if none is declared.

        Raises:
            TableException: a table function returns other columns than it declares, or a subquery in it refers to a
                parameter.
            ValidationException: the body is invalid for any call.
        """
        parameters = self.stored.parameters
        _require_parameters(parameters)
        self._defaults(sum(p.default is None for p in parameters))
        returns = self.stored.returns
        if self.stored.is_table:
            query = self.query()
            refuse_shadowed_parameters(query, [p.name for p in parameters])
            if returns is None:
                columns = [RowField(c.name, c.data_type.as_nullable()) for c in query.schema.columns]
                return attrs.evolve(self.stored, returns=RowType(tuple(columns), nullable=False))
            assert isinstance(returns, RowType)
            _require_nullable("column", [(f.name, f.data_type) for f in returns.fields])
            cast_to_declared(query, returns)
            return self.stored
        body = self._body([p.data_type for p in parameters])
        if not self.stored.is_aggregate:
            _require_value(self.name, body)
        if returns is None:
            return attrs.evolve(self.stored, returns=body.data_type.as_nullable())
        _cast(body, returns)
        return self.stored

    def query(self) -> QueryOperation:
        """Return the body of a table function, with its parameters as columns of an outer query.

        Raises:
            ValidationException: the body is invalid.
        """
        parameters = [(p.name, p.data_type.as_nullable()) for p in self.stored.parameters]
        noting = DependencyRecord()
        returns = self.stored.returns
        types = [field.data_type for field in returns.fields] if isinstance(returns, RowType) else []
        surroundings = attrs.evolve(
            self._surroundings(noting),
            expected=lambda position, name: types[position] if position < len(types) else None,
        )

        def read() -> QueryOperation:
            with noting.around():
                return parse_body(self.stored.body, surroundings, self.name, parameters)

        return self._guard(read)

    def _values(self, arguments: Sequence[ResolvedExpression]) -> list[ResolvedExpression]:
        """Return the value of each parameter: an argument, or else its default."""
        given = [_cast(argument, p.data_type) for argument, p in zip(arguments, self.stored.parameters, strict=False)]
        defaults = self._defaults(len(given))
        for default in defaults:
            self._require_programs_of(default)
        return given + defaults

    def require_allowed(self, arguments: Sequence[ResolvedExpression]) -> None:
        """Check that a call which Spark itself evaluates runs no forbidden code, directly or in called functions.

        Raises:
            ValidationException: the body runs code that the configuration does not allow.
        """
        values = self._values(arguments)
        body = self.query() if self.stored.is_table else self._body([value.data_type for value in values])
        self._require_programs_of(body)
        queries = [body] if isinstance(body, QueryOperation) else []
        expressions = [body] if isinstance(body, ResolvedExpression) else []
        for expression in expressions:
            queries += [part.operation for part in expression.walk() if isinstance(part, TableReference)]
        for query in queries:
            for operation in query.walk_with_subqueries():
                expressions += operation.expressions
        with expanding(self):
            for expression in [*values[len(arguments) :], *expressions]:
                for part in expression.walk():
                    if isinstance(part, Call) and isinstance(part.function.user_code.implementation, SqlFunction):
                        part.function.user_code.implementation.require_allowed(part.arguments)

    def _require_programs_of(self, part: QueryOperation | ResolvedExpression) -> None:
        if self.require_programs is None:
            return
        if isinstance(part, QueryOperation) or part.contents & (QUERY | CODE):
            self.require_programs(part)

    def _name_arguments(self) -> tuple[StaticArgument, ...]:
        found = []
        for p in self.stored.parameters:
            default = None if p.default is None else self._resolve(p.default, (), p.data_type)
            constant = default if isinstance(default, ValueLiteral) else None
            found.append(StaticArgument(p.name, p.data_type, p.default is not None, default=constant))
        return tuple(found)

    def _defaults(self, given: int) -> list[ResolvedExpression]:
        """Return the default values of the parameters after the given arguments."""
        made = []
        for parameter in self.stored.parameters[given:]:
            value = self._resolve(str(parameter.default), (), parameter.data_type)
            if value.contents & QUERY:
                raise ValidationException(
                    f"The default of the parameter {parameter.name!r} asks a query; it is computed of constants.",
                    condition="USER_DEFINED_FUNCTIONS.NOT_A_VALID_DEFAULT_EXPRESSION",
                )
            _require_value(self.name, value)
            made.append(_cast(value, parameter.data_type))
        return made

    def _type(self, context: CallContext) -> LogicalType:
        arguments = context.argument_types
        returns = self._returns
        if self.stored.is_table:
            assert isinstance(returns, RowType)
            return RowType(
                tuple([f.evolve(data_type=f.data_type.as_nullable()) for f in returns.fields]), nullable=False
            )
        given = [*arguments, *[value.data_type for value in self._defaults(len(arguments))]]
        return returns.with_nullability(cast_is_nullable(self._body(given, context.usage).data_type, returns))

    def _body(self, types: Sequence[LogicalType], usage: Usage = ALONE) -> ResolvedExpression:
        names = [parameter.name for parameter in self.stored.parameters]
        columns = tuple(zip(names, types, strict=True))
        return self._resolve(self.stored.body, columns, self.stored.returns, usage)

    def _resolve(
        self,
        text: str,
        columns: tuple[tuple[str, LogicalType], ...],
        expected: LogicalType | None = None,
        usage: Usage = ALONE,
    ) -> ResolvedExpression:
        known = self._resolved_before.get((text, columns, usage))
        if known is not None:
            return known

        noting = DependencyRecord()
        surroundings = self._surroundings(noting)

        def resolved() -> ResolvedExpression:
            schema = ResolvedSchema.of([name for name, _ in columns], [data_type for _, data_type in columns])
            with noting.around():
                written = parse_value_body(text, surroundings, self.name, columns)
                resolver = ExpressionResolver(Scope((schema,)), surroundings.lookup, usage=usage)
                made = resolver.resolve(written, expected)
            if self.stored.is_aggregate and columns:
                require_aggregated(made)
            return made

        made = self._guard(resolved)
        if not self.is_temporary and noting.is_constant and not made.contents & QUERY:
            self._resolved_before[text, columns, usage] = made
        return made

    def _guard(self, resolve: Callable[[], _T]) -> _T:
        with _enter(self, _being_resolved), suppress_notices():
            return resolve()

    def _surroundings(self, noting: DependencyRecord) -> Surroundings:
        zone = self.stored.settings.get("spark.sql.session.timeZone")
        lookup, find_table = noting.finding(self.find_functions), noting.reading(self.find_table)
        return Surroundings(lookup=lookup, find_table=find_table, time_zone=zone)


def require_aggregated(body: ResolvedExpression) -> None:
    """Check that the body of an aggregate uses parameters only within aggregate calls.

    Raises:
        ValidationException: a parameter is used elsewhere, where it is unclear which row's value it has.
    """

    def without(part: ResolvedExpression) -> ResolvedExpression | None:
        return ValueLiteral(None, part.data_type.as_nullable()) if is_aggregate(part) else None

    for part in replace(body, without).walk():
        if isinstance(part, FieldReference):
            raise ValidationException(
                f"An aggregate made of expressions gives one value for many rows, but {part.name} stands outside of "
                f"every aggregate in {body.as_summary_string()}. Take {part.name}.first_value, for example."
            )


def cast_to_declared(query: QueryOperation, returns: RowType) -> QueryOperation:
    """Cast and rename the columns of a query to the fields of a row type.

    Raises:
        TableException: the numbers of columns and fields differ.
    """
    columns = query.schema.columns
    if len(columns) != len(returns.fields):
        raise TableException(
            f"The body of a table function gives {len(columns)} columns, but {len(returns.fields)} are declared: "
            f"[{', '.join(field.name for field in returns.fields)}]."
        )
    fields = [FieldReference(column.name, column.data_type, 0, i) for i, column in enumerate(columns)]
    made = [_cast(field, declared.data_type) for field, declared in zip(fields, returns.fields, strict=True)]
    return project(query, tuple(made), tuple([field.name for field in returns.fields]))


def refuse_shadowed_parameters(query: QueryOperation, parameters: Iterable[str]) -> None:
    """Check that no subquery in the body of a table function refers to a column named like a parameter.

    Raises:
        TableException: a subquery refers to such a name, so that column and parameter cannot be distinguished.
    """
    names = set(parameters)
    own = {id(operation) for operation in query.walk()}
    for operation in query.walk_with_subqueries():
        if id(operation) in own:
            continue
        for part in (part for expression in operation.expressions for part in expression.walk()):
            if isinstance(part, OuterReference) and part.name in names:
                raise TableException(
                    f"A subquery of the table function refers to {part.name!r}, which is a parameter as well; a "
                    "subquery may refer to the query around it only. Give the parameter another name, and make what "
                    "the subquery needs of it a column before."
                )


def _replace_values(query: QueryOperation, values: Mapping[str, ResolvedExpression]) -> QueryOperation:
    refuse_shadowed_parameters(query, values)

    def value_of(part: ResolvedExpression) -> ResolvedExpression | None:
        return values.get(part.name) if isinstance(part, OuterReference) else None

    return transform_operations(query, lambda current: current, lambda expression: replace(expression, value_of))


def _rename_parameters(part: ResolvedExpression, taken: set[str]) -> ResolvedExpression:
    """Rename the parameters of a lambda that an argument of the call also refers to."""
    return rename_parameters(part, taken) if isinstance(part, Lambda) else part


def _add_condition(part: ResolvedExpression, condition: ResolvedExpression) -> ResolvedExpression:
    """Add a condition to the FILTER of an aggregate; return other expressions unchanged."""
    if not isinstance(part, Call) or not is_aggregate(part):
        return part
    both = condition if part.filter is None else call(AND, (part.filter, condition))
    return part.evolve(filter=both)


def _cast(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    if value.data_type.same_type(data_type):
        return value
    return call(CAST, (value, TypeLiteral(data_type.as_nullable())))


def _require_parameters(parameters: Sequence[FunctionParameter]) -> None:
    """Check that Spark supports the parameters of a function.

    Raises:
        ValidationException: a parameter is NOT NULL, or lacks a default after a parameter that has one.
    """
    _require_nullable("parameter", [(p.name, p.data_type) for p in parameters])
    last: FunctionParameter | None = None
    for parameter in parameters:
        if last is not None and last.default is not None and parameter.default is None:
            raise ValidationException(
                f"The parameter {parameter.name!r} has no default, but {last.name!r} before it has one; a default is "
                "followed by defaults only.",
                condition="USER_DEFINED_FUNCTIONS.NOT_A_VALID_DEFAULT_PARAMETER_POSITION",
            )
        last = parameter


def _require_nullable(kind: str, declared: Sequence[tuple[str, LogicalType]]) -> None:
    for name, data_type in declared:
        if not data_type.nullable:
            raise ValidationException(
                f"The {kind} {name!r} is NOT NULL, but any may be NULL. Leave NOT NULL out.",
                condition="USER_DEFINED_FUNCTIONS.NOT_NULL_ON_FUNCTION_PARAMETERS",
            )


def _require_value(name: str, body: ResolvedExpression) -> None:
    """Check that the body of a scalar function computes its value from a single row.

    Raises:
        ValidationException: the body contains an aggregate or a window function.
    """
    for part in body.walk():
        if is_aggregate(part) or isinstance(part, Over):
            raise ValidationException(
                f"The function {name} gives a value for each row, but {part.as_summary_string()} in it is computed of "
                "several. A query in the body may do that: RETURN (SELECT …). One of groups is created by CREATE "
                "AGGREGATE FUNCTION.",
                condition="USER_DEFINED_FUNCTIONS.CANNOT_CONTAIN_COMPLEX_FUNCTIONS",
            )


def _refer_to_outer(value: ResolvedExpression, function: str) -> ResolvedExpression:
    """Return an argument as seen from a subquery in the body: its columns become outer references.

    Raises:
        TableException: Spark could not compute the argument there.
    """
    for part in value.walk():
        volatile = isinstance(part, Call) and not part.function.is_deterministic
        if volatile or isinstance(part, (LambdaVariable, OuterReference, TableReference)):
            raise TableException(
                f"The function {function} is given {value.as_summary_string()}, which a query in its body cannot see. "
                "Make it a column with add_columns, or in a query in FROM, and give the function that."
            )
    return replace(
        value, lambda part: OuterReference(part.name, part.type_) if isinstance(part, FieldReference) else None
    )


def _refuse_repeated(body: ResolvedExpression, values: Sequence[ResolvedExpression]) -> None:
    for index, value in enumerate(values):
        volatile = any(isinstance(part, Call) and not part.function.is_deterministic for part in value.walk())
        if volatile and _count_uses(body, index) > 1:
            raise TableException(
                f"The argument {value.as_summary_string()} gives another value each time, and the function uses it "
                "more than once. Make it a column with add_columns first, and pass that."
            )


def _count_uses(body: ResolvedExpression, index: int) -> int:
    waiting, found = [body], 0
    while waiting:
        part = waiting.pop()
        found += isinstance(part, FieldReference) and part.index == index
        waiting += part.children
    return found
