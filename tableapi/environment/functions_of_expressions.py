"""Functions made of expressions: a Python function over columns for its parameters builds an expression or a query.

The result is stored as SQL.
Source: https://cwiki.apache.org/confluence/display/FLINK/FLIP-51%3A+Rework+of+the+Expression+Design
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import attrs

from ir.call_expressions import Call
from ir.calls import is_aggregate
from ir.errors import TableException, ValidationException, did_you_mean
from ir.expressions import Expression as Unresolved
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.operations.correlation import require_correlation
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.rewriting import replace
from ir.schema import ResolvedSchema
from ir.types import LogicalType, RowField, RowType
from serializer.hidden_names import EVERY_NAME, hiding
from serializer.nested import body_text
from serializer.spark_notation import SPARK
from tableapi.catalog.catalog import Catalog
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, FunctionParameter
from tableapi.expression import Expression, unwrap
from tableapi.expressions import lit
from tableapi.members.type_arguments import TypeLike
from tableapi.table import Table
from tableapi.user_functions.annotations import list_parameters
from tableapi.user_functions.declared_types import type_named
from tableapi.user_functions.sql_function import SqlFunction, refuse_shadowed_parameters, require_aggregated

if TYPE_CHECKING:
    from ir.targets.preparation import Preparation


class ExpressionOptions(TypedDict, total=False):
    """The options of a function made of expressions, as keyword arguments."""

    defaults: Mapping[str, Any] | None
    result_type: TypeLike | None
    comment: str | None
    parameter_comments: Mapping[str, str] | None
    inline: bool


@attrs.frozen
class Options:
    """The options of a function made of expressions, besides its types."""

    defaults: Mapping[str, Any] | None = None
    result_type: TypeLike | None = None
    comment: str | None = None
    parameter_comments: Mapping[str, str] | None = None
    inline: bool = False

    @staticmethod
    def of(given: Mapping[str, Any]) -> Options:
        """Return the options from keyword arguments.

        Raises:
            ValidationException: an option is unknown.
        """
        known = [attribute.name for attribute in attrs.fields(Options)]
        for name in given:
            if name not in known:
                raise ValidationException(
                    f"A function made of expressions has no option {name!r}." + did_you_mean(name, known)
                )
        return Options(**given)


@attrs.frozen
class Place:
    """The place where a function will be stored, and how its text is written and read there.

    Attributes:
        name: the name of the function.
        catalog: the catalog, or None for a temporary function.
        catalog_name: the name of the catalog.
        runnable: makes the callable function from the stored one.
        check: rejects a body that is not allowed in this place.
        preparation: rewrites a body that Spark stores to what its version has; None for the newest version.
    """

    name: str
    catalog: Catalog | None
    catalog_name: str
    runnable: Callable[[CatalogFunction], SqlFunction]
    check: Callable[[ResolvedExpression | QueryOperation], None] = lambda body: None
    preparation: Preparation | None = None

    def expression_text(self, expression: ResolvedExpression) -> str:
        """Return the text of an expression."""
        if self.catalog is not None:
            relative = self.catalog.relative_expression(expression, self.catalog_name)
            if self.preparation is not None and self.catalog.is_in_spark:
                relative = self.preparation.expression(relative)
            return relative.as_serializable_string()
        # A temporary function keeps its meaning when its names are later given to other functions.
        with hiding(EVERY_NAME):
            return expression.as_serializable_string()

    def query_text(self, operation: QueryOperation, parameters: Sequence[str]) -> str:
        """Return the text of a query that refers to parameters."""
        if self.catalog is not None:
            relative = self.catalog.relative(operation, self.catalog_name)
            if self.preparation is not None and self.catalog.is_in_spark:
                relative = self.preparation.prepare(relative)
            return body_text(relative, self.name, parameters, SPARK)
        with hiding(EVERY_NAME):
            return body_text(operation, self.name, parameters, SPARK)


def declare_expression(
    function: Callable[..., Any],
    input_types: Sequence[TypeLike],
    lookup: FunctionLookup,
    place: Place,
    options: Options,
    settings: Callable[[QueryOperation | None], Mapping[str, str]] = lambda query: {},
) -> CatalogFunction:
    """Build a function from expressions: call a Python function once, with a column for each parameter.

    A function of aggregates becomes an aggregate function, and a function that returns a table a table function.

    Args:
        function: takes as many expressions as there are types, and returns an expression or a table.
        input_types: the types of its parameters, which keep their Python names.
        lookup: finds the functions that it calls.
        place: the place where it will be stored.
        options: its defaults are constants for the last parameters, in addition to Python's own defaults.
        settings: returns the session settings under which the text of a query, or of an expression for None, is read.

    Raises:
        ValidationException: the function takes another number of arguments, or returns neither an expression nor a
            table.
        TableException: the text would not be parsed back to the same function.
    """
    types = _types(function, input_types)
    parameters = _parameters(function, types, lookup, place, options)
    names = [parameter.name for parameter in parameters]
    comment = options.comment or inspect.getdoc(function)
    # Within a table, the parameters are columns of an outer query.
    made = function(*[Expression(OuterReference(p.name, p.data_type)) for p in parameters])
    if isinstance(made, Table):
        made.get_resolved_schema().require_distinct_names("A table function")
        return _table_function(made.query_operation, parameters, comment, place, options, settings)
    if not isinstance(made, Expression):
        raise ValidationException(
            f"A function made of expressions returns an expression or a table, but {made!r} was returned. To run "
            "Python code for each row, decorate the function with udf."
        )
    schema = ResolvedSchema.of(names, [parameter.data_type for parameter in parameters])
    wanted = None if options.result_type is None else type_named(options.result_type, "result_type")
    body = replace(ExpressionResolver(Scope((schema,)), lookup).resolve(unwrap(made), wanted), _field_in(schema))
    if any(isinstance(part, TableReference) for part in body.walk()):
        raise TableException(
            f"A function made of expressions is one of values, and {body.as_summary_string()} asks a table. Return the "
            "table itself: then the function gives rows."
        )
    aggregates = [part for part in body.walk() if is_aggregate(part)]
    if aggregates:
        require_aggregated(body)
    place.check(body)
    returns = body.data_type if wanted is None else wanted
    return CatalogFunction(
        FunctionLanguage.SQL,
        place.expression_text(body),
        tuple(parameters),
        returns.as_nullable(),
        comment=comment,
        is_deterministic=_is_deterministic(body),
        settings=dict(settings(None)),
        is_aggregate=bool(aggregates),
        is_inline=bool(aggregates) or options.inline,
    )


def _types(function: Callable[..., Any], input_types: Sequence[TypeLike]) -> list[LogicalType]:
    listed = list_parameters(function)
    for given in (input_types, *(input_types if isinstance(input_types, Iterable) else ())):
        if hasattr(type(given), "infer_inputs") or hasattr(type(given), "infer_argument"):
            raise ValidationException(
                "input_types: a type is expected, but a strategy was given. Strategies are for get_type_inference of a "
                "class; the types of a function made of expressions follow from its body."
            )
    types = [type_named(given, "input_types") for given in input_types]
    if len(listed) != len(types) or any(p.kind is p.VAR_POSITIONAL for p in listed):
        raise ValidationException(
            f"The function takes {len(listed)} arguments, but input_types has {len(types)}; each has to have a type."
        )
    return types


def _parameters(
    function: Callable[..., Any],
    types: Sequence[LogicalType],
    lookup: FunctionLookup,
    place: Place,
    options: Options,
) -> list[FunctionParameter]:
    listed = list_parameters(function)
    names = [parameter.name for parameter in listed]
    defaults = {p.name: p.default for p in listed if p.default is not p.empty} | dict(options.defaults or {})
    comments = dict(options.parameter_comments or {})
    for name in [*defaults, *comments]:
        if name not in names:
            raise ValidationException(
                f"The function has no parameter {name!r}; it has [{', '.join(names)}]." + did_you_mean(name, names)
            )
    found: list[FunctionParameter] = []
    for name, data_type in zip(names, types, strict=True):
        default = None
        if name in defaults:
            constant = ExpressionResolver(Scope(()), lookup).resolve(_constant(defaults[name]))
            default = place.expression_text(constant)
        elif found and found[-1].default is not None:
            raise ValidationException(
                f"The parameter {name!r} has no default, but {found[-1].name!r} before it has one; a default is "
                "followed by defaults only."
            )
        found.append(FunctionParameter(name, data_type.as_nullable(), default, comments.get(name)))
    return found


def _table_function(
    query: QueryOperation,
    parameters: Sequence[FunctionParameter],
    comment: str | None,
    place: Place,
    options: Options,
    settings: Callable[[QueryOperation | None], Mapping[str, str]],
) -> CatalogFunction:
    shown = f"The table function {place.name}"
    if options.inline or options.result_type is not None:
        option = "inline" if options.inline else "result_type"
        raise ValidationException(
            f"{option} is for functions that give one value. {shown} gives the columns of its table, and its query "
            "takes the place of a call when that runs, wherever Spark does not have the function."
        )
    names = [parameter.name for parameter in parameters]
    for reference in outer_references(query):
        if reference.name not in names:
            raise ValidationException(
                f"{shown} refers to {reference.name!r} of another query, and none of its parameters is that: "
                f"[{', '.join(names)}]."
            )
    refuse_shadowed_parameters(query, names)
    require_correlation(query, shown)
    place.check(query)
    columns = [RowField(c.name, c.data_type.as_nullable(), c.comment) for c in query.schema.columns]
    stored = CatalogFunction(
        FunctionLanguage.SQL,
        place.query_text(query, names),
        tuple(parameters),
        RowType(tuple(columns), nullable=False),
        is_table=True,
        comment=comment,
        is_deterministic=all(_is_deterministic(e) for o in query.walk_with_subqueries() for e in o.expressions),
        settings=dict(settings(query)),
    )
    if place.runnable(stored).query() is not query:
        raise TableException(
            f"{shown} would be stored as a text that means something else: a column, or a table, has the name of the "
            f"function or of a parameter ([{', '.join(names)}]). Give the parameters names that no column has."
        )
    return stored


def _field_in(schema: ResolvedSchema) -> Callable[[ResolvedExpression], ResolvedExpression | None]:
    def field(part: ResolvedExpression) -> ResolvedExpression | None:
        index = schema.index_of(part.name) if isinstance(part, OuterReference) else None
        if index is None:
            return None
        return FieldReference(schema.columns[index].name, schema.columns[index].data_type, 0, index)

    return field


def _is_deterministic(body: ResolvedExpression) -> bool:
    return all(part.function.is_deterministic for part in body.walk() if isinstance(part, Call))


def _constant(given: Any) -> Unresolved:
    return unwrap(given if isinstance(given, Expression) else lit(given))
