"""Calls of functions that take tables: process table functions, and those that expand into other operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ir.errors import FunctionNotExistException, ValidationException
from ir.expressions import Expression as Unresolved
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold, parse_path
from ir.operations.operation import QueryOperation, TableReference
from ir.resolution.changelogs import CHANGELOG_FUNCTIONS, changelog_table
from ir.resolution.lookup import FunctionLookup
from ir.resolution.process.call import build_process_table
from ir.resolution.process.inputs import TableInput
from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS, window_table
from ir.unresolved import UnresolvedCall, UnresolvedNamedArgument
from tableapi.expression import Expression, unwrap
from tableapi.process_functions.declaration import declare_process_function, is_process_function
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.steps.partitioned_table import PartitionedTable, labels_of, query_of_argument
from tableapi.table import Table, query_of
from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper

_Expansion = Callable[[Sequence[Unresolved], FunctionLookup], QueryOperation]


def build_call(
    environment: EnvironmentParts, f: Any, arguments: Sequence[Any], named: dict[str, Any]
) -> QueryOperation:
    """Return the query of a process table function call.

    Raises:
        FunctionNotExistException: the function does not exist.
        ValidationException: the function is not a process table function, or the call is invalid.
        TableException: the call is not supported.
    """
    lookup = environment.lookup
    build_expansion, given = _find_expansion(f, lookup)
    function = None
    if build_expansion is None:
        function, given = _function(f, lookup)
    for argument in arguments:
        _require_own(environment, argument)
        given.append(_unwrap(argument))
    for name, argument in named.items():
        _require_own(environment, argument)
        one = _unwrap(argument)
        if isinstance(one, UnresolvedNamedArgument):
            raise ValidationException(
                f"The argument {name!r} is named twice: by the keyword, and {one.name!r} by as_argument."
            )
        given.append(UnresolvedNamedArgument(name, one))
    if build_expansion is not None:
        return build_expansion(given, lookup)
    assert function is not None
    return build_process_table(function, given, lookup)


def _find_expansion(f: Any, lookup: FunctionLookup) -> tuple[_Expansion | None, list[Unresolved]]:
    """Return how to build the function of tables that a name or a call refers to, and the call's arguments.

    A user-defined function with the same name takes precedence; then the result is None.
    """
    written = unwrap(f) if isinstance(f, Expression) else None
    name = written.function if isinstance(written, UnresolvedCall) else f
    folded = fold(name) if isinstance(name, str) else ""
    if folded in WINDOW_FUNCTIONS:
        found: _Expansion = partial(window_table, WINDOW_FUNCTIONS[folded])
    elif folded in CHANGELOG_FUNCTIONS:
        found = partial(changelog_table, CHANGELOG_FUNCTIONS[folded])
    else:
        return None, []
    try:
        lookup.find(folded)
    except FunctionNotExistException:
        given = written.arguments if isinstance(written, UnresolvedCall) else ()
        return found, [_convert_to_input(argument) for argument in given]
    return None, []


def _function(f: Any, lookup: FunctionLookup) -> tuple[FunctionDefinition, list[Unresolved]]:
    """Return the called function, and the arguments that it already has."""
    if isinstance(f, Expression):
        written = unwrap(f)
        if not isinstance(written, UnresolvedCall):
            raise ValidationException(
                "Invalid expression. The expression must be a call to a process table function: call('f', …)."
            )
        found = written.function
        definition = found if isinstance(found, FunctionDefinition) else lookup.find(found)
        return definition, [_convert_to_input(argument) for argument in written.arguments]
    if is_process_function(f):
        return declare_process_function(f), []
    if isinstance(f, UserDefinedFunctionWrapper):
        return f.definition, []
    if not isinstance(f, str) or not f:
        raise ValidationException(
            f"A process table function is given by its name, or as a class that derives from ProcessTableFunction, or "
            f"an instance of one, but was {f!r}."
        )
    parts = parse_path(f) if "." in f or "`" in f else (f,)
    return lookup.find(parts if len(parts) > 1 else parts[0]), []


def _unwrap(argument: Any) -> Unresolved:
    if isinstance(argument, PartitionedTable):
        return argument.unresolved_argument
    return _convert_to_input(unwrap(argument))


def _convert_to_input(written: Unresolved) -> Unresolved:
    if isinstance(written, UnresolvedNamedArgument):
        return UnresolvedNamedArgument(written.name, _convert_to_input(written.expression))
    if isinstance(written, TableReference):
        return TableInput(written.operation, labels=labels_of(written.operation))
    return written


def _require_own(environment: EnvironmentParts, argument: Any) -> None:
    if isinstance(argument, PartitionedTable):
        query = query_of_argument(argument)
    elif isinstance(argument, Table):
        query = query_of(argument)
    else:
        return
    if query.environment is not environment:
        raise ValidationException("from_call takes tables of the same environment, but was given one of another.")
