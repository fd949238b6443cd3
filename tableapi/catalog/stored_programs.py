"""Code that a stored view or function names and that runs for whoever queries it: refused unless allowed."""

from __future__ import annotations

from collections.abc import Mapping

from ir.call_expressions import Call
from ir.contents import CODE
from ir.errors import ValidationException, shorten
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.script import Script
from tableapi.environment_settings import ALLOWED_PROGRAMS


def allows_programs(configuration: Mapping[str, str]) -> bool:
    """Whether the configuration of an environment allows what catalogs store to run code."""
    return configuration.get(ALLOWED_PROGRAMS, "false").strip().lower() == "true"


def require_allowed_programs(
    shown: str, stored: QueryOperation | ResolvedExpression, configuration: Mapping[str, str]
) -> None:
    """Refuse to use what is stored if it runs code that the configuration does not allow.

    Args:
        shown: what is stored, as messages call it.
        stored: what it means.
        configuration: that of the environment.

    Raises:
        ValidationException: the object runs a program or calls a function that runs code; the message names it, and
            says how to allow it.
    """
    if allows_programs(configuration):
        return
    expressions: list[ResolvedExpression] = []
    if isinstance(stored, QueryOperation):
        queries = [stored]
    else:
        expressions.append(stored)
        queries = [part.operation for part in stored.walk() if isinstance(part, TableReference)]
    for query in queries:
        for operation in query.walk_with_subqueries():
            if isinstance(operation, Script):
                raise refusal(shown, f"TRANSFORM … USING {shorten(operation.command)!r}")
            expressions += operation.expressions
    for expression in expressions:
        if expression.contents & CODE:
            for part in expression.walk():
                if isinstance(part, Call) and part.function.runs_code:
                    raise refusal(shown, describe_call(part.function))


def refusal(shown: str, code: str) -> ValidationException:
    """Return the exception about a stored view or function that runs code, both as messages call them."""
    return ValidationException(
        f"{shown} is stored with {code}, and to use it is to run that code with your permissions. If you trust what "
        f"the catalog holds, allow it with env.get_config().set({ALLOWED_PROGRAMS!r}, 'true')."
    )


def describe_call(function: FunctionDefinition) -> str:
    """Return a call of a function that runs code, as messages show it."""
    return f"a call of {' or '.join(function.sql_names)}, which runs a static method of a Java class"
