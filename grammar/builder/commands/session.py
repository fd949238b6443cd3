"""Builds the commands about what a session has: variables, cached data, global temporary views."""

from __future__ import annotations

from collections.abc import Sequence

from grammar import session_syntax as ss
from grammar import syntax as s
from grammar.builder.commands.context import CommandContext
from grammar.builder.scopes import Scope
from grammar.errors import Misread
from ir.commands.session import (
    ChangeViewSchema,
    ClearCache,
    CreateGlobalView,
    DeclareVariables,
    DropVariable,
    GlobalViewColumn,
    RefreshFunction,
    RefreshPath,
    SetVariables,
    SetVariablesFromQuery,
    VariableValue,
)
from ir.errors import SqlParserException, did_you_mean, listing
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier, fold, fold_path
from ir.resolution.commands import variables
from ir.types import LogicalType

_SCHEMAS = ((), ("session",), ("system", "session"))
_MODES = ("BINDING", "COMPENSATION", "TYPE EVOLUTION", "EVOLUTION")


def build_declare_variables(node: ss.DeclareVariables, context: CommandContext) -> DeclareVariables:
    """Build the command of DECLARE VARIABLE.

    Raises:
        Misread: a name has another schema, or occurs twice; there is neither a type nor a default; or the default
            refers to a variable.
    """
    names = _distinct_names(node.names)
    if node.data_type is None and node.default is None:
        message = f"The variable {names[0]} needs a type or a default: DECLARE VARIABLE {names[0]} INT DEFAULT 0."
        raise Misread(node.names[0].position, message)
    default = None if node.default is None else _value(node.default, context, node.data_type, is_default=True)
    read = next(iter(context.builder.expressions.shown_variables), None)
    if read is not None:
        # As a constant it would be another default: Spark keeps the text, and cannot resolve it again. Spark runs this.
        message = f"The default of a variable refers to the variable {read[-1]}, for which there is no tree here."
        raise Misread(node.default.position, message, kind=SqlParserException)
    return DeclareVariables(names, node.data_type, default, node.replaces)


def build_set_variables(node: ss.SetVariables, context: CommandContext) -> SetVariables:
    """Build the command of SET VARIABLE with values.

    Raises:
        Misread: a variable is assigned twice, or its name has another schema.
    """
    names = _distinct_names([value.name for value in node.values])
    values = [None if one.value is None else _value(one.value, context) for one in node.values]
    return SetVariables(tuple([VariableValue(name, value) for name, value in zip(names, values, strict=True)]))


def build_set_variables_from_query(node: ss.SetVariablesFromQuery, context: CommandContext) -> SetVariablesFromQuery:
    """Build the command of SET VARIABLE with a query.

    Raises:
        Misread: the query has another number of columns; a variable is assigned twice, or its name has another schema.
    """
    names, query = _distinct_names(node.names), context.output(node.query)
    if len(query.schema.columns) != len(names):
        raise Misread(
            node.position,
            f"SET VARIABLE names {len(names)} variables, and the query has {len(query.schema.columns)} columns.",
            "ASSIGNMENT_ARITY_MISMATCH",
        )
    return SetVariablesFromQuery(names, query)


def build_drop_variable(node: ss.DropVariable, context: CommandContext) -> DropVariable:
    """Build the command of DROP VARIABLE."""
    return DropVariable(_variable_name(node.name), node.if_exists)


def build_clear_cache(node: ss.ClearCache, context: CommandContext) -> ClearCache:
    """Build the command of CLEAR CACHE."""
    return ClearCache()


def build_refresh_path(node: ss.RefreshPath, context: CommandContext) -> RefreshPath:
    """Build the command of REFRESH with a path."""
    return RefreshPath(node.path)


def build_refresh_function(node: ss.RefreshFunction, context: CommandContext) -> RefreshFunction:
    """Build the command of REFRESH FUNCTION."""
    return RefreshFunction(context.name(node.name))


def build_create_global_view(node: ss.CreateGlobalView, context: CommandContext) -> CreateGlobalView:
    """Build the command of CREATE GLOBAL TEMPORARY VIEW.

    Raises:
        Misread: the name has a database; there are another number of columns than in the query; or an option is one of
            stored views.
    """
    if len(node.name.parts) > 1:
        message = f"A global temporary view is in no other database; write its name alone: {node.name.parts[-1]}."
        raise Misread(node.name.position, message, "INVALID_TEMP_OBJ_QUALIFIER")
    others = [kind for kind in node.options if kind != "comment"]
    if others:
        message = f"A temporary view has a comment, and no {others[0]}. Leave it out, or create a stored view."
        raise Misread(node.name.position, message)
    query = context.output(node.query)
    written = node.columns or []
    if written and len(written) != len(query.schema.columns):
        message = f"The view names {len(written)} columns, and its query has {len(query.schema.columns)}."
        raise Misread(written[0].position, message)
    columns = tuple([GlobalViewColumn(column.name.text, column.comment) for column in written])
    name = ObjectIdentifier(node.name.parts[0])
    return CreateGlobalView(name, query, columns, node.options.get("comment"), node.replaces)


def build_change_view_schema(node: ss.AlterViewSchema, context: CommandContext) -> ChangeViewSchema:
    """Build the command of ALTER VIEW … WITH SCHEMA.

    Raises:
        Misread: there is no such mode.
    """
    if node.mode not in _MODES:
        message = (
            f"There is no schema mode {node.mode}; there are [{listing(_MODES)}].{did_you_mean(node.mode, _MODES)}"
        )
        raise Misread(node.position, message)
    return ChangeViewSchema(context.name(node.name), node.mode)


def _value(
    written: object, context: CommandContext, data_type: LogicalType | None = None, *, is_default: bool = False
) -> ResolvedExpression:
    """Return the resolved value of a variable."""
    builder = context.builder
    expression = context.expression(written, Scope([]))
    resolve = variables.resolve_default if is_default else variables.resolve_value
    found: ResolvedExpression = builder.call_resolver(
        getattr(written, "position", 0), resolve, expression, data_type, builder.lookup
    )
    return found


def _distinct_names(paths: Sequence[s.Path]) -> tuple[str, ...]:
    names: list[str] = []
    for path in paths:
        name = _variable_name(path)
        if fold(name) in map(fold, names):
            raise Misread(path.position, f"The variable {name} is named twice. Leave one out.")
        names.append(name)
    return tuple(names)


def _variable_name(path: s.Path) -> str:
    *schema, name = path.parts
    if fold_path(tuple(schema)) not in _SCHEMAS:
        message = f"Variables are in the schema system.session and in no other; write the name alone: {name}."
        raise Misread(path.position, message, "UNRESOLVED_VARIABLE")
    return name
